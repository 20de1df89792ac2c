// The page: files in, frames out, and everything that a hand can change in between.
import { History } from './history.js';
import { bakeBeside, Link } from './link.js';
import { make, Panel } from './panel.js';
import { inWords, regionsOf } from './regions.js';
import { loadLook, Stage } from './stage.js';
import { readWork, writeWork } from './work.js';

const get = ( id ) => document.getElementById( id );
const link = new Link();
const stage = new Stage( get( 'canvas' ) );
const rate = 30; // of frame steps
const session = { name: '', source: null, files: {}, rig: {}, proposal: null, options: {}, masters: {}, layers: [], report: '', edited: false };
const play = { playing: false, time: 0, clip: -1, speed: 1, loop: true, look: 'living', held: false, dirty: true };
const motion = { jump: 0, turn: 0, shake: [ 0, 0, 0 ], target: [ 0, 0, 0 ] };

// ------------------------------------------------------------------------------------------------------------------
// Words

function tell( id, text )
{
    get( id ).textContent = text;
    get( id ).hidden = text === '';
}

/** Runs work of a click: what goes wrong is told, and the page goes on. */
async function tried( work )
{
    tell( 'error', '' );
    try
    {
        return await work();
    }
    catch ( error )
    {
        tell( 'error', error.message );
        return null;
    }
    finally
    {
        tell( 'busy', '' );
    }
}

const quoted = ( text ) => ( /^[\w@%+=:,./-]+$/.test( text ) ? text : `'${text.replaceAll( "'", "'\\''" )}'` );
const stem = () => session.name.replace( /\.[^.]*$/, '' );

/** What the program would be told to do the same. */
function commandLine()
{
    const { options } = session;
    const words = session.edited ? [ '--rig', `${stem()}.rig.json` ] : [
        ...( options.preset ? [ '--preset', options.preset ] : [] ), ...( options.kind ? [ '--kind', options.kind ] : [] ),
        ...( options.front ? [ '--front', options.front ] : [] ),
        ...( options.without?.length ? [ '--without', options.without.join( ',' ) ] : [] ) ];
    return [ 'supple', 'bake', session.name, `${stem()}.living.glb`, ...words ].map( quoted ).join( ' ' );
}

// ------------------------------------------------------------------------------------------------------------------
// The state that undo keeps

const state = () => ( { text: session.text, options: session.options, masters: session.masters, edited: session.edited,
    proposal: session.proposal } );
const history = new History( ( { canUndo, canRedo } ) => {
    get( 'undo' ).disabled = !canUndo;
    get( 'redo' ).disabled = !canRedo;
    if ( session.source )
    {
        keepWork();
    }
} );

function take( described )
{
    Object.assign( session, { rig: described.rig, proposal: described.proposal, text: described.text } );
    session.command = commandLine();
    panel.update( session );
    play.dirty = true;
}

async function go( by )
{
    const kept = history.go( by );
    if ( kept )
    {
        await tried( async () => {
            const described = await link.call( 'setRig', { text: kept.text, time: play.time } );
            Object.assign( session, kept );
            take( { ...described, proposal: kept.proposal, text: kept.text } );
        } );
    }
}

// ------------------------------------------------------------------------------------------------------------------
// What the panel asks for

let sending = Promise.resolve(), newest = 0;

/** Numbers go one after the other; of many that wait only the last is shown. */
function send( edits )
{
    newest += 1;
    const own = newest;
    session.edited = true;
    sending = sending.then( () => tried( async () => {
        let described = null;
        for ( const { item, fields } of edits )
        {
            described = await link.call( 'set', { key: 'elements', item, fields } );
        }
        if ( described )
        {
            Object.assign( session, { rig: described.rig, text: described.text } );
            if ( own === newest )
            {
                take( { ...described, proposal: session.proposal } );
            }
        }
    } ) );
}

function download( name, data, type )
{
    const url = URL.createObjectURL( new Blob( [ data ], { type } ) );
    make( 'a', { href: url, download: name } ).click();
    setTimeout( () => URL.revokeObjectURL( url ), 10000 );
}

