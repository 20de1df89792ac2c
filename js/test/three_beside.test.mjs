// three.js: what works beside the flesh. Tangents, and scripts that move bones, as the spring bones of VRM do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { proposeRig } from '../dist/index.js';
import { enliven } from '../dist/three.js';
import { asset } from './support.mjs';
import { drawn, load, loadWithTangents, player } from './three_player.mjs';
import { farthest, rate } from './three_support.mjs';

const man = asset( 'mh_human/mh_heavy.glb' ), fox = asset( 'khronos_fox/glTF-Binary/Fox.glb' );
const horse = asset( 'quaternius/Horse.glb' );
const meshOf = ( root ) => root.getObjectByProperty( 'isSkinnedMesh', true );

/** The tangents that three.js itself gives a mesh with its bones, in world space: the skin maps p + t and p. */
function bonesTangents( mesh )
{
    const { position, tangent } = mesh.geometry.attributes;
    const out = new Float32Array( 3 * position.count );
    const p = new Vector3(), tip = new Vector3();
    mesh.skeleton.update();
    for ( let i = 0; i < position.count; ++i )
    {
        p.fromBufferAttribute( position, i );
        tip.fromBufferAttribute( tangent, i ).add( p );
        mesh.applyBoneTransform( i, p ).applyMatrix4( mesh.matrixWorld );
        mesh.applyBoneTransform( i, tip ).applyMatrix4( mesh.matrixWorld ).sub( p ).normalize().toArray( out, 3 * i );
    }
    return out;
}

/** Three of four. */
const directions = ( { array } ) => Float32Array.from( { length: array.length / 4 * 3 },
    ( _, i ) => array[4 * Math.floor( i / 3 ) + i % 3] );

test( 'tangents turn with the skin', { skip: man.skip }, async ( t ) => {
    const gltf = await loadWithTangents( man );
    const plain = clone( gltf.scene ), rest = meshOf( plain ).geometry.attributes.tangent;
    const living = await enliven( gltf, { way: 'vertices' } );
    const carried = await enliven( clone( gltf.scene ), { way: 'joints' } );
    assert.equal( carried.meshes[0].geometry.attributes.tangent, rest, 'helper joints leave them to three.js' );
    player( gltf, plain )( 0.4 );
    plain.updateMatrixWorld( true );
    const play = player( gltf );
    const { tangent, normal } = living.meshes[0].geometry.attributes;
    const judge = () => {
        const d = directions( tangent ), n = normal.array;
        for ( let i = 0; i < d.length; i += 3 )
        {
            assert.ok( Math.abs( Math.hypot( d[i], d[i + 1], d[i + 2] ) - 1 ) < 1e-3, `vertex ${i / 3}: length` );
            assert.ok( Math.abs( d[i] * n[i] + d[i + 1] * n[i + 1] + d[i + 2] * n[i + 2] ) < 2e-3,
                `vertex ${i / 3}: across the normal` );
            assert.equal( tangent.array[4 * ( i / 3 ) + 3], rest.getW( i / 3 ) );
        }
        return d;
    };
    for ( let frame = 0; frame <= 0.4 * rate; ++frame )
    {
        play( frame / rate );
        assert.ok( living.update( 1 / rate ) );
    }
    play( 0.4 );
    living.update( 1 / rate );
    const lively = judge();
    // without flesh: what three.js has
    living.elements.forEach( ( { name } ) => living.set( name, { amount: 0, sag: 0 } ) );
    living.reset();
    living.update( 0 );
    const smooth = judge(), wanted = bonesTangents( meshOf( plain ) );
    t.diagnostic( `off three.js by ${farthest( smooth, wanted ).toExponential( 1 )}; flesh turns them by up to ` +
        `${farthest( lively, smooth ).toFixed( 2 )}` );
    assert.ok( farthest( smooth, wanted ) < 2e-3 );
    assert.ok( farthest( lively, smooth ) > 0.05, 'flesh turns them' );
    assert.ok( farthest( smooth, directions( rest ) ) > 0.5, 'the pose turns them' );
    [ living, carried ].forEach( ( one ) => one.dispose() );
} );

/** All that a scene has that living could change. */
const standing = ( root ) => {
    const list = [];
    root.traverse( ( object ) => list.push( object, object.parent, object.geometry, object.skeleton, object.boundingSphere ) );
    return list;
};

