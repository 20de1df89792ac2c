// The surface of a character as brushes need it: who is beside whom, across seams too.

/** Vertices in one place at rest are one to the artist: for each the first of them. */
function weldsOf( rest )
{
    const first = new Map();
    return Int32Array.from( { length: rest.length / 3 }, ( _, v ) => {
        const key = `${rest[3 * v]},${rest[3 * v + 1]},${rest[3 * v + 2]}`;
        first.set( key, first.get( key ) ?? v );
        return first.get( key );
    } );
}

export class Surface
{
    constructor( { rest, meshes, indices } )
    {
        this.welds = weldsOf( rest );
        this.beside = new Map();
        meshes.forEach( ( { firstVertex }, mesh ) => {
            const corners = indices[mesh];
            for ( let i = 0; i < corners.length; i += 3 )
            {
                const own = [ 0, 1, 2 ].map( ( k ) => this.welds[firstVertex + corners[i + k]] );
                own.forEach( ( v, k ) => {
                    const list = this.beside.get( v ) ?? new Set();
                    list.add( own[( k + 1 ) % 3] ).add( own[( k + 2 ) % 3] );
                    this.beside.set( v, list );
                } );
            }
        } );
    }

    /** The mean of a value over the vertices beside one; `count` numbers each. */
    meanBeside( values, v, count = 1 )
    {
        const beside = this.beside.get( this.welds[v] ) ?? new Set( [ v ] );
        const sum = new Array( count ).fill( 0 );
        beside.forEach( ( one ) => {
            for ( let k = 0; k < count; ++k )
            {
                sum[k] += values[count * one + k] / beside.size;
            }
        } );
        return sum;
    }
}

/** Vertices of a skin within a radius of a point, and how much of a dab each gets: 1 in the middle, 0 at the rim. */
export function dabAt( positions, point, radius )
{
    const dab = [];
    for ( let v = 0; v < positions.length / 3; ++v )
    {
        const far = Math.hypot( positions[3 * v] - point.x, positions[3 * v + 1] - point.y, positions[3 * v + 2] - point.z ) / radius;
        if ( far < 1 )
        {
            dab.push( [ v, ( 1 - far * far ) ** 2 ] );
        }
    }
    return dab;
}
