// The point of a triangle mesh that lies closest to a place.
// SPDX-License-Identifier: MIT

#include "layers/closest_point.h"

#include "base/math.h"
#include "base/memory.h"

#include <stdlib.h>

static supFootPoint supFootAt( supVec3 p, supVec3 a, supVec3 b, supVec3 c, float u, float v, float w )
{
    supVec3 q = supMulAdd( supMulAdd( supScale( a, u ), v, b ), w, c );
    return ( supFootPoint ){ 0, { u, v, w }, supDistance( p, q ) };
}

supFootPoint supClosestOnTriangle( supVec3 p, supVec3 a, supVec3 b, supVec3 c )
{
    supVec3 ab = supSub( b, a ), ac = supSub( c, a ), ap = supSub( p, a );
    float d1 = supDot( ab, ap ), d2 = supDot( ac, ap );
    if ( d1 <= 0.0f && d2 <= 0.0f )
    {
        return supFootAt( p, a, b, c, 1.0f, 0.0f, 0.0f );
    }
    supVec3 bp = supSub( p, b );
    float d3 = supDot( ab, bp ), d4 = supDot( ac, bp );
    if ( d3 >= 0.0f && d4 <= d3 )
    {
        return supFootAt( p, a, b, c, 0.0f, 1.0f, 0.0f );
    }
    supVec3 cp = supSub( p, c );
    float d5 = supDot( ab, cp ), d6 = supDot( ac, cp );
    if ( d6 >= 0.0f && d5 <= d6 )
    {
        return supFootAt( p, a, b, c, 0.0f, 0.0f, 1.0f );
    }
    float vc = d1 * d4 - d3 * d2;
    if ( vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f )
    {
        float v = d1 - d3 > 0.0f ? d1 / ( d1 - d3 ) : 0.0f;
        return supFootAt( p, a, b, c, 1.0f - v, v, 0.0f );
    }
    float vb = d5 * d2 - d1 * d6;
    if ( vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f )
    {
        float w = d2 - d6 > 0.0f ? d2 / ( d2 - d6 ) : 0.0f;
        return supFootAt( p, a, b, c, 1.0f - w, 0.0f, w );
    }
    float va = d3 * d6 - d5 * d4, along = ( d4 - d3 ) + ( d5 - d6 );
    if ( va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f )
    {
        float w = along > 0.0f ? ( d4 - d3 ) / along : 0.0f;
        return supFootAt( p, a, b, c, 0.0f, 1.0f - w, w );
    }
    float sum = va + vb + vc, share = sum > 0.0f ? 1.0f / sum : 0.0f;
    float v = vb * share, w = vc * share;
    return supFootAt( p, a, b, c, 1.0f - v - w, v, w );
}

// ---------------------------------------------------------------------------------------------------------------
// Many

typedef struct supMiddle
{
    float along;
    int32_t triangle;
} supMiddle;

static int supCompareMiddles( const void* a, const void* b )
{
    const supMiddle *p = a, *q = b;
    return p->along < q->along         ? -1
           : p->along > q->along       ? 1
           : p->triangle < q->triangle ? -1
                                       : p->triangle > q->triangle;
}

static float supAlong( supVec3 v, int axis )
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static supVec3 supMiddleOf( const supTriangleIndex* index, int32_t triangle )
{
    const int32_t* c = index->corners + 3 * (size_t)triangle;
    supVec3 sum = supAdd( supAdd( index->points[c[0]], index->points[c[1]] ), index->points[c[2]] );
    return supScale( sum, 1.0f / 3.0f );
}

static int supLongestAxis( const supTriangleIndex* index )
{
    supVec3 low = supVec3_zero, high = supVec3_zero;
    for ( int32_t t = 0; t < index->count; ++t )
    {
        supVec3 m = supMiddleOf( index, t );
        low = t == 0 ? m : supMinVec3( low, m );
        high = t == 0 ? m : supMaxVec3( high, m );
    }
    supVec3 sides = supSub( high, low );
    return sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2;
}

