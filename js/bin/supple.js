#!/usr/bin/env node
// The command `supple` in Node: `inspect`, `rig` and `bake` are the program's own, in WebAssembly.
import { readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { loadSupple, SuppleError } from '../dist/index.js';
import { runProgram } from '../dist/program.js';

const here = [ 'inspect', 'rig', 'bake' ];
const native = [ 'render', 'demo', 'bench', 'curves', 'loft' ];

/** The machine's own files, as the module asks for them. */
const files = {
    stat( path )
    {
        const info = statSync( path, { throwIfNoEntry: false } );
        return info ? { type: info.isDirectory() ? 3 : info.isFile() ? 4 : 2, size: info.isFile() ? info.size : 0 } : null;
    },
    read: ( path ) => new Uint8Array( readFileSync( path ) ),
    write: ( path, bytes ) => writeFileSync( path, bytes ),
    remove( path )
    {
        unlinkSync( path );
        return true;
    },
    rename: renameSync,
    list: ( path ) => readdirSync( path ),
};

function print( descriptor, bytes )
{
    for ( let at = 0; at < bytes.length; )
    {
        try
        {
            at += writeSync( descriptor, bytes, at );
        }
        catch ( error )
        {
            if ( error.code !== 'EAGAIN' )
            {
                throw error;
            }
        }
    }
}

const overview = `usage: supple COMMAND [WORDS]

  inspect  what is in a file: meshes, skins, joints, clips, and what could carry flesh
  rig      the rig that is found by itself, told or written
  bake     adds the motion of flesh to a file, for every engine

'supple COMMAND -h' tells what a command takes. ${native.join( ', ' )} need the native program.
`;

async function main( words )
{
    const [ command ] = words;
    if ( command === undefined || command === 'help' || command === '-h' || command === '--help' )
    {
        print( command === undefined ? 2 : 1, new TextEncoder().encode( overview ) );
        return command === undefined ? 2 : 0;
    }
    const supple = await loadSupple();
    if ( command === 'version' || command === '--version' )
    {
        print( 1, new TextEncoder().encode( `supple ${supple.version} (${supple.simd})\n` ) );
        return 0;
    }
    if ( !here.includes( command ) )
    {
        const why = native.includes( command ) ? `'${command}' needs the native program: docs/javascript.md says where it is`
            : `there is no command '${command}'; 'supple -h' lists them`;
        print( 2, new TextEncoder().encode( `supple: ${why}\n` ) );
        return native.includes( command ) ? 1 : 2;
    }
    await supple.loadDraco();
    return runProgram( supple, words, { files, folder: process.cwd(), print } );
}

try
{
    process.exitCode = await main( process.argv.slice( 2 ) );
}
catch ( error )
{
    print( 2, new TextEncoder().encode( `supple: ${error.message}\n` ) );
    process.exitCode = error instanceof SuppleError ? 1 : 2;
}
