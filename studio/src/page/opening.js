// Files in: dropped, picked, built in, or from the last visit.
import { loadLook } from '../stage/look_files.js';
import { inWords, get, make, tell, tried } from './words.js';
import { regionsOf } from './regions.js';
import { readWork, writeWork } from './work.js';

const asked = '.glb,.gltf,.vrm,.bvh,.bin,.png,.jpg,.jpeg,.webp,.json';
const isCharacter = ( name ) => /\.(glb|vrm|gltf)$/i.test( name );
const patience = 8000; // milliseconds, until what takes long can be ended

export class Opening
{
    constructor( app )
    {
        this.app = app;
        this.saving = 0;
        get( 'open' ).addEventListener( 'click', () => this.pick() );
        get( 'file' ).addEventListener( 'change', async () => {
            await this.openFiles( [ ...get( 'file' ).files ] );
            get( 'file' ).value = '';
        } );
        get( 'builtin' ).addEventListener( 'change', ( { target } ) => target.value && this.openAddress( `characters/${target.value}`,
            target.value ) );
        get( 'endwork' ).addEventListener( 'click', () => this.giveUp() );
        this.listenToDrops();
        app.on( 'history', () => this.keepWork() );
        app.on( 'proposed', () => this.tellFound() );
    }

    listenToDrops()
    {
        const view = get( 'view' );
        window.addEventListener( 'dragover', ( event ) => { event.preventDefault(); view.classList.add( 'over' ); } );
        window.addEventListener( 'dragleave', ( event ) => event.relatedTarget === null && view.classList.remove( 'over' ) );
        window.addEventListener( 'drop', async ( event ) => {
            event.preventDefault();
            view.classList.remove( 'over' );
            this.openFiles( await droppedFiles( event.dataTransfer ) );
        } );
    }

