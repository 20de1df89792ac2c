// Calls to workers, as promises.

export class Link
{
    constructor()
    {
        this.worker = new Worker( new URL( './worker.js', import.meta.url ), { type: 'module' } );
        this.waiting = new Map();
        this.count = 0;
        this.worker.onmessage = ( { data: { id, value, failure, ms } } ) => {
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
        };
        this.worker.onerror = ( { message } ) => this.waiting.forEach( ( { reject } ) => reject( new Error( message ?? 'the simulation ended' ) ) );
    }

    call( call, data = {} )
    {
        return new Promise( ( resolve, reject ) => {
            this.count += 1;
            this.waiting.set( this.count, { resolve, reject } );
            this.worker.postMessage( { id: this.count, call, data } );
        } );
    }
}

/** Bakes beside the page. */
export function bakeBeside( job, onProgress )
{
    const worker = new Worker( new URL( './bake_worker.js', import.meta.url ), { type: 'module' } );
    return new Promise( ( resolve, reject ) => {
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
