// The module: found, compiled, started; text, numbers and failures over its border.
import { Draco } from './draco.js';
import { SuppleError } from './error.js';
import { fileImports, importsFor, MemoryFiles } from './files.js';
import { nodeModule } from './node.js';

/** The smallest module that uses SIMD: where it is valid, SIMD is there. */
const simdProbe = new Uint8Array( [ 0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
    0, 253, 15, 253, 98, 11 ] );

export function hasSimd()
{
    return WebAssembly.validate( simdProbe );
}

/** Bytes of a file of the package, in Node and in a browser. */
async function bytesOf( url )
{
    if ( url.protocol === 'file:' )
    {
        const { readFile } = await nodeModule( 'fs/promises' );
        return readFile( url );
    }
    const answer = await fetch( url );
    if ( !answer.ok )
    {
        throw new SuppleError( `${url}: ${answer.status} ${answer.statusText}`, 'file' );
    }
    return answer.arrayBuffer();
}

/** A compiled module of whatever was given: a module, bytes, an address; or of the package's own file. */
async function compile( given, own )
{
    if ( given instanceof WebAssembly.Module )
    {
        return given;
    }
    const isAddress = given === undefined || typeof given === 'string' || given instanceof URL;
    const bytes = isAddress ? await bytesOf( given === undefined ? own() : new URL( given, import.meta.url ) ) : given;
    return WebAssembly.compile( bytes );
}

/** One running module, with a memory of its own. All objects that are made with it live in it. */
export class Supple
{
    constructor( module, options, { files = new MemoryFiles(), print } = {} )
    {
        this.module = module;
        this.options = options;
        this.files = files;
        this.draco = null;
        this.broken = null;
        this.onNote = null;
        this.onTell = null;
        this.print = print ?? null;
        this.start();
    }

    start()
    {
        const calls = fileImports( this.files, () => this.exports.memory, ( ...said ) => this.print?.( ...said ) );
        const own = {
            supJs_Note: ( text ) => this.onNote?.( this.text( text ) ),
            supJs_Tell: ( stage, done ) => ( this.onTell?.( this.text( stage ), done ) === false ? 0 : 1 ),
            supDecodeDraco: ( def, why, size ) => {
                if ( !this.draco )
                {
                    this.writeText( why, size, 'needs the part that reads Draco: await supple.loadDraco() first' );
                    return 0;
                }
                return this.draco.decode( this, def, why, size );
            },
            supDestroyDracoMesh: ( mesh ) => this.draco?.destroy( mesh ),
            supDracoMesh_Corners: ( mesh, out ) => this.draco.corners( this, mesh, out ),
            supDracoMesh_Attribute: ( ...all ) => this.draco.attribute( this, ...all ),
        };
        const instance = new WebAssembly.Instance( this.module, importsFor( this.module, calls, own ) );
        this.exports = instance.exports;
        this.exports._initialize();
    }

    /** The library's version, "0.1.0". */
    get version()
    {
        return this.text( this.call( 'supJs_Version' ) );
    }

    /** Which instructions the module uses. */
    get simd()
    {
        return this.text( this.call( 'supJs_SimdName' ) );
    }

    /** Bytes that the module has taken of the machine's memory so far. It only grows. */
    get memorySize()
    {
        return this.exports.memory.buffer.byteLength;
    }

    /** The layers of a rig and their fields: names, types, ranges, words. */
    get layers()
    {
        this.layerList ??= this.json( this.call( 'supJs_LayersJson' ) );
        return this.layerList;
    }

    /** What bodies can draw: "weights", "muscles". */
    get drawNames()
    {
        const names = [];
        for ( let at = this.call( 'supProgram_DrawName', 0 ); at !== 0; at = this.call( 'supProgram_DrawName', names.length ) )
        {
            names.push( this.text( at ) );
        }
        return names;
    }

    /** The part that reads meshes compressed with Draco. Documents that have some load it by themselves. */
    async loadDraco()
    {
        this.draco ??= new Draco( await compile( this.options.draco, () => new URL( 'supple_draco.wasm', import.meta.url ) ) );
    }

    get buffer()
    {
        return this.exports.memory.buffer;
    }

    /** Calls an export. A trap (no memory for the stack, a mistake of ours) ends this module, and says so from then on. */
    call( name, ...values )
    {
        if ( this.broken )
        {
            throw new SuppleError( `the module has failed before (${this.broken.message}); load another: loadSupple()`,
                'memory' );
        }
        try
        {
            return this.exports[name]( ...values );
        }
        catch ( error )
        {
            if ( error instanceof WebAssembly.RuntimeError || error instanceof RangeError )
            {
                this.broken = error;
                throw new SuppleError( `the module has failed: ${error.message}`, 'memory' );
            }
            throw error;
        }
    }

