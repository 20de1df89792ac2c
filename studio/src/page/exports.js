// Files out: bakes, rigs, pictures, films.
import { makeFilm } from './film.js';
import { bakeBeside } from './link.js';
import { forms } from './session.js';
import { download, get, tell, tried } from './words.js';

export class Exports
{
    constructor( app )
    {
        this.app = app;
        get( 'export' ).addEventListener( 'click', () => this.run() );
    }

    /** Exports in the form that is chosen; the bytes are the program's. */
    run()
    {
        const { app } = this, { session } = app;
        return tried( async () => {
            get( 'export' ).disabled = true;
            try
            {
                const { form } = session;
                const baked = await bakeBeside( { bytes: session.source, files: session.files, options: session.bakeOptions( app.clip ) },
                    ( { stage, done } ) => tell( 'busy', `Exporting: ${stage}, ${Math.round( 100 * done )}%` ) );
                this.hand( baked, form );
                session.report = reportOf( baked );
                app.changed( 'report' );
            }
            finally
            {
                get( 'export' ).disabled = false;
            }
        } );
    }

    hand( { bytes, files }, form )
    {
        const { stem } = this.app.session, { ending } = forms[form];
        if ( bytes )
        {
            download( stem + ending, bytes, ending.endsWith( 'glb' ) ? 'model/gltf-binary' : 'application/octet-stream' );
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
        app.stage.draw();
        app.stage.canvas.toBlob( ( blob ) => download( `${app.session.stem}.png`, blob, 'image/png' ) );
    }

    film()
    {
        const { app } = this;
        return tried( async () => {
            const film = await makeFilm( app, ( done ) => tell( 'busy', `Filming: ${Math.round( 100 * done )}%` ) );
            download( `${app.session.stem}.webm`, film, 'video/webm' );
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

/** What an export says of itself, in a line or two. */
function reportOf( { bytes, files, report } )
{
    const all = [ ...( bytes ? [ bytes ] : [] ), ...Object.values( files ) ];
    const size = all.reduce( ( sum, { length } ) => sum + length, 0 );
    const clips = report.clips ?? [];
    const errors = clips.map( ( { maxError } ) => maxError ).filter( Number.isFinite );
    const words = errors.length > 0 ? ` The file is off the living motion by ${( 100 * Math.max( ...errors ) / report.size ).toFixed( 3 )}% of the size at most.` : '';
    return `Exported ${( size / 1e6 ).toFixed( 2 )} MB${all.length > 1 ? ` in ${all.length} files` : ''} with ${clips.length} clip${clips.length === 1 ? '' : 's'}.${words}`;
}
