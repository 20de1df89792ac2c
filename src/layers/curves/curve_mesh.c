// Supple: a surface for curves to run over.
// SPDX-License-Identifier: MIT

#include "curve_mesh.h"

#include <stdlib.h>
#include <string.h>

typedef struct supSortedVertex
{
    float p[3];
    int32_t index;
} supSortedVertex;

typedef struct supHalfEdge
{
    int32_t low, high;
    int32_t triangle, corner;
} supHalfEdge;

static int supCompareVertices( const void* a, const void* b )
{
    const supSortedVertex *x = a, *y = b;
    for ( int32_t i = 0; i < 3; ++i )
    {
        if ( x->p[i] != y->p[i] )
        {
            return x->p[i] < y->p[i] ? -1 : 1;
        }
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static int supCompareHalfEdges( const void* a, const void* b )
{
    const supHalfEdge *x = a, *y = b;
    if ( x->low != y->low )
    {
        return x->low < y->low ? -1 : 1;
    }
    if ( x->high != y->high )
    {
        return x->high < y->high ? -1 : 1;
    }
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static supResult supCheckMesh( const char* name, int32_t vertexCount, const float* positions, int32_t indexCount,
    const uint32_t* indices, supError* error )
{
    if ( vertexCount <= 0 || indexCount < 3 )
    {
        return supFail( error, sup_errorData, "%.80s: no triangles to run curves over", name );
    }
    for ( int32_t i = 0; i < indexCount; ++i )
    {
        if ( indices[i] >= (uint32_t)vertexCount )
        {
            return supFail( error, sup_errorData, "%.80s: triangle %d uses vertex %u of %d", name, (int)( i / 3 ),
                (unsigned)indices[i], (int)vertexCount );
        }
    }
    for ( int64_t i = 0; i < 3 * (int64_t)vertexCount; ++i )
    {
        if ( !supIsFinite( positions[i] ) )
        {
            return supFail( error, sup_errorData, "%.80s: vertex %d is not a number", name, (int)( i / 3 ) );
        }
    }
    return sup_success;
}

static bool supAllocateMesh( supCurveMesh* mesh, size_t vertices, size_t triangles, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, welded, vertices );
    SUP_PUT_NEW( &layout, int32_t, sources, vertices );
    SUP_PUT_NEW( &layout, supVec3d, points, vertices );
    SUP_PUT_NEW( &layout, supVec3d, normals, vertices );
    SUP_PUT_NEW( &layout, int32_t, pieces, vertices );
    SUP_PUT_NEW( &layout, int32_t, trianglesRoom, 3 * triangles );
    SUP_PUT_NEW( &layout, int32_t, edgesOf, 3 * triangles );
    SUP_PUT_NEW( &layout, int32_t, edges, 6 * triangles );
    SUP_PUT_NEW( &layout, int32_t, sides, 6 * triangles );
    SUP_PUT_NEW( &layout, int32_t, fanStart, vertices + 1 );
    SUP_PUT_NEW( &layout, int32_t, fan, 3 * triangles );
    SUP_PUT_NEW( &layout, bool, border, vertices );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return false;
    }
    *mesh = ( supCurveMesh ){ .welded = welded,
        .sources = sources,
        .points = points,
        .normals = normals,
        .pieces = pieces,
        .triangles = ( int32_t( * )[3] )( trianglesRoom ),
        .edgesOf = ( int32_t( * )[3] )( edgesOf ),
        .edges = ( int32_t( * )[2] )( edges ),
        .sides = ( int32_t( * )[2] )( sides ),
        .fanStart = fanStart,
        .fan = fan,
        .border = border,
        .block = block,
        .blockSize = layout.size,
        .allocator = supKeepAllocator( allocator ) };
    return true;
}

static void supWeldVertices( supCurveMesh* mesh, const float* positions, supSortedVertex* sorted )
{
    for ( int32_t v = 0; v < mesh->sourceCount; ++v )
    {
        // + 0 makes one zero of -0 and 0
        sorted[v] =
            ( supSortedVertex ){ { positions[3 * v] + 0.0f, positions[3 * v + 1] + 0.0f, positions[3 * v + 2] + 0.0f },
                v };
    }
    qsort( sorted, (size_t)mesh->sourceCount, sizeof( supSortedVertex ), supCompareVertices );
    // The first of equals speaks for all; points are then numbered in the order of the vertices.
    int32_t first = -1;
    for ( int32_t i = 0; i < mesh->sourceCount; ++i )
    {
        bool same = i > 0 && memcmp( sorted[i].p, sorted[i - 1].p, sizeof( sorted[i].p ) ) == 0;
        first = same ? first : sorted[i].index;
        mesh->welded[sorted[i].index] = first;
    }
    for ( int32_t v = 0; v < mesh->sourceCount; ++v )
    {
        if ( mesh->welded[v] == v )
        {
            const float* p = positions + 3 * (size_t)v;
            mesh->points[mesh->pointCount] = ( supVec3d ){ p[0], p[1], p[2] };
            mesh->sources[mesh->pointCount] = v;
            mesh->welded[v] = mesh->pointCount++;
        }
        else
        {
            mesh->welded[v] = mesh->welded[mesh->welded[v]]; // the first came earlier and has its number
        }
    }
}

/// A triangle by its corners in rising order.
typedef struct supSortedTriangle
{
    int32_t corners[3], index;
} supSortedTriangle;

static int supCompareTriangles( const void* a, const void* b )
{
    const supSortedTriangle *x = a, *y = b;
    for ( int32_t i = 0; i < 3; ++i )
    {
        if ( x->corners[i] != y->corners[i] )
        {
            return x->corners[i] < y->corners[i] ? -1 : 1;
        }
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static supSortedTriangle supSortCorners( const int32_t* welded, const uint32_t* indices, int32_t triangle )
{
    const uint32_t* t = indices + 3 * (size_t)triangle;
    int32_t a = welded[t[0]], b = welded[t[1]], c = welded[t[2]];
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    int32_t least = low < c ? low : c, most = high > c ? high : c;
    return ( supSortedTriangle ){ { least, a + b + c - least - most, most }, triangle };
}

// Of triangles on the same three points (a mesh that stands in the file twice, the two sides of a sheet) the first is
// taken: all of them together would make a border of every edge.
static void supTakeTriangles(
    supCurveMesh* mesh, int32_t indexCount, const uint32_t* indices, supSortedTriangle* sorted )
{
    int32_t count = indexCount / 3;
    for ( int32_t i = 0; i < count; ++i )
    {
        sorted[i] = supSortCorners( mesh->welded, indices, i );
    }
    qsort( sorted, (size_t)count, sizeof( supSortedTriangle ), supCompareTriangles );
    // edgesOf is not in use yet: which triangles stay
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = sorted[i].corners;
        bool again = i > 0 && memcmp( c, sorted[i - 1].corners, sizeof( sorted[i].corners ) ) == 0;
        mesh->edgesOf[sorted[i].index][0] = !again && c[0] != c[1] && c[1] != c[2];
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t c = 0; mesh->edgesOf[i][0] && c < 3; ++c )
        {
            mesh->triangles[mesh->triangleCount][c] = mesh->welded[indices[3 * i + c]];
        }
        mesh->triangleCount += mesh->edgesOf[i][0];
    }
}

static void supMakeEdges( supCurveMesh* mesh, supHalfEdge* halves )
{
    int32_t count = 3 * mesh->triangleCount;
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t a = mesh->triangles[i / 3][i % 3], b = mesh->triangles[i / 3][( i + 1 ) % 3];
        halves[i] = ( supHalfEdge ){ a < b ? a : b, a < b ? b : a, i / 3, i % 3 };
    }
    qsort( halves, (size_t)count, sizeof( supHalfEdge ), supCompareHalfEdges );
    double sum = 0.0;
    for ( int32_t i = 0; i < count; )
    {
        int32_t end = i + 1;
        while ( end < count && halves[end].low == halves[i].low && halves[end].high == halves[i].high )
        {
            ++end;
        }
        bool shared = end - i == 2;
        for ( int32_t k = i; k < end; ++k )
        {
            bool second = shared && k > i;
            int32_t edge = second ? mesh->edgeCount - 1 : mesh->edgeCount++;
            mesh->edges[edge][0] = halves[i].low;
            mesh->edges[edge][1] = halves[i].high;
            mesh->sides[edge][second] = halves[k].triangle;
            mesh->sides[edge][1] = second ? mesh->sides[edge][1] : -1;
            mesh->edgesOf[halves[k].triangle][halves[k].corner] = edge;
        }
        if ( !shared )
        {
            mesh->border[halves[i].low] = mesh->border[halves[i].high] = true;
        }
        sum += supLengthD( supSubD( mesh->points[halves[i].low], mesh->points[halves[i].high] ) ) * ( end - i );
        i = end;
    }
    mesh->meanEdge = count > 0 ? sum / count : 0.0;
}

