// three-vrm: spring bones, 25 chains of 4 joints under a moving root. Prints a JSON row.
import * as THREE from 'three';
import { VRMSpringBoneJoint, VRMSpringBoneManager } from '@pixiv/three-vrm-springbone';
import { measure } from './measure.mjs';

const chains = 25, length = 4;
const root = new THREE.Object3D(), manager = new VRMSpringBoneManager();
let last = null;
for ( let c = 0; c < chains; ++c ) {
    let parent = root;
    const bones = [];
    for ( let i = 0; i <= length; ++i ) {
        const bone = new THREE.Bone();
        bone.position.set( i ? 0 : 0.1 * c, i ? -0.1 : 0, 0 );
        parent.add( bone );
        bones.push( bone );
        parent = bone;
    }
    for ( let i = 0; i < length; ++i ) {
        manager.addJoint( new VRMSpringBoneJoint( bones[i], bones[i + 1], { stiffness: 1, gravityPower: 0.2, dragForce: 0.4, hitRadius: 0 } ) );
    }
    last = bones[length];
}
root.updateMatrixWorld( true );
manager.setInitState();
const start = last.getWorldPosition( new THREE.Vector3() );
let frame = 0, most = 0;
const row = measure( { scene: 'three-vrm', what: 'spring bone joint', path: 'three-vrm', per: 'joint', count: chains * length }, () => {
    root.position.x = 0.3 * Math.sin( 0.2 * frame++ );
    root.updateMatrixWorld( true );
    manager.update( 1 / 60 );
    most = Math.max( most, last.getWorldPosition( new THREE.Vector3() ).sub( root.position ).distanceTo( start ) );
} );
if ( !( most > 1e-3 ) ) throw new Error( 'the springs did not move' );
console.log( JSON.stringify( [row], null, 2 ) );
