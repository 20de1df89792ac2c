// The modules load in Node and are the same version as the native program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { leftOut, loadSupple, textAt } from './load_supple.mjs';

const folder = process.env.SUPPLE_WASM ?? 'build/wasm';
const native = process.env.SUPPLE_BIN ?? 'build/release/supple';

for ( const name of [ 'supple.wasm', 'supple_plain.wasm' ] )
{
    const skip = leftOut( name );
    test( `${name} tells the version of the native program`, { skip }, async () => {
        const supple = await loadSupple( `${folder}/${name}` );
        const { version } = JSON.parse( execFileSync( native, [ 'version', '--json' ] ) );
        assert.equal( textAt( supple, supple.supVersion() ), version );
    } );
}

for ( const [ name, set ] of [ [ 'supple.wasm', /wasm/i ], [ 'supple_plain.wasm', /scalar/i ] ] )
{
    const skip = leftOut( name );
    test( `the instruction set of ${name} is what it is named for`, { skip }, async () => {
        const supple = await loadSupple( `${folder}/${name}` );
        assert.match( textAt( supple, supple.supSimdName( supple.supBestSimd() ) ), set );
    } );
}
