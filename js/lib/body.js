// Bodies: one model on stage. Editors: a body whose rig is under the user's hand. Takes: a clip, simulated.
import { clipNumber, identity, Pose } from './character.js';
import { Drawing } from './drawing.js';
import { SuppleError } from './error.js';
import { FloatView, Handle } from './handle.js';
import { Rig } from './rig.js';

/** Matrices of 12 or of 16 floats each, column by column, into a view of 12 each. */
function copyMatrices( from, to )
{
    if ( from.length === to.length )
    {
        if ( from !== to )
        {
            to.set( from );
        }
        return;
    }
    if ( 12 * from.length !== 16 * to.length )
    {
        throw new SuppleError( `${to.length / 12} matrices of 12 or 16 floats are wanted, not ${from.length} floats` );
    }
    for ( let m = 0, a = 0, b = 0; b < to.length; ++m )
    {
        for ( let column = 0; column < 4; ++column, a += 4, b += 3 )
        {
            to[b] = from[a];
            to[b + 1] = from[a + 1];
            to[b + 2] = from[a + 2];
        }
    }
}

/** What bodies and the bodies of editors share: step, skin, read. */
class Living extends Handle
{
    constructor( supple, address, destroy, below, model )
    {
        super( supple, address, destroy, below );
        this.model = model;
        const { character } = model;
        this.vertexFloats = 3 * character.vertexCount;
        this.jointView = new FloatView( this, this.room( 48 * character.jointCount ), 12 * character.jointCount );
        this.scratch = new FloatView( this, this.room( 2 * 48 ), 24 );
        this.positionView = null;
        this.normalView = null;
        this.tangentView = null;
        this.helperView = null;
        this.weightView = null;
        this.weightsView = null;
        this.drawing = null;
    }

    /** The address of the body itself. */
    get body()
    {
        return this.address;
    }

    #view( name, length )
    {
        this[name] ??= new FloatView( this, this.room( 4 * length ), length );
        return this[name];
    }

    #vectors( ...vectors )
    {
        const scratch = this.scratch.get();
        if ( vectors.some( ( vector ) => vector.length !== 3 ) )
        {
            throw new SuppleError( 'three numbers are wanted' );
        }
        vectors.forEach( ( vector, i ) => scratch.set( vector, 12 * i ) );
        return vectors.map( ( _, i ) => this.scratch.address + 48 * i );
    }

    #matrix( place, matrix )
    {
        copyMatrices( matrix ?? identity, this.scratch.get().subarray( 12 * place, 12 * place + 12 ) );
        return this.scratch.address + 48 * place;
    }

    /** Where the next step's joints may be written at once, twelve floats each: a view. */
    get joints()
    {
        return this.jointView.get();
    }