supTriangleIndex* supMakeTriangleIndex(
    const supVec3* points, const int32_t* corners, int32_t count, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supTriangleIndex, index, 1 );
    SUP_PUT_NEW( &layout, int32_t, order, count );
    SUP_PUT_NEW( &layout, supVec3, middles, count );
    SUP_PUT_NEW( &layout, float, radii, count );
    char* block = supAllocLayout( allocator, &layout );
    size_t sortSize = ( (size_t)count + 1 ) * sizeof( supMiddle );
    supMiddle* sorted = supAlloc( allocator, sortSize, _Alignof( supMiddle ) );
    if ( block == NULL || sorted == NULL )
    {
        supFree( allocator, block, layout.size );
        supFree( allocator, sorted, sortSize );
        return NULL;
    }
    *index = ( supTriangleIndex ){ .count = count,
        .corners = corners,
        .points = points,
        .order = order,
        .middles = middles,
        .radii = radii,
        .blockSize = layout.size };
    index->axis = supLongestAxis( index );
    for ( int32_t t = 0; t < count; ++t )
    {
        sorted[t] = ( supMiddle ){ supAlong( supMiddleOf( index, t ), index->axis ), t };
    }
    qsort( sorted, (size_t)count, sizeof( supMiddle ), supCompareMiddles );
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = corners + 3 * (size_t)sorted[i].triangle;
        supVec3 m = supMiddleOf( index, sorted[i].triangle );
        float radius = supMaxF(
            supDistance( m, points[c[0]] ), supMaxF( supDistance( m, points[c[1]] ), supDistance( m, points[c[2]] ) ) );
        index->order[i] = sorted[i].triangle;
        index->middles[i] = m;
        index->radii[i] = radius;
        index->farthest = supMaxF( index->farthest, radius );
    }
    supFree( allocator, sorted, sortSize );
    return index;
}

/// Whether a comes before b: nearer, or as near and earlier in the mesh, so that the order of search does not matter.
static bool supIsNearer( supFootPoint a, supFootPoint b )
{
    return a.distance < b.distance || ( a.distance == b.distance && a.triangle < b.triangle );
}

/// Takes a triangle among the `most` closest so far, if it is one.
static int32_t supTryTriangle( const supTriangleIndex* index, int32_t place, supVec3 p, float reach, int32_t most,
    int32_t count, supFootPoint* feet )
{
    float farthest = count == most ? feet[most - 1].distance : reach;
    float bound = farthest + index->radii[place];
    supVec3 off = supSub( p, index->middles[place] );
    if ( supDot( off, off ) > bound * bound )
    {
        return count;
    }
    int32_t triangle = index->order[place];
    const int32_t* c = index->corners + 3 * (size_t)triangle;
    supFootPoint foot = supClosestOnTriangle( p, index->points[c[0]], index->points[c[1]], index->points[c[2]] );
    foot.triangle = triangle;
    if ( foot.distance > reach || ( count == most && !supIsNearer( foot, feet[most - 1] ) ) )
    {
        return count;
    }
    int32_t at = count < most ? count++ : most - 1;
    for ( ; at > 0 && supIsNearer( foot, feet[at - 1] ); --at )
    {
        feet[at] = feet[at - 1];
    }
    feet[at] = foot;
    return count;
}

