// Characters on stage in three.js in Node: loading, playing, and where vertices are drawn.
import assert from 'node:assert/strict';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';
import { editGlb, frames, rate, walkedTo } from './three_support.mjs';

globalThis.self ??= globalThis;

export async function load( file, edit, more )
{
    const bytes = editGlb( file.bytes(), edit, more );
    const loader = new GLTFLoader().setMeshoptDecoder( MeshoptDecoder );
    const gltf = await loader.parseAsync( bytes.buffer.slice( bytes.byteOffset, bytes.byteOffset + bytes.length ), '' );
    return Object.assign( gltf, { bytes } );
}

const meshOf = ( root ) => root.getObjectByProperty( 'isSkinnedMesh', true );

/** A character with a tangent for each vertex of its one mesh: somewhere across its normal, and of both hands. */
export async function loadWithTangents( file )
{
    const normals = meshOf( ( await load( file ) ).scene ).geometry.attributes.normal.array;
    const count = normals.length / 3;
    const tangents = new Float32Array( 4 * count );
    const n = new Vector3(), t = new Vector3();
    for ( let i = 0; i < count; ++i )
    {
        n.fromArray( normals, 3 * i );
        t.set( Math.sin( i ), Math.cos( i ), Math.sin( 2 * i + 1 ) ).cross( n ).normalize();
        t.toArray( tangents, 4 * i );
        tangents[4 * i + 3] = i % 2 === 0 ? 1 : -1;
    }
    return load( file, ( json ) => {
        const [ { primitives: [ primitive ] } ] = json.meshes;
        const byteOffset = json.buffers[0].byteLength - 4 * tangents.length;
        json.bufferViews.push( { buffer: 0, byteOffset, byteLength: 4 * tangents.length } );
        json.accessors.push( { bufferView: json.bufferViews.length - 1, componentType: 5126, type: 'VEC4', count } );
        primitive.attributes.TANGENT = json.accessors.length - 1;
    }, Buffer.from( tangents.buffer ) );
}

/** Where three.js draws the vertices, in the space of an object. */
export function drawn( living, space = living.root )
{
    const { meshes, vertexCount } = living.model.character;
    const out = new Float32Array( 3 * vertexCount );
    const v = new Vector3();
    let top = living.root;
    while ( top.parent )
    {
        top = top.parent;
    }
    top.updateMatrixWorld( true );
    const back = space.matrixWorld.clone().invert();
    living.meshes.forEach( ( mesh, number ) => {
        const { firstVertex, vertexCount: count } = meshes[number];
        mesh.skeleton?.update();
        for ( let i = 0; i < count; ++i )
        {
            mesh.getVertexPosition( i, v ).applyMatrix4( mesh.matrixWorld ).applyMatrix4( back ).toArray( out, 3 * ( firstVertex + i ) );
        }
    } );
    return out;
}

export function player( gltf, root = gltf.scene, clip = 0 )
{
    const mixer = new AnimationMixer( root );
    const action = mixer.clipAction( gltf.animations[clip] );
    action.setLoop( LoopOnce ).clampWhenFinished = true;
    action.play();
    return ( time ) => {
        action.time = time;
        action.paused = false;
        mixer.update( 0 );
    };
}

/** The walk of the C library's, by whatever moves the root. */
export function walk( living, play, { count = frames, move = living.root, from = 0 } = {} )
{
    for ( let frame = from; frame < count; ++frame )
    {
        play( frame / rate );
        move.position.set( ...walkedTo( frame ) );
        assert.equal( living.update( 1 / rate ), true );
    }
}
