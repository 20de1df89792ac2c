// Loads a reactor module of Supple in Node: the imports that the C library wants, the exports, and text from memory.
import { readFile } from 'node:fs/promises';

/** What wasi-libc imports for printf and clocks. Nothing in the core prints: a call is a mistake and says so. */
function stubs( module )
{
    const imports = {};
    for ( const { module: from, name, kind } of WebAssembly.Module.imports( module ) )
    {
        if ( kind !== 'function' || from !== 'wasi_snapshot_preview1' )
        {
            throw new Error( `the module wants ${from}.${name}, which no host of ours gives` );
        }
        imports[name] = () => { throw new Error( `the module called ${name}` ); };
    }
    return { wasi_snapshot_preview1: imports };
}

export async function loadSupple( path )
{
    const module = await WebAssembly.compile( await readFile( path ) );
    const instance = await WebAssembly.instantiate( module, stubs( module ) );
    instance.exports._initialize();
    return instance.exports;
}

/** The C text at an address. */
export function textAt( exports, address )
{
    const bytes = new Uint8Array( exports.memory.buffer );
    return new TextDecoder().decode( bytes.subarray( address, bytes.indexOf( 0, address ) ) );
}

/** Why a module is not tried: './run test' builds those with SIMD alone. False where it is. */
export function leftOut( name )
{
    return process.env.SUPPLE_QUICK && name.includes( 'plain' ) ? "left to './run test all'" : false;
}
