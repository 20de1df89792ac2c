// A film of the clip as it is seen: each frame is put exactly where it belongs in time, however slow this machine is.
import { WebmFile } from './webm.js';

const fps = 30, mostSeconds = 120;
const codecs = [ [ 'vp09.00.31.08', 'V_VP9' ], [ 'vp8', 'V_VP8' ] ];

async function encoderFor( size, file )
{
    if ( typeof VideoEncoder === 'undefined' )
    {
        throw new Error( 'this browser has no VideoEncoder, which films need; Chromium and Firefox 130 have one' );
    }
    for ( const [ codec, name ] of codecs )
    {
        const config = { codec, ...size, bitrate: 6e6, framerate: fps };
        if ( ( await VideoEncoder.isConfigSupported( config ) ).supported )
        {
            const failures = [];
            file.codec = name;
            const encoder = new VideoEncoder( { output: ( chunk ) => file.add( chunk ), error: ( error ) => failures.push( error ) } );
            encoder.configure( config );
            return { encoder, failures };
        }
    }
    throw new Error( 'this browser encodes neither VP8 nor VP9' );
}

/** Gives the bytes of a WebM, or null where the signal ended it. `told`: the share that is done. */
export async function makeFilm( app, told, signal )
{
    const { player, stage, looks, engine } = app, { canvas } = stage;
    const { start, end } = player.range, length = end > start ? Math.min( end - start, mostSeconds ) : 4;
    const size = { width: canvas.width & ~1, height: canvas.height & ~1 }; // both codecs want even numbers
    const file = new WebmFile( size ), { encoder, failures } = await encoderFor( size, file );
    const count = Math.max( 1, Math.round( length * fps ) ), hasClip = player.clip >= 0;
    app.isFilming = true;
    try
    {
        for ( let i = 0; i < count && failures.length === 0 && !signal.aborted; ++i )
        {
            const time = start + i / fps, world = player.worldAfter( hasClip ? 0 : 1 / fps );
            const skins = await engine.call( 'show', { time, dt: 1 / fps, playing: !hasClip, mix: player.mix, world, wants: looks.wants() } );
            player.skins = skins;
            looks.put( skins, world );
            stage.draw();
            const frame = new VideoFrame( canvas, { timestamp: Math.round( 1e6 * i / fps ), visibleRect: { x: 0, y: 0, ...size } } );
            encoder.encode( frame, { keyFrame: i % 60 === 0 } );
            frame.close();
            told( ( i + 1 ) / count );
            while ( encoder.encodeQueueSize > 8 && failures.length === 0 )
            {
                await new Promise( ( done ) => setTimeout( done, 5 ) );
            }
        }
        if ( signal.aborted )
        {
            return null;
        }
        await encoder.flush();
    }
    finally
    {
        app.isFilming = false;
        player.dirty = true;
        encoder.state !== 'closed' && encoder.close();
    }
    if ( failures.length > 0 )
    {
        throw failures[0];
    }
    return file.finish( count / fps );
}
