// Live bodies against the C library: the exact path and the fast positions have the same bits.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { Body, Character, Editor, loadSupple, Model, Pose, proposeRig, Take } from '../dist/index.js';
import { asset, builds, folderFor, run, truth } from './support.mjs';

const names = [ 'khronos_fox/glTF-Binary/Fox.glb', 'mh_human/mh_heavy.glb', 'odd_cow/Cow_meshopt_EXT.glb' ];

function walk( body, pose, clip, frames )
{
    const world = new Float32Array( [ 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 ] );
    for ( let frame = 0; frame < frames; ++frame )
    {
        world[9] = frame / 64;
        world[11] = ( frame % 8 ) / 32;
        assert.ok( body.step( pose.sample( clip, frame / 64 ), world, 1 / 64 ) );
    }
}

const farthest = ( a, b ) => a.reduce( ( most, value, i ) => Math.max( most, Math.abs( value - b[i] ) ), 0 );

for ( const name of names )
{
    for ( const { name: build, simd } of builds )
    {
        const file = asset( name );
        test( `${name} lives as in C, ${build}`, { skip: file.skip }, async ( t ) => {
            const out = `${folderFor( t )}/truth`;
            assert.equal( run( truth, [ file.path, out ] ).code, 0 );
            const floats = new Float32Array( new Uint8Array( readFileSync( out ) ).buffer );
            const supple = await loadSupple( { simd } );
            assert.match( supple.simd, simd ? /wasm/i : /scalar/i );
            const character = await Character.fromGltf( file.bytes(), { supple } );
            const body = new Body( new Model( character, proposeRig( character ) ) );
            walk( body, new Pose( character ), character.clips.length > 0 ? 0 : -1, 90 );
            const count = 3 * character.vertexCount;
            body.setExact( true );
            const exact = body.skin();
            assert.deepEqual( exact.positions, floats.subarray( 0, count ) );
            assert.deepEqual( exact.normals, floats.subarray( count, 2 * count ) );
            body.setExact( false );
            // what C itself has in SSE2, bit for bit: how near that is to the exact path is its own tests' to hold
            const live = body.skin();
            assert.deepEqual( live.positions, floats.subarray( 2 * count, 3 * count ) );
            // SSE2 divides lengths by an estimate that processors make differently
            assert.ok( farthest( live.normals, floats.subarray( 3 * count, 4 * count ) ) < 1e-6 );
            const off = farthest( live.positions, floats.subarray( 0, count ) ) / character.size;
            t.diagnostic( `fast path: ${off.toExponential( 2 )} of the size from the exact one` );
            assert.deepEqual( body.helperJoints(), floats.subarray( 4 * count ) );
        } );
    }
}

test( 'a matrix may have 12 or 16 floats', { skip: asset( names[0] ).skip }, async () => {
    const character = await Character.fromGltf( asset( names[0] ).bytes() );
    const model = new Model( character, proposeRig( character ) );
    const [ a, b ] = [ new Body( model ), new Body( model ) ];
    const joints = new Pose( character ).sample( 0, 0.25 );
    const wide = new Float32Array( joints.length / 12 * 16 );
    for ( let i = 0; i < joints.length / 3; ++i )
    {
        wide.set( joints.subarray( 3 * i, 3 * i + 3 ), 4 * i );
        wide[4 * i + 3] = i % 4 === 3 ? 1 : 0;
    }
    a.step( joints, null, 0 );
    b.step( wide, [ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 ], 0 );
    assert.deepEqual( a.skin().positions, b.skin().positions );
    assert.deepEqual( a.helperJoints(), b.helperJoints() );
    assert.throws( () => a.step( wide.subarray( 1 ), null, 0 ), /matrices of 12 or 16 floats/ );
    assert.equal( a.step( joints.map( () => NaN ), null, 0.1 ), false );
} );

test( 'a take gives any time, and a body shows it', { skip: asset( names[0] ).skip }, async () => {
    const character = await Character.fromGltf( asset( names[0] ).bytes() );
    const model = new Model( character, proposeRig( character ) );
    const take = new Take( model, 'Run' );
    assert.equal( take.loops, true );
    assert.ok( take.maxDisplacement > 0 );
    const shown = ( time ) => {
        const one = new Body( model );
        assert.ok( take.show( time, one ) );
        return one.skin().positions;
    };
    assert.ok( farthest( shown( take.start ), shown( take.end ) ) < 1e-4 * character.size, 'a cycle closes' );
    const body = new Body( model );
    assert.ok( take.show( 0.1, body ) );
    const living = Float32Array.from( body.skin().positions );
    assert.ok( farthest( living, body.smoothSkin().positions ) > 1e-3 * character.size );
    assert.throws( () => new Take( model, 'Swim' ), /no clip "Swim"; there are "Survey", "Walk", "Run"/ );
} );

test( 'an editor changes numbers in place and all else by compiling', { skip: asset( names[0] ).skip }, async () => {
    const character = await Character.fromGltf( asset( names[0] ).bytes() );
    const editor = new Editor( character, proposeRig( character ) );
    const pose = new Pose( character );
    walk( editor, pose, 'Run', 20 );
    const [ first ] = editor.model.elements;
    editor.set( 'elements', first.name, { frequency: 2.5 } );
    assert.equal( editor.compiled, 0 );
    assert.equal( editor.get( 'elements', first.name, 'frequency' ), 2.5 );
    assert.equal( editor.rig.elements[0].frequency, 2.5 );
    editor.set( 'elements', 0, { name: 'paunch' } );
    assert.notEqual( editor.compiled, 0 );
    assert.equal( editor.model.elements[0].name, 'paunch' );
    walk( editor, pose, 'Run', 5 );
    assert.throws( () => editor.set( 'elements', 'paunch', { frequency: -1 } ), /elements\[0\]\.frequency: -1 is below/ );
    assert.throws( () => editor.set( 'elements', 'paunch', { driver: 'nobody' } ), /no joint "nobody"/ );
    editor.remove( 'elements', 'paunch' );
    assert.equal( editor.model.items.elements.includes( 'paunch' ), false );
} );

test( 'where there is no SIMD the plain build is taken by itself', () => {
    const script = `import { hasSimd, loadSupple } from '${new URL( '../dist/index.js', import.meta.url )}';
        console.log( hasSimd(), ( await loadSupple() ).simd );`;
    // V8 needs SSE4.1 for SIMD in WebAssembly; on other processors the flag changes nothing
    const { out, words } = run( process.execPath, [ '--no-enable-sse4-1', '--input-type=module', '-e', script ] );
    assert.equal( out, process.arch === 'x64' ? 'false scalar\n' : 'true WASM SIMD\n', words );
} );
