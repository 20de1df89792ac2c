// The modules load in Node and are the same version as the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { loadSupple, textAt } from './load_supple.mjs';

const folder = process.env.SUPPLE_WASM ?? 'build/wasm';
const native = process.env.SUPPLE_BIN ?? 'build/release/supple';

for ( const name of [ 'supple.wasm', 'supple_plain.wasm' ] )
{
    test( `${name} tells the version of the native program`, async () => {
        const supple = await loadSupple( `${folder}/${name}` );
        const { version } = JSON.parse( execFileSync( native, [ 'version', '--json' ] ) );
        assert.equal( textAt( supple, supple.supVersion() ), version );
    } );
}

test( 'the instruction sets are what the modules are named for', async () => {
    const best = async name => {
        const supple = await loadSupple( `${folder}/${name}` );
        return textAt( supple, supple.supSimdName( supple.supBestSimd() ) );
    };
    assert.match( await best( 'supple.wasm' ), /wasm/i );
    assert.match( await best( 'supple_plain.wasm' ), /scalar/i );
} );
