// What bakeInWorker runs beside the page: one bake, told as it goes.
import { bake } from './bake.js';
import { nodeModule } from './node.js';
import { loadSupple } from './supple.js';

async function answer( { data, wasm, draco, options }, port )
{
    try
    {
        const supple = await loadSupple( { wasm, draco } ); // compiled already, by who asks
        let told = { stage: '', done: -1 };
        const done = await bake( data, { ...options, supple }, {
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

if ( typeof self !== 'undefined' && typeof self.postMessage === 'function' )
{
    self.onmessage = ( event ) => answer( event.data, self );
}
else
{
    nodeModule( 'worker_threads' ).then( ( { parentPort } ) => {
        parentPort.on( 'message', ( message ) => answer( message, parentPort ) );
    } );
}
