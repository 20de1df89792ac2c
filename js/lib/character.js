// Characters and poses.
import { SuppleError } from './error.js';
import { plainPath } from './files.js';
import { FloatView, Handle } from './handle.js';
import { Rig } from './rig.js';
import { loadSupple } from './supple.js';

export const identity = new Float32Array( [ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ] );
const mostMemory = 1.5e9; // of 2 GB that the module may have at all
let documents = 0;

export const bytesOf = ( data ) => ( data instanceof Uint8Array ? data
    : data instanceof ArrayBuffer ? new Uint8Array( data )
    : ArrayBuffer.isView( data ) ? new Uint8Array( data.buffer, data.byteOffset, data.byteLength )
    : ( () => { throw new SuppleError( 'bytes are wanted: an ArrayBuffer or a Uint8Array' ); } )() );

/** The JSON of a document, or null where it is none that could name files. */
function documentJson( bytes )
{
    const text = ( from, to ) => new TextDecoder().decode( bytes.subarray( from, to ).slice() );
    try
    {
        const isBinary = bytes.length > 20 && text( 0, 4 ) === 'glTF';
        const length = isBinary ? new DataView( bytes.buffer, bytes.byteOffset ).getUint32( 12, true ) : 0;
        return JSON.parse( isBinary ? text( 20, 20 + length ) : text( 0, bytes.length ) );
    }
    catch
    {
        return null; // the library says what is wrong with it
    }
}

const decoded = ( uri ) => {
    try
    {
        return decodeURIComponent( uri );
    }
    catch
    {
        return uri;
    }
};

/**
 * What a document names beside itself, brought in: `readFile( uri )` gives bytes, or a promise of them, or null where
 * there is no such file. What leads out of the document's folder is the library's to refuse.
 */
export async function gatherFiles( bytes, readFile )
{
    const json = documentJson( bytes );
    const files = {};
    for ( const one of [ json?.buffers, json?.images ].flatMap( ( list ) => ( Array.isArray( list ) ? list : [] ) ) )
    {
        const isFile = typeof one?.uri === 'string' && !/^[a-z]+:|^[/\\]/i.test( one.uri );
        const name = isFile ? plainPath( `/document/${decoded( one.uri )}` ) : '';
        if ( readFile && name.startsWith( '/document/' ) )
        {
            const content = await readFile( decoded( one.uri ) );
            if ( content )
            {
                files[name.slice( '/document/'.length )] = bytesOf( content );
            }
        }
    }
    return { files, hasDraco: json?.extensionsUsed?.includes?.( 'KHR_draco_mesh_compression' ) === true };
}

/** A document opened, with all that it names brought in first. */
export async function openDocument( data, { name = 'document.glb', readFile, maxMemory, onNote, supple } = {} )
{
    supple ??= await loadSupple();
    const bytes = bytesOf( data );
    const { files, hasDraco } = await gatherFiles( bytes, readFile );
    const folder = `/document${++documents}`;
    const paths = Object.keys( files ).map( ( path ) => `${folder}/${path}` );
    if ( hasDraco )
    {
        await supple.loadDraco();
    }
    Object.values( files ).forEach( ( content, i ) => supple.files.write( paths[i], content ) );
    const close = () => paths.forEach( ( path ) => supple.files.remove( path ) );
    try
    {
        const address = supple.watched( { onNote }, () => supple.with( [ bytes, name, readFile ? folder : null ],
            ( at, nameAt, folderAt ) => supple.made(
                'supJs_OpenGltf', at, bytes.byteLength, nameAt, folderAt, maxMemory ?? mostMemory ) ) );
        return { supple, address, close };
    }
    catch ( error )
    {
        close();
        throw error;
    }
}

/** Puts the clips of other files into a document: [ { name, data } ], BVH or glTF. Gives what matched of each. */
async function addMotions( supple, document, { motions = [], onNote } )
{
    const reports = [];
    for ( const { name, data } of motions )
    {
        const folder = `/motion${++documents}/`, path = folder + name.split( /[/\\]/ ).pop();
        if ( ( await gatherFiles( bytesOf( data ) ) ).hasDraco )
        {
            await supple.loadDraco();
        }
        supple.files.write( path, bytesOf( data ) );
        try
        {
            reports.push( { name, ...supple.watched( { onNote }, () => supple.with( [ path, name ],
                ( at, nameAt ) => supple.json( supple.call( 'supJs_AddMotion', document, at, nameAt ) ) ) ) } );
        }
        catch ( error )
        {
            error.message = error.message.replaceAll( folder, '' ); // by the name that the caller gave
            throw error;
        }
        finally
        {
            supple.files.remove( path );
        }
    }
    return reports;
}