const act = {
    set( item, fields )
    {
        const { amount } = fields;
        if ( amount !== undefined ) // the master of its region is where it was, with another base
        {
            session.bases = null;
        }
        send( [ { item, fields } ] );
    },
    master( { name, elements }, value )
    {
        const before = session.masters[name] ?? 1;
        session.bases ??= ( session.rig.elements ?? [] ).map( ( { amount = 1, name: own } ) => amount / ( session.masters[regionName( own )] || 1 ) );
        if ( before === 0 && value > 0 )
        {
            elements.forEach( ( i ) => { session.bases[i] ||= baseOf( i ); } );
        }
        session.masters = { ...session.masters, [name]: value };
        send( elements.map( ( item ) => ( { item, fields: { amount: session.bases[item] * value } } ) ) );
    },
    mirror( from, to, names )
    {
        const source = session.rig.elements[from];
        session.bases = null;
        send( [ { item: to, fields: Object.fromEntries( names.filter( ( name ) => source[name] !== undefined ).map( ( name ) => [ name, source[name] ] ) ) } ] );
        act.done();
    },
    done: () => { sending = sending.then( () => history.keep( state() ) ); },
    propose: ( changes ) => tried( async () => {
        tell( 'busy', 'The flesh is found anew…' );
        const options = { ...session.options, ...changes };
        const described = await link.call( 'propose', { options, time: play.time } );
        Object.assign( session, { options, masters: {}, bases: null, edited: session.isInside } );
        session.found = [ ...described.rig.elements ?? [] ];
        take( described );
        tellFound();
        history.keep( state() );
    } ).then( ( done ) => done ?? panel.build( session ) ),
    region( name, isOn )
    {
        const without = ( session.options.without ?? [] ).filter( ( one ) => one !== name );
        return act.propose( { without: isOn ? without : [ ...without, name ] } );
    },
    saveRig: () => download( `${stem()}.rig.json`, session.text, 'application/json' ),
    loadRig: () => pick( '.json' ),
    picture()
    {
        stage.draw();
        get( 'canvas' ).toBlob( ( blob ) => download( `${stem()}.png`, blob, 'image/png' ) );
    },
    copy: () => navigator.clipboard?.writeText( commandLine() ).then( () => tell( 'busy', 'Copied.' ), () => {} )
        .then( () => setTimeout( () => tell( 'busy', '' ), 1200 ) ),
    jump: () => { motion.jump = 1; start(); },
    turn: () => { motion.turn = 1; start(); },
    push: () => { start(); return link.call( 'push', { speed: [ 0.6, 0.3, 0.6 ] } ); },
};
const panel = new Panel( get( 'panel' ), act );

const regionName = ( own ) => regionsOf( session.rig.elements, session.proposal ).find( ( { elements } ) =>
    elements.some( ( i ) => session.rig.elements[i].name === own ) )?.name;
const baseOf = ( i ) => session.found?.[i]?.amount ?? 1;

function start()
{
    play.playing = true;
    showTransport();
}

// ------------------------------------------------------------------------------------------------------------------
// Files

function tellFound()
{
    const { proposal } = session;
    const names = regionsOf( session.rig.elements ?? [], proposal ).map( ( { name } ) => inWords( name ) );
    get( 'found' ).textContent = `${session.name}: ${proposal.kind}, ${Math.round( 100 * proposal.confidence )}% sure, ` +
        ( names.length > 0 ? `with flesh on ${names.join( ', ' )}` : 'with no flesh found' );
}

async function openRig( bytes, name )
{
    const described = await link.call( 'setRig', { text: new TextDecoder().decode( bytes ), time: play.time } );
    Object.assign( session, { masters: {}, bases: null, edited: true } );
    take( { ...described, proposal: session.proposal } );
    tellFound();
    history.keep( state() );
    return name;
}

