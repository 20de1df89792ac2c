// three.js: CPU skinning, as SkinnedMesh.applyBoneTransform does it. Prints a JSON row.
import * as THREE from 'three';
import { measure } from './measure.mjs';

const vertexCount = 5554, boneCount = 60;
const geometry = new THREE.BufferGeometry();
const positions = new Float32Array( 3 * vertexCount ), weights = new Float32Array( 4 * vertexCount ), indices = new Uint16Array( 4 * vertexCount );
let seed = 7;
const random = () => ( seed = ( seed * 1664525 + 1013904223 ) >>> 0 ) / 4294967296;
for ( let v = 0; v < vertexCount; ++v ) {
    for ( let i = 0; i < 3; ++i ) positions[3 * v + i] = random();
    const first = Math.floor( random() * ( boneCount - 4 ) );
    for ( let i = 0; i < 4; ++i ) {
        indices[4 * v + i] = first + i;
        weights[4 * v + i] = 0.25;
    }
}
geometry.setAttribute( 'position', new THREE.BufferAttribute( positions, 3 ) );
geometry.setAttribute( 'skinIndex', new THREE.BufferAttribute( indices, 4 ) );
geometry.setAttribute( 'skinWeight', new THREE.BufferAttribute( weights, 4 ) );
const bones = Array.from( { length: boneCount }, () => new THREE.Bone() );
bones.forEach( ( bone, i ) => bone.position.set( 0, i ? 0.1 : 0, 0 ) );
for ( let i = 1; i < boneCount; ++i ) bones[i - 1].add( bones[i] );
const mesh = new THREE.SkinnedMesh( geometry );
mesh.add( bones[0] );
mesh.updateMatrixWorld( true );
mesh.bind( new THREE.Skeleton( bones ) );
bones.forEach( bone => bone.rotation.set( 0.02, 0.01, 0.03 ) );
mesh.updateMatrixWorld( true );

const vertex = new THREE.Vector3(), out = new Float32Array( 3 * vertexCount );
const row = measure( { scene: 'three.js', what: 'applyBoneTransform, positions', path: 'three.js', per: 'vertex', count: vertexCount }, () => {
    for ( let v = 0; v < vertexCount; ++v ) {
        mesh.applyBoneTransform( v, vertex.fromArray( positions, 3 * v ) );
        vertex.toArray( out, 3 * v );
    }
} );
if ( !( Math.hypot( out[0] - positions[0], out[1] - positions[1], out[2] - positions[2] ) > 1e-3 ) ) throw new Error( 'the skin did not move' );
console.log( JSON.stringify( [row], null, 2 ) );
