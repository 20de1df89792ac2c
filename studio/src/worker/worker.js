// The simulation beside the page: one call at a time, each answered by its number.
import { Simulation } from './simulation.js';

const simulation = new Simulation();
let queue = Promise.resolve();

/** The buffers of what a frame gives: they are handed over, not copied. */
const buffersOf = ( value ) => ( ArrayBuffer.isView( value ) ? [ value.buffer ]
    : value && typeof value === 'object' ? Object.values( value ).flatMap( buffersOf ) : [] );

async function answer( { id, call, data } )
{
    try
    {
        const from = performance.now();
        const value = await simulation[call]( data );
        postMessage( { id, value, ms: performance.now() - from }, call === 'show' ? buffersOf( value ) : [] );
    }
    catch ( error )
    {
        postMessage( { id, failure: { message: error.message, code: error.code ?? 'unknown' } } );
    }
}

onmessage = ( { data } ) => { queue = queue.then( () => answer( data ) ); };
