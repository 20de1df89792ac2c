// Supple: even triangles of wanted lengths, and an exact number of vertices.
// SPDX-License-Identifier: MIT
//
// After Botsch, Kobbelt, "A remeshing approach to multiresolution modeling", 2004: split long edges, join short ones,
// flip towards six edges a vertex, move vertices along the surface, and again. Here the surface is a field, so vertices
// are put back on it exactly, and the wanted length changes from place to place.

#include "creatures/edge_mesh.h"

typedef void supEdgeVisitor( supEdgeMesh* mesh, int32_t a, int32_t b, double scale );

// Calls the visitor for every edge, once from each of its triangles' order; edits may change the rest of the walk,
// never break it.
static void supVisitEdges( supEdgeMesh* mesh, supEdgeVisitor* visitor, double scale )
{
    int32_t end = mesh->triangleCount;
    for ( int32_t t = 0; t < end; ++t )
    {
        for ( int32_t i = 0; i < 3 && mesh->triangles[t][0] >= 0; ++i )
        {
            int32_t a = mesh->triangles[t][i], b = mesh->triangles[t][( i + 1 ) % 3];
            int32_t sides[2];
            // From the lower triangle of the two alone.
            if ( supEdgeMesh_Sides( mesh, a, b, sides ) == 1 || ( sides[0] < sides[1] ? sides[0] : sides[1] ) == t )
            {
                visitor( mesh, a, b, scale );
            }
        }
    }
}

static double supWantedLength( const supEdgeMesh* mesh, int32_t a, int32_t b, double scale )
{
    return 0.5 * scale * ( mesh->sizes[a] + mesh->sizes[b] );
}

static void supSplitLong( supEdgeMesh* mesh, int32_t a, int32_t b, double scale )
{
    if ( supEdgeMesh_Length( mesh, a, b ) > 4.0 / 3.0 * supWantedLength( mesh, a, b, scale ) )
    {
        supEdgeMesh_Split( mesh, a, b );
    }
}

static void supJoinShort( supEdgeMesh* mesh, int32_t a, int32_t b, double scale )
{
    if ( supEdgeMesh_Length( mesh, a, b ) < 4.0 / 5.0 * supWantedLength( mesh, a, b, scale ) )
    {
        supEdgeMesh_Join( mesh, a, b, 4.0 / 3.0 * scale );
    }
}

// How far the number of edges at a vertex is from six (four triangles on the border, where the mirror image has the
// rest).
static int32_t supValenceError( const supEdgeMesh* mesh, int32_t v, int32_t change )
{
    int32_t wanted = mesh->onPlane[v] ? 3 : 6;
    int32_t off = mesh->fans[v].count + change - wanted;
    return mesh->onPlane[v] ? 4 * off * off : off * off;
}

static void supFlipForValence( supEdgeMesh* mesh, int32_t a, int32_t b, double scale )
{
    (void)scale;
    int32_t sides[2];
    if ( supEdgeMesh_Sides( mesh, a, b, sides ) != 2 )
    {
        return;
    }
    int32_t c = supEdgeMesh_Third( mesh, sides[0], a, b ), d = supEdgeMesh_Third( mesh, sides[1], a, b );
    int32_t before = supValenceError( mesh, a, 0 ) + supValenceError( mesh, b, 0 ) + supValenceError( mesh, c, 0 ) +
                     supValenceError( mesh, d, 0 );
    int32_t after = supValenceError( mesh, a, -1 ) + supValenceError( mesh, b, -1 ) + supValenceError( mesh, c, 1 ) +
                    supValenceError( mesh, d, 1 );
    if ( after < before )
    {
        supEdgeMesh_Flip( mesh, a, b );
    }
}

// The cotangent of the angle at `corner` of the triangle with the edge a b.
static double supCotangent( const supEdgeMesh* mesh, int32_t corner, int32_t a, int32_t b )
{
    supVec3d u = supSubD( mesh->points[a], mesh->points[corner] ), v = supSubD( mesh->points[b], mesh->points[corner] );
    return supDotD( u, v ) / supMax( supLengthD( supCrossD( u, v ) ), 1e-18 );
}