async function openCharacter( bytes, name, files )
{
    tell( 'busy', `Opening ${name}…` );
    const began = performance.now();
    const [ info, look ] = await Promise.all( [ link.call( 'open', { bytes, name, files } ), loadLook( bytes, name, files ) ] );
    Object.assign( session, { name, source: bytes, files, options: {}, masters: {}, bases: null, layers: info.layers, report: '',
        isInside: info.isInside, edited: info.isInside, clips: info.clips, info, found: info.rig.elements ?? [] } );
    stage.show( info, look );
    Object.assign( play, { clip: info.clip, time: info.clips[info.clip]?.start ?? 0, playing: true, skins: null } );
    get( 'clip' ).replaceChildren( ...info.clips.map( ( clip, value ) => make( 'option', { value, textContent: clip.name || `clip ${value + 1}` } ) ) );
    get( 'clip' ).value = String( info.clip );
    get( 'welcome' ).hidden = true;
    take( info );
    tellFound();
    history.clear( state() );
    session.opened = performance.now() - began;
    showTransport();
    if ( info.clips.length === 0 )
    {
        act.jump(); // a file without motion moves all the same
    }
}

/** Files that were dropped or picked: a character with those beside it, or a rig. */
const openFiles = ( list ) => tried( async () => {
    const files = {};
    for ( const file of list )
    {
        files[file.name] = new Uint8Array( await file.arrayBuffer() );
    }
    const names = Object.keys( files );
    const name = names.find( ( one ) => /\.(glb|vrm|gltf)$/i.test( one ) );
    const rig = names.find( ( one ) => /\.json$/i.test( one ) );
    if ( !name && rig && session.info )
    {
        return openRig( files[rig], rig );
    }
    if ( !name )
    {
        throw new Error( `${names[0] ?? 'nothing'}: a .glb, .vrm or .gltf is wanted${session.info ? ', or a .rig.json' : ''}` );
    }
    return openCharacter( files[name], name, files );
} );

const openAddress = ( url, name ) => tried( async () => {
    const answer = await fetch( url );
    if ( !answer.ok )
    {
        throw new Error( `${name}: ${answer.status} ${answer.statusText}` );
    }
    const bytes = new Uint8Array( await answer.arrayBuffer() ), files = {};
    if ( /\.gltf$/i.test( name ) )
    {
        const { buffers = [], images = [] } = JSON.parse( new TextDecoder().decode( bytes ) );
        for ( const { uri } of [ ...buffers, ...images ] )
        {
            const beside = uri && !/^data:/.test( uri ) ? await fetch( new URL( uri, new URL( url, location ) ) ) : null;
            if ( beside?.ok )
            {
                files[decodeURIComponent( uri )] = new Uint8Array( await beside.arrayBuffer() );
            }
        }
    }
    return openCharacter( bytes, name, files );
} );

