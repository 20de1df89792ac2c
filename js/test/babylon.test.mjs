// Babylon.js: its own skinning, computed by itself in Node, beside the C library.
import assert from 'node:assert/strict';
import test from 'node:test';
import '@babylonjs/core/Animations/animatable.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { LoadAssetContainerAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { enliven } from '../dist/babylon.js';
import { enliven as enlivenThree } from '../dist/three.js';
import { asset, folderFor } from './support.mjs';
import { loadWithTangents, player } from './three_player.mjs';
import { editGlb, farthest, frames, livingTruth, rate, walkedTo } from './three_support.mjs';

async function load( t, file, isRightHanded = true )
{
    const bytes = editGlb( file.bytes(), ( json ) => {
        delete json.materials;
        json.meshes.forEach( ( mesh ) => mesh.primitives.forEach( ( primitive ) => delete primitive.material ) );
    } );
    const engine = new NullEngine();
    t.after( () => engine.dispose() );
    const scene = new Scene( engine );
    scene.useRightHandedSystem = isRightHanded;
    const container = await LoadAssetContainerAsync( `data:base64,${bytes.toString( 'base64' )}`, scene,
        { pluginExtension: '.glb' } );
    container.addAllToScene();
    container.animationGroups.forEach( ( group ) => group.stop() );
    return { scene, container, bytes: file.bytes() };
}

/** Where Babylon.js draws the vertices, in the space of the character. */
function drawn( living )
{
    const { meshes, vertexCount } = living.model.character;
    const out = new Float32Array( 3 * vertexCount );
    const top = living.root.parent ?? living.root;
    top.computeWorldMatrix( true );
    top.getChildTransformNodes( false ).forEach( ( node ) => node.computeWorldMatrix( true ) );
    const back = living.root.computeWorldMatrix( true ).clone().invert();
    living.meshes.forEach( ( mesh, number ) => {
        mesh.skeleton?.prepare( true );
        const local = mesh.getPositionData( true, true );
        const to = mesh.computeWorldMatrix( true ).multiply( back );
        for ( let i = 0; i < meshes[number].vertexCount; ++i )
        {
            Vector3.TransformCoordinatesFromFloatsToRef( local[3 * i], local[3 * i + 1], local[3 * i + 2], to, point );
            point.toArray( out, 3 * ( meshes[number].firstVertex + i ) );
        }
    } );
    return out;
}

const point = new Vector3();

function walk( living, groups, clip = 0 )
{
    const group = groups[clip];
    group?.start( false );
    group?.pause();
    for ( let frame = 0; frame < frames; ++frame )
    {
        group?.goToFrame( Math.min( frame / rate * group.targetedAnimations[0].animation.framePerSecond, group.to ) );
        living.root.position.set( ...walkedTo( frame ) );
        assert.equal( living.update( 1 / rate ), true );
    }
    group?.stop();
}

const names = [ 'khronos_fox/glTF-Binary/Fox.glb', 'mh_human/mh_heavy.glb' ];
const fox = asset( names[0] ), man = asset( names[1] );

for ( const name of names )
{
    for ( const way of [ 'joints', 'vertices' ] )
    {
        test( `${name} in Babylon.js lives as in C, by ${way}`, { skip: asset( name ).skip }, async ( t ) => {
            const file = asset( name );
            const { container, bytes } = await load( t, file );
            const living = await enliven( container, { from: bytes, way } );
            walk( living, container.animationGroups );
            const truth = livingTruth( file.path, folderFor( t ), living.model.character.vertexCount );
            const most = farthest( truth, living.body.smoothSkin( { normals: false } ).positions );
            const off = farthest( drawn( living ), truth ) / most;
            t.diagnostic( `off by ${( 100 * off ).toFixed( 3 )}% of the largest displacement` );
            assert.ok( most > 1e-5 * living.model.character.size && off < 0.02 );
            living.dispose();
        } );
    }
}

test( 'where living fails in Babylon.js the scene is as it was', { skip: fox.skip }, async ( t ) => {
    const { container, bytes } = await load( t, fox );
    const mesh = container.meshes.find( ( one ) => one.skeleton ), [ skeleton ] = container.skeletons;
    const standing = () => [ mesh.geometry, mesh.skeleton, mesh.parent, mesh.numBoneInfluencers, ...skeleton.bones ];
    const before = standing();
    for ( const way of [ 'joints', 'vertices' ] )
    {
        const { copy } = Object.getPrototypeOf( mesh.geometry );
        mesh.geometry.copy = function once( ...all )
        {
            delete this.copy;
            const own = copy.apply( this, all );
            own.applyToMesh = () => { throw new Error( 'half-way' ); };
            return own;
        };
        await assert.rejects( enliven( container, { from: bytes, way } ), /half-way/ );
        standing().forEach( ( one, i ) => assert.equal( one, before[i] ) );
    }
    const living = await enliven( container, { from: bytes } );
    living.update( 0 );
    living.dispose();
    standing().forEach( ( one, i ) => assert.equal( one, before[i] ) );
} );

