// The module loads in Node and is the same version as the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { loadSupple, textAt } from './load_supple.mjs';

const folder = process.env.SUPPLE_WASM ?? 'build/wasm';
const native = process.env.SUPPLE_BIN ?? 'build/release/supple';

test( 'the module tells the version of the native program', async () => {
    const supple = await loadSupple( `${folder}/supple.wasm` );
    const { version } = JSON.parse( execFileSync( native, [ 'version', '--json' ] ) );
    assert.equal( textAt( supple, supple.supVersion() ), version );
} );