/** What the artist already has: meshes, influences, skeleton, clips. */
export class Character extends Handle
{
    constructor( supple, address, insideRig )
    {
        super( supple, address, 'supJs_DestroyCharacter' );
        Object.assign( this, supple.json( supple.call( 'supJs_CharacterJson', address ) ) );
        this.insideRig = insideRig;
    }

    /** Of the bytes of a .glb, .gltf or .vrm. */
    static async fromGltf( data, options = {} )
    {
        const { supple, address: document, close } = await openDocument( data, options );
        try
        {
            if ( options.removeBake && supple.call( 'supJs_RemoveBake', document ) < 0 )
            {
                throw supple.failure();
            }
            const motions = await addMotions( supple, document, options );
            const address = supple.watched( options, () => supple.made( 'supJs_Character', document ) );
            const rig = supple.call( 'supJs_GltfRig', document, address );
            const failed = rig === 0 ? supple.failure() : null;
            const character = new Character( supple, address, null );
            if ( failed && failed.code !== 'success' )
            {
                character.dispose();
                throw failed;
            }
            character.insideRig = rig === 0 ? null : new Rig( supple, rig );
            character.motions = motions;
            return character;
        }
        finally
        {
            supple.call( 'supJs_CloseGltf', document );
            close();
        }
    }

    get jointCount()
    {
        return this.joints.length;
    }

    /** The number of a joint by its name, or -1. */
    findJoint( name )
    {
        return this.joints.findIndex( ( joint ) => joint.name === name );
    }

    /** The number of a clip by its name, or -1. */
    findClip( name )
    {
        return this.clips.findIndex( ( clip ) => clip.name === name );
    }

    /** Positions at rest, three a vertex, of all meshes: a view of the module's memory. */
    get restPositions()
    {
        return new Float32Array( this.supple.buffer, this.supple.call( 'supJs_RestPositions', this.address ),
            3 * this.vertexCount );
    }

    /** Model-space matrices of all joints at rest, twelve floats each: a view. */
    get restJoints()
    {
        return new Float32Array( this.supple.buffer, this.supple.call( 'supJs_RestJoints', this.address ),
            12 * this.jointCount );
    }

    /** The triangles of a mesh, three numbers each, counted from its first vertex: a view. */
    indices( mesh )
    {
        return new Uint32Array( this.supple.buffer, this.supple.call( 'supJs_Indices', this.address, mesh ),
            this.meshes[mesh].indexCount );
    }
}

/** Where the joints are at a time of a clip. */
export class Pose extends Handle
{
    constructor( character )
    {
        const { supple } = character;
        super( supple, supple.made( 'supJs_CreatePose', character.address ), 'supJs_DestroyPose', [ character ] );
        this.character = character;
        this.matrices = new FloatView( this, supple.call( 'supJs_PoseJoints', this.address ),
            12 * character.jointCount );
        this.weights = new FloatView( this, supple.call( 'supJs_PoseMorphWeights', this.address ),
            character.morphWeightCount );
    }

    /** A clip, by number or name, at a time in seconds; -1: where the file puts the joints. Gives the joints. */
    sample( clip, time )
    {
        const number = clipNumber( this.character, clip );
        this.supple.call( 'supJs_PoseSample', this.address, number, time );
        return this.joints;
    }

    /** The bind pose. */
    rest()
    {
        this.supple.call( 'supJs_PoseRest', this.address );
        return this.joints;
    }

    /** Model-space matrices, twelve floats a joint: the columns x, y, z and the translation. A view. */
    get joints()
    {
        return this.matrices.get();
    }

    /** Weights of the morph targets of all meshes: a view. */
    get morphWeights()
    {
        return this.weights.get();
    }
}

export function clipNumber( character, clip )
{
    const number = typeof clip === 'string' ? character.findClip( clip ) : clip;
    if ( !Number.isInteger( number ) || number < -1 || number >= character.clips.length
        || ( number === -1 && typeof clip === 'string' ) )
    {
        const names = character.clips.map( ( one ) => `"${one.name}"` ).join( ', ' );
        throw new SuppleError( `no clip ${JSON.stringify( clip )}; there are ${names || 'none'}`, 'notFound' );
    }
    return number;
}