function pick( accept = '.glb,.gltf,.vrm,.bin,.png,.jpg,.jpeg,.webp,.json' )
{
    get( 'file' ).accept = accept;
    get( 'file' ).click();
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

const exportGlb = () => tried( async () => {
    get( 'export' ).disabled = true;
    try
    {
        const options = session.edited ? { rig: session.text } : session.options;
        const { out, report } = await bakeBeside( { bytes: session.source, files: session.files,
            options: { ...options, name: session.name } },
        ( { stage: what, done } ) => tell( 'busy', `Exporting: ${what}, ${Math.round( 100 * done )}%` ) );
        const error = Math.max( 0, ...report.clips.map( ( { maxError } ) => maxError ) );
        session.report = `Exported ${( out.length / 1e6 ).toFixed( 2 )} MB with ${report.clips.length} clips; the file is off the living ` +
            `motion by ${( 100 * error / report.size ).toFixed( 3 )}% of the size at most.`;
        panel.update( session );
        download( `${stem()}.living.glb`, out, 'model/gltf-binary' );
    }
    finally
    {
        get( 'export' ).disabled = false;
    }
} );

// ------------------------------------------------------------------------------------------------------------------
// Playing

const clipNow = () => session.clips?.[play.clip] ?? { start: 0, end: 0 };

function showTransport()
{
    const { start: first, end } = clipNow(), has = Boolean( session.info );
    const hasClip = has && end > first;
    get( 'play' ).querySelector( 'path' ).setAttribute( 'd', play.playing ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M3 1l11 7-11 7z' );
    get( 'play' ).setAttribute( 'aria-label', play.playing ? 'Pause' : 'Play' );
    get( 'play' ).disabled = get( 'export' ).disabled = !has;
    get( 'clip' ).disabled = get( 'time' ).disabled = get( 'back' ).disabled = get( 'next' ).disabled = !hasClip;
    get( 'time' ).min = first;
    get( 'time' ).max = end > first ? end : first + 1;
    showClock();
}

function showClock()
{
    const { start: first, end } = clipNow();
    get( 'time' ).value = play.time;
    get( 'clock' ).textContent = `${( play.time - first ).toFixed( 2 )} / ${( end - first ).toFixed( 2 )} s`;
}

function seek( time )
{
    const { start: first, end } = clipNow();
    Object.assign( play, { playing: false, time: Math.min( Math.max( time, first ), end ), dirty: true } );
    showTransport();
}

/** Where it stands: jumps, turns, and the hand that shakes it. */
function worldAfter( dt )
{
    const { size } = session.info;
    motion.jump = Math.max( 0, motion.jump - dt / 0.7 );
    motion.turn = Math.max( 0, motion.turn - dt / 0.9 );
    const up = motion.jump > 0 ? 4 * motion.jump * ( 1 - motion.jump ) * 0.25 * size : 0;
    const turn = 1 - motion.turn, angle = motion.turn > 0 ? 2 * Math.PI * turn * turn * ( 3 - 2 * turn ) : 0;
    motion.shake = motion.shake.map( ( value, i ) => value + ( motion.target[i] - value ) * Math.min( 1, dt * 18 ) );
    const [ c, s ] = [ Math.cos( angle ), Math.sin( angle ) ];
    return [ c, 0, -s, 0, 1, 0, s, 0, c, motion.shake[0], motion.shake[1] + up, motion.shake[2] ];
}

let last = performance.now(), asking = false;

function advance( dt )
{
    const { start: first, end } = clipNow(), length = end - first;
    play.time += dt;
    if ( length > 0 && play.time > end )
    {
        if ( !play.loop )
        {
            seek( end );
            return;
        }
        play.time = first + ( play.time - first ) % length;
    }
}

function frame( now )
{
    requestAnimationFrame( frame );
    const dt = Math.min( ( now - last ) / 1000, 0.1 ) * play.speed;
    if ( session.info && !asking && ( play.playing || play.dirty ) )
    {
        last = now;
        const look = play.held ? 'smooth' : play.look;
        if ( play.playing )
        {
            advance( dt );
        }
        play.dirty = false;
        asking = true;
        const world = worldAfter( play.playing ? dt : 0 ), began = performance.now();
        const shown = session.info;
        link.call( 'show', { time: play.time, dt, playing: play.playing, world,
            wants: { living: look !== 'smooth', smooth: look !== 'living' } } ).then( ( skins ) => {
            if ( shown === session.info )
            {
                const simulated = link.ms, from = performance.now();
                play.skins = skins;
                stage.put( skins, look, world );
                get( 'badge' ).textContent = { living: '', smooth: 'smooth', both: 'smooth · living', moved: 'how far flesh moves' }[look];
                get( 'cost' ).textContent = `${simulated.toFixed( 1 )} ms simulation, ${( performance.now() - from ).toFixed( 1 )} ms page`;
                play.shown = { time: play.time, frames: ( play.shown?.frames ?? 0 ) + 1, wait: performance.now() - began };
            }
        }, ( error ) => tell( 'error', error.message ) ).finally( () => { asking = false; } );
        showClock();
    }
    if ( !play.playing )
    {
        last = now;
    }
    stage.draw();
}

// ------------------------------------------------------------------------------------------------------------------
// Hands

get( 'open' ).addEventListener( 'click', () => pick() );
get( 'file' ).addEventListener( 'change', async () => {
    await openFiles( [ ...get( 'file' ).files ] );
    get( 'file' ).value = '';
} );
get( 'builtin' ).addEventListener( 'change', ( { target } ) => target.value && openAddress( `characters/${target.value}`, target.value ) );
get( 'undo' ).addEventListener( 'click', () => go( -1 ) );
get( 'redo' ).addEventListener( 'click', () => go( 1 ) );
get( 'export' ).addEventListener( 'click', exportGlb );
get( 'keys' ).addEventListener( 'click', () => get( 'help' ).showModal() );
get( 'play' ).addEventListener( 'click', () => { play.playing = !play.playing; play.dirty = true; showTransport(); } );
get( 'back' ).addEventListener( 'click', () => seek( play.time - 1 / rate ) );
get( 'next' ).addEventListener( 'click', () => seek( play.time + 1 / rate ) );
get( 'time' ).addEventListener( 'input', ( { target } ) => seek( Number( target.value ) ) );
get( 'speed' ).addEventListener( 'input', ( { target } ) => {
    play.speed = Number( target.value );
    get( 'speedout' ).textContent = `${play.speed.toFixed( 2 )}×`;
} );
get( 'loop' ).addEventListener( 'change', ( { target } ) => { play.loop = target.checked; } );
get( 'look' ).addEventListener( 'change', ( { target } ) => { play.look = target.value; play.dirty = true; } );
get( 'clip' ).addEventListener( 'change', ( { target } ) => tried( async () => {
    play.clip = Number( target.value );
    play.time = clipNow().start;
    const { framed } = await link.call( 'setClip', { clip: play.clip } );
    Object.assign( session.info, { framed } );
    play.dirty = true;
    showTransport();
} ) );

const view = get( 'view' );
view.addEventListener( 'dragover', ( event ) => { event.preventDefault(); view.classList.add( 'over' ); } );
view.addEventListener( 'dragleave', () => view.classList.remove( 'over' ) );
view.addEventListener( 'drop', async ( event ) => {
    event.preventDefault();
    view.classList.remove( 'over' );
    openFiles( await droppedFiles( event.dataTransfer ) );
} );

/** A click on the body chooses the piece of flesh there; with Alt it pokes it. */
async function touch( event )
{
    const hit = session.info ? stage.pick( event.clientX, event.clientY ) : null;
    const { item } = hit ? await link.call( 'pieceAt', { vertex: hit.vertex } ) : { item: -1 };
    if ( item < 0 )
    {
        return;
    }
    if ( event.altKey )
    {
        start();
        await link.call( 'poke', { item, speed: hit.way.map( ( v ) => v * 0.6 * session.info.size ) } );
        return;
    }
    panel.choose( item, session );
}

let grabbed = null, pressed = null;
get( 'canvas' ).addEventListener( 'pointerdown', ( event ) => { pressed = [ event.clientX, event.clientY ]; }, true );
get( 'canvas' ).addEventListener( 'pointerup', ( event ) => {
    if ( pressed && !event.shiftKey && Math.hypot( event.clientX - pressed[0], event.clientY - pressed[1] ) < 4 )
    {
        tried( () => touch( event ) );
    }
    pressed = null;
}, true );
get( 'canvas' ).addEventListener( 'pointerdown', ( event ) => {
    if ( event.shiftKey && session.info )
    {
        grabbed = [ event.clientX, event.clientY ];
        stage.controls.enabled = false;
        start();
    }
}, true );
window.addEventListener( 'pointermove', ( event ) => {
    if ( grabbed )
    {
        const { size } = session.info, aside = stage.aside();
        const x = ( event.clientX - grabbed[0] ) / 500 * size, y = ( grabbed[1] - event.clientY ) / 500 * size;
        motion.target = [ aside.x * x, y, aside.z * x ];
    }
} );
window.addEventListener( 'pointerup', () => {
    grabbed = null;
    stage.controls.enabled = true;
    motion.target = [ 0, 0, 0 ];
} );

const keys = { ' ': () => get( 'play' ).click(), ',': () => get( 'back' ).click(), '.': () => get( 'next' ).click(),
    j: act.jump, t: act.turn, p: act.push, f: () => session.info && stage.frame( session.info ), '?': () => get( 'help' ).showModal() };
window.addEventListener( 'keydown', ( event ) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test( event.target.tagName ) && event.target.type !== 'range' && event.target.type !== 'checkbox';
    if ( event.ctrlKey || event.metaKey )
    {
        const work = { z: () => go( event.shiftKey ? 1 : -1 ), y: () => go( 1 ), o: () => pick(), e: () => session.info && exportGlb() }[event.key.toLowerCase()];
        if ( work )
        {
            event.preventDefault();
            work();
        }
        return;
    }
    if ( typing || ( event.key === ' ' && event.target.tagName === 'BUTTON' ) || get( 'help' ).open )
    {
        return;
    }
    if ( event.key === 's' && session.info && !play.held )
    {
        Object.assign( play, { held: true, dirty: true } );
    }
    else if ( keys[event.key] && session.info )
    {
        event.preventDefault();
        keys[event.key]();
    }
} );
window.addEventListener( 'keyup', ( event ) => {
    if ( event.key === 's' )
    {
        Object.assign( play, { held: false, dirty: true } );
    }
} );

// ------------------------------------------------------------------------------------------------------------------
// Light and dark

function setTheme( theme )
{
    document.documentElement.dataset.theme = theme;
    localStorage.setItem( 'theme', theme );
    const colors = getComputedStyle( document.documentElement );
    stage.setColors( { ground: colors.getPropertyValue( '--stage' ).trim(), line: colors.getPropertyValue( '--grid' ).trim() } );
}

get( 'theme' ).addEventListener( 'click', () => setTheme( document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' ) );
setTheme( localStorage.getItem( 'theme' ) ?? ( matchMedia( '(prefers-color-scheme: light)' ).matches ? 'light' : 'dark' ) );

// ------------------------------------------------------------------------------------------------------------------
// A reload brings the work back

/** The character and the rig as they were when the page was left. */
async function goOnWith( { name, source, files, kept } )
{
    await openCharacter( source, name, files );
    const described = await link.call( 'setRig', { text: kept.text, time: play.time } );
    const found = state();
    Object.assign( session, kept );
    take( { ...described, proposal: kept.proposal, text: kept.text } );
    tellFound();
    history.clear( found );
    history.keep( state() );
}

let saving = 0;

/** Soon after a change, once: the bytes of a character may be many. */
function keepWork()
{
    clearTimeout( saving );
    saving = setTimeout( () => {
        const { name, source, files } = session;
        writeWork( history.canUndo ? { name, source, files, kept: state() } : null ).catch( () => {} ); // private windows keep nothing
    }, 300 );
}

// ------------------------------------------------------------------------------------------------------------------
// Start

const builtin = await fetch( 'characters/list.json' ).then( ( answer ) => ( answer.ok ? answer.json() : [] ), () => [] ).catch( () => [] );
builtin.forEach( ( name ) => {
    get( 'builtin' ).append( make( 'option', { value: name, textContent: name.replace( /\.glb$/, '' ) } ) );
    const starter = make( 'button', { type: 'button', textContent: `Try the ${name.replace( /\.glb$/, '' )}` } );
    starter.addEventListener( 'click', () => openAddress( `characters/${name}`, name ) );
    get( 'starters' ).append( starter );
} );
get( 'builtin' ).parentElement.hidden = builtin.length === 0;
showTransport();
requestAnimationFrame( frame );
const wanted = new URLSearchParams( location.search ).get( 'file' );
const work = await readWork().catch( () => null );
if ( work && ( !wanted || work.name === wanted ) )
{
    await tried( () => goOnWith( work ) );
}
else if ( wanted )
{
    openAddress( `file/${encodeURIComponent( wanted )}`, wanted );
}
/** For tests, and for those who want to look inside. */
window.studio = { session, play, stage, history, link, seek, openFiles };
