// The simulation as the page sees it. Where an edit takes long to compile, a second worker does it while the first goes
// on playing; it then does the last second and a half of steps again, and the two change places.
import { Link } from './link.js';

/** Layers that compile in a few hundredths of a second: these are edited where they are. */
const light = new Set( [ 'elements', 'modes', 'volumes', 'gravity', 'supple' ] );

const isHeavy = ( rig ) => Object.entries( rig ).some( ( [ key, list ] ) => !light.has( key ) && Array.isArray( list ) && list.length > 0 );

export class Engine
{
    constructor()
    {
        this.live = new Link();
        this.spare = null;
        this.upTo = null; // the rig that the other worker has, once it has it
        this.job = null;
        this.isMaking = false; // another rig, beside the one that plays
    }

    /** Milliseconds that the last call took. */
    get ms()
    {
        return this.live.ms;
    }

    call( name, data )
    {
        return this.live.call( name, data );
    }

    async open( job )
    {
        const info = await this.live.call( 'open', job );
        this.spare?.end( new Error( 'another character was opened' ) );
        Object.assign( this, { spare: null, job } );
        return info;
    }

    /** An edit that compiles. `rig`: as it is before; `brings`: what it adds compiles long, too. */
    async change( name, data, { rig, text, brings = false } )
    {
        if ( !brings && !isHeavy( rig ) )
        {
            return this.live.call( name, data );
        }
        this.isMaking = true;
        try
        {
            const beside = await this.standBy( text );
            const described = await beside.call( name, data );
            const { live } = this;
            await beside.call( 'takeOver', await live.call( 'handOver' ) );
            Object.assign( this, { live: beside, spare: live } );
            this.bringUp( described.text );
            return described;
        }
        finally
        {
            this.isMaking = false;
        }
    }

    /** The other worker follows by itself, so that the next edit waits for one compiling alone. */
    bringUp( text )
    {
        this.upTo = this.spare.call( 'setRig', { text } ).then( ( { text: done } ) => done, () => null );
    }

    /** The other worker, with the same character and rig. */
    async standBy( text )
    {
        if ( this.spare )
        {
            const [ spare, upTo ] = [ this.spare, await this.upTo ];
            if ( upTo !== text )
            {
                await spare.call( 'setRig', { text } );
            }
            return spare;
        }
        const spare = new Link();
        try
        {
            await spare.call( 'open', { ...this.job, text } );
        }
        catch ( error )
        {
            spare.end( error );
            throw error;
        }
        this.spare = spare;
        this.upTo = Promise.resolve( text );
        return spare;
    }

    /** Gives up what takes too long: the worker ends, and another starts with the character as it was. */
    async restart( text, clip )
    {
        const why = new Error( 'it was ended, since it took too long' );
        this.live.end( why );
        this.spare?.end( why );
        Object.assign( this, { live: new Link(), spare: null } );
        return this.job ? this.live.call( 'open', { ...this.job, text, clip } ) : null;
    }
}
