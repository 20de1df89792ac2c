// three.js: its own skinning, computed by itself in Node, beside the C library.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AnimationMixer, Group, Scene, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { Body, Pose } from '../dist/index.js';
import { enliven } from '../dist/three.js';
import { asset, folderFor } from './support.mjs';
import { drawn, load, player, walk } from './three_player.mjs';
import { farthest, frames, livingTruth, rate, walkedTo } from './three_support.mjs';

/** How far three.js is from the C library, as a share of the largest displacement. */
function error( living, truth )
{
    const smooth = living.body.smoothSkin( { normals: false } ).positions.slice();
    const most = farthest( truth, smooth );
    assert.ok( most > 1e-5 * living.model.character.size, 'it lives' );
    return farthest( drawn( living ), truth ) / most;
}

const names = [ 'khronos_fox/glTF-Binary/Fox.glb', 'mh_human/mh_heavy.glb', 'odd_cow/Cow_meshopt_EXT.glb' ];
const fox = asset( names[0] );

for ( const name of names )
{
    for ( const way of [ 'joints', 'vertices' ] )
    {
        test( `${name} in three.js lives as in C, by ${way}`, { skip: asset( name ).skip }, async ( t ) => {
            const file = asset( name );
            const gltf = await load( file );
            const living = await enliven( gltf, { way } );
            walk( living, gltf.animations.length > 0 ? player( gltf ) : () => {} );
            const truth = livingTruth( file.path, folderFor( t ), living.model.character.vertexCount );
            const off = error( living, truth );
            t.diagnostic( `off by ${( 100 * off ).toFixed( 3 )}% of the largest displacement` );
            assert.ok( off < 0.02 );
            living.dispose();
        } );
    }
}

test( 'scaled, turned and mirrored parents', { skip: fox.skip }, async ( t ) => {
    const gltf = await load( fox );
    const livings = [ await enliven( gltf ), await enliven( clone( gltf.scene ), { way: 'vertices' } ) ];
    const { model } = livings[0];
    const { size } = model.character;
    assert.equal( livings[1].model, model );
    for ( const scale of [ [ 0.01, 0.01, 0.01 ], [ 3, 3, 3 ], [ 0.01, 0.01, -0.01 ], [ 0.01, 0.02, 0.01 ] ] )
    {
        const shown = livings.map( ( living ) => {
            const parent = new Group();
            parent.scale.set( ...scale );
            parent.rotation.set( 0.2, 1, 0 );
            new Scene().add( parent );
            parent.add( living.root );
            living.reset();
            walk( living, player( gltf, living.root, 2 ), { move: parent } );
            return drawn( living );
        } );
        assert.ok( farthest( shown[0], shown[1] ) < 1e-5 * size, `both ways agree below ${scale}` );
        if ( scale[0] === scale[1] && scale[2] > 0 ) // what a body of the package has there
        {
            const body = new Body( model ), pose = new Pose( model.character );
            const world = livings[0].root.matrixWorld.clone();
            for ( let frame = 0; frame < frames; ++frame )
            {
                world.setPosition( ...walkedTo( frame ) );
                body.step( pose.sample( 2, frame / rate ), world.elements, 1 / rate );
            }
            const wanted = body.skin().positions.slice();
            const off = farthest( shown[0], wanted ) / farthest( body.smoothSkin().positions, wanted );
            t.diagnostic( `${scale[0]}: off by ${( 100 * off ).toFixed( 3 )}% of the largest displacement` );
            assert.ok( off < 0.02 );
        }
    }
    livings.forEach( ( living ) => living.dispose() );
} );

test( 'root motion in the bones or in the root is the same', { skip: fox.skip }, async ( t ) => {
    const gltf = await load( fox );
    const inRoot = await enliven( gltf );
    const inBones = await enliven( clone( gltf.scene ) );
    const way = ( frame ) => new Vector3( ...walkedTo( frame ) ).multiplyScalar( 30 );
    const inRootPlay = player( gltf );
    for ( let frame = 0; frame < frames; ++frame )
    {
        inRootPlay( frame / rate );
        gltf.scene.position.copy( way( frame ) );
        inRoot.update( 1 / rate );
    }
    const start = inBones.root.children.map( ( child ) => child.position.clone() );
    const play = player( gltf, inBones.root );
    for ( let frame = 0; frame < frames; ++frame )
    {
        play( frame / rate );
        inBones.root.children.forEach(
            ( child, i ) => child.position.copy( start[i] ).add( way( frame ) ) );
        inBones.update( 1 / rate );
    }
    const shift = way( frames - 1 ).toArray();
    const moved = drawn( inBones ).map( ( value, i ) => value - shift[i % 3] );
    const off = farthest( moved, drawn( inRoot ) ) / inRoot.model.character.size;
    t.diagnostic( `off by ${off.toExponential( 2 )} of the size` );
    assert.ok( off < 1e-5 );
    [ inRoot, inBones ].forEach( ( living ) => living.dispose() );
} );