for ( const way of [ 'joints', 'vertices' ] )
{
    test( `where living fails the scene is as it was, by ${way}`, { skip: man.skip }, async () => {
        const gltf = await load( man );
        const mesh = meshOf( gltf.scene ), before = standing( gltf.scene );
        const bind = Object.getPrototypeOf( mesh ).bind;
        mesh.bind = function once( ...all ) // after helpers were added and the geometry was changed
        {
            delete this.bind;
            assert.notDeepEqual( standing( gltf.scene ), before );
            throw new Error( 'half-way' );
        };
        await assert.rejects( enliven( gltf, { way } ), /half-way/ );
        assert.equal( mesh.bind, bind );
        standing( gltf.scene ).forEach( ( one, i ) => assert.equal( one, before[i] ) );
        await assert.rejects( enliven( gltf, { way: 'bones' } ), /way: auto, joints, vertices/ );
        const living = await enliven( gltf, { way } );
        const copy = clone( gltf.scene ), copied = standing( copy );
        let left = 2;
        meshOf( copy ).bind = function later( ...all ) // the first undoes the copy's life
        {
            left -= 1;
            if ( left === 0 )
            {
                delete this.bind;
                throw new Error( 'half-way' );
            }
            bind.apply( this, all );
        };
        await assert.rejects( enliven( copy, { way } ), /half-way/ );
        assert.deepEqual( new Set( standing( copy ) ), new Set( copied ) );
        const twin = await enliven( copy, { way } );
        assert.equal( twin.model, living.model );
        [ twin, living ].forEach( ( one ) => { one.update( 0 ); one.dispose(); } );
        standing( gltf.scene ).forEach( ( one, i ) => assert.equal( one, before[i] ) );
    } );

    test( `before the first update the character stands as its bones do, by ${way}`, { skip: man.skip }, async () => {
        const gltf = await load( man );
        const plain = clone( gltf.scene );
        player( gltf, plain )( 0.3 );
        player( gltf )( 0.3 );
        [ plain, gltf.scene ].forEach( ( root ) => root.updateMatrixWorld( true ) );
        const living = await enliven( gltf, { way } );
        gltf.scene.updateMatrixWorld( true ); // as rendering does
        const wanted = meshOf( plain ), shown = living.meshes[0];
        [ wanted, shown ].forEach( ( mesh ) => { mesh.skeleton.update(); mesh.computeBoundingSphere(); } );
        assert.ok( wanted.boundingSphere.radius > 0.5 );
        const off = Math.abs( wanted.boundingSphere.radius - shown.boundingSphere.radius );
        assert.ok( off < 1e-4, `off by ${off} of ${wanted.boundingSphere.radius}` );
        const apart = wanted.boundingSphere.center.distanceTo( shown.boundingSphere.center );
        assert.ok( apart < 1e-3, `apart by ${apart}` );
        living.dispose();
    } );

    test( `a script that moves bones after the mixer has the last word, by ${way}`, { skip: fox.skip }, async () => {
        const gltf = await load( fox );
        const plain = clone( gltf.scene ), untouched = clone( gltf.scene );
        const living = await enliven( gltf, { way } );
        const { size } = living.model.character;
        const plays = [ player( gltf, living.root, 2 ), player( gltf, plain, 2 ) ];
        const turn = new Quaternion();
        const swing = ( root, frame ) => root.traverse( ( bone ) => {
            if ( /Tail|Neck|LeftLeg01/.test( bone.name ) )
            {
                turn.setFromAxisAngle( new Vector3( 0, 0, 1 ), 0.5 * Math.sin( 0.2 * frame ) );
                bone.quaternion.multiply( turn );
            }
        } );
        const bonesOf = ( root ) => {
            const list = [];
            root.traverse( ( { isBone, name, position, quaternion, scale, userData } ) => {
                if ( isBone && userData.suppleHelper === undefined )
                {
                    list.push( [ name, ...position.toArray(), ...quaternion.toArray(), ...scale.toArray() ] );
                }
            } );
            return list;
        };
        // flesh lives on what the script did, and bones stay as it left them
        for ( let frame = 0; frame < 60; ++frame )
        {
            [ living.root, plain ].forEach( ( root, i ) => {
                plays[i]( frame / rate % 1 );
                swing( root, frame );
            } );
            assert.ok( living.update( 1 / rate ) );
            assert.deepEqual( bonesOf( living.root ), bonesOf( plain ) );
        }
        const skin = ( root ) => drawn( { root, meshes: [ meshOf( root ) ], model: living.model } );
        const without = skin( plain );
        assert.ok( farthest( drawn( living ), without ) > 1e-3 * size, 'it lives' );
        living.elements.forEach( ( { name } ) => living.set( name, { amount: 0, sag: 0 } ) );
        living.reset();
        living.update( 0 );
        assert.ok( farthest( drawn( living ), without ) < 1e-5 * size, 'without flesh it is what three.js has' );
        player( gltf, untouched, 2 )( 59 / rate );
        assert.ok( farthest( drawn( living ), skin( untouched ) ) > 0.05 * size, 'and not what the mixer had' );
        living.dispose();
    } );
}

test( 'a tail that spring bones of VRM swing gets no flesh', { skip: horse.skip }, async () => {
    const isTail = ( name ) => /^Tail[0-9]$/.test( name );
    const tailOf = async ( edit ) => {
        const living = await enliven( await load( horse, edit ) );
        const { character } = living.model;
        const { elements } = JSON.parse( JSON.stringify( proposeRig( character ) ) );
        const found = { all: elements.length,
            flesh: elements.flatMap( ( { joints } ) => joints ).filter( isTail ).length,
            swung: character.joints.filter( ( { name, hasPhysics } ) => hasPhysics && isTail( name ) ).length };
        living.dispose();
        return found;
    };
    const before = await tailOf();
    assert.ok( before.flesh > 0 && before.swung === 0 );
    const after = await tailOf( ( json ) => {
        const joints = json.nodes.flatMap( ( { name }, node ) => ( isTail( name ) ? [ { node } ] : [] ) );
        json.extensionsUsed = [ ...json.extensionsUsed ?? [], 'VRMC_springBone' ];
        json.extensions = { ...json.extensions, VRMC_springBone: { specVersion: '1.0', springs: [ { joints } ] } };
    } );
    assert.ok( after.flesh === 0 && after.swung === 7 && after.all > 0 );
} );
