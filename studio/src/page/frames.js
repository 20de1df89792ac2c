// Joints' frames at rest, as places in a rig are counted in them.
import { Matrix4, Vector3 } from 'three';

/** Matrices of joints are twelve floats: the columns x, y, z and the translation. */
export function matrixOf( joints, number )
{
    const m = joints.subarray( 12 * number, 12 * number + 12 );
    return new Matrix4().set( m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11], 0, 0, 0, 1 );
}

/** A joint's frame at rest as the rig counts in it: turned as the joint, in metres of the model. */
export function frameOf( joints, number )
{
    const place = new Vector3(), rotation = new Matrix4();
    const full = matrixOf( joints, number );
    rotation.extractRotation( full );
    return rotation.setPosition( place.setFromMatrixPosition( full ) );
}

/** Joints by name, "hips#12" among them. */
export function jointNumber( joints, name )
{
    const text = typeof name === 'object' && name !== null ? `${name.name}#${name.index}` : name ?? '';
    const exact = joints.findIndex( ( joint ) => joint.name === text );
    const [ , index ] = text.match( /#(\d+)$/ ) ?? [];
    return exact < 0 && index !== undefined ? Number( index ) : exact;
}

/** Where a bone ends that has no joint below it: as far on as it is from its parent, in its own frame. */
export function endBeyond( joints, restJoints, number, size )
{
    const placeOf = ( joint ) => new Vector3().fromArray( restJoints, 12 * joint + 9 );
    const { parent } = joints[number];
    const way = parent < 0 ? new Vector3( 0, 0.1 * size, 0 ) : placeOf( number ).sub( placeOf( parent ) );
    const end = placeOf( number ).add( way ).applyMatrix4( frameOf( restJoints, number ).invert() );
    return end.multiplyScalar( 1 / size ).toArray().map( ( value ) => Number( value.toPrecision( 5 ) ) );
}
