// Calls to workers, as promises.

export class Link
{
    constructor()
    {
        this.worker = new Worker( new URL( '../worker/worker.js', import.meta.url ), { type: 'module' } );
        this.waiting = new Map();
        this.count = 0;
        this.worker.onmessage = ( { data } ) => this.hear( data );
        this.worker.onerror = ( { message } ) => this.end( new Error( message ?? 'the simulation ended' ) );
    }

    hear( { id, value, failure, ms } )
    {
        const { resolve, reject } = this.waiting.get( id );
        this.waiting.delete( id );
        this.ms = ms;
        if ( failure )
        {
            reject( Object.assign( new Error( failure.message ), { code: failure.code } ) );
        }
        else
        {
            resolve( value );
        }
    }

    call( call, data = {} )
    {
        return new Promise( ( resolve, reject ) => {
            this.count += 1;
            this.waiting.set( this.count, { resolve, reject } );
            this.worker.postMessage( { id: this.count, call, data } );
        } );
    }

    /** Ends the worker; all that wait are told why. */
    end( why )
    {
        this.worker.terminate();
        this.waiting.forEach( ( { reject } ) => reject( why ) );
        this.waiting.clear();
    }
}

/** Bakes beside the page; the signal ends it. */
export function bakeBeside( job, onProgress, signal )
{
    const worker = new Worker( new URL( '../worker/bake_worker.js', import.meta.url ), { type: 'module' } );
    return new Promise( ( resolve, reject ) => {
        signal?.addEventListener( 'abort', () => reject( signal.reason ), { once: true } );
        worker.onmessage = ( { data } ) => {
            if ( data.progress )
            {
                onProgress( data.progress );
            }
            else if ( data.failure )
            {
                reject( new Error( data.failure ) );
            }
            else
            {
                resolve( data );
            }
        };
        worker.onerror = ( { message } ) => reject( new Error( message ?? 'the bake ended' ) );
        worker.postMessage( job );
    } ).finally( () => worker.terminate() );
}
