// Files in: dropped, picked, built in, or from the last visit.
import { loadLook } from '../stage/look_files.js';
import { Document } from './document.js';
import { adviceFor, droppedFiles, pickedFiles, sorted, urisOf } from './dropped.js';
import { decoded } from './files.js';
import { regionsOf } from './regions.js';
import { keepViews, keptView, putView } from './view.js';
import { inWords, get, make, tell, tried } from './words.js';
import { readWork, writeWork } from './work.js';

const asked = '.glb,.gltf,.vrm,.bvh,.bin,.png,.jpg,.jpeg,.webp,.json';
const patience = 8000; // milliseconds, until what takes long can be ended

export class Opening
{
    constructor( app )
    {
        this.app = app;
        this.saving = 0;
        get( 'open' ).addEventListener( 'click', () => this.pick() );
        get( 'file' ).addEventListener( 'change', async () => {
            const list = [ ...get( 'file' ).files ];
            get( 'file' ).value = '';
            await this.openFiles( list, { allMotion: this.wantsMotion } );
        } );
        get( 'builtin' ).addEventListener( 'change', ( { target } ) => target.value && this.openAddress( `characters/${target.value}`,
            target.value ) );
        get( 'motion' ).addEventListener( 'click', () => this.pick( '.bvh,.glb,.gltf,.vrm', true ) );
        get( 'enderror' ).addEventListener( 'click', () => tell( 'error', '' ) );
        get( 'endwork' ).addEventListener( 'click', () => this.ending?.() );
        this.listenToDrops();
        app.on( 'history', () => this.keepWork() );
        app.on( 'proposed', () => this.tellFound() );
        keepViews( app );
    }

    listenToDrops()
    {
        const view = get( 'view' );
        window.addEventListener( 'dragover', ( event ) => { event.preventDefault(); view.classList.add( 'over' ); } );
        window.addEventListener( 'dragleave', ( event ) => event.relatedTarget === null && view.classList.remove( 'over' ) );
        window.addEventListener( 'drop', async ( event ) => {
            event.preventDefault();
            view.classList.remove( 'over' );
            tried( async () => this.openEntries( await droppedFiles( event.dataTransfer ) ) );
        } );
    }

    pick( accept = asked, wantsMotion = false )
    {
        this.wantsMotion = wantsMotion;
        get( 'file' ).accept = accept;
        get( 'file' ).click();
    }

    tellFound()
    {
        const { session } = this.app, { proposal } = session;
        const names = regionsOf( session.rig.elements ?? [], proposal ).map( ( { name } ) => inWords( name ) );
        get( 'found' ).textContent = `${session.name}: ${proposal.kind}, ${Math.round( 100 * proposal.confidence )}% sure, ` +
            ( names.length > 0 ? `with flesh on ${names.join( ', ' )}` : 'with no flesh found' );
        get( 'found' ).title = get( 'found' ).textContent;
    }

    // --------------------------------------------------------------------------------------------------------------
    // Characters

    /** A file with what is beside it; `text`: its rig, in the place of what is found. */
    openCharacter( { name, source, files, motions = [], text = null } )
    {
        const { app } = this, { session, edits } = app;
        return edits.then( async () => {
            const isFirst = !session.isOpen;
            await this.show( new Document( { name, source, files, motions } ), text );
            session.edited ||= text !== null;
            this.tellFound();
            edits.history[isFirst ? 'clear' : 'keep']( session.state );
            return true;
        } );
    }

    /** The character comes on stage; where that fails, the one before stays there. */
    async show( document, text = null )
    {
        const { app } = this, { session, engine, stage, player } = app, { source, name, files } = document;
        tell( 'busy', `Opening ${name}…` );
        const began = performance.now();
        const [ info, look ] = await this.patiently( () => Promise.all( [ engine.open( jobOf( document, text ) ), loadLook( source, files ) ] ) );
        app.setTool( null );
        app.choose( null );
        session.start( document, info );
        stageWith( stage, info, look );
        player.open( info );
        get( 'welcome' ).hidden = true;
        get( 'builtin' ).value = [ ...get( 'builtin' ).options ].some( ( { value } ) => value === name ) ? name : '';
        get( 'viewbar' ).hidden = get( 'movebar' ).hidden = false;
        app.changed( 'opened' );
        app.changed( 'rig' );
        session.opened = performance.now() - began;
        return info;
    }

    /** Work of the simulation that takes very long may be ended. */
    async patiently( work )
    {
        let last = () => {};
        const late = setTimeout( () => { last = this.offerEnd( () => this.giveUp() ); }, patience );
        try
        {
            return await work();
        }
        finally
        {
            clearTimeout( late );
            last();
        }
    }

    /** Offers to end what takes long; gives what takes the offer back. */
    offerEnd( end )
    {
        this.ending = end;
        get( 'endwork' ).hidden = false;
        return () => {
            this.ending = null;
            get( 'endwork' ).hidden = true;
        };
    }

    /** Ends what takes too long; what was open before is there again. */
    async giveUp()
    {
        await this.app.engine.restart( this.app.session.text || null, this.app.player.clip );
        this.app.player.asking = false;
        this.app.player.dirty = true;
    }

    /** Files that were dropped or picked: a character with those beside it, a rig, or more motion. */
    openFiles( list, options )
    {
        return this.openEntries( pickedFiles( list ), options );
    }

