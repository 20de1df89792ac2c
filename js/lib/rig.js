// Rigs and models.
import { SuppleError } from './error.js';
import { Handle } from './handle.js';

/** What is to move, as data. */
export class Rig extends Handle
{
    constructor( supple, address, proposal = null )
    {
        super( supple, address, 'supJs_DestroyRig' );
        /** Why it is as it is, where it was found: kind, front, up, elements, evidence. */
        this.proposal = proposal;
    }

    /** Of the JSON of a .rig.json, as text or as a value. The character turns lengths such as "2mm" into shares. */
    static fromJson( json, character, name = 'rig' )
    {
        const { supple } = character;
        const text = new TextEncoder().encode( typeof json === 'string' ? json : JSON.stringify( json ) );
        const address = supple.with( [ text, name ],
            ( at, nameAt ) => supple.made( 'supJs_ReadRig', at, text.length, nameAt, character.address ) );
        return new Rig( supple, address );
    }

    /** As a .rig.json has it: the very text of the program. */
    toText()
    {
        const at = this.supple.made( 'supJs_RigJson', this.address );
        const text = this.supple.text( at );
        this.supple.call( 'free', at );
        return text;
    }

    /** For JSON.stringify. */
    toJSON()
    {
        return JSON.parse( this.toText() );
    }

    /** Adds the major muscles of a human, and what carries them to the skin. */
    addMuscles( character )
    {
        this.supple.made( 'supJs_AddMuscles', character.address, this.address );
        return this;
    }

    /** Adds fat: of the trunk and the upper limbs, or of all skin. */
    addFat( character )
    {
        this.supple.made( 'supJs_AddFat', character.address, this.address );
        return this;
    }
}

const proposals = [ 'preset', 'kind', 'front', 'up', 'regions' ];

/** A rig for any character, found by itself. Options: preset, kind, front, up, regions. */
export function proposeRig( character, options = {} )
{
    const unknown = Object.keys( options ).find( ( name ) => !proposals.includes( name ) );
    if ( unknown !== undefined )
    {
        throw new SuppleError( `no option "${unknown}"; there are ${proposals.join( ', ' )}`, 'argument' );
    }
    const { supple } = character;
    const why = supple.allocate( 4 );
    try
    {
        const address = supple.with( [ JSON.stringify( options ) ],
            ( at ) => supple.made( 'supJs_ProposeRig', character.address, at, why ) );
        return new Rig( supple, address, supple.json( new Uint32Array( supple.buffer, why, 1 )[0] ) );
    }
    finally
    {
        supple.call( 'free', why );
    }
}

/** A character and a compiled rig: shared by any number of bodies. */
export class Model extends Handle
{
    constructor( character, rig, options = {} )
    {
        const { supple } = character;
        const address = supple.watched( options,
            () => supple.made( 'supJs_CompileModel', character.address, rig.address ) );
        super( supple, address, 'supJs_DestroyModel', [ character ] );
        this.character = character;
        Object.assign( this, supple.json( supple.call( 'supJs_ModelJson', address ) ) );
    }
}
