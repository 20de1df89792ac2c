// What bakeInWorker runs beside the page: one bake, told as it goes.
import { bake } from './bake.js';
import { loadSupple } from './supple.js';

const port = typeof self !== 'undefined' && typeof self.postMessage === 'function'
    ? self : ( await import( /* webpackIgnore: true */ 'node:worker_threads' ) ).parentPort;

async function answer( { data, simd, options } )
{
    try
    {
        const supple = simd === undefined ? undefined : await loadSupple( { simd } );
        let told = { stage: '', done: -1 };
        const done = await bake( data, { ...options, ...( supple ? { supple } : {} ) }, {
            onProgress: ( progress ) => {
                if ( progress.stage !== told.stage || progress.done - told.done > 0.01 )
                {
                    told = progress;
                    port.postMessage( { progress } );
                }
            },
            onNote: ( note ) => port.postMessage( { note } ),
        } );
        port.postMessage( { done } );
    }
    catch ( error )
    {
        port.postMessage( { failure: { message: error.message, code: error.code ?? 'unknown' } } );
    }
}

if ( typeof port.on === 'function' )
{
    port.on( 'message', answer );
}
else
{
    port.onmessage = ( event ) => answer( event.data );
}