    openEntries( entries, options )
    {
        return tried( async () => {
            const { session, edits } = this.app, { character, motions, rig, aside } = await sorted( entries, options );
            if ( character )
            {
                const isOpen = await this.openCharacter( { ...character, motions, text: rig } );
                return isOpen && aside > 0 && this.addWords( `; ${aside} more in the folder ${aside === 1 ? 'was' : 'were'} left aside` );
            }
            if ( motions.length > 0 && session.isOpen )
            {
                return this.addMotions( motions );
            }
            if ( rig !== null && session.isOpen )
            {
                return edits.loadRig( rig ).then( () => this.tellFound() );
            }
            throw new Error( motions.length > 0 ? `${motions[0].name}: motion; please open a character first, for it to move`
                : adviceFor( entries[0]?.path ?? 'nothing', session.isOpen ) );
        } );
    }

    addWords( words )
    {
        get( 'found' ).textContent += words;
        get( 'found' ).title = get( 'found' ).textContent;
    }

    /** More motion on the character that is open; the rig stays. */
    addMotions( motions )
    {
        const { app } = this, { session } = app;
        return app.edits.then( async () => {
            tell( 'busy', `Putting ${motions[0].name} on ${session.name}…` );
            const before = session.clips.length;
            const info = await this.putMotions( session.document.withMotions( motions ), session.text );
            await app.player.choose( Math.min( before, info.clips.length - 1 ) );
            app.changed( 'rig' );
            app.edits.keep();
            const [ { matched, unmatched } ] = info.motions.slice( -1 ), more = info.clips.length - before;
            get( 'found' ).textContent = `${motions.map( ( { name } ) => name ).join( ', ' )}: ${more} more clip${more === 1 ? '' : 's'}, on ${matched} joint${matched === 1 ? '' : 's'}` +
                ( unmatched > 0 ? `; ${unmatched} of its own ${unmatched === 1 ? 'has' : 'have'} no joint of that name here` : '' );
        } );
    }

    /** The character that is open with other motion: what is seen of it stays. */
    async putMotions( document, text )
    {
        const { app } = this, { session } = app, { proposal } = session;
        const info = await app.engine.open( jobOf( document, text ) );
        Object.assign( session, { document, info: { ...info, proposal } } );
        session.take( { ...info, proposal, text } );
        app.player.open( info );
        return info;
    }

    openAddress( url, name )
    {
        return tried( async () => this.openCharacter( await this.fetchCharacter( url, name ) ) );
    }

    async fetchCharacter( url, name )
    {
        const source = await fetched( url, name ), files = {};
        for ( const uri of urisOf( source ) )
        {
            const beside = await fetch( new URL( uri, new URL( url, location ) ) );
            if ( beside.ok )
            {
                files[decoded( uri )] = new Uint8Array( await beside.arrayBuffer() );
            }
        }
        return { name, source, files };
    }

    // --------------------------------------------------------------------------------------------------------------
    // A reload brings the work back

    /** The character and the rig as they were when the page was left, and how they were looked at. */
    goOnWith( { document, kept } )
    {
        const { app } = this, { session, edits } = app;
        return edits.then( async () => {
            const own = new Document( document );
            await this.show( own );
            edits.history.clear( session.state );
            await edits.bring( { ...kept, document: own } );
            edits.keep();
            await putView( app, keptView( own.name ) );
        } );
    }

    /** Soon after a change, once. */
    keepWork()
    {
        clearTimeout( this.saving );
        this.saving = setTimeout( () => {
            const { session } = this.app;
            if ( session.isOpen )
            {
                writeWork( session.state ).catch( () => {} ); // private windows keep nothing
            }
        }, 300 );
    }

    /** What the page starts with: the work of the last visit, or what the address names. */
    async start()
    {
        const wanted = new URLSearchParams( location.search ).get( 'file' );
        const work = await readWork().catch( () => null );
        if ( work && ( !wanted || work.document.name === wanted ) )
        {
            await tried( () => this.goOnWith( work ) );
        }
        else if ( wanted )
        {
            await this.openAddress( `file/${encodeURIComponent( wanted )}`, wanted );
        }
    }

    async listBuiltIn()
    {
        const names = await fetch( 'characters/list.json' ).then( ( answer ) => ( answer.ok ? answer.json() : [] ), () => [] ).catch( () => [] );
        for ( const name of names )
        {
            const words = name.replace( /\.glb$/, '' );
            get( 'builtin' ).append( new Option( words, name ) );
            const starter = make( 'button', { type: 'button', textContent: `Try the ${words}`, title: 'A character that comes with this page' } );
            starter.addEventListener( 'click', () => this.openAddress( `characters/${name}`, name ) );
            get( 'starters' ).append( starter );
        }
        get( 'builtin' ).parentElement.hidden = names.length === 0;
    }
}

async function fetched( url, name )
{
    const answer = await fetch( url );
    if ( !answer.ok )
    {
        throw new Error( `${name}: ${answer.status} ${answer.statusText}` );
    }
    return new Uint8Array( await answer.arrayBuffer() );
}

/** Looks that cannot be drawn are left out. */
function stageWith( stage, info, look )
{
    try
    {
        stage.show( info, look );
    }
    catch
    {
        stage.show( info, null );
    }
}

/** What the simulation opens. */
const jobOf = ( { source, name, files, motions }, text ) => ( { bytes: source, name, files, motions, text } );