/// The first place whose middle lies no earlier than `along`.
static int32_t supFirstPlace( const supTriangleIndex* index, float along )
{
    int32_t low = 0, high = index->count;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = supAlong( index->middles[middle], index->axis ) < along;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

int32_t supTriangleIndex_Nearest(
    const supTriangleIndex* index, supVec3 p, float reach, int32_t most, supFootPoint* feet )
{
    float along = supAlong( p, index->axis );
    int32_t low = supFirstPlace( index, along ), count = 0;
    // outwards in both directions at once: what is near is found first, and bounds the rest
    int32_t up = low, down = low - 1;
    bool goesUp = true, goesDown = true;
    while ( goesUp || goesDown )
    {
        float bound = ( count == most ? feet[most - 1].distance : reach ) + index->farthest;
        goesUp = goesUp && up < index->count && supAlong( index->middles[up], index->axis ) - along <= bound;
        goesDown = goesDown && down >= 0 && along - supAlong( index->middles[down], index->axis ) <= bound;
        count = goesUp ? supTryTriangle( index, up++, p, reach, most, count, feet ) : count;
        count = goesDown ? supTryTriangle( index, down--, p, reach, most, count, feet ) : count;
    }
    return count;
}

supFootPoint supTriangleIndex_Closest( const supTriangleIndex* index, supVec3 p, float reach )
{
    supFootPoint best = { -1, { 0.0f, 0.0f, 0.0f }, reach };
    supTriangleIndex_Nearest( index, p, reach, 1, &best );
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

/// The way along a ray to a triangle, or -1. After Moller, Trumbore, "Fast, minimum storage ray/triangle
/// intersection", 1997.
static float supMeetTriangle( supVec3 from, supVec3 way, supVec3 a, supVec3 b, supVec3 c )
{
    supVec3 ab = supSub( b, a ), ac = supSub( c, a ), p = supCross( way, ac );
    float det = supDot( ab, p );
    if ( supAbsF( det ) < 1e-20f )
    {
        return -1.0f;
    }
    supVec3 t = supSub( from, a ), q = supCross( t, ab );
    float u = supDot( t, p ) / det, v = supDot( way, q ) / det;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f ? supDot( ac, q ) / det : -1.0f;
}

/// Whether a ray comes within a triangle's radius of its middle: others it cannot meet.
static bool supPassesNear( const supTriangleIndex* index, int32_t place, supVec3 from, supVec3 way )
{
    static const float slack = 1.001f; // for rounding
    float radius = slack * index->radii[place];
    supVec3 off = supCross( supSub( index->middles[place], from ), way );
    return supDot( off, off ) <= radius * radius * supDot( way, way );
}

float supTriangleIndex_Meet( const supTriangleIndex* index, supVec3 from, supVec3 way, float low, float high )
{
    float a = supAlong( from, index->axis ), b = a + high * supAlong( way, index->axis );
    float last = supMaxF( a, b ) + index->farthest, nearest = -1.0f;
    for ( int32_t i = supFirstPlace( index, supMinF( a, b ) - index->farthest );
          i < index->count && supAlong( index->middles[i], index->axis ) <= last; ++i )
    {
        const int32_t* c = index->corners + 3 * (size_t)index->order[i];
        float t = supPassesNear( index, i, from, way )
                      ? supMeetTriangle( from, way, index->points[c[0]], index->points[c[1]], index->points[c[2]] )
                      : -1.0f;
        nearest = t > low && t < high && ( nearest < 0.0f || t < nearest ) ? t : nearest;
    }
    return nearest;
}

// ---------------------------------------------------------------------------------------------------------------
// Sides

supVec3 supFaceNormal( supVec3 a, supVec3 b, supVec3 c )
{
    return supNormalize( supCross( supSub( b, a ), supSub( c, a ) ) );
}

float supSignedDistance( supVec3 p, const supVec3* points, const int32_t* corners, int32_t count, supVec3* normal )
{
    enum
    {
        supMostCorners = 192
    };
    float distances[supMostCorners], best = 1e30f;
    supVec3 foot = supVec3_zero;
    count = count < supMostCorners ? count : supMostCorners;
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = corners + 3 * (size_t)i;
        supFootPoint at = supClosestOnTriangle( p, points[c[0]], points[c[1]], points[c[2]] );
        distances[i] = at.distance;
        if ( at.distance < best )
        {
            best = at.distance;
            foot = supMulAdd( supMulAdd( supScale( points[c[0]], at.shares[0] ), at.shares[1], points[c[1]] ),
                at.shares[2], points[c[2]] );
        }
    }
    // at an edge or a corner several are as close: their mean tells the side
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = corners + 3 * (size_t)i;
        if ( distances[i] <= best * 1.0001f )
        {
            sum = supAdd( sum, supFaceNormal( points[c[0]], points[c[1]], points[c[2]] ) );
        }
    }
    *normal = supNormalize( sum );
    return supDot( supSub( p, foot ), *normal ) < 0.0f ? -best : best;
}