static void supMakeFans( supCurveMesh* mesh )
{
    for ( int32_t i = 0; i < 3 * mesh->triangleCount; ++i )
    {
        ++mesh->fanStart[mesh->triangles[i / 3][i % 3] + 1];
    }
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        mesh->fanStart[p + 1] += mesh->fanStart[p];
        mesh->pieces[p] = mesh->fanStart[p]; // for the while: where the next triangle goes
    }
    for ( int32_t i = 0; i < 3 * mesh->triangleCount; ++i )
    {
        const int32_t* t = mesh->triangles[i / 3];
        mesh->fan[mesh->pieces[t[i % 3]]++] = i / 3;
        supVec3d across = supCrossD(
            supSubD( mesh->points[t[1]], mesh->points[t[0]] ), supSubD( mesh->points[t[2]], mesh->points[t[0]] ) );
        mesh->normals[t[i % 3]] = supAddD( mesh->normals[t[i % 3]], across );
    }
    supVec3d lower = { supInfinity(), supInfinity(), supInfinity() }, upper = supNegD( lower );
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        mesh->normals[p] = supNormalizeD( mesh->normals[p] );
        if ( mesh->fanStart[p] == mesh->fanStart[p + 1] )
        {
            continue; // of no triangle
        }
        supVec3d q = mesh->points[p];
        lower = ( supVec3d ){ supMin( lower.x, q.x ), supMin( lower.y, q.y ), supMin( lower.z, q.z ) };
        upper = ( supVec3d ){ supMax( upper.x, q.x ), supMax( upper.y, q.y ), supMax( upper.z, q.z ) };
    }
    mesh->size = supLengthD( supSubD( upper, lower ) );
}