test( 'instances share a model and swing by themselves; clones of the living live too', { skip: fox.skip }, async () => {
    const gltf = await load( fox );
    const before = clone( gltf.scene );
    const first = await enliven( gltf );
    const after = clone( gltf.scene );
    const [ second, third ] = [ await enliven( before ), await enliven( after ) ];
    assert.equal( second.model, first.model );
    assert.equal( third.model, first.model );
    assert.equal( second.meshes[0].geometry, third.meshes[0].geometry );
    assert.notEqual( second.meshes[0].skeleton, third.meshes[0].skeleton );
    for ( const living of [ first, second, third ] )
    {
        walk( living, player( gltf, living.root ) );
    }
    const [ a, b, c ] = [ first, second, third ].map( ( living ) => drawn( living ) );
    assert.deepEqual( a, b );
    assert.deepEqual( a, c );
    second.set( 'thigh', { amount: 0 } );
    assert.deepEqual( second.elements.filter( ( { amount } ) => amount === 0 ).map( ( { name } ) => name ),
        [ 'thigh left', 'thigh right' ] );
    assert.ok( first.elements.every( ( { amount } ) => amount > 0 ) );
    assert.throws( () => second.set( 'wing', { amount: 0 } ), /no flesh is called "wing"; there are / );
    assert.throws( () => second.set( second.elements[0].name, { frequency: -1 } ), /frequency: -1/ );
    await assert.rejects( enliven( gltf ), /lives already/ );
    [ first, second, third ].forEach( ( living ) => living.dispose() );
} );

test( 'two actions blend, a pause holds, and a long dt settles', { skip: fox.skip }, async () => {
    const gltf = await load( fox );
    const living = await enliven( gltf );
    const mixer = new AnimationMixer( gltf.scene );
    const [ walking, running ] = [ 1, 2 ].map( ( clip ) => mixer.clipAction( gltf.animations[clip] ).play() );
    const { size } = living.model.character;
    let before = null, most = 0;
    for ( let frame = 0; frame < 120; ++frame )
    {
        walking.setEffectiveWeight( 1 - frame / 120 );
        running.setEffectiveWeight( frame / 120 );
        mixer.update( 1 / 60 );
        assert.ok( living.update( 1 / 60 ) );
        const now = drawn( living );
        most = before ? Math.max( most, farthest( now, before ) ) : 0;
        before = now;
    }
    assert.ok( most < 0.2 * size, 'no frame jumps' );
    assert.ok( living.update( 0 ) );
    assert.ok( farthest( drawn( living ), before ) < 1e-6 * size, 'a pause changes nothing' );
    mixer.update( 600 );
    assert.ok( living.update( 600 ) );
    for ( let frame = 0; frame < 60; ++frame )
    {
        assert.ok( living.update( 1 / 60 ) );
        const smooth = living.body.smoothSkin( { normals: false } ).positions;
        assert.ok( farthest( drawn( living ), smooth ) < 0.1 * size );
    }
    assert.equal( living.update( NaN ), false );
    gltf.scene.position.x = NaN;
    assert.equal( living.update( 1 / 60 ), false );
    gltf.scene.position.x = 0;
    assert.equal( living.update( 1 / 60 ), true );
    living.dispose();
} );

test( 'a cut to another clip is announced, or found', { skip: fox.skip }, async () => {
    const gltf = await load( fox );
    const living = [ await enliven( gltf ), await enliven( clone( gltf.scene ) ) ];
    const [ told, silent ] = living;
    const play = ( clip, count, before ) => living.forEach( ( one ) => {
        const frames = player( gltf, one.root, clip );
        for ( let frame = 0; frame < count; ++frame )
        {
            frames( frame / rate );
            before( one, frame );
            assert.ok( one.update( 1 / rate ) );
        }
    } );
    play( 2, 40, () => {} );
    assert.deepEqual( told.body.jumps, { count: 0, reason: 'none' } );
    play( 0, 20, ( one, frame ) => {
        if ( one === told && frame === 0 )
        {
            one.cut();
        }
    } );
    assert.deepEqual( living.map( ( { body } ) => body.jumps ),
        [ { count: 1, reason: 'announced' }, { count: 1, reason: 'cut' } ] );
    const apart = farthest( drawn( told ), drawn( silent ) );
    assert.ok( apart < 1e-5 * told.model.character.size, `apart by ${apart}` );
    living.forEach( ( one ) => one.dispose() );
} );

