// The simulation: one character, its rig, and where its flesh is. It runs in a worker (worker.js), and knows no page.
//
// While it plays, an Editor is stepped: numbers change under way and nothing is reset. While it stands, a Take shows the
// time that is asked for, exactly. Where it starts to play, the editor is led up to that time first, from a little before.
import { Character, Editor, Model, Body, Pose, proposeRig, Rig, Take } from 'supple';

const leadSeconds = 1.5, leadRate = 60;

/** Fields of two items that are not the same. */
function changedFields( before, after )
{
    return Object.keys( { ...before, ...after } ).filter( ( key ) => JSON.stringify( before[key] ) !== JSON.stringify( after[key] ) );
}

/** Whether one rig becomes the other by numbers of its items alone. */
function numbersOf( before, after )
{
    const edits = [];
    for ( const key of Object.keys( { ...before, ...after } ) )
    {
        const [ a, b ] = [ before[key], after[key] ];
        if ( !Array.isArray( a ) || !Array.isArray( b ) )
        {
            if ( JSON.stringify( a ) !== JSON.stringify( b ) )
            {
                return null;
            }
            continue;
        }
        if ( a.length !== b.length )
        {
            return null;
        }
        for ( let i = 0; i < a.length; ++i )
        {
            const names = changedFields( a[i], b[i] );
            if ( names.some( ( name ) => typeof a[i][name] !== 'number' || typeof b[i][name] !== 'number' ) )
            {
                return null;
            }
            names.forEach( ( name ) => edits.push( { key, item: i, name, value: b[i][name] } ) );
        }
    }
    return edits;
}

export class Simulation
{
    constructor()
    {
        this.character = null;
        this.clip = -1;
        this.world = new Float32Array( [ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ] );
    }

    /** Opens a document; what there was before stays where this fails. */
    async open( { bytes, name, files = {} } )
    {
        const notes = [];
        const character = await Character.fromGltf( bytes, { name, removeBake: true,
            readFile: ( uri ) => files[decodeURIComponent( uri )] ?? files[uri.split( '/' ).pop()] ?? null,
            onNote: ( note ) => notes.push( note ) } );
        let made;
        try
        {
            const rig = character.insideRig ?? proposeRig( character );
            const proposal = rig.proposal ?? proposeRig( character ).proposal;
            made = { rig, proposal, editor: new Editor( character, rig ), isInside: character.insideRig !== null };
        }
        catch ( error )
        {
            character.dispose();
            throw error;
        }
        this.close();
        Object.assign( this, { character, proposal: made.proposal, editor: made.editor, text: made.rig.toText() } );
        made.rig.dispose();
        this.pose = new Pose( character );
        this.clip = this.firstClip();
        this.lead( this.start );
        return { ...this.described(), notes, isInside: made.isInside,
            clips: character.clips.map( ( { name: clip, start, end } ) => ( { name: clip, start, end } ) ), clip: this.clip,
            meshes: character.meshes, size: character.size, vertexCount: character.vertexCount, framed: this.frame(),
            indices: character.meshes.map( ( _, mesh ) => character.indices( mesh ).slice() ),
            layers: character.supple.layers };
    }

