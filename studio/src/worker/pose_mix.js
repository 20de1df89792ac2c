// Two clips at once: each joint stands between where the one and where the other puts it, in its parent's frame.
import { Matrix4, Quaternion, Vector3 } from 'three';

const place = new Vector3(), turn = new Quaternion(), scale = new Vector3();
const otherPlace = new Vector3(), otherTurn = new Quaternion(), otherScale = new Vector3();

const matrixAt = ( joints, i, out ) => {
    const m = joints, k = 12 * i;
    return out.set( m[k], m[k + 3], m[k + 6], m[k + 9], m[k + 1], m[k + 4], m[k + 7], m[k + 10], m[k + 2], m[k + 5], m[k + 8], m[k + 11], 0, 0, 0, 1 );
};

/** Numbers of joints, each after its parent. */
function parentsFirst( parents )
{
    const children = parents.map( () => [] ), order = [];
    parents.forEach( ( parent, i ) => ( parent < 0 ? order : children[parent] ).push( i ) );
    for ( let at = 0; at < order.length; ++at )
    {
        children[order[at]].forEach( ( child ) => order.push( child ) );
    }
    return order;
}

export class PoseMix
{
    constructor( joints )
    {
        this.parents = joints.map( ( { parent } ) => parent );
        this.order = parentsFirst( this.parents );
        this.out = new Float32Array( 12 * joints.length );
        this.models = joints.map( () => new Matrix4() );
        [ this.a, this.b, this.parentA, this.parentB ] = [ new Matrix4(), new Matrix4(), new Matrix4(), new Matrix4() ];
    }

    local( joints, i, parent, out )
    {
        matrixAt( joints, i, out );
        return this.parents[i] < 0 ? out : out.premultiply( matrixAt( joints, this.parents[i], parent ).invert() );
    }

    /** Of model-space joints, twelve floats each: `share` of the second. A view that the next call overwrites. */
    of( first, second, share )
    {
        for ( const i of this.order )
        {
            this.local( first, i, this.parentA, this.a ).decompose( place, turn, scale );
            this.local( second, i, this.parentB, this.b ).decompose( otherPlace, otherTurn, otherScale );
            const model = this.models[i].compose( place.lerp( otherPlace, share ), turn.slerp( otherTurn, share ), scale.lerp( otherScale, share ) );
            if ( this.parents[i] >= 0 )
            {
                model.premultiply( this.models[this.parents[i]] );
            }
            const e = model.elements;
            this.out.set( [ e[0], e[1], e[2], e[4], e[5], e[6], e[8], e[9], e[10], e[12], e[13], e[14] ], 12 * i );
        }
        return this.out;
    }
}
