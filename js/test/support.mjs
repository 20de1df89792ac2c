// What the tests share: the package as it was built, test files, the program.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath( new URL( '../..', import.meta.url ) );
export const program = process.env.SUPPLE_BIN ?? `${root}build/release/supple`;
export const truth = `${process.env.SUPPLE_BUILD ?? `${root}build/release`}/tests/live_truth`;
export const assets = process.env.SUPPLE_ASSETS ?? `${root}../shared/assets`;
export const builds = [ { name: 'SIMD', simd: true }, { name: 'plain', simd: false } ];

/** The path of a test file, and why a test without it is skipped. */
export function asset( name )
{
    const path = `${assets}/${name}`;
    return { path, skip: existsSync( path ) ? false : `no ${name} among the test assets`, bytes: () => readFileSync( path ) };
}

/** A folder that is gone after the test. */
export function folderFor( t )
{
    const folder = mkdtempSync( `${tmpdir()}/supple-js-` );
    t.after( () => rmSync( folder, { recursive: true, force: true } ) );
    return folder;
}

/** What a program prints, and how it ends. */
export function run( file, args, options = {} )
{
    try
    {
        return { code: 0, out: execFileSync( file, args, { stdio: 'pipe', maxBuffer: 1e9, ...options } ).toString() };
    }
    catch ( error )
    {
        return { code: error.status, out: String( error.stdout ), words: String( error.stderr ) };
    }
}