    close()
    {
        [ this.take, this.still, this.model, this.editor, this.pose, this.character ].forEach( ( one ) => one?.dispose() );
        Object.assign( this, { take: null, still: null, model: null, editor: null, pose: null, character: null, takeKey: null } );
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
        return { rig: this.editor.rig, proposal: this.proposal, text: this.text,
            elements: this.editor.model.elements.map( ( { name, driverName, vertexCount, mass } ) => ( { name, driverName, vertexCount, mass } ) ) };
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

    sample( time )
    {
        return this.clip < 0 ? this.pose.rest() : this.pose.sample( this.clip, time );
    }

    /** The editor's body comes to a time as if it had played there. */
    lead( time )
    {
        this.editor.reset();
        const length = this.end - this.start, count = Math.round( leadSeconds * leadRate );
        for ( let i = count; i >= 0; --i )
        {
            const at = time - i / leadRate - this.start;
            const wrapped = length > 0 ? ( ( at % length ) + length ) % length : 0;
            this.step( this.start + ( i === 0 ? time - this.start : wrapped ), i === count ? 0 : 1 / leadRate );
        }
        this.leadsTo = time;
    }

    step( time, dt )
    {
        const joints = this.sample( time );
        this.editor.setMorphWeights( this.pose.morphWeights.length > 0 ? this.pose.morphWeights : null );
        this.editor.step( joints, this.world, dt );
    }

    /** Moves on to a time, or shows it as it stands there. Gives copies of the skins that are asked for. */
    show( { time, dt, playing, world, wants = { living: true } } )
    {
        this.world.set( world ?? [ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ] );
        let body = this.editor;
        if ( playing || this.clip < 0 )
        {
            if ( this.stood )
            {
                this.lead( time );
                this.stood = false;
            }
            this.step( time, dt );
        }
        else
        {
            this.stood = true;
            body = this.stand( time );
        }
        const copy = ( { positions, normals } ) => ( { positions: positions.slice(), normals: normals.slice() } );
        return { living: wants.living ? copy( body.skin() ) : null, smooth: wants.smooth ? copy( body.smoothSkin() ) : null };
    }

    /** The exact state at a time of the clip, by a take of the rig as it is now. */
    stand( time )
    {
        const key = `${this.clip} ${this.text}`;
        if ( this.takeKey !== key )
        {
            [ this.take, this.still, this.model ].forEach( ( one ) => one?.dispose() );
            const rig = Rig.fromJson( this.text, this.character );
            this.model = new Model( this.character, rig );
            rig.dispose();
            this.take = new Take( this.model, this.clip );
            this.still = new Body( this.model );
            this.takeKey = key;
        }
        this.take.show( time, this.still );
        return this.still;
    }

    setClip( { clip } )
    {
        this.clip = clip;
        this.stood = true;
        return { framed: this.frame() };
    }

    /** Numbers of items under way: nothing is reset. Gives the rig as it is then. */
    set( { key, item, fields } )
    {
        this.editor.set( key, item, fields );
        return this.edited();
    }

    edited()
    {
        const rig = Rig.fromJson( this.editor.rig, this.character );
        this.text = rig.toText();
        rig.dispose();
        return this.described();
    }

    /** A whole rig in the place of this one: by its numbers where these alone are new, else with a new body. */
    setRig( { text, time = this.start } )
    {
        const rig = Rig.fromJson( text, this.character );
        try
        {
            const edits = numbersOf( this.editor.rig, rig.toJSON() );
            if ( edits !== null )
            {
                edits.forEach( ( { key, item, name, value } ) => this.editor.set( key, item, { [name]: value } ) );
            }
            else
            {
                const editor = new Editor( this.character, rig );
                this.editor.dispose();
                this.editor = editor;
                this.lead( time );
            }
            this.text = rig.toText();
        }
        finally
        {
            rig.dispose();
        }
        return this.described();
    }

    /** The automatic rig anew, with what was put right. */
    propose( { options, time } )
    {
        const rig = proposeRig( this.character, options );
        this.proposal = rig.proposal;
        const text = rig.toText();
        rig.dispose();
        return this.setRig( { text, time } );
    }

    /** The piece of flesh that was found nearest to a vertex, at rest; -1: none is near. */
    pieceAt( { vertex } )
    {
        const at = this.character.restPositions.subarray( 3 * vertex, 3 * vertex + 3 );
        let item = -1, least = 0.15 * this.character.size;
        for ( const { name, center } of this.proposal.elements )
        {
            const number = this.editor.model.items.elements.indexOf( name );
            const far = Math.hypot( center[0] - at[0], center[1] - at[1], center[2] - at[2] );
            if ( number >= 0 && far < least )
            {
                [ item, least ] = [ number, far ];
            }
        }
        return { item };
    }

    /** A push on one piece, m/s. */
    poke( { item, speed } )
    {
        this.editor.push( item, speed.map( ( v ) => v * this.editor.model.elements[item].mass ) );
        return {};
    }

    /** A push on all flesh that there is: N s by its mass. */
    push( { speed } )
    {
        this.editor.model.elements.forEach( ( { mass }, i ) => this.editor.push( i, speed.map( ( v ) => v * mass ) ) );
        return {};
    }
}
