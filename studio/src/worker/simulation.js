// The simulation: one character, its rig, and where its flesh is. It runs in a worker (worker.js), and knows no page.
//
// While it plays, an Editor is stepped: numbers change under way and nothing is reset. While it stands, a take of the
// same editor shows the time that is asked for, exactly. Where it starts to play, the editor is led up to that time
// first, from a little before.
import { Character, Editor, Pose, proposeRig, Rig } from 'supple';
import { fileOf } from '../page/files.js';
import { dracoCoordinates } from './draco_coordinates.js';
import { PoseMix } from './pose_mix.js';
import { changeRig } from './rig_changes.js';

const leadSeconds = 1.5, leadRate = 60;
const identity = [ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ];

const copySkin = ( { positions, normals } ) => ( { positions: positions.slice(), normals: normals.slice() } );

/** How long a step may be that lies some seconds back: of what was long ago, little is left in the motion. */
const longestAt = ( age ) => ( age > 0.75 ? 1 / 15 : age > 0.25 ? 1 / 30 : 0 );

/** Steps of a log, fewer where they lie long back: to do them again is what somebody waits for. */
function thinned( log )
{
    const out = [];
    let age = log.reduce( ( sum, { dt } ) => sum + dt, 0 ), seconds = 0;
    log.forEach( ( one, i ) => {
        age -= one.dt;
        seconds += one.dt;
        const isLast = i === log.length - 1 || i === 0;
        if ( isLast || seconds + log[i + 1].dt > longestAt( age ) )
        {
            out.push( { ...one, dt: seconds } );
            seconds = 0;
        }
    } );
    return out;
}

export class Simulation
{
    constructor()
    {
        this.character = null;
        this.clip = -1;
        this.world = new Float32Array( identity );
        this.log = [];
    }

    /** Opens a document; what there was before stays where this fails. `text`: its rig, in the place of what is found. */
    async open( { bytes, name, files = {}, motions = [], text = null, clip = null } )
    {
        const notes = [];
        const character = await Character.fromGltf( bytes, { name, removeBake: true, motions,
            readFile: ( uri ) => fileOf( files, uri ),
            onNote: ( note ) => notes.push( note ) } );
        let made;
        try
        {
            if ( character.vertexCount === 0 )
            {
                throw new Error( `${name}: it has no mesh: there is nothing to be seen` );
            }
            made = this.makeEditor( character, text );
        }
        catch ( error )
        {
            character.dispose();
            throw error;
        }
        this.close();
        Object.assign( this, { character, ...made, pose: new Pose( character ), other: new Pose( character ), mixer: null } );
        this.clip = clip ?? this.firstClip();
        return { ...this.described(), ...this.about(), notes, isInside: text === null && character.insideRig !== null,
            clip: this.clip, framed: this.frame(), motions: character.motions,
            coordinates: dracoCoordinates( character.supple.draco, bytes, files ) };
    }

    makeEditor( character, text )
    {
        const given = text === null ? character.insideRig : Rig.fromJson( text, character );
        const found = given === null ? proposeRig( character ) : null;
        const rig = given ?? found;
        try
        {
            const proposal = rig.proposal ?? proposeRig( character ).proposal;
            return { proposal, editor: new Editor( character, rig ), text: rig.toText() };
        }
        finally
        {
            rig.dispose();
        }
    }

    close()
    {
        [ this.editor, this.pose, this.other, this.character ].forEach( ( one ) => one?.dispose() );
        Object.assign( this, { take: null, editor: null, pose: null, other: null, character: null, log: [] } );
    }

    /** What never changes while the character is open. */
    about()
    {
        const { character } = this;
        return { meshes: character.meshes, size: character.size, vertexCount: character.vertexCount, fingerprint: character.fingerprint,
            clips: character.clips.map( ( { name, start, end } ) => ( { name, start, end } ) ),
            indices: character.meshes.map( ( _, mesh ) => character.indices( mesh ).slice() ), joints: character.joints,
            rest: character.restPositions.slice(), restJoints: character.restJoints.slice(),
            layers: character.supple.layers, drawNames: character.supple.drawNames };
    }

    /** What people want to see first: something lively. */
    firstClip()
    {
        const { clips } = this.character;
        const [ best ] = [ /run|gallop/i, /jog|dance|bounce|swim/i, /walk|jump|fly/i ].map(
            ( words ) => clips.findIndex( ( { name } ) => words.test( name ) ) ).filter( ( clip ) => clip >= 0 );
        return clips.length === 0 ? -1 : best ?? 0;
    }

    get start()
    {
        return this.character.clips[this.clip]?.start ?? 0;
    }

    get end()
    {
        return this.character.clips[this.clip]?.end ?? 0;
    }

    /** The rig and what was found, for the page. */
    described()
    {
        const { model } = this.editor;
        return { rig: this.editor.rig, proposal: this.proposal, text: this.text, items: model.items, memory: this.character.supple.memorySize,
            elements: model.elements.map( ( { name, driverName, vertexCount, mass } ) => ( { name, driverName, vertexCount, mass } ) ) };
    }