    /** Listens to what the program's part says on stderr. Gives a function that gives it, and ends it. */
    hear()
    {
        const before = this.print, decoder = new TextDecoder();
        let said = '';
        this.print = ( descriptor, bytes ) => { said += descriptor === 2 ? decoder.decode( bytes, { stream: true } ) : ''; };
        return () => {
            this.print = before;
            return said;
        };
    }

    /** What the last failure says, as an exception. */
    failure()
    {
        const at = this.call( 'supJs_Error' );
        const code = new Int32Array( this.buffer, at, 1 )[0];
        return new SuppleError( this.text( at + 4 ), code );
    }

    /** Calls an export that gives 0 where it failed. */
    made( name, ...values )
    {
        const result = this.call( name, ...values );
        if ( result === 0 )
        {
            throw this.failure();
        }
        return result;
    }

    /** The C text at an address. */
    text( at )
    {
        const bytes = new Uint8Array( this.buffer );
        return new TextDecoder().decode( bytes.slice( at, bytes.indexOf( 0, at ) ) );
    }

    /** Text into room of that size, cut off where it does not fit. */
    writeText( at, size, text )
    {
        const bytes = new TextEncoder().encode( text ).subarray( 0, size - 1 );
        new Uint8Array( this.buffer, at, size ).fill( 0 ).set( bytes );
    }

    /** The value of a JSON text of the module's, which is freed. */
    json( at )
    {
        if ( at === 0 )
        {
            throw this.failure();
        }
        const text = this.text( at );
        this.call( 'free', at );
        return JSON.parse( text );
    }

    /** Room in the module's memory. */
    allocate( size )
    {
        const at = this.call( 'malloc', Math.max( size, 1 ) );
        if ( at === 0 )
        {
            throw new SuppleError( `no memory for ${size} bytes`, 'memory' );
        }
        return at;
    }

    /** Runs `work` with the addresses of texts (ended by 0) and of bytes, which are freed after it. */
    with( things, work )
    {
        const at = [];
        try
        {
            for ( const thing of things )
            {
                const bytes = thing === null ? null
                    : typeof thing === 'string' ? new TextEncoder().encode( thing + '\0' ) : thing;
                at.push( bytes === null ? 0 : this.allocate( bytes.byteLength ) );
                if ( bytes !== null )
                {
                    new Uint8Array( this.buffer ).set(
                        new Uint8Array( bytes.buffer, bytes.byteOffset, bytes.byteLength ), at[at.length - 1] );
                }
            }
            return work( ...at );
        }
        finally
        {
            if ( !this.broken )
            {
                at.forEach( ( one ) => this.call( 'free', one ) );
            }
        }
    }

    /** Runs `work` while it is told how far that has come, and ends it when the signal says so. */
    watched( { onProgress, signal, onNote } = {}, work )
    {
        signal?.throwIfAborted();
        const before = [ this.onTell, this.onNote ];
        const thrown = []; // by the callbacks: it must not pass through the module, which would free nothing
        const guarded = ( callback, value ) => {
            try
            {
                callback?.( value );
            }
            catch ( error )
            {
                thrown.push( error );
            }
        };
        this.onTell = ( stage, done ) => {
            guarded( onProgress, { stage, done } );
            return !signal?.aborted && thrown.length === 0;
        };
        this.onNote = ( note ) => guarded( onNote, note );
        let made;
        try
        {
            made = work();
        }
        catch ( error )
        {
            signal?.throwIfAborted();
            throw thrown[0] ?? error;
        }
        finally
        {
            [ this.onTell, this.onNote ] = before;
        }
        if ( thrown.length > 0 )
        {
            throw thrown[0];
        }
        return made;
    }
}

let shared = null;

/**
 * Loads the module. Without options one is shared by all who ask; with options there is another each time:
 * simd: false takes the plain build (default: as the machine has it), wasm and draco: a compiled module, bytes, or
 * where the files are.
 */
export async function loadSupple( options )
{
    if ( options === undefined )
    {
        if ( shared === null || ( await shared ).broken )
        {
            shared = start( {} );
            shared.catch( () => { shared = null; } );
        }
        return shared;
    }
    return start( options );
}

async function start( options )
{
    const simd = options.simd ?? hasSimd();
    const own = () => ( simd ? new URL( 'supple.wasm', import.meta.url ) : new URL( 'supple_plain.wasm', import.meta.url ) );
    return new Supple( await compile( options.wasm, own ), options );
}