    /**
     * Moves on by `dt` seconds to where the joints are now: model-space matrices of all joints, 12 or 16 floats each,
     * column by column. `world`: where the entity stands, null for the origin. False: refused, and nothing changed.
     */
    step( joints, world, dt )
    {
        copyMatrices( joints, this.joints );
        return this.supple.call( 'supJs_Step', this.body, this.jointView.address, this.#matrix( 0, world ), dt ) !== 0;
    }

    /** The living skin: views of positions and normals (three floats a vertex) and, where asked for, tangents (four). */
    skin( { normals = true, tangents = false } = {} )
    {
        const positions = this.#view( 'positionView', this.vertexFloats );
        const normal = normals || tangents ? this.#view( 'normalView', this.vertexFloats ) : null;
        if ( tangents )
        {
            const tangent = this.#view( 'tangentView', this.vertexFloats / 3 * 4 );
            this.supple.made( 'supJs_SkinTangents', this.body, this.vertexFloats / 3, positions.address, normal.address, tangent.address );
            return { positions: positions.get(), normals: normal.get(), tangents: tangent.get() };
        }
        this.supple.call( 'supJs_Skin', this.body, positions.address, normal?.address ?? 0 );
        return { positions: positions.get(), normals: normal?.get() ?? null, tangents: null };
    }

    /** The same without flesh. */
    smoothSkin( { normals = true } = {} )
    {
        const positions = this.#view( 'positionView', this.vertexFloats );
        const normal = normals ? this.#view( 'normalView', this.vertexFloats ) : null;
        this.supple.call( 'supJs_SmoothSkin', this.body, positions.address, normal?.address ?? 0 );
        return { positions: positions.get(), normals: normal?.get() ?? null, tangents: null };
    }

    /** Model-space matrices of the model's helper joints, twelve floats each, in its order: a view. */
    helperJoints()
    {
        const helpers = this.#view( 'helperView', 12 * this.model.helpers.length );
        this.supple.call( 'supJs_HelperJoints', this.body, helpers.address );
        return helpers.get();
    }

    /** Weights of morph targets for the next skin, as a pose has them; null: the defaults. */
    setMorphWeights( weights )
    {
        const count = this.model.character.morphWeightCount;
        if ( weights === null || count === 0 )
        {
            this.supple.call( 'supJs_SetMorphWeights', this.body, 0 );
            return;
        }
        if ( weights.length !== count )
        {
            throw new SuppleError( `${count} weights are wanted, not ${weights.length}` );
        }
        const values = Float32Array.from( weights ); // they may be a view themselves, which ends when memory grows
        const view = this.#view( 'weightView', count );
        view.get().set( values );
        this.supple.call( 'supJs_SetMorphWeights', this.body, view.address );
    }

    /** true: the same bits on every machine, slower. */
    setExact( exact )
    {
        this.supple.call( 'supJs_SetExact', this.body, exact ? 1 : 0 );
    }

    setWind( wind )
    {
        this.supple.call( 'supJs_SetWind', this.body, ...this.#vectors( wind ) );
    }

    setGravity( gravity )
    {
        this.supple.call( 'supJs_SetGravity', this.body, ...this.#vectors( gravity ) );
    }

    /** A push on an element, by number or name. World space, N s. */
    push( element, impulse )
    {
        this.supple.call( 'supJs_Push', this.body, this.#item( 'elements', element ), ...this.#vectors( impulse ) );
    }

    /** A force on the skin around a point during the next step, for layers with mass. World space, metres, newtons. */
    forceAround( point, radius, force )
    {
        const [ pointAt, forceAt ] = this.#vectors( point, force );
        this.supple.made( 'supJs_ForceAround', this.body, pointAt, radius, forceAt );
    }

    /** To rest: no elongation, no speed, no memory of earlier steps. */
    reset()
    {
        this.supple.call( 'supJs_Reset', this.body );
    }

    /** The entity was moved without having travelled: no kick comes of it. */
    teleport( from, to )
    {
        this.supple.call( 'supJs_Teleport', this.body, this.#matrix( 0, from ), this.#matrix( 1, to ) );
    }

    /** The next pose has nothing to do with the last one: what the flesh does dies away, and the new clip comes on top. */
    cut()
    {
        this.supple.call( 'supJs_Cut', this.body );
    }

    /** How many steps were taken for jumps, and why the last one was. */
    get jumps()
    {
        const reasons = [ 'none', 'announced', 'backwards', 'moved', 'cut', 'hitch', 'joints' ];
        return { count: this.supple.call( 'supJs_JumpCount', this.body ),
            reason: reasons[ this.supple.call( 'supJs_JumpReason', this.body ) ] };
    }

    get isAtRest()
    {
        return this.supple.call( 'supJs_IsAtRest', this.body ) !== 0;
    }

    /** How an element is now: elongation, velocity and anchor in world space, and the most that the elongation is. */
    element( element )
    {
        this.supple.call( 'supJs_ElementState', this.body, this.#item( 'elements', element ), this.scratch.address );
        const [ x, y, z, , , , vx, vy, vz, ax, ay, az, limit ] = this.scratch.get();
        return { elongation: [ x, y, z ], velocity: [ vx, vy, vz ], anchor: [ ax, ay, az ], limit };
    }

    /** How much of an element's motion each vertex of the character takes, 0 to 1. */
    weights( element )
    {
        const values = this.#view( 'weightsView', this.vertexFloats / 3 );
        this.supple.call( 'supJs_ElementWeights', this.model.address, this.#item( 'elements', element ), values.address );
        return values.get();
    }

    /**
     * What the layers show of themselves: one of `supple.drawNames`. Rows of floats, views: lines (from, to, colour, width:
     * 11 each), points (at, colour, diameter: 8), corners of triangles (at, normal, colour: 10), scalars (one a vertex, or
     * none), colors (four a vertex, or none).
     */
    draw( what )
    {
        this.drawing ??= new Drawing( this.supple );
        return this.drawing.of( this.body, what );
    }

    dispose()
    {
        this.drawing?.dispose();
        super.dispose();
    }

    /** The number of a layer. */
    layer( key )
    {
        const layer = this.supple.with( [ key ], ( at ) => this.supple.call( 'supJs_FindLayer', at ) );
        if ( layer < 0 )
        {
            throw new SuppleError( `no layer "${key}"; there are ${Object.keys( this.model.items ).join( ', ' )}`, 'notFound' );
        }
        return layer;
    }

    #item( key, item )
    {
        const names = this.model.items[key] ?? [];
        const number = typeof item === 'string' ? names.indexOf( item ) : item;
        if ( !Number.isInteger( number ) || number < 0 || number >= names.length )
        {
            throw new SuppleError( `no "${item}" among ${key}; there are ${names.join( ', ' ) || 'none'}`, 'notFound' );
        }
        return number;
    }

    /** The number of a layer and of an item in it. */
    place( key, item )
    {
        return [ this.layer( key ), this.#item( key, item ) ];
    }

    /** Changes numbers of an item of any layer while it runs: set( 'elements', 'belly', { frequency: 3 } ). */
    set( key, item, fields )
    {
        const place = this.place( key, item );
        for ( const [ name, value ] of Object.entries( fields ) )
        {
            this.supple.with( [ name ], ( at ) => this.supple.made( 'supJs_SetField', this.body, ...place, at, Number( value ) ) );
        }
    }

    /** A number of an item as it is now; NaN where there is no such live field. */
    get( key, item, field )
    {
        const place = this.place( key, item );
        return this.supple.with( [ field ], ( at ) => this.supple.call( 'supJs_Field', this.body, ...place, at ) );
    }
}

/** One model on stage. */
export class Body extends Living
{
    constructor( model )
    {
        const { supple } = model;
        super( supple, supple.made( 'supJs_CreateBody', model.address ), 'supJs_DestroyBody', [ model ], model );
    }
}

/** What an editor's model says, as a model has it. */
function describe( supple, address, character )
{
    return { character, address, ...supple.json( supple.call( 'supJs_ModelJson', address ) ) };
}

/** A body whose rig may be edited while it runs: any field of any item. It is stepped and skinned as a body is. */
export class Editor extends Living
{
    constructor( character, rig )
    {
        const { supple } = character;
        const address = supple.made( 'supJs_CreateEditor', character.address, rig.address );
        const model = describe( supple, supple.call( 'supJs_EditorModel', address ), character );
        super( supple, address, 'supJs_DestroyEditor', [ character ], model );
        this.takes = [];
    }

    get body()
    {
        return this.supple.call( 'supJs_EditorBody', this.address );
    }

    /** The rig as it is now, all edits included, as a value. */
    get rig()
    {
        return this.supple.json( this.supple.call( 'supJs_EditorRigJson', this.address ) );
    }

    /** Layers that the last edit compiled anew, a bit each; 0: it was done in place. */
    get compiled()
    {
        return this.supple.call( 'supJs_EditorCompiled', this.address );
    }

    /** Sets fields of an item: numbers one by one, all else by putting the whole item in its place. All or nothing each. */
    set( key, item, fields )
    {
        const [ layer, number ] = this.place( key, item );
        const numbers = Object.entries( fields ).filter( ( [ , value ] ) => typeof value === 'number' );
        const others = Object.entries( fields ).filter( ( [ , value ] ) => typeof value !== 'number' );
        this.#dropTakes();
        try
        {
            for ( const [ name, value ] of numbers )
            {
                this.supple.with( [ name ],
                    ( at ) => this.supple.made( 'supJs_EditorSetNumber', this.address, layer, number, at, value ) );
            }
            if ( others.length > 0 )
            {
                this.#put( key, layer, number, { ...this.rig[key][number], ...Object.fromEntries( others ) } );
            }
        }
        finally
        {
            this.#renew(); // one that fails comes after others that were compiled
        }
    }

    /** A number of an item as it is now. */
    get( key, item, field )
    {
        const place = this.place( key, item );
        return this.supple.with( [ field ], ( at ) => this.supple.call( 'supJs_EditorNumber', this.address, ...place, at ) );
    }

    add( key, value )
    {
        this.#dropTakes();
        this.#put( key, this.layer( key ), -1, value );
        this.#renew();
    }

    /** Another item in the place of one. */
    replace( key, item, value )
    {
        this.#dropTakes();
        this.#put( key, ...this.place( key, item ), value );
        this.#renew();
    }

    /** A clip, simulated with the rig as it is now, to be shown on this editor. It ends with the next edit. */
    take( clip, options = {} )
    {
        const take = new Take( this, clip, options );
        this.takes.push( take );
        return take;
    }

    #dropTakes()
    {
        this.takes.forEach( ( take ) => take.dispose() );
        this.takes = [];
    }

    dispose()
    {
        this.#dropTakes();
        super.dispose();
    }

    remove( key, item )
    {
        this.#dropTakes();
        this.supple.made( 'supJs_EditorRemoveItem', this.address, ...this.place( key, item ) );
        this.#renew();
    }

    #put( key, layer, number, value )
    {
        const rig = Rig.fromJson( { [key]: [ value ] }, this.model.character, 'edit' );
        try
        {
            this.supple.made( 'supJs_EditorSetItem', this.address, layer, number, rig.address );
        }
        finally
        {
            rig.dispose();
        }
    }

    #renew()
    {
        const address = this.supple.call( 'supJs_EditorModel', this.address );
        if ( address !== this.model.address || this.compiled !== 0 )
        {
            this.model = describe( this.supple, address, this.model.character );
            this.helperView = null;
        }
    }
}

const loops = [ 'auto', 'on', 'off' ];
const ends = [ 'free', 'rest' ];

function choice( list, value, name )
{
    const number = list.indexOf( value );
    if ( number < 0 )
    {
        throw new SuppleError( `${name}: ${list.join( ', ' )} are known, not ${JSON.stringify( value )}` );
    }
    return number;
}

/** A clip, simulated: any time of it, exactly. */
export class Take extends Handle
{
    /** `of`: a model; or an editor, whose `take` makes them. */
    constructor( of, clip, { loop = 'auto', ends: end = 'free', onProgress, signal } = {} )
    {
        const { supple } = of;
        const model = of instanceof Editor ? of.model : of;
        const number = clipNumber( model.character, clip );
        const address = supple.watched( { onProgress, signal }, () => supple.made( 'supJs_CreateTake', model.address,
            of instanceof Editor ? of.body : 0, number, choice( loops, loop, 'loop' ), choice( ends, end, 'ends' ) ) );
        super( supple, address, 'supJs_DestroyTake', [ of ] );
        this.model = model;
        this.clip = number;
        Object.assign( this, supple.json( supple.call( 'supJs_TakeJson', address ) ) );
        this.pose = null;
        this.elongationView = new FloatView( this, this.room( 12 * model.elements.length ), 3 * model.elements.length );
    }

    /** Elongations of all elements at a time, three floats each, in model space: a view. */
    elongations( time )
    {
        this.supple.call( 'supProgram_Elongations', this.address, time, this.elongationView.address );
        return this.elongationView.get();
    }

    /** Puts a body of the same model where the take is at a time. It is then skinned as ever. */
    show( time, body )
    {
        if ( body.model !== this.model )
        {
            throw new SuppleError( 'a take shows itself on a body of its own model' );
        }
        this.pose ??= new Pose( this.model.character );
        this.pose.sample( this.clip, time );
        body.setMorphWeights( this.pose.morphWeights.length > 0 ? this.pose.morphWeights : null );
        return this.supple.call( 'supJs_TakeShow', this.address, time, this.pose.matrices.address, body.body ) !== 0;
    }

    dispose()
    {
        this.pose?.dispose();
        super.dispose();
    }
}