// Flood over shared triangles, with a stack.
static void supMakePieces( supCurveMesh* mesh, int32_t* stack )
{
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        mesh->pieces[p] = -1;
    }
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        if ( mesh->pieces[p] >= 0 || mesh->fanStart[p] == mesh->fanStart[p + 1] )
        {
            continue;
        }
        int32_t count = 0, piece = mesh->pieceCount++;
        stack[count++] = p;
        mesh->pieces[p] = piece;
        while ( count > 0 )
        {
            int32_t at = stack[--count];
            for ( int32_t k = mesh->fanStart[at]; k < mesh->fanStart[at + 1]; ++k )
            {
                for ( int32_t c = 0; c < 3; ++c )
                {
                    int32_t next = mesh->triangles[mesh->fan[k]][c];
                    if ( mesh->pieces[next] < 0 )
                    {
                        mesh->pieces[next] = piece;
                        stack[count++] = next;
                    }
                }
            }
        }
    }
}

supResult supCreateCurveMesh( const char* name, int32_t vertexCount, const float* positions, int32_t indexCount,
    const uint32_t* indices, const supAllocator* allocator, supCurveMesh* out, supError* error )
{
    *out = ( supCurveMesh ){ 0 };
    supResult result = supCheckMesh( name, vertexCount, positions, indexCount, indices, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSortedVertex, sorted, vertexCount );
    SUP_PUT_NEW( &layout, supHalfEdge, halves, indexCount );
    SUP_PUT_NEW( &layout, supSortedTriangle, trianglesRoom, indexCount / 3 );
    char* work = supAllocLayout( allocator, &layout );
    if ( work == NULL || !supAllocateMesh( out, (size_t)vertexCount, (size_t)indexCount / 3, allocator ) )
    {
        supFree( allocator, work, layout.size );
        return supFail( error, sup_errorMemory, "%.80s: no memory for its surface", name );
    }
    out->sourceCount = vertexCount;
    supWeldVertices( out, positions, sorted );
    supTakeTriangles( out, indexCount, indices, trianglesRoom );
    supMakeEdges( out, halves );
    supMakeFans( out );
    supMakePieces( out, (int32_t*)sorted );
    supFree( allocator, work, layout.size );
    if ( out->triangleCount == 0 )
    {
        supCurveMesh_Destroy( out );
        return supFail(
            error, sup_errorData, "%.80s: its triangles have no area: no surface to run curves over", name );
    }
    return sup_success;
}

void supCurveMesh_Destroy( supCurveMesh* mesh )
{
    supFree( &mesh->allocator, mesh->block, mesh->blockSize );
    mesh->block = NULL;
}
