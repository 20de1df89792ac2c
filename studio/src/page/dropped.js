// Files that were dropped or picked, folders too: which of them is the character, what it names beside itself, and what
// is motion. Only what is wanted is read.
import { decoded } from './files.js';

const mostFiles = 20000;
const isCharacter = ( { path } ) => /\.(glb|vrm|gltf)$/i.test( path );
const isBvh = ( { path } ) => /\.bvh$/i.test( path );
const isRig = ( { path } ) => /\.json$/i.test( path );
const baseName = ( path ) => path.split( '/' ).pop();
const depthOf = ( { path } ) => path.split( '/' ).length;

const bytesOf = async ( { file } ) => new Uint8Array( await file.arrayBuffer() );

/** A folder reader gives some at a time. */
async function childrenOf( reader )
{
    const all = [];
    for ( ;; )
    {
        const some = await new Promise( ( good, bad ) => reader.readEntries( good, bad ) );
        if ( some.length === 0 )
        {
            return all;
        }
        all.push( ...some );
    }
}

/** { path, file } of all that was dropped; the path of a file in a folder begins with the folder's name. */
export async function droppedFiles( transfer )
{
    const entries = [ ...transfer.items ].map( ( item ) => item.webkitGetAsEntry?.() ).filter( Boolean ), found = [];
    const walk = async ( entry, folder ) => {
        if ( found.length > mostFiles )
        {
            throw new Error( `${entry.name}: a folder with more than ${mostFiles} files; please drop that of the character alone` );
        }
        if ( entry.isFile )
        {
            found.push( { path: folder + entry.name, file: await new Promise( ( good, bad ) => entry.file( good, bad ) ) } );
            return;
        }
        for ( const child of await childrenOf( entry.createReader() ) )
        {
            await walk( child, `${folder}${entry.name}/` );
        }
    };
    const plain = [ ...transfer.files ]; // gone once something was waited for
    for ( const entry of entries )
    {
        await walk( entry, '' );
    }
    return entries.length > 0 ? found : pickedFiles( plain );
}

export const pickedFiles = ( list ) => [ ...list ].map( ( file ) => ( { path: file.webkitRelativePath || file.name, file } ) );

/** The JSON of a glTF document, or null where it cannot be read: the library says why. */
function jsonOf( bytes )
{
    try
    {
        const isBinary = new TextDecoder().decode( bytes.subarray( 0, 4 ) ) === 'glTF';
        const length = isBinary ? new DataView( bytes.buffer, bytes.byteOffset ).getUint32( 12, true ) : bytes.length;
        return JSON.parse( new TextDecoder().decode( isBinary ? bytes.subarray( 20, 20 + length ) : bytes ) );
    }
    catch
    {
        return null;
    }
}

/** Whether a document has clips and nothing to be seen. */
function isMotion( bytes )
{
    const json = jsonOf( bytes );
    return ( json?.meshes ?? [] ).length === 0 && ( json?.animations ?? [] ).length > 0;
}

/** Names of files that a document wants beside itself. */
export function urisOf( bytes )
{
    const json = jsonOf( bytes ) ?? {};
    const lists = [ json.buffers, json.images ].filter( Array.isArray ).flat();
    return [ ...new Set( lists.map( ( one ) => one?.uri ).filter( ( uri ) => typeof uri === 'string' && !/^data:/i.test( uri ) ) ) ];
}

/** "a/b/../c/./d" without its turns. */
function straight( path )
{
    const out = [];
    path.split( '/' ).forEach( ( part ) => ( part === '..' ? out.pop() : part !== '.' && part !== '' && out.push( part ) ) );
    return out.join( '/' );
}

/** What a document names, by the name that it uses: beside it, or else the only file that is called so. */
async function filesBeside( bytes, { path }, entries )
{
    const folder = path.slice( 0, path.length - baseName( path ).length ), files = {};
    for ( const uri of urisOf( bytes ) )
    {
        const name = decoded( uri ), wanted = straight( folder + name );
        const alike = entries.filter( ( one ) => baseName( one.path ) === baseName( name ) );
        const found = entries.find( ( one ) => one.path === wanted ) ?? ( alike.length === 1 ? alike[0] : null );
        if ( found )
        {
            files[name] = await bytesOf( found );
        }
    }
    return files;
}

/** The first document that shows something, and those before it that are motion; `character` null: none does. */
async function firstCharacter( candidates )
{
    const motions = [];
    for ( const entry of candidates )
    {
        const bytes = await bytesOf( entry );
        if ( !isMotion( bytes ) )
        {
            return { character: { entry, bytes }, motions };
        }
        motions.push( { name: baseName( entry.path ), data: bytes } );
    }
    return { character: null, motions };
}

/** { character: { name, source, files } or null, motions, rig: text or null, aside: how many characters were left }. */
export async function sorted( entries, { allMotion = false } = {} )
{
    const bvh = await Promise.all( entries.filter( isBvh ).map( async ( one ) => ( { name: baseName( one.path ), data: await bytesOf( one ) } ) ) );
    const candidates = entries.filter( isCharacter ).sort( ( a, b ) => depthOf( a ) - depthOf( b ) );
    if ( allMotion )
    {
        const own = await Promise.all( candidates.map( async ( one ) => ( { name: baseName( one.path ), data: await bytesOf( one ) } ) ) );
        return { character: null, motions: [ ...own, ...bvh ], rig: null, aside: 0 };
    }
    const { character, motions } = await firstCharacter( candidates );
    const rest = character ? candidates.slice( candidates.indexOf( character.entry ) + 1 ) : [];
    const rig = entries.filter( isRig ).find( ( { path } ) => path.endsWith( '.rig.json' ) ) ?? ( character ? null : entries.find( isRig ) );
    return {
        character: character && { name: baseName( character.entry.path ), source: character.bytes,
            files: await filesBeside( character.bytes, character.entry, entries ) },
        motions: [ ...motions, ...bvh ], rig: rig ? new TextDecoder().decode( await bytesOf( rig ) ) : null, aside: rest.length,
    };
}

const blenderOpens = [ 'fbx', 'blend', 'dae', 'usd', 'usda', 'usdc', 'usdz', 'abc', 'obj' ], own = [ 'max', 'ma', 'mb', 'c4d', 'hip' ];

/** What to do with a file that is none of these. */
export function adviceFor( path, isOpen )
{
    const ending = path.toLowerCase().split( '.' ).pop();
    if ( blenderOpens.includes( ending ) || own.includes( ending ) )
    {
        const how = own.includes( ending ) ? 'export it from the program that made it' : 'open it in Blender and export it';
        return `${path}: please ${how} as glTF (.glb), with its skin and animation`;
    }
    if ( [ 'zip', '7z', 'rar', 'gz' ].includes( ending ) )
    {
        return `${path}: please unpack it, and drop the folder`;
    }
    return `${path}: a .glb, .vrm or .gltf is wanted${isOpen ? ', or a .rig.json, or motion as .bvh' : ' first'}`;
}
