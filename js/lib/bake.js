// Bakes: bytes in, bytes out that play the new motion everywhere, and the report of the program.
import { bytesOf, gatherFiles } from './character.js';
import { SuppleError } from './error.js';
import { MemoryFiles } from './files.js';
import { nodeModule } from './node.js';
import { Rig } from './rig.js';
import { runProgram } from './program.js';
import { loadSupple } from './supple.js';
import { linesOf, proposeWords, text, wordsFor } from './words.js';

const flag = ( word ) => ( value ) => ( value ? [ word ] : [] );
const unless = ( word ) => ( value ) => ( value ? [] : [ word ] );
const each = ( word ) => ( value ) => [ value ].flat().flatMap( ( one ) => [ word, String( one ) ] );

/** What an option becomes in the words of the program. */
const wordsOf = {
    ...proposeWords,
    typicalBy: text( '--typical-by' ),
    clips: each( '--clip' ),
    loop: text( '--loop' ),
    ends: text( '--ends' ),
    as: text( '--as' ),
    normals: unless( '--no-normals' ),
    influences: text( '--influences' ),
    fps: text( '--fps' ),
    tolerance: text( '--tolerance' ),
    keys: text( '--keys' ),
    maxError: text( '--max-error' ),
    maxSeam: text( '--max-seam' ),
    live: flag( '--live' ),
    weld: flag( '--weld' ),
    keepNames: flag( '--keep-names' ),
    dropOriginals: flag( '--drop-originals' ),
    embed: unless( '--no-embed' ),
};

/** Beside these: what is not a word of the program. */
const others = [ 'name', 'format', 'rig', 'motions', 'readFile', 'supple', 'files' ];

const baseName = ( name ) => name.split( /[/\\]/ ).pop();

/** The words of a call, and the files that it needs. */
function prepare( data, options )
{
    const files = new MemoryFiles();
    const name = baseName( options.name ?? 'in.glb' );
    const out = `out.${options.format ?? 'glb'}`;
    if ( !/^(glb|gltf|vrm|pc2|mdd)$/.test( options.format ?? 'glb' ) || name === out )
    {
        throw new SuppleError( name === out ? `'${name}' is what comes out: call it otherwise`
            : `format: glb, gltf, vrm, pc2 or mdd, not '${options.format}'` );
    }
    files.write( `/${name}`, bytesOf( data ) );
    const words = [ 'bake', '--json', '--untrusted', name, out ];
    words.push( ...wordsFor( wordsOf, options, others ) );
    if ( options.rig )
    {
        const { rig } = options;
        const json = typeof rig === 'string' ? rig : rig instanceof Rig ? rig.toText() : JSON.stringify( rig );
        files.write( '/rig.json', new TextEncoder().encode( json ) );
        words.push( '--rig', 'rig.json' );
    }
    for ( const { name: motion, data: bytes } of options.motions ?? [] )
    {
        files.write( `/motions/${baseName( motion )}`, bytesOf( bytes ) );
        words.push( '--motion', `motions/${baseName( motion )}` );
    }
    return { files, words, out };
}

/** What a command said on stderr: its own failure, and notes before it. */
function sortWords( said, code, onNote )
{
    const lines = linesOf( said );
    const failure = code === 0 ? null : lines.splice( code === 2 ? 0 : -1, 1 )[0];
    lines.forEach( ( line ) => onNote?.( line ) );
    return failure;
}

/** Bakes, in this thread. Gives { bytes, report, files }: files are those beside a .gltf, or the point caches. */
export async function bake( data, options = {}, { onProgress, signal, onNote } = {} )
{
    signal?.throwIfAborted();
    const supple = options.supple ?? await loadSupple();
    const { files, words, out } = prepare( data, options );
    const gathered = options.files ?? await gatherFiles( bytesOf( data ), options.readFile );
    for ( const [ name, bytes ] of Object.entries( gathered.files ) )
    {
        files.write( `/${name}`, bytes );
    }
    if ( gathered.hasDraco )
    {
        await supple.loadDraco();
    }
    const before = new Set( files.entries.keys() );
    const said = { 1: '', 2: '' };
    const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };
    const code = runProgram( supple, words, {
        files,
        print: ( descriptor, bytes ) => { said[descriptor] += decoders[descriptor].decode( bytes, { stream: true } ); },
        onTell: ( stage, done ) => {
            onProgress?.( { stage, done } );
            signal?.throwIfAborted();
        },
    } );
    const failure = sortWords( said[2], code, onNote );
    if ( code !== 0 )
    {
        throw new SuppleError( failure ?? 'the bake failed', code === 2 ? 'argument' : 'data' );
    }
    const beside = [ ...files.entries.keys() ].filter( ( path ) => !before.has( path ) && path !== `/${out}` );
    return { bytes: files.read( `/${out}` ) ?? null, report: JSON.parse( said[1] ),
        files: Object.fromEntries( beside.map( ( path ) => [ path.slice( 1 ), files.read( path ) ] ) ) };
}

/**
 * A worker, in Node and in a browser: { post, listen, end }. Bundlers find the worker's file by the very words
 * `new Worker( new URL( …, import.meta.url ) )`, and do not look for Node's.
 */
async function startWorker()
{
    if ( typeof Worker !== 'undefined' )
    {
        const worker = new Worker( new URL( './bake_worker.js', import.meta.url ), { type: 'module' } );
        return { post: ( message ) => worker.postMessage( message ),
            listen( heard, failed )
            {
                worker.onmessage = ( event ) => heard( event.data );
                worker.onerror = ( event ) => failed( new SuppleError( event.message ?? 'the worker failed', 'memory' ) );
            },
            end: () => worker.terminate() };
    }
    const [ threads, name ] = [ await nodeModule( 'worker_threads' ), './bake_worker.js' ];
    const worker = new threads.Worker( new URL( name, import.meta.url ) );
    return { post: ( message ) => worker.postMessage( message ),
        listen( heard, failed )
        {
            worker.on( 'message', heard );
            worker.on( 'error', failed );
        },
        end: () => worker.terminate() };
}

/** The same in a worker of its own, so that a page goes on drawing. The signal ends it at once. */
export async function bakeInWorker( data, options = {}, { onProgress, signal, onNote } = {} )
{
    signal?.throwIfAborted();
    const { readFile, supple: own, rig, ...plain } = options;
    const supple = own ?? await loadSupple();
    const files = await gatherFiles( bytesOf( data ), readFile );
    if ( files.hasDraco )
    {
        await supple.loadDraco();
    }
    const worker = await startWorker();
    try
    {
        return await new Promise( ( resolve, reject ) => {
            signal?.throwIfAborted(); // it may have come while the worker was started
            signal?.addEventListener( 'abort', () => reject( signal.reason ), { once: true } );
            const heard = ( { done, failure, progress, note } ) => {
                if ( progress )
                {
                    onProgress?.( progress );
                }
                else if ( note !== undefined )
                {
                    onNote?.( note );
                }
                else if ( failure )
                {
                    reject( new SuppleError( failure.message, failure.code ) );
                }
                else
                {
                    resolve( done );
                }
            };
            worker.listen( ( message ) => {
                try
                {
                    heard( message );
                }
                catch ( error ) // of the page's own callbacks: it ends the bake, and is told by it
                {
                    reject( error );
                }
            }, reject );
            worker.post( { data: bytesOf( data ), wasm: supple.module, draco: supple.draco?.module,
                options: { ...plain, files, ...( rig ? { rig: rig instanceof Rig ? rig.toText() : rig } : {} ) } } );
        } );
    }
    finally
    {
        worker.end();
    }
}
