// Values on single vertices: as a rig lists them, and one a vertex of the character.

/** Values of single vertices, as paint in a rig has them, into one a vertex of the character. */
export function valuesOf( { info }, paint )
{
    const values = new Float32Array( info.vertexCount );
    for ( const { mesh, index, vertices, values: own } of paint?.meshes ?? [] )
    {
        const named = info.meshes.filter( ( { name } ) => name === mesh );
        const { firstVertex } = named[index ?? 0] ?? named[0];
        vertices.forEach( ( vertex, i ) => { values[firstVertex + vertex] = own[i]; } );
    }
    return values;
}

/** And back: `count` numbers a vertex; vertices that have none are left out. */
export function paintOf( { info }, values, count = 1 )
{
    const meshes = [], seen = new Map();
    for ( const { name, firstVertex, vertexCount } of info.meshes )
    {
        const index = seen.get( name ) ?? 0;
        seen.set( name, index + 1 );
        const vertices = [], own = [];
        for ( let v = 0; v < vertexCount; ++v )
        {
            const some = values.subarray( count * ( firstVertex + v ), count * ( firstVertex + v + 1 ) );
            if ( some.some( ( value ) => value !== 0 ) )
            {
                vertices.push( v );
                own.push( count === 1 ? Number( some[0].toPrecision( 6 ) ) : [ ...some ].map( ( value ) => Number( value.toPrecision( 6 ) ) ) );
            }
        }
        if ( vertices.length > 0 )
        {
            meshes.push( { mesh: name, ...( index > 0 ? { index } : {} ), vertices, [count === 1 ? 'values' : 'moves']: own } );
        }
    }
    return { fingerprint: info.fingerprint, meshes };
}
