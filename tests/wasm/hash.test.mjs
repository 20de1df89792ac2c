// Every scene has the same bits in WebAssembly, with and without SIMD, as in the native build.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { leftOut, loadSupple, textAt } from './load_supple.mjs';

const folder = process.env.SUPPLE_WASM ?? 'build/wasm';
const builds = process.env.SUPPLE_BUILD ?? 'build';
const native = execFileSync( `${builds}/release/tests/state_hashes`, { encoding: 'utf8' } ).trim().split( '\n' );

for ( const name of [ 'supple_test.wasm', 'supple_test_plain.wasm' ] )
{
    const skip = leftOut( name );
    test( `the hashes of ${name} are those of the native build`, { skip }, async () => {
        const supple = await loadSupple( `${folder}/${name}` );
        const lines = Array.from( { length: supple.supTest_SceneCount() }, ( _, i ) => {
            const hash = BigInt.asUintN( 64, supple.supTest_SceneHash( i ) ).toString( 16 ).padStart( 16, '0' );
            return `${textAt( supple, supple.supTest_SceneName( i ) )} ${hash}`;
        } );
        assert.ok( lines.length > 0 );
        assert.deepEqual( lines, native );
    } );
}