// Delaunay: the angles across from an edge sum to at most half a turn, so their cotangents to at least zero.
static void supFlipForAngles( supEdgeMesh* mesh, int32_t a, int32_t b, double scale )
{
    (void)scale;
    int32_t sides[2];
    if ( supEdgeMesh_Sides( mesh, a, b, sides ) != 2 )
    {
        return;
    }
    int32_t c = supEdgeMesh_Third( mesh, sides[0], a, b ), d = supEdgeMesh_Third( mesh, sides[1], a, b );
    if ( supCotangent( mesh, c, a, b ) + supCotangent( mesh, d, a, b ) < -1e-9 )
    {
        supEdgeMesh_Flip( mesh, a, b );
    }
}

// Where a vertex would sit among its triangles: the mean of their middles, by area, small triangles wanted small
// counting as large.
static supVec3d supRelaxedPlace( const supEdgeMesh* mesh, int32_t v )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    double whole = 0.0;
    const supFan* fan = &mesh->fans[v];
    for ( int32_t i = 0; i < fan->count; ++i )
    {
        const int32_t* c = mesh->triangles[fan->triangles[i]];
        double size = ( mesh->sizes[c[0]] + mesh->sizes[c[1]] + mesh->sizes[c[2]] ) / 3.0;
        double weight = supLengthD( supEdgeMesh_Normal( mesh, fan->triangles[i] ) ) / ( size * size );
        supVec3d middle =
            supScaleD( supAddD( supAddD( mesh->points[c[0]], mesh->points[c[1]] ), mesh->points[c[2]] ), 1.0 / 3.0 );
        if ( mesh->onPlane[v] )
        {
            middle.x = 0.0; // the mirror image's middle is at -x
        }
        sum = supMulAddD( sum, weight, middle );
        whole += weight;
    }
    return supScaleD( sum, 1.0 / whole );
}

static void supRelax( supEdgeMesh* mesh, double amount )
{
    for ( int32_t v = 0; v < mesh->pointCount; ++v )
    {
        if ( mesh->fans[v].count == 0 )
        {
            continue;
        }
        supVec3d normal;
        supSolid_Distance( mesh->field, mesh->points[v], &normal );
        normal = supNormalizeD( normal );
        supVec3d move = supSubD( supRelaxedPlace( mesh, v ), mesh->points[v] );
        move = supMulAddD( move, -supDotD( move, normal ), normal );
        supVec3d place = supMulAddD( mesh->points[v], amount, move );
        place = supSolid_Project( mesh->field, place, mesh->onPlane[v] );
        // A vertex off the plane stays off it.
        if ( mesh->onPlane[v] || place.x > 0.05 * mesh->sizes[v] )
        {
            mesh->points[v] = place;
            mesh->sizes[v] = supSolid_EdgeLength( mesh->field, place );
        }
    }
}

// The edge that is shortest (or longest) against what is wanted; only border edges, or only others. False: none.
static bool supExtremeEdge(
    const supEdgeMesh* mesh, bool shortest, bool border, double beyond, int32_t edge[2], double* out )
{
    double best = shortest ? 1e30 : 0.0;
    for ( int32_t t = 0; t < mesh->triangleCount; ++t )
    {
        for ( int32_t i = 0; i < 3 && mesh->triangles[t][0] >= 0; ++i )
        {
            int32_t a = mesh->triangles[t][i], b = mesh->triangles[t][( i + 1 ) % 3];
            if ( ( mesh->onPlane[a] && mesh->onPlane[b] ) != border ||
                 ( border ? false : mesh->onPlane[a] != mesh->onPlane[b] ) )
            {
                continue;
            }
            double ratio = supEdgeMesh_Length( mesh, a, b ) / supWantedLength( mesh, a, b, 1.0 );
            if ( shortest ? ( ratio < best && ratio > beyond ) : ( ratio > best && ratio < beyond ) )
            {
                best = ratio;
                edge[0] = a;
                edge[1] = b;
            }
        }
    }
    *out = best;
    return shortest ? best < 1e30 : best > 0.0;
}

