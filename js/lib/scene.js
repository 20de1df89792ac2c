// What the adapters of scene graphs share: a body that is stepped from nodes, influences for the GPU, sliders.
import { Body, Take } from './body.js';
import { Character } from './character.js';
import { SuppleError } from './error.js';
import { FloatView } from './handle.js';
import { Model, proposeRig, Rig } from './rig.js';

export const nodeFloats = 16;
export const nodeKind = 12;
/** How a node tells where it stands: translation, rotation and scale; a matrix; a matrix in model space. */
const transformNode = 0;
export const localNode = 1, modelNode = 2;

/** A node as both players have it: place, turn (a quaternion) and scale. */
export function writeTransform( place, turn, scale, to, at )
{
    to[at] = place.x;
    to[at + 1] = place.y;
    to[at + 2] = place.z;
    to[at + 3] = turn.x;
    to[at + 4] = turn.y;
    to[at + 5] = turn.z;
    to[at + 6] = turn.w;
    to[at + 7] = scale.x;
    to[at + 8] = scale.y;
    to[at + 9] = scale.z;
    to[at + nodeKind] = transformNode;
}

const still = { place: { x: 0, y: 0, z: 0 }, turn: { x: 0, y: 0, z: 0, w: 1 }, scale: { x: 1, y: 1, z: 1 } };

/** A node of the file that the scene does not have. */
export function writeMissing( to, at )
{
    writeTransform( still.place, still.turn, still.scale, to, at );
}

/** A body whose joints are composed of nodes' own transforms, and whose helper joints stand beneath their joints. */
export class SceneBody extends Body
{
    constructor( model, wantsHelpers )
    {
        super( model );
        const nodes = nodeFloats * model.character.jointCount;
        const helpers = ( 16 + 12 ) * model.helpers.length;
        this.nodeView = new FloatView( this, this.room( 4 * nodes ), nodes );
        this.worldView = new FloatView( this, this.room( 48 ), 12 );
        this.placeView = wantsHelpers ? new FloatView( this, this.room( 4 * helpers ), helpers ) : null;
    }

    /** Where nodes are written before each step, sixteen floats each: a view. */
    get nodes()
    {
        return this.nodeView.get();
    }

    /** Where the character stands, twelve floats: written before each step. A view. */
    get world()
    {
        return this.worldView.get();
    }

    /** Helper joints in the space of their joints, sixteen floats each, as of the last step: a view. */
    get helperPlaces()
    {
        return this.placeView.get();
    }

    /** Moves on by `dt` seconds to where nodes and world are now. False: refused, and nothing changed. */
    stepNodes( dt )
    {
        return this.supple.call( 'supJs_StepNodes', this.model.address, this.address, this.nodeView.address,
            this.jointView.address, this.worldView.address, dt, this.placeView?.address ?? 0 ) !== 0;
    }
}

/** The inverse bind matrices of a skin, twelve floats each. */
export function inverseBinds( character, skin )
{
    const at = character.supple.call( 'supJs_InverseBind', character.address, skin );
    return new Float32Array( character.supple.buffer, at, 12 * character.skins[skin].joints.length ).slice();
}

/**
 * What vertices follow where helper joints carry the flesh. `most`: 4 or 8 of a vertex. Gives, for each mesh of the
 * character, its count, joints (of the skin; from its end on: helpers) and weights, or null where it has no flesh; and
 * what four leave out, in metres, over the character's own clips.
 */
function influencesOf( model, most )
{
    const { supple, character } = model;
    const takes = most < 8 ? character.clips.map( ( _, clip ) => new Take( model, clip ) ) : [];
    let bake = 0;
    try
    {
        const list = Uint32Array.from( takes, ( take ) => take.address );
        bake = supple.with( [ list ],
            ( at ) => supple.made( 'supJs_BakeInfluences', model.address, most, at, takes.length ) );
        const meshes = character.meshes.map( ( mesh, number ) => supple.with( [ new Uint32Array( 2 ) ], ( at ) => {
            const count = supple.call( 'supJs_Influences', bake, number, at, at + 4 );
            const [ joints, weights ] = new Uint32Array( supple.buffer, at, 2 );
            const length = count * mesh.vertexCount;
            return count === 0 ? null : { count, joints: new Int32Array( supple.buffer, joints, length ).slice(),
                weights: new Float32Array( supple.buffer, weights, length ).slice() };
        } ) );
        return { meshes, error: supple.call( 'supJs_InfluenceError', bake ) };
    }
    finally
    {
        if ( bake !== 0 )
        {
            supple.call( 'supJs_DestroyInfluences', bake );
        }
        takes.forEach( ( take ) => take.dispose() );
    }
}

/**
 * The influences of a mesh for a skeleton that has, after the joints of the skin, only the helpers that are used:
 * `used` is filled with them.
 */
