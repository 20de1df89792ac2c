// The simulation beside the page: one call at a time, each answered by its number.
import { Simulation } from './simulation.js';

const simulation = new Simulation();
let queue = Promise.resolve();

const buffersOf = ( skin ) => ( skin ? [ skin.positions.buffer, skin.normals.buffer ] : [] );

async function answer( { id, call, data } )
{
    try
    {
        const from = performance.now();
        const value = await simulation[call]( data );
        const transfer = call === 'show' ? [ ...buffersOf( value.living ), ...buffersOf( value.smooth ) ] : [];
        postMessage( { id, value, ms: performance.now() - from }, transfer );
    }
    catch ( error )
    {
        postMessage( { id, failure: { message: error.message, code: error.code ?? 'unknown' } } );
    }
}

onmessage = ( { data } ) => { queue = queue.then( () => answer( data ) ); };
