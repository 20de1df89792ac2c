// Items on the other side of the body: names swap sides, places cross the plane between them.
import { Vector3 } from 'three';
import { frameOf, jointNumber } from './frames.js';
import { paintOf, valuesOf } from './painted.js';
import { otherSide } from './regions.js';

/** The plane between left and right, at rest: { normal, at }. */
function planeOf( { info, proposal } )
{
    const normal = new Vector3( ...proposal.left );
    let low = Infinity, high = -Infinity;
    for ( let i = 0; i < info.rest.length; i += 3 )
    {
        const along = info.rest[i] * normal.x + info.rest[i + 1] * normal.y + info.rest[i + 2] * normal.z;
        low = Math.min( low, along );
        high = Math.max( high, along );
    }
    return { normal, at: ( low + high ) / 2 };
}

const acrossPlane = ( { normal, at }, point ) => point.addScaledVector( normal, -2 * ( point.dot( normal ) - at ) );

/** For each vertex the one that stands across the plane from it, or -1. */
export function mirrorMap( session )
{
    const { rest, size } = session.info, plane = planeOf( session );
    const cell = 0.01 * size, cells = new Map(), point = new Vector3();
    const keyOf = ( x, y, z ) => `${Math.round( x / cell )},${Math.round( y / cell )},${Math.round( z / cell )}`;
    for ( let v = 0; v < rest.length / 3; ++v )
    {
        const key = keyOf( rest[3 * v], rest[3 * v + 1], rest[3 * v + 2] );
        cells.set( key, [ ...( cells.get( key ) ?? [] ), v ] );
    }
    const nearest = ( x, y, z ) => {
        let best = -1, least = ( 2 * cell ) ** 2;
        for ( let n = 0; n < 27; ++n )
        {
            const key = keyOf( x + ( n % 3 - 1 ) * cell, y + ( Math.floor( n / 3 ) % 3 - 1 ) * cell, z + ( Math.floor( n / 9 ) - 1 ) * cell );
            for ( const v of cells.get( key ) ?? [] )
            {
                const far = ( rest[3 * v] - x ) ** 2 + ( rest[3 * v + 1] - y ) ** 2 + ( rest[3 * v + 2] - z ) ** 2;
                [ best, least ] = far < least ? [ v, far ] : [ best, least ];
            }
        }
        return best;
    };
    return Int32Array.from( { length: rest.length / 3 }, ( _, v ) => {
        acrossPlane( plane, point.fromArray( rest, 3 * v ) );
        return nearest( point.x, point.y, point.z );
    } );
}

/** An item as it would be on the other side. */
export function mirrored( session, key, item )
{
    const { info, rig } = session;
    const source = structuredClone( rig[key][item] );
    const plane = planeOf( session );
    const swap = ( name ) => ( typeof name === 'string' ? otherSide( name ) ?? name : name );
    const across = ( from, to, [ x, y, z ] ) => {
        const [ a, b ] = [ jointNumber( info.joints, from ), jointNumber( info.joints, to ) ];
        const point = new Vector3( x, y, z ).multiplyScalar( info.size );
        acrossPlane( plane, a < 0 ? point : point.applyMatrix4( frameOf( info.restJoints, a ) ) );
        return ( b < 0 ? point : point.applyMatrix4( frameOf( info.restJoints, b ).invert() ) ).multiplyScalar( 1 / info.size ).toArray();
    };
    const turned = ( direction ) => acrossPlane( { ...plane, at: 0 }, new Vector3( ...direction ) ).toArray();
    const out = { ...source, name: swap( source.name ) };
    const home = source.driver ?? source.joint;
    for ( const name of [ 'driver', 'joint', 'element' ] )
    {
        if ( source[name] !== undefined )
        {
            out[name] = swap( source[name] );
        }
    }
    for ( const name of [ 'joints', 'ends' ] )
    {
        if ( source[name] )
        {
            out[name] = source[name].map( swap );
        }
    }
    if ( source.end )
    {
        out.end = across( home, swap( home ), source.end );
    }
    if ( source.facing )
    {
        out.facing = turned( source.facing );
    }
    if ( source.spheres )
    {
        out.spheres = source.spheres.map( ( { center, radius } ) => ( { center: across( home, swap( home ), center ), radius } ) );
    }
    if ( source.points )
    {
        out.points = source.points.map( ( point ) => ( Array.isArray( point ) ? across( home, swap( home ), point )
            : { ...point, joint: swap( point.joint ), ...( point.other ? { other: swap( point.other ) } : {} ),
                at: across( point.joint, swap( point.joint ), point.at ?? [ 0, 0, 0 ] ) } ) );
    }
    if ( source.paint )
    {
        out.paint = mirroredPaint( session, source.paint );
    }
    if ( out.name === source.name )
    {
        throw new Error( `"${source.name}" says no side: call it "… left" or "… right" first` );
    }
    return out;
}

function mirroredPaint( session, paint )
{
    const values = valuesOf( session, paint ), map = mirrorMap( session );
    return paintOf( session, Float32Array.from( values, ( _, v ) => ( map[v] < 0 ? 0 : values[map[v]] ) ) );
}