    pick( accept = asked )
    {
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

    async openCharacter( { bytes, name, files, motions = [], text = null } )
    {
        const { app } = this, { session, engine, stage, player } = app;
        tell( 'busy', `Opening ${name}…` );
        const began = performance.now();
        const late = setTimeout( () => { get( 'endwork' ).hidden = false; }, patience );
        try
        {
            const [ info, look ] = await Promise.all( [ engine.open( { bytes, name, files, motions, text } ), loadLook( bytes, files ) ] );
            app.setTool( null );
            app.choose( null );
            session.start( { name, source: bytes, files, motions }, info );
            stage.show( info, look );
            player.open( info );
            get( 'welcome' ).hidden = true;
            get( 'builtin' ).value = [ ...get( 'builtin' ).options ].some( ( { value } ) => value === name ) ? name : '';
            get( 'viewbar' ).hidden = get( 'movebar' ).hidden = false;
            app.edits.history.clear( session.state );
            app.changed( 'opened' );
            app.changed( 'rig' );
            this.tellFound();
            session.opened = performance.now() - began;
        }
        finally
        {
            clearTimeout( late );
            get( 'endwork' ).hidden = true;
        }
    }

    /** Ends what takes too long; what was open before is there again. */
    async giveUp()
    {
        get( 'endwork' ).hidden = true;
        await this.app.engine.restart( this.app.session.text || null );
        this.app.player.asking = false;
        this.app.player.dirty = true;
    }

    /** Files that were dropped or picked: a character with those beside it, a rig, or more motion. */
    openFiles( list )
    {
        return tried( async () => {
            const files = {};
            for ( const file of list )
            {
                files[file.name] = new Uint8Array( await file.arrayBuffer() );
            }
            const names = Object.keys( files ), { session } = this.app;
            const name = names.find( isCharacter ), rig = names.find( ( one ) => /\.json$/i.test( one ) );
            const motions = names.filter( ( one ) => /\.bvh$/i.test( one ) ).map( ( one ) => ( { name: one, data: files[one] } ) );
            if ( name )
            {
                return this.openCharacterOrMotion( files, name, motions );
            }
            if ( motions.length > 0 && session.isOpen )
            {
                return this.addMotions( motions );
            }
            if ( rig && session.isOpen )
            {
                return this.app.edits.loadRig( new TextDecoder().decode( files[rig] ) ).then( () => this.tellFound() );
            }
            throw new Error( `${names[0] ?? 'nothing'}: a .glb, .vrm or .gltf is wanted${session.isOpen ? ', or a .rig.json, or motion as .bvh' : ' first'}` );
        } );
    }

    /** A file with a skeleton and clips and no skin is motion for what is open; every other one is a character. */
    openCharacterOrMotion( files, name, motions )
    {
        const { session } = this.app;
        if ( session.isOpen && !hasSkin( files[name] ) )
        {
            return this.addMotions( [ { name, data: files[name] }, ...motions ] );
        }
        return this.openCharacter( { bytes: files[name], name, files, motions } );
    }

    /** More motion on the character that is open; the rig stays. */
    async addMotions( motions )
    {
        const { app } = this, { session } = app;
        tell( 'busy', `Putting ${motions[0].name} on ${session.name}…` );
        const job = { bytes: session.source, name: session.name, files: session.files, text: session.text,
            motions: [ ...session.motions.filter( ( { name } ) => !motions.some( ( one ) => one.name === name ) ), ...motions ] };
        const info = await app.engine.open( job );
        const { text, proposal } = session, before = session.clips.length;
        Object.assign( session, { motions: job.motions, info: { ...info, proposal } } );
        session.take( { ...info, proposal, text } );
        app.player.open( { ...info, clip: info.clip } );
        await app.player.choose( Math.min( before, info.clips.length - 1 ) );
        get( 'clip' ).value = String( app.player.clip );
        app.changed( 'rig' );
        const [ { matched, unmatched } ] = info.motions.slice( -1 );
        get( 'found' ).textContent = `${motions.map( ( { name } ) => name ).join( ', ' )}: ${info.clips.length - before} more clip${info.clips.length - before === 1 ? '' : 's'}, on ${matched} joints` +
            ( unmatched > 0 ? `; ${unmatched} of its own move nothing here` : '' );
        this.keepWork();
    }

    openAddress( url, name )
    {
        return tried( async () => {
            const bytes = await fetched( url, name );
            const files = /\.gltf$/i.test( name ) ? await filesBeside( bytes, url ) : {};
            return this.openCharacter( { bytes, name, files } );
        } );
    }

    // --------------------------------------------------------------------------------------------------------------
    // A reload brings the work back

    /** The character and the rig as they were when the page was left. */
    async goOnWith( { name, source, files, motions, kept } )
    {
        const { app } = this, { session, edits } = app;
        await this.openCharacter( { bytes: source, name, files, motions } );
        const found = session.state;
        const described = await edits.setText( kept.text );
        Object.assign( session, kept );
        edits.take( { ...described, proposal: kept.proposal, text: kept.text } );
        this.tellFound();
        edits.history.clear( found );
        edits.keep();
    }

    /** Soon after a change, once: the bytes of a character may be many. */
    keepWork()
    {
        clearTimeout( this.saving );
        this.saving = setTimeout( () => {
            const { session, edits } = this.app, { name, source, files, motions } = session;
            const isWork = session.isOpen && ( edits.history.canUndo || motions.length > 0 );
            writeWork( isWork ? { name, source, files, motions, kept: session.state } : null ).catch( () => {} ); // private windows keep nothing
        }, 300 );
    }

    /** What the page starts with: the work of the last visit, or what the address names. */
    async start()
    {
        const wanted = new URLSearchParams( location.search ).get( 'file' );
        const work = await readWork().catch( () => null );
        if ( work && ( !wanted || work.name === wanted ) )
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
            const starter = make( 'button', { type: 'button', textContent: `Try the ${words}` } );
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

/** What a .gltf names beside itself. */
async function filesBeside( bytes, url )
{
    const files = {};
    const { buffers = [], images = [] } = JSON.parse( new TextDecoder().decode( bytes ) );
    for ( const { uri } of [ ...buffers, ...images ] )
    {
        const beside = uri && !/^data:/.test( uri ) ? await fetch( new URL( uri, new URL( url, location ) ) ) : null;
        if ( beside?.ok )
        {
            files[decodeURIComponent( uri )] = new Uint8Array( await beside.arrayBuffer() );
        }
    }
    return files;
}

/** Whether a document shows anything; true where nobody can say, and the library says why. */
function hasSkin( bytes )
{
    try
    {
        const isBinary = new TextDecoder().decode( bytes.subarray( 0, 4 ) ) === 'glTF';
        const length = isBinary ? new DataView( bytes.buffer, bytes.byteOffset ).getUint32( 12, true ) : bytes.length;
        const json = JSON.parse( new TextDecoder().decode( isBinary ? bytes.subarray( 20, 20 + length ) : bytes ) );
        return ( json.meshes ?? [] ).length > 0 || ( json.animations ?? [] ).length === 0;
    }
    catch
    {
        return true;
    }
}

/** A folder that was dropped gives its files. */
async function droppedFiles( transfer )
{
    const entries = [ ...transfer.items ].map( ( item ) => item.webkitGetAsEntry?.() ).filter( Boolean );
    const walk = async ( entry ) => {
        if ( entry.isFile )
        {
            return [ await new Promise( ( good, bad ) => entry.file( good, bad ) ) ];
        }
        const reader = entry.createReader();
        const children = await new Promise( ( good, bad ) => reader.readEntries( good, bad ) );
        return ( await Promise.all( children.map( walk ) ) ).flat();
    };
    return entries.length > 0 ? ( await Promise.all( entries.map( walk ) ) ).flat() : [ ...transfer.files ];
}
