// A WebM file of one picture track: EBML elements, as much of them as players want (RFC 8794, RFC 9559).

const ids = { ebml: 0x1a45dfa3, version: 0x4286, readVersion: 0x42f7, idLength: 0x42f2, sizeLength: 0x42f3, docType: 0x4282, docVersion: 0x4287,
    docReadVersion: 0x4285, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489, muxer: 0x4d80, writer: 0x5741,
        tracks: 0x1654ae6b,
    track: 0xae, number: 0xd7, uid: 0x73c5, type: 0x83, codec: 0x86, lacing: 0x9c, video: 0xe0, width: 0xb0, height: 0xba, cluster: 0x1f43b675,
    time: 0xe7, block: 0xa3, cues: 0x1c53bb6b, cue: 0xbb, cueTime: 0xb3, cuePlaces: 0xb7, cueTrack: 0xf7, cuePlace: 0xf1 };

const bytesOf = ( value, count ) => Uint8Array.from( { length: count }, ( _, i ) => Math.floor( value / 256 ** ( count - 1 - i ) ) % 256 );

function idBytes( id )
{
    return bytesOf( id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1 );
}

/** The length of an element: eight bytes always, which are simple. */
const sizeBytes = ( size ) => Uint8Array.from( [ 1, ...bytesOf( size, 7 ) ] );

function joined( parts )
{
    const out = new Uint8Array( parts.reduce( ( sum, { length } ) => sum + length, 0 ) );
    parts.reduce( ( at, part ) => { out.set( part, at ); return at + part.length; }, 0 );
    return out;
}

function element( name, ...content )
{
    const body = joined( content );
    return joined( [ idBytes( ids[name] ), sizeBytes( body.length ), body ] );
}

const number = ( name, value ) => element( name, bytesOf( value, value > 0xffffffff ? 8 : 4 ) );
const text = ( name, value ) => element( name, new TextEncoder().encode( value ) );

function real( name, value )
{
    const bytes = new Uint8Array( 8 );
    new DataView( bytes.buffer ).setFloat64( 0, value );
    return element( name, bytes );
}

export class WebmFile
{
    constructor( size )
    {
        Object.assign( this, { size, codec: '', clusters: [] } );
    }

    /** An encoded chunk; a key frame starts a cluster. */
    add( chunk )
    {
        const time = Math.round( chunk.timestamp / 1000 ), data = new Uint8Array( chunk.byteLength );
        chunk.copyTo( data );
        const isKey = chunk.type === 'key';
        if ( isKey || this.clusters.length === 0 )
        {
            this.clusters.push( { time, blocks: [] } );
        }
        const cluster = this.clusters[this.clusters.length - 1];
        cluster.blocks.push( element( 'block', Uint8Array.from( [ 0x81 ] ), bytesOf( time - cluster.time, 2 ),
            Uint8Array.from( [ isKey ? 0x80 : 0 ] ), data ) );
    }

    /** The bytes of the file. */
    finish( seconds )
    {
        const head = element( 'ebml', number( 'version', 1 ), number( 'readVersion', 1 ), number( 'idLength', 4 ), number( 'sizeLength', 8 ),
            text( 'docType', 'webm' ),
            number( 'docVersion', 4 ), number( 'docReadVersion', 2 ) );
        const info = element( 'info', number( 'scale', 1e6 ), real( 'duration', 1000 * seconds ), text( 'muxer', 'supple' ), text( 'writer',
            'supple studio' ) );
        const tracks = element( 'tracks', element( 'track', number( 'number', 1 ), number( 'uid', 1 ), number( 'type', 1 ), number( 'lacing', 0 ),
            text( 'codec', this.codec ),
            element( 'video', number( 'width', this.size.width ), number( 'height', this.size.height ) ) ) );
        const clusters = this.clusters.map( ( { time, blocks } ) => element( 'cluster', number( 'time', time ), ...blocks ) );
        let place = info.length + tracks.length;
        const cues = element( 'cues', ...this.clusters.map( ( { time }, i ) => {
            const cue = element( 'cue', number( 'cueTime', time ), element( 'cuePlaces', number( 'cueTrack', 1 ), number( 'cuePlace', place ) ) );
            place += clusters[i].length;
            return cue;
        } ) );
        return joined( [ head, element( 'segment', info, tracks, ...clusters, cues ) ] );
    }
}