test( 'tangents turn with the skin in Babylon.js as in three.js', { skip: man.skip }, async ( t ) => {
    const gltf = await loadWithTangents( man );
    const { container, bytes } = await load( t, { bytes: () => gltf.bytes } );
    const three = await enlivenThree( gltf, { way: 'vertices' } );
    const living = await enliven( container, { from: bytes, way: 'vertices' } );
    const rest = living.meshes[0].getVerticesData( 'tangent' ).slice();
    const play = player( gltf ), [ group ] = container.animationGroups;
    group.start( false );
    group.pause();
    for ( let frame = 0; frame <= 25; ++frame )
    {
        play( frame / rate );
        group.goToFrame( frame / rate * group.targetedAnimations[0].animation.framePerSecond );
        assert.ok( three.update( 1 / rate ) && living.update( 1 / rate ) );
    }
    const shown = living.meshes[0].getVerticesData( 'tangent' ), wanted = three.meshes[0].geometry.attributes.tangent.array;
    let off = 0, turned = 0;
    for ( let i = 0; i < wanted.length; ++i )
    {
        off = Math.max( off, Math.abs( shown[i] - wanted[i] ) );
        turned = Math.max( turned, Math.abs( shown[i] - rest[i] ) );
    }
    t.diagnostic( `off three.js by ${off.toExponential( 1 )}; turned by ${turned.toFixed( 2 )}` );
    assert.ok( off < 2e-3 && turned > 0.5 );
    [ three, living ].forEach( ( one ) => one.dispose() );
} );

test( 'left-handed scenes, scaled parents and instances', { skip: fox.skip }, async ( t ) => {
    const right = await load( t, fox ), left = await load( t, fox, false );
    const plain = await enliven( right.container, { from: right.bytes } );
    const list = [ await enliven( left.container, { from: left.bytes } ) ];
    await assert.rejects( enliven( left.container ), /lives already/ );
    const entries = left.container.instantiateModelsToScene();
    entries.animationGroups.forEach( ( group ) => group.stop() );
    list.push( await enliven( entries, { way: 'vertices' } ) );
    assert.equal( list[0].model, list[1].model );
    const others = left.container.instantiateModelsToScene();
    others.animationGroups.forEach( ( group ) => group.stop() );
    list.push( await enliven( others ) );
    const [ count ] = list[0].meshes.map( ( mesh ) => mesh.skeleton.bones.length );
    assert.equal( list[2].meshes[0].skeleton.bones.length, count );
    walk( plain, right.container.animationGroups, 2 );
    const wanted = drawn( plain );
    const { size } = plain.model.character;
    walk( list[0], left.container.animationGroups, 2 );
    walk( list[1], entries.animationGroups, 2 );
    walk( list[2], others.animationGroups, 2 );
    const shown = list.map( drawn );
    assert.deepEqual( shown[2], shown[0] );
    assert.ok( farthest( shown[0], shown[1] ) < 1e-5 * size, 'both ways agree' );
    // the mirrored scene walks the other way along z, and so a little of the swing differs
    assert.ok( farthest( shown[0], wanted ) < 0.01 * size );
    const parent = new TransformNode( 'parent', left.scene );
    parent.scaling.setAll( 0.01 );
    list.forEach( ( living ) => { living.root.parent = parent; living.reset(); } );
    walk( list[0], left.container.animationGroups, 2 );
    walk( list[1], entries.animationGroups, 2 );
    const small = list.map( drawn );
    assert.ok( farthest( small[0], small[1] ) < 1e-5 * size, 'both ways agree below a parent' );
    assert.equal( list[0].update( NaN ), false );
    [ plain, ...list ].forEach( ( living ) => living.dispose() );
} );

test( 'what was disposed of is as it was in Babylon.js, and nothing grows', { skip: fox.skip }, async ( t ) => {
    const { container, bytes } = await load( t, fox );
    const [ skeleton ] = container.skeletons;
    const mesh = container.meshes.find( ( one ) => one.skeleton );
    const before = [ skeleton.bones.length, mesh.geometry ];
    const supple = ( await enliven( container, { from: bytes } ).then( ( one ) => ( one.dispose(), one ) ) ).model.supple;
    assert.deepEqual( [ skeleton.bones.length, mesh.geometry ], before );
    const living = await enliven( container, { from: bytes } );
    living.set( 'belly', { frequency: 3 } );
    assert.equal( living.elements.find( ( { name } ) => name === 'belly' ).frequency, 3 );
    living.update( 0 );
    const start = supple.memorySize;
    for ( let frame = 0; frame < 10000; ++frame )
    {
        living.root.position.x = Math.sin( frame / 10 );
        living.update( 1 / 60 );
    }
    assert.equal( supple.memorySize, start );
    living.dispose();
} );