    /** A box around all that the clip does: its middle and its reach. */
    frame()
    {
        const low = [ Infinity, Infinity, Infinity ], high = [ -Infinity, -Infinity, -Infinity ];
        for ( let i = 0; i <= 12; ++i )
        {
            this.editor.step( this.sample( this.start + ( this.end - this.start ) * i / 12 ), null, 0 );
            const { positions } = this.editor.smoothSkin( { normals: false } );
            for ( let v = 0; v < positions.length; v += 3 )
            {
                for ( let k = 0; k < 3; ++k )
                {
                    low[k] = Math.min( low[k], positions[v + k] );
                    high[k] = Math.max( high[k], positions[v + k] );
                }
            }
        }
        this.lead( this.start );
        return { low, high };
    }

    // --------------------------------------------------------------------------------------------------------------
    // Where the joints are

    /** `mix`: { clip, share }: that much of another clip, at the same share of its own length. */
    sample( time, mix = null )
    {
        const joints = this.clip < 0 ? this.pose.rest() : this.pose.sample( this.clip, time );
        if ( !mix || mix.share === 0 || this.clip < 0 )
        {
            return joints;
        }
        const { start, end } = this.character.clips[mix.clip];
        const along = this.end > this.start ? ( time - this.start ) / ( this.end - this.start ) : 0;
        this.other.sample( mix.clip, start + along * ( end - start ) );
        this.mixer ??= new PoseMix( this.character.joints );
        return this.mixer.of( this.pose.joints, this.other.joints, mix.share );
    }

    step( { time, dt, world = this.world, mix = null } )
    {
        const joints = this.sample( time, mix );
        this.editor.setMorphWeights( this.pose.morphWeights.length > 0 ? this.pose.morphWeights : null );
        this.editor.step( joints, world, dt );
    }

    /** The editor's body comes to a time as if it had played there. */
    lead( time, mix = null )
    {
        this.editor.reset();
        const length = this.end - this.start, count = Math.round( leadSeconds * leadRate );
        for ( let i = count; i >= 0; --i )
        {
            const at = time - i / leadRate - this.start;
            const wrapped = length > 0 ? ( ( at % length ) + length ) % length : 0;
            this.step( { time: this.start + ( i === 0 ? time - this.start : wrapped ), dt: i === count ? 0 : 1 / leadRate, mix } );
        }
    }

    // --------------------------------------------------------------------------------------------------------------
    // Frames

    /** Moves on to a time, or shows it as it stands there. Gives copies of all that is asked for. */
    show( { time, dt, playing, world, mix = null, wants = { living: true } } )
    {
        this.world.set( world ?? identity );
        if ( playing || this.clip < 0 )
        {
            if ( this.stood )
            {
                this.lead( time, mix );
                this.stood = false;
            }
            this.step( { time, dt, mix } );
            this.remember( { time, dt, mix, world: this.world.slice() } );
        }
        else
        {
            this.stand( time, mix );
        }
        return this.seen( wants );
    }

    /** The last steps, for another simulation that takes over. */
    remember( step )
    {
        this.log.push( step );
        let seconds = this.log.reduce( ( sum, one ) => sum + one.dt, 0 );
        while ( seconds > leadSeconds && this.log.length > 1 )
        {
            seconds -= this.log.shift().dt;
        }
    }

    seen( wants )
    {
        const seen = { living: null, smooth: null, drawn: null, joints: null, states: null };
        if ( wants.living )
        {
            seen.living = copySkin( this.editor.skin() );
        }
        if ( wants.smooth )
        {
            seen.smooth = copySkin( this.editor.smoothSkin() );
        }
        if ( wants.draw )
        {
            const rows = this.editor.draw( wants.draw );
            seen.drawn = Object.fromEntries( Object.entries( rows ).map( ( [ name, row ] ) => [ name, row.slice() ] ) );
        }
        if ( wants.joints )
        {
            seen.joints = this.editor.joints.slice();
        }
        seen.states = wants.states && !this.stood ? this.states() : null;
        return seen;
    }

    /** How far each element is out, and the most that it may be: metres, two numbers each. `given`: of a take. */
    states( given = null )
    {
        const out = new Float32Array( 2 * this.editor.model.elements.length );
        this.editor.model.elements.forEach( ( _, i ) => {
            const { elongation, limit } = this.editor.element( i );
            out.set( [ Math.hypot( ...given?.subarray( 3 * i, 3 * i + 3 ) ?? elongation ), limit ], 2 * i );
        } );
        return out;
    }

    /** The exact state at a time of the clip; of two clips at once, as it would be after the same way again. */
    stand( time, mix )
    {
        this.stood = true;
        this.log = [];
        if ( mix && mix.share > 0 )
        {
            this.lead( time, mix );
            return;
        }
        this.takeNow().show( time, this.editor );
        this.editor.joints.set( this.sample( time ) );
    }

    /** The clip as it is with the rig of now. */
    takeNow()
    {
        if ( !this.take || this.take.isDisposed || this.take.clip !== this.clip )
        {
            this.take = this.editor.take( this.clip );
        }
        return this.take;
    }

