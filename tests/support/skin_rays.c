// Whether a place is inside a skin: by a ray through it.
// SPDX-License-Identifier: MIT

#include "support/skin_rays.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

enum
{
    supMostSide = 128, ///< fields along a side
    supMostFields =
        12, ///< room for so many of each triangle's, on average; where that is too little, fields are larger
};

/// The ray is a little off the axis, so that the edges of models that are made along axes do not lie on it.
static supSeen supSee( supVec3 p, int axis )
{
    float along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    float u = axis == 0 ? p.y : axis == 1 ? p.z : p.x, v = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
    return ( supSeen ){ { u - 0.0137f * along, v - 0.0071f * along }, along };
}

static size_t supLayRays( int32_t vertexCount, int32_t triangleCount, char* block, supSkinRays* rays )
{
    supLayout layout = supLayoutIn( block );
    SUP_PUT( &layout, rays->seen, vertexCount );
    SUP_PUT( &layout, rays->starts, supMostSide * supMostSide + 1 );
    SUP_PUT( &layout, rays->triangles, supMostFields * (size_t)triangleCount );
    return layout.size;
}

size_t supSkinRays_ScratchSize( int32_t vertexCount, int32_t triangleCount )
{
    supSkinRays rays;
    return supLayRays( vertexCount, triangleCount, NULL, &rays );
}

static int32_t supFieldAt( const supSkinRays* rays, int axis, float value )
{
    float at = ( value - rays->low[axis] ) * rays->scale[axis];
    return (int32_t)supClampF( at, 0.0f, (float)( rays->side - 1 ) );
}

/// The fields that a triangle covers, by its box.
static void supFieldsOf( const supSkinRays* rays, int32_t triangle, int32_t low[2], int32_t high[2] )
{
    const int32_t* c = rays->corners + 3 * (size_t)triangle;
    for ( int axis = 0; axis < 2; ++axis )
    {
        float a = rays->seen[c[0]].across[axis], b = rays->seen[c[1]].across[axis], d = rays->seen[c[2]].across[axis];
        low[axis] = supFieldAt( rays, axis, supMinF( a, supMinF( b, d ) ) );
        high[axis] = supFieldAt( rays, axis, supMaxF( a, supMaxF( b, d ) ) );
    }
}

/// Counts the triangles of each field in starts[field + 1]. Gives how many in all.
static int64_t supCountFields( supSkinRays* rays, int32_t triangleCount )
{
    int64_t sum = 0;
    memset( rays->starts, 0, sizeof( int32_t ) * ( (size_t)rays->side * (size_t)rays->side + 1 ) );
    for ( int32_t t = 0; t < triangleCount; ++t )
    {
        int32_t low[2], high[2];
        supFieldsOf( rays, t, low, high );
        for ( int32_t v = low[1]; v <= high[1]; ++v )
        {
            for ( int32_t u = low[0]; u <= high[0]; ++u )
            {
                rays->starts[v * rays->side + u + 1] += 1;
            }
        }
        sum += (int64_t)( high[0] - low[0] + 1 ) * ( high[1] - low[1] + 1 );
    }
    return sum;
}

/// Files triangles. A field's start runs up to the next one's meanwhile, and all are moved back by one field after.
static void supFileFields( supSkinRays* rays, int32_t triangleCount )
{
    int32_t fields = rays->side * rays->side;
    for ( int32_t i = 0; i < fields; ++i )
    {
        rays->starts[i + 1] += rays->starts[i];
    }
    for ( int32_t t = 0; t < triangleCount; ++t )
    {
        int32_t low[2], high[2];
        supFieldsOf( rays, t, low, high );
        for ( int32_t v = low[1]; v <= high[1]; ++v )
        {
            for ( int32_t u = low[0]; u <= high[0]; ++u )
            {
                rays->triangles[rays->starts[v * rays->side + u]++] = t;
            }
        }
    }
    memmove( rays->starts + 1, rays->starts, sizeof( int32_t ) * (size_t)fields );
    rays->starts[0] = 0;
}

supSkinRays supSortForRays(
    const supVec3* points, int32_t vertexCount, const int32_t* corners, int32_t triangleCount, int axis, void* scratch )
{
    supSkinRays rays = { .side = supMostSide, .axis = axis, .corners = corners };
    float low[2] = { 1e30f, 1e30f }, high[2] = { -1e30f, -1e30f };
    supLayRays( vertexCount, triangleCount, scratch, &rays );
    for ( int32_t v = 0; v < vertexCount; ++v )
    {
        rays.seen[v] = supSee( points[v], axis );
        for ( int i = 0; i < 2; ++i )
        {
            low[i] = supMinF( low[i], rays.seen[v].across[i] );
            high[i] = supMaxF( high[i], rays.seen[v].across[i] );
        }
    }
    bool fits = false;
    for ( ; !fits && rays.side >= 1; rays.side /= 2 )
    {
        for ( int i = 0; i < 2; ++i )
        {
            rays.low[i] = low[i];
            rays.scale[i] = high[i] > low[i] ? (float)rays.side / ( high[i] - low[i] ) : 0.0f;
        }
        fits = supCountFields( &rays, triangleCount ) <= supMostFields * (int64_t)triangleCount;
        if ( fits )
        {
            break;
        }
    }
    supFileFields( &rays, triangleCount );
    return rays;
}

/// Twice the area of (a, b, p), as seen: the very opposite for (b, a, p), so that no ray passes between two triangles.
static double supSeenTwice( supSeen a, supSeen b, supSeen p )
{
    double au = (double)a.across[0] - (double)p.across[0], av = (double)a.across[1] - (double)p.across[1];
    double bu = (double)b.across[0] - (double)p.across[0], bv = (double)b.across[1] - (double)p.across[1];
    return au * bv - av * bu;
}

int supSkinRays_Turns( const supSkinRays* rays, supVec3 place )
{
    supSeen p = supSee( place, rays->axis );
    int32_t field = supFieldAt( rays, 1, p.across[1] ) * rays->side + supFieldAt( rays, 0, p.across[0] );
    int turns = 0;
    for ( int32_t i = rays->starts[field]; i < rays->starts[field + 1]; ++i )
    {
        const int32_t* c = rays->corners + 3 * (size_t)rays->triangles[i];
        supSeen x = rays->seen[c[0]], y = rays->seen[c[1]], z = rays->seen[c[2]];
        if ( supMaxF( x.along, supMaxF( y.along, z.along ) ) <= p.along )
        {
            continue;
        }
        double a = supSeenTwice( y, z, p ), b = supSeenTwice( z, x, p ), d = supSeenTwice( x, y, p );
        bool out = a > 0.0 && b > 0.0 && d > 0.0, in = a < 0.0 && b < 0.0 && d < 0.0;
        if ( out || in )
        {
            double at = ( a * (double)x.along + b * (double)y.along + d * (double)z.along ) / ( a + b + d );
            turns += at > (double)p.along ? ( out ? 1 : -1 ) : 0;
        }
    }
    return turns;
}
