// Objects that live in the module's memory. Each is freed when it was disposed of, or nobody has it any more, and
// nothing that stands on it is left: a model holds on to its character, a body to its model.
import { SuppleError } from './error.js';

/** What is behind an object: its address, how it is freed, and what it stands on. */
class Owned
{
    constructor( supple, address, destroy, below )
    {
        Object.assign( this, { supple, address, destroy, below, users: 1, blocks: [] } );
        below.forEach( ( one ) => { one.users += 1; } );
    }

    release()
    {
        this.users -= 1;
        if ( this.users > 0 )
        {
            return;
        }
        if ( !this.supple.broken )
        {
            this.supple.call( this.destroy, this.address );
            this.blocks.forEach( ( block ) => this.supple.call( 'free', block ) );
        }
        this.below.forEach( ( one ) => one.release() );
    }
}

const forgotten = new FinalizationRegistry( ( owned ) => owned.release() );

export class Handle
{
    #owned;

    /** `below`: the objects that it stands on. */
    constructor( supple, address, destroy, below = [] )
    {
        this.supple = supple;
        this.#owned = new Owned( supple, address, destroy, below.map( ( one ) => one.#use() ) );
        forgotten.register( this, this.#owned, this );
    }

    #use()
    {
        if ( this.#owned === null )
        {
            throw new SuppleError( `this ${this.constructor.name} was disposed of` );
        }
        return this.#owned;
    }

    /** Its address, while it is there. */
    get address()
    {
        return this.#use().address;
    }

    set address( value )
    {
        this.#use().address = value;
    }

    get isDisposed()
    {
        return this.#owned === null;
    }

    /** Room that is freed with it, zeros at first. */
    room( size )
    {
        const at = this.supple.allocate( size );
        new Uint8Array( this.supple.buffer, at, size ).fill( 0 );
        this.#use().blocks.push( at );
        return at;
    }

    /** Frees it. A second time does nothing. */
    dispose()
    {
        if ( this.#owned !== null )
        {
            forgotten.unregister( this );
            this.#owned.release();
            this.#owned = null;
        }
    }
}

Handle.prototype[Symbol.dispose ?? Symbol.for( 'Symbol.dispose' )] = Handle.prototype.dispose;

/** A view of floats in the module's memory that is made anew when the memory has grown. It ends with its handle. */
export class FloatView
{
    constructor( handle, address, length )
    {
        Object.assign( this, { handle, address, length, array: null } );
    }

    get()
    {
        const { supple, isDisposed } = this.handle;
        if ( isDisposed )
        {
            throw new SuppleError( `this ${this.handle.constructor.name} was disposed of` );
        }
        if ( this.array === null || this.array.buffer !== supple.buffer )
        {
            this.array = new Float32Array( supple.buffer, this.address, this.length );
        }
        return this.array;
    }
}