test( 'what was disposed of is as it was', { skip: fox.skip }, async () => {
    for ( const way of [ 'joints', 'vertices' ] )
    {
        const gltf = await load( fox );
        const objects = [];
        gltf.scene.traverse( ( object ) => objects.push( object ) );
        const [ mesh ] = objects.filter( ( object ) => object.isSkinnedMesh );
        const { geometry, skeleton } = mesh;
        const living = await enliven( gltf, { way } );
        assert.notEqual( mesh.geometry, geometry );
        living.update( 0.1 );
        living.dispose();
        living.dispose();
        assert.equal( living.model.isDisposed, true );
        const left = [];
        gltf.scene.traverse( ( object ) => left.push( object ) );
        assert.deepEqual( left.map( ( { uuid } ) => uuid ), objects.map( ( { uuid } ) => uuid ) );
        assert.equal( mesh.geometry, geometry );
        assert.equal( mesh.skeleton, skeleton );
        const again = await enliven( gltf, { way } );
        assert.ok( again.update( 0.1 ) );
        again.dispose();
    }
} );

for ( const name of [ 'odd_cow/Cow_morph.glb', 'robotexpressive/RobotExpressive.glb' ] )
{
    test( `${name}: morph targets go on beside flesh`, { skip: asset( name ).skip }, async () => {
        const gltf = await load( asset( name ) );
        const plain = clone( gltf.scene ), wanted = [];
        const livings = [ await enliven( gltf ), await enliven( clone( gltf.scene ), { way: 'vertices' } ) ];
        const { size, meshes } = livings[0].model.character;
        assert.ok( meshes.some( ( { morphCount } ) => morphCount > 0 ) );
        const roots = [ plain, ...livings.map( ( { root } ) => root ) ];
        roots.forEach( ( root ) => {
            player( gltf, root )( 0.4 );
            root.traverse( ( { morphTargetInfluences } ) => morphTargetInfluences?.forEach( ( _, i ) => {
                morphTargetInfluences[i] = 0.3 + 0.4 * ( i % 2 );
            } ) );
        } );
        // without flesh all of them must be what three.js itself has
        livings.forEach( ( living ) => {
            living.elements.forEach( ( { name: one } ) => living.set( one, { amount: 0, sag: 0 } ) );
            assert.ok( living.update( 0 ) );
        } );
        const positionsOf = ( root ) => {
            const v = new Vector3(), out = [];
            root.updateMatrixWorld( true );
            root.traverse( ( mesh ) => {
                for ( let i = 0; mesh.isMesh && i < mesh.geometry.attributes.position.count; ++i )
                {
                    out.push( ...mesh.getVertexPosition( i, v ).applyMatrix4( mesh.matrixWorld ).toArray() );
                }
            } );
            return out;
        };
        wanted.push( ...positionsOf( plain ) );
        livings.forEach( ( living ) => {
            assert.ok( farthest( positionsOf( living.root ), wanted ) < 1e-5 * size, living.way );
            living.dispose();
        } );
    } );
}

test( '10,000 frames, and 200 that come and go, take no more memory', { skip: fox.skip }, async () => {
    const gltf = await load( fox );
    const living = await enliven( gltf );
    const play = player( gltf );
    walk( living, play, { count: 100 } );
    const { supple } = living.model;
    const start = supple.memorySize;
    for ( let frame = 100; frame < 10000; ++frame )
    {
        play( frame / rate % 1 );
        living.update( 1 / rate );
    }
    assert.equal( supple.memorySize, start );
    for ( let i = 0; i < 20; ++i )
    {
        const some = await Promise.all( Array.from( { length: 10 }, () => enliven( clone( gltf.scene ) ) ) );
        some.forEach( ( one ) => one.update( 0 ) );
        some.forEach( ( one ) => one.dispose() );
    }
    const after = supple.memorySize;
    for ( let i = 0; i < 20; ++i )
    {
        ( await enliven( clone( gltf.scene ) ) ).dispose();
    }
    assert.equal( supple.memorySize, after );
    living.dispose();
} );

test( 'four influences say what they leave out', { skip: asset( names[1] ).skip }, async ( t ) => {
    const gltf = await load( asset( names[1] ) );
    const living = await enliven( gltf, { influences: 4 } );
    assert.ok( living.error > 0 && living.error < 0.01 * living.model.character.size );
    assert.equal( living.meshes.every( ( mesh ) => mesh.geometry.attributes.suppleIndex === undefined ), true );
    t.diagnostic( `${living.error} of ${living.model.character.size}` );
    living.dispose();
    await assert.rejects( enliven( gltf, { influences: 6 } ), /4 or 8/ );
    await assert.rejects( enliven( gltf, { way: 'magic' } ), /auto, joints, vertices/ );
    await assert.rejects( enliven( new Group() ), /no character that lives already/ );
} );