    /** Elongations along the whole clip, exactly: `count` moments, for each element two numbers. */
    plot( { count } )
    {
        const take = this.takeNow();
        return { rows: Array.from( { length: count }, ( _, i ) => this.states(
            take.elongations( this.start + ( this.end - this.start ) * i / ( count - 1 ) ) ) ) };
    }

    setClip( { clip } )
    {
        this.clip = clip;
        this.stood = true;
        this.log = [];
        return { framed: this.frame() };
    }

    /** What another simulation has to do to be where this one is. */
    handOver()
    {
        return { log: this.log, stood: this.stood === true, clip: this.clip };
    }

    takeOver( { log, stood, clip } )
    {
        this.clip = clip;
        this.editor.reset();
        if ( !stood ) // who stands is shown by a take, and led up to where it starts to play
        {
            thinned( log ).forEach( ( one ) => this.step( one ) );
        }
        Object.assign( this, { log, stood } );
        return {};
    }

    // --------------------------------------------------------------------------------------------------------------
    // Edits

    /** Fields of an item under way: nothing is reset. Gives the rig as it is then. */
    set( { key, item, fields } )
    {
        this.editor.set( key, item, fields );
        return this.edited();
    }

    /** Another item in the place of one; `item` -1: it is added; `value` null: it is taken out. */
    put( { key, item, value } )
    {
        if ( value === null )
        {
            this.editor.remove( key, item );
        }
        else if ( item < 0 )
        {
            this.editor.add( key, value );
        }
        else
        {
            this.editor.replace( key, item, value );
        }
        return this.edited();
    }

    edited()
    {
        const rig = Rig.fromJson( this.editor.rig, this.character );
        this.text = rig.toText();
        rig.dispose();
        return this.described();
    }

    /** A whole rig in the place of this one: by edits where these lead there, else by another editor that does the last steps again. */
    setRig( { text, proposal = null } )
    {
        const rig = Rig.fromJson( text, this.character );
        try
        {
            if ( !this.changeBy( rig ) )
            {
                const editor = new Editor( this.character, rig );
                this.editor.dispose();
                this.editor = editor;
                this.takeOver( this.handOver() );
            }
            this.text = rig.toText();
            this.proposal = proposal ?? this.proposal;
        }
        finally
        {
            rig.dispose();
        }
        return this.described();
    }

    /** False: edits do not lead there, and all is as it was. */
    changeBy( rig )
    {
        const before = this.editor.rig;
        try
        {
            return changeRig( this.editor, before, rig.toJSON() );
        }
        catch
        {
            changeRig( this.editor, this.editor.rig, before );
            return false; // another editor says what is wrong with the whole
        }
    }

    /** The automatic flesh anew, with what was put right. Other layers stay, where what they name is still there. */
    propose( { options } )
    {
        const rig = proposeRig( this.character, options );
        this.proposal = rig.proposal;
        const found = rig.toJSON();
        rig.dispose();
        const names = new Set( ( found.elements ?? [] ).map( ( { name } ) => name ) );
        const others = Object.entries( this.editor.rig ).filter( ( [ key,
            list ] ) => Array.isArray( list ) && key !== 'elements' && key !== 'gravity' )
            .map( ( [ key, list ] ) => [ key, list.filter( ( { element } ) => element === undefined || names.has( element ) ) ] )
            .filter( ( [ , list ] ) => list.length > 0 );
        return this.setRig( { text: JSON.stringify( { ...Object.fromEntries( others ), ...found } ) } );
    }

    /** Muscles with what carries them to the skin, or fat, found by itself. */
    deepen( { muscles = false, fat = false } )
    {
        const rig = Rig.fromJson( this.editor.rig, this.character );
        try
        {
            if ( muscles )
            {
                rig.addMuscles( this.character );
            }
            if ( fat )
            {
                rig.addFat( this.character );
            }
            return this.setRig( { text: rig.toText() } );
        }
        finally
        {
            rig.dispose();
        }
    }

    // --------------------------------------------------------------------------------------------------------------
    // Touching

    weightsOf( { item } )
    {
        return { weights: this.editor.weights( item ).slice() };
    }

    /** The piece of flesh that moves a vertex most; -1: none does. */
    pieceAt( { vertex } )
    {
        let item = -1, most = 0.02;
        this.editor.model.elements.forEach( ( _, i ) => {
            const weight = this.editor.weights( i )[vertex];
            [ item, most ] = weight > most ? [ i, weight ] : [ item, most ];
        } );
        return { item };
    }

    /** A push on one piece, m/s, on all (-1) or on none (null); and on what has mass around a point. */
    push( { item = -1, speed, point = null } )
    {
        this.editor.model.elements.forEach( ( { mass }, i ) => {
            if ( item < 0 || i === item )
            {
                this.editor.push( i, speed.map( ( v ) => v * mass ) );
            }
        } );
        if ( point && this.editor.model.items.fat?.length > 0 )
        {
            this.editor.forceAround( point, 0.06 * this.character.size, speed.map( ( v ) => 60 * v ) );
        }
        return {};
    }
}
