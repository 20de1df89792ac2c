// The program's own commands `inspect`, `rig` and `bake`, run in a module of their own that is thrown away afterwards: what
// they took of memory is gone with it, also when they were ended half-way.
import { Supple } from './supple.js';

/** Runs a command. `files`: as MemoryFiles has it; `print( descriptor, bytes )`; gives the exit code. */
export function runProgram( { module, draco }, words, { files, folder = '/', print, onTell } )
{
    const supple = new Supple( module, {}, { files, print } );
    supple.draco = draco?.another() ?? null;
    supple.onTell = onTell ?? null;
    if ( supple.with( [ folder ], ( at ) => supple.call( 'supProgram_Enter', at ) ) !== 0 )
    {
        throw new Error( `${folder}: there is no such folder` );
    }
    return supple.with( words, ( ...at ) => supple.with( [ new Uint32Array( [ ...at, 0 ] ) ],
        ( list ) => supple.call( 'supProgram_Run', words.length, list ) ) );
}
