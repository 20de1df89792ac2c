// The point of a triangle that lies closest to a place.
// SPDX-License-Identifier: MIT

#include "layers/closest_point.h"

#include "base/math.h"

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
