// Files out: bakes, rigs, pictures, films.
import { makeFilm } from './film.js';
import { bakeBeside } from './link.js';
import { download, get, tell, tried } from './words.js';

export class Exports
{
    constructor( app )
    {
        this.app = app;
        get( 'export' ).addEventListener( 'click', () => this.run() );
        [ 'opened', 'form' ].forEach( ( what ) => app.on( what, () => this.showForm() ) );
    }

    /** The button says what comes of it. */
    showForm()
    {
        get( 'export' ).textContent = `Export ${this.app.session.ending.split( '.' ).pop().toUpperCase()}`;
    }

    /** Exports in the form that is chosen; the bytes are the program's. */
    run()
    {
        const { app } = this, { session } = app;
        if ( get( 'export' ).disabled ) // one is under way
        {
            return null;
        }
        return this.endable( async ( signal ) => {
            get( 'export' ).disabled = true;
            try
            {
                this.refuseEmpty();
                const { form, ending, document: { source, files } } = session;
                const baked = await bakeBeside( { bytes: source, files, options: session.bakeOptions( app.clip ) },
                    ( { stage, done } ) => tell( 'busy', `Exporting: ${stage}, ${Math.round( 100 * done )}%` ), signal );
                this.hand( baked, ending );
                session.report = reportOf( baked, session.labelOf( form ) );
                tell( 'done', `${session.stem + ending} is in your downloads. ${session.report[0]}` );
                app.changed( 'report' );
            }
            catch ( error )
            {
                session.report = signal.aborted ? [] : [ `Not exported: ${error.message}` ];
                app.changed( 'report' );
                if ( !signal.aborted )
                {
                    throw error;
                }
            }
            finally
            {
                get( 'export' ).disabled = false;
            }
        } );
    }

    /** What a bake would refuse, in words of this page. */
    refuseEmpty()
    {
        const { session } = this.app;
        if ( !session.hasFlesh )
        {
            throw new Error( 'there is no flesh on it yet: put its kind right under Tune, make a piece under Make, or load a rig' );
        }
        if ( session.clips.length === 0 && session.form !== 'live' )
        {
            throw new Error( 'it has no motion that flesh could follow: add some with Motion…, or export live joints under Keep' );
        }
    }

    /** Work that may take long, with a button that ends it. */
    endable( work )
    {
        const { opening } = this.app, control = new AbortController();
        return tried( async () => {
            const last = opening.offerEnd( () => control.abort( new Error( 'ended' ) ) );
            try
            {
                return await work( control.signal );
            }
            finally
            {
                last();
            }
        } );
    }

    hand( { bytes, files }, ending )
    {
        const { stem } = this.app.session;
        if ( bytes )
        {
            download( stem + ending, bytes, /(glb|vrm)$/.test( ending ) ? 'model/gltf-binary' : 'application/octet-stream' );
        }
        Object.entries( files ).forEach( ( [ name, content ] ) => download( name.replace( /^out/, stem ), content, 'application/octet-stream' ) );
    }

    saveRig()
    {
        const { session } = this.app;
        download( `${session.stem}.rig.json`, session.text, 'application/json' );
    }

    picture()
    {
        const { app } = this;
        app.stage.draw( true );
        app.stage.canvas.toBlob( ( blob ) => download( `${app.session.stem}.png`, blob, 'image/png' ) );
    }

    film()
    {
        const { app } = this;
        return this.endable( async ( signal ) => {
            const film = await makeFilm( app, ( done ) => tell( 'busy', `Filming: ${Math.round( 100 * done )}%` ), signal );
            if ( film )
            {
                download( `${app.session.stem}.webm`, film, 'video/webm' );
            }
            return film;
        } );
    }

    async copy()
    {
        await navigator.clipboard?.writeText( this.app.session.command( this.app.clip ) ).catch( () => {} );
        tell( 'busy', 'Copied.' );
        setTimeout( () => tell( 'busy', '' ), 1200 );
    }
}

const percent = ( share ) => `${( 100 * share ).toFixed( 3 )}%`;

/** What an export says of itself: a line for all, then one for each clip, and for each piece that was out too far. */
function reportOf( { bytes, files, report }, label )
{
    const all = [ ...( bytes ? [ bytes ] : [] ), ...Object.values( files ) ];
    const size = all.reduce( ( sum, { length } ) => sum + length, 0 );
    const clips = report.clips ?? [], errors = clips.map( ( { maxError } ) => maxError ).filter( Number.isFinite );
    const words = errors.length > 0 ? ` Off the living motion by ${percent( Math.max( ...errors ) / report.size )} of the size at most.` : '';
    const ofClips = clips.length > 0 ? `, ${clips.length} clip${clips.length === 1 ? '' : 's'}` : '';
    const lines = clips.map( ( { name, frames, loop, maxError, maxDisplacement } ) => [ `${name}: ${frames} frames${loop ? ', a loop' : ''}`,
        ...( Number.isFinite( maxDisplacement ) ? [ `flesh goes ${( 1000 * maxDisplacement ).toFixed( 0 )} mm` ] : [] ),
        ...( Number.isFinite( maxError ) ? [ `off by ${percent( maxError / report.size )}` ] : [] ) ].join( ', ' ) );
    return [ `Exported as ${label}: ${( size / 1e6 ).toFixed( 2 )} MB${all.length > 1 ? ` in ${all.length} files` : ''}${ofClips}.${words}`,
        ...lines, ...( report.aboveTolerance ? [ 'Above the tolerance: more keys, or morph targets, come nearer.' ] : [] ) ];
}