// Joins the shortest edge that can be joined, or splits the longest.
static bool supStepCount( supEdgeMesh* mesh, bool fewer, bool border )
{
    double beyond = fewer ? 0.0 : 1e30;
    int32_t edge[2] = { -1, -1 };
    for ( int32_t tries = 0; tries < 200; ++tries )
    {
        if ( !supExtremeEdge( mesh, fewer, border, beyond, edge, &beyond ) )
        {
            return false;
        }
        if ( fewer ? supEdgeMesh_Join( mesh, edge[0], edge[1], 1e30 ) : supEdgeMesh_Split( mesh, edge[0], edge[1] ) )
        {
            return true;
        }
    }
    return false;
}

// One vertex at a time to the exact number: two for one off the plane, one for one in it.
static bool supReachCount( supEdgeMesh* mesh, int32_t vertexCount )
{
    while ( supEdgeMesh_WholeCount( mesh ) != vertexCount )
    {
        int32_t excess = supEdgeMesh_WholeCount( mesh ) - vertexCount;
        if ( !supStepCount( mesh, excess > 0, excess % 2 != 0 ) )
        {
            return false;
        }
    }
    return true;
}

static void supWriteBack( const supEdgeMesh* mesh, supHalfMesh* half, int32_t* renumber )
{
    supVec3d* points = half->points.data;
    int32_t count = 0;
    for ( int32_t v = 0; v < mesh->pointCount; ++v )
    {
        renumber[v] = -1;
        if ( mesh->fans[v].count > 0 )
        {
            renumber[v] = count;
            points[count++] = mesh->points[v];
        }
    }
    half->points.count = (size_t)count;
    int32_t* corners = half->triangles.data;
    count = 0;
    for ( int32_t t = 0; t < mesh->triangleCount; ++t )
    {
        if ( mesh->triangles[t][0] >= 0 )
        {
            for ( int32_t i = 0; i < 3; ++i )
            {
                corners[3 * count + i] = renumber[mesh->triangles[t][i]];
            }
            count += 1;
        }
    }
    half->triangles.count = (size_t)count;
}

// Lengths are scaled as a whole until the number comes out nearly right: it goes with the square of the scale.
static bool supRemeshEdges( supEdgeMesh* mesh, int32_t vertexCount )
{
    double scale = 1.0;
    for ( int32_t pass = 0; pass < 12; ++pass )
    {
        supVisitEdges( mesh, supSplitLong, scale );
        supVisitEdges( mesh, supJoinShort, scale );
        supVisitEdges( mesh, supFlipForValence, scale );
        supRelax( mesh, 0.7 );
        if ( pass >= 1 && pass < 10 )
        {
            double ratio = (double)supEdgeMesh_WholeCount( mesh ) / vertexCount;
            scale *= supClamp( supSqrt( ratio ), 0.8, 1.25 );
        }
    }
    if ( !supReachCount( mesh, vertexCount ) )
    {
        return false;
    }
    for ( int32_t pass = 0; pass < 16; ++pass )
    {
        supVisitEdges( mesh, pass < 4 ? supFlipForValence : supFlipForAngles, scale );
        supRelax( mesh, 0.7 );
    }
    supVisitEdges( mesh, supFlipForAngles, scale );
    return true;
}

supResult supRemesh(
    supHalfMesh* half, const supSolid* field, int32_t vertexCount, const supAllocator* allocator, supError* error )
{
    supEdgeMesh mesh;
    supResult result = supEdgeMesh_Init( &mesh, half, field, 4 * vertexCount, allocator, error );
    if ( result == sup_success && !supRemeshEdges( &mesh, vertexCount ) )
    {
        result = supFail( error, sup_errorLimit, "surface does not come to %d vertices", vertexCount );
    }
    size_t renumberSize = (size_t)mesh.pointCapacity * sizeof( int32_t );
    int32_t* renumber = supAlloc( allocator, renumberSize, _Alignof( int32_t ) );
    if ( result == sup_success && renumber == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for %d vertices", vertexCount );
    }
    if ( result == sup_success )
    {
        supWriteBack( &mesh, half, renumber );
    }
    supFree( allocator, renumber, renumberSize );
    supEdgeMesh_Destroy( &mesh );
    return result;
}