function packInfluences( { count, joints, weights }, jointCount, used )
{
    const places = new Map( [ ...used ].map( ( helper, place ) => [ helper, place ] ) );
    const packed = new Uint16Array( joints.length );
    for ( let i = 0; i < joints.length; ++i )
    {
        const helper = joints[i] - jointCount;
        if ( helper >= 0 && weights[i] !== 0 && !places.has( helper ) )
        {
            places.set( helper, places.size );
            used.add( helper );
        }
        packed[i] = helper < 0 ? joints[i] : weights[i] !== 0 ? jointCount + places.get( helper ) : 0;
    }
    const part = ( from, Type, first ) => {
        const out = new Type( from.length / count * 4 );
        for ( let v = 0; 4 * v < out.length; ++v )
        {
            out.set( from.subarray( count * v + first, count * v + first + 4 ), 4 * v );
        }
        return out;
    };
    return { joints: part( packed, Uint16Array, 0 ), weights: part( weights, Float32Array, 0 ),
        moreJoints: count > 4 ? part( packed, Uint16Array, 4 ) : null,
        moreWeights: count > 4 ? part( weights, Float32Array, 4 ) : null };
}

/** A character of a document's bytes and what makes it live: the rig given, the one inside the file, or a found one. */
export async function makeModel( bytes, { rig, supple, readFile, onNote, onProgress, signal, ...propose } )
{
    const character = await Character.fromGltf( bytes, { supple, readFile, onNote, removeBake: true } );
    const isGiven = rig instanceof Rig;
    let used = null;
    try
    {
        used = isGiven ? rig : rig ? Rig.fromJson( rig, character ) : character.insideRig ?? proposeRig( character, propose );
        return new Model( character, used, { onProgress, signal } );
    }
    catch ( error )
    {
        character.dispose();
        throw error;
    }
    finally
    {
        if ( !isGiven )
        {
            used?.dispose();
        }
    }
}

/** Which way a model is shown: what helper joints cannot carry needs vertices. */
export function wayFor( model, way = 'auto' )
{
    if ( ![ 'auto', 'joints', 'vertices' ].includes( way ) )
    {
        throw new SuppleError( `way: auto, joints, vertices are known, not ${JSON.stringify( way )}` );
    }
    return way === 'auto' ? ( model.morphLayer < 0 ? 'joints' : 'vertices' ) : way;
}

/** What is known of a character, for all its instances: freed with the last of them. */
export class SharedModel
{
    constructor( model )
    {
        this.model = model;
        this.geometries = new Map();
        this.influences = new Map();
        this.users = 0;
    }

    /** For each mesh what its vertices follow (null: no flesh), the helpers that each skin needs, and the error. */
    influencesFor( most )
    {
        if ( !this.influences.has( most ) )
        {
            const { character } = this.model;
            const { meshes, error } = influencesOf( this.model, most );
            const used = character.skins.map( () => new Set() );
            const packed = meshes.map( ( one, number ) => {
                const { skin } = character.meshes[number];
                return one && skin >= 0 ? packInfluences( one, character.skins[skin].joints.length, used[skin] ) : null;
            } );
            this.influences.set( most, { packed, error, used: used.map( ( set ) => [ ...set ] ) } );
        }
        return this.influences.get( most );
    }

    release()
    {
        this.users -= 1;
        this.releaseUnused();
    }

    /** Frees it where nobody lives by it. */
    releaseUnused()
    {
        if ( this.users === 0 )
        {
            this.geometries.forEach( ( geometry ) => geometry.dispose() );
            this.model.dispose();
            this.model.character.dispose();
        }
    }
}

/** Eight influences, or four. */
export function checkInfluences( influences )
{
    if ( influences !== 4 && influences !== 8 )
    {
        throw new SuppleError( `influences: 4 or 8, not ${influences}` );
    }
}

/** What every adapter's living character has. */
export class LivingBase
{
    constructor( model, body, way, error )
    {
        this.model = model;
        this.body = body;
        this.way = way;
        this.error = error;
        this.live = Object.fromEntries( model.supple.layers.find( ( { key } ) => key === 'elements' ).fields
            .filter( ( field ) => field.live ).map( ( field ) => [ field.name, field ] ) );
    }

    /** The pieces of flesh and their numbers as they are now: name, frequency, dampingRatio, amount, sag, … */
    get elements()
    {
        return this.model.items.elements.map( ( name ) => ( { name, ...Object.fromEntries(
            Object.keys( this.live ).map( ( field ) => [ field, this.body.get( 'elements', name, field ) ] ) ) } ) );
    }

    /** What may be set while it runs, with range, unit and words: for sliders. */
    get fields()
    {
        return Object.values( this.live );
    }

    /** Changes numbers of a piece of flesh, or of all that begin so: 'breast' is 'breast left' and 'breast right'. */
    set( name, fields )
    {
        const names = this.model.items.elements;
        const found = names.filter( ( one ) => one === name || one.startsWith( `${name} ` ) );
        if ( found.length === 0 )
        {
            throw new SuppleError( `no flesh is called "${name}"; there are ${names.join( ', ' ) || 'none'}`, 'notFound' );
        }
        found.forEach( ( one ) => this.body.set( 'elements', one, fields ) );
    }

    /** A push in world space, N s. */
    push( name, impulse )
    {
        this.body.push( name, impulse );
    }

    /** To rest: where it comes on stage. */
    reset()
    {
        this.body.reset();
    }

    /**
     * The next pose has nothing to do with the last one: another clip, a ragdoll that is switched on. Before the next
     * update; what is not announced is found where it is seen.
     */
    cut()
    {
        this.body.cut();
    }
}

LivingBase.prototype[Symbol.dispose ?? Symbol.for( 'Symbol.dispose' )] = function dispose() { this.dispose(); };
