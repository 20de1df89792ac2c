// Supple: geodesic distance by a front that marches over unfolded triangles.
// SPDX-License-Identifier: MIT
//
// After Kimmel, Sethian, "Computing geodesic paths on manifolds", 1998. Two corners a, b of a triangle with known
// distances see a source in the triangle's plane; where the straight way from it to the third corner runs through the
// edge ab, its length is that corner's distance (exact on a plane, for a point source), otherwise the way along an
// edge.

#include "curve_mesh.h"

/// A heap of points by distance, then by index.
typedef struct supFrontHeap
{
    const double* distance;
    int32_t* items;
    int32_t* slots; ///< where each point stands, -1: nowhere
    int32_t count;
} supFrontHeap;

static bool supNearer( const supFrontHeap* heap, int32_t a, int32_t b )
{
    double x = heap->distance[a], y = heap->distance[b];
    return x < y || ( x == y && a < b );
}

static void supHeapPlace( supFrontHeap* heap, int32_t slot, int32_t point )
{
    heap->items[slot] = point;
    heap->slots[point] = slot;
}

static void supHeapRise( supFrontHeap* heap, int32_t point )
{
    int32_t slot = heap->slots[point];
    if ( slot < 0 )
    {
        slot = heap->count++;
    }
    while ( slot > 0 && supNearer( heap, point, heap->items[( slot - 1 ) / 2] ) )
    {
        supHeapPlace( heap, slot, heap->items[( slot - 1 ) / 2] );
        slot = ( slot - 1 ) / 2;
    }
    supHeapPlace( heap, slot, point );
}

static int32_t supHeapTake( supFrontHeap* heap )
{
    int32_t top = heap->items[0], last = heap->items[--heap->count], slot = 0;
    for ( ;; )
    {
        int32_t child = 2 * slot + 1;
        if ( child >= heap->count )
        {
            break;
        }
        if ( child + 1 < heap->count && supNearer( heap, heap->items[child + 1], heap->items[child] ) )
        {
            ++child;
        }
        if ( !supNearer( heap, heap->items[child], last ) )
        {
            break;
        }
        supHeapPlace( heap, slot, heap->items[child] );
        slot = child;
    }
    supHeapPlace( heap, slot, last );
    heap->slots[top] = -2; // done
    return top;
}

static double supUnfoldedDistance( supVec3d a, double da, supVec3d b, double db, supVec3d c )
{
    supVec3d ab = supSubD( b, a ), ac = supSubD( c, a );
    double length = supLengthD( ab );
    double along = supMin( da + supLengthD( ac ), db + supLengthD( supSubD( c, b ) ) );
    if ( !( length > 0.0 ) )
    {
        return along;
    }
    double cx = supDotD( ac, ab ) / length;
    double cy = supSqrt( supMax( supDotD( ac, ac ) - cx * cx, 0.0 ) );
    double sx = ( length * length + da * da - db * db ) / ( 2.0 * length );
    double sy = supSqrt( supMax( da * da - sx * sx, 0.0 ) ); // below the edge
    if ( !( cy + sy > 0.0 ) )
    {
        return along;
    }
    double through = sx + ( cx - sx ) * sy / ( cy + sy );
    if ( through < 0.0 || through > length )
    {
        return along;
    }
    return supMin( along, supSqrt( ( cx - sx ) * ( cx - sx ) + ( cy + sy ) * ( cy + sy ) ) );
}

static void supUpdateTriangle(
    const supCurveMesh* mesh, double* distance, supFrontHeap* heap, const int32_t* t, int32_t u )
{
    for ( int32_t c = 0; c < 3; ++c )
    {
        int32_t w = t[c];
        if ( w == u || heap->slots[w] == -2 )
        {
            continue;
        }
        int32_t z = t[0] + t[1] + t[2] - w - u;
        double way = distance[u] + supLengthD( supSubD( mesh->points[w], mesh->points[u] ) );
        if ( heap->slots[z] == -2 )
        {
            way = supMin( way,
                supUnfoldedDistance( mesh->points[u], distance[u], mesh->points[z], distance[z], mesh->points[w] ) );
        }
        if ( way < distance[w] )
        {
            distance[w] = way;
            supHeapRise( heap, w );
        }
    }
}

void supMarchDistance( const supCurveMesh* mesh, double* distance, int32_t* heapRoom )
{
    supFrontHeap heap = { distance, heapRoom, heapRoom + mesh->pointCount, 0 };
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        heap.slots[p] = -1;
    }
    for ( int32_t p = 0; p < mesh->pointCount; ++p )
    {
        if ( distance[p] == 0.0 )
        {
            supHeapRise( &heap, p );
        }
    }
    while ( heap.count > 0 )
    {
        int32_t u = supHeapTake( &heap );
        for ( int32_t k = mesh->fanStart[u]; k < mesh->fanStart[u + 1]; ++k )
        {
            supUpdateTriangle( mesh, distance, &heap, mesh->triangles[mesh->fan[k]], u );
        }
    }
}
