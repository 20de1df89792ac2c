// Supple itself as WebAssembly with SIMD in Node: skin and springs of the woman, to be set beside the native SSE2 path.
//     usage: node wasm_supple.mjs build/wasm/supple_test.wasm      prints JSON rows
import { loadSupple } from '../../tests/wasm/load_supple.mjs';
import { measure } from './measure.mjs';

const supple = await loadSupple( process.argv[2] );
if ( !supple.supTest_OpenBench() ) throw new Error( 'the woman could not be made' );
const vertices = supple.supTest_BenchVertices(), elements = supple.supTest_BenchElements();
// long enough for the optimizing compiler to take over
for ( let i = 0; i < 50; ++i ) {
    supple.supTest_BenchSkin( 20 );
    supple.supTest_BenchNormals( 20 );
    supple.supTest_BenchStep( 200 );
}
const before = supple.supTest_BenchSum();
const row = ( what, per, count, repeats, run ) =>
    measure( { scene: 'woman', what, path: 'WASM SIMD', per, count: count * repeats }, () => run( repeats ) );
const rows = [
    row( 'positions, in Node', 'vertex', vertices, 4, supple.supTest_BenchSkin ),
    row( 'positions and normals, in Node', 'vertex', vertices, 4, supple.supTest_BenchNormals ),
    row( 'step, in Node', 'element', elements, 40, supple.supTest_BenchStep ),
];
supple.supTest_BenchStep( 7 );
supple.supTest_BenchSkin( 1 );
if ( !( Math.abs( supple.supTest_BenchSum() - before ) > 1e-3 ) ) throw new Error( 'the skin did not move' );
console.log( JSON.stringify( rows, null, 2 ) );
