// Rigs and models.
import { SuppleError } from './error.js';
import { Handle } from './handle.js';
import { linesOf, proposeWords, wordsFor } from './words.js';

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

/** A rig for any character, found by itself. Options: preset, kind, front, up, regions, only, without. */
export function proposeRig( character, options = {} )
{
    const { supple } = character;
    const words = [ 'rig', ...wordsFor( proposeWords, options ) ];
    const why = supple.allocate( 4 );
    const said = supple.hear();
    try
    {
        const address = supple.with( words, ( ...at ) => supple.with( [ new Uint32Array( [ ...at, 0 ] ) ],
            ( list ) => supple.call( 'supJs_ProposeRig', character.address, words.length, list, why ) ) );
        if ( address === 0 )
        {
            const [ wrong ] = linesOf( said() );
            throw wrong ? new SuppleError( wrong, 'argument' ) : supple.failure();
        }
        return new Rig( supple, address, supple.json( new Uint32Array( supple.buffer, why, 1 )[0] ) );
    }
    finally
    {
        said();
        if ( !supple.broken )
        {
            supple.call( 'free', why );
        }
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
