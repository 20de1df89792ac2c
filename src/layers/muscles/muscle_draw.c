// Pictures of muscles.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscle_draw.h"

#include "base/math.h"
#include "layers/muscles/muscle_mesh.h"

#include <string.h>

/// Triangles on their way to the host, a handful at a time.
typedef struct supTriangleBatch
{
    const supDraw* draw;
    supColor color;
    int32_t count;
    supVec3 corners[3 * 64];
} supTriangleBatch;

static void supBatch_End( supTriangleBatch* batch )
{
    if ( batch->count > 0 )
    {
        batch->draw->triangles( batch->corners, batch->count, batch->color, batch->draw->user );
    }
    batch->count = 0;
}

static void supBatch_Add( supTriangleBatch* batch, supVec3 a, supVec3 b, supVec3 c )
{
    if ( batch->count == 64 )
    {
        supBatch_End( batch );
    }
    supVec3* corners = batch->corners + 3 * batch->count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static void supBatch_Strand( supTriangleBatch* batch, const supStrandVertex* strand, int32_t count )
{
    supVec3 rings[2][sup_ringSides];
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 *ring = rings[i % 2], *before = rings[( i + 1 ) % 2];
        supStrandRing( strand + i, ring );
        for ( int32_t k = 0; k < sup_ringSides; ++k )
        {
            int32_t next = ( k + 1 ) % sup_ringSides;
            if ( i > 0 )
            {
                supBatch_Add( batch, before[k], before[next], ring[next] );
                supBatch_Add( batch, before[k], ring[next], ring[k] );
            }
            if ( i == 0 )
            {
                supBatch_Add( batch, ring[next], ring[k], strand[i].at );
            }
            if ( i + 1 == count )
            {
                supBatch_Add( batch, ring[k], ring[next], strand[i].at );
            }
        }
    }
}

/// Flesh red, a little different from one muscle to the next; brighter where it contracts.
static supColor supMuscleColor( int32_t muscle, float contraction )
{
    static const float shades[5] = { 0.0f, 0.06f, -0.05f, 0.1f, -0.02f };
    float shade = shades[muscle % 5];
    return ( supColor ){ 0.46f + shade + 0.25f * contraction, 0.09f + 0.5f * shade, 0.07f + 0.4f * shade, 1.0f };
}

static void supDrawForms( const supMuscles* muscles, const supMuscleFrame* now, const supDraw* draw )
{
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        supTriangleBatch batch = { .draw = draw, .color = supMuscleColor( m, now->contractions[m] ) };
        const supStrandVertex* strands = now->strands + muscle->firstStrandVertex;
        const supMeshHang* hangs = muscles->hangs + muscle->firstHang;
        const int32_t* corners = muscles->corners + muscle->firstCorner;
        for ( int32_t t = 0; t < muscle->triangleCount; ++t )
        {
            supBatch_Add( &batch, supHungVertex( hangs + corners[3 * t], strands ),
                supHungVertex( hangs + corners[3 * t + 1], strands ),
                supHungVertex( hangs + corners[3 * t + 2], strands ) );
        }
        for ( int32_t k = 0; k < muscle->strandCount && muscle->triangleCount == 0; ++k )
        {
            supBatch_Strand( &batch, strands + (size_t)k * (size_t)muscle->vertexCount, muscle->vertexCount );
        }
        supBatch_End( &batch );
    }
}

/// Bound vertices are dark and large, free ones light; tendons are pale.
static void supDrawLines( const supMuscles* muscles, const supMuscleFrame* now, const supDraw* draw )
{
    const supColor tendon = { 0.85f, 0.8f, 0.6f, 1.0f }, belly = { 0.75f, 0.1f, 0.08f, 1.0f };
    const supColor bound = { 0.02f, 0.02f, 0.02f, 1.0f }, free = { 1.0f, 0.75f, 0.1f, 1.0f };
    for ( int32_t m = 0; m < muscles->count; ++m )
    {
        const supMuscle* muscle = muscles->muscles + m;
        for ( int32_t i = muscle->firstVertex; i < muscle->firstVertex + muscle->vertexCount; ++i )
        {
            const supLineVertex* vertex = muscles->vertices + i;
            bool last = i + 1 == muscle->firstVertex + muscle->vertexCount;
            if ( !last && draw->line != NULL )
            {
                draw->line( now->line[i], now->line[i + 1], vertex->tendon > 0.5f ? tendon : belly, 2.5f, draw->user );
            }
            if ( draw->point != NULL )
            {
                draw->point( now->line[i], vertex->free ? free : bound, vertex->free ? 5.0f : 8.0f, draw->user );
            }
        }
    }
}

/// Circles of latitude and longitude; green where it attracts, red where it repels, grey where it only fills or keeps
/// out.
static void supDrawField( const supEllipsoid* ellipsoid, supMat34 placed, const supDraw* draw )
{
    const supColor color = ellipsoid->pull > 0.0f   ? ( supColor ){ 0.1f, 0.6f, 0.2f, 1.0f }
                           : ellipsoid->pull < 0.0f ? ( supColor ){ 0.8f, 0.1f, 0.1f, 1.0f }
                                                    : ( supColor ){ 0.35f, 0.4f, 0.5f, 1.0f };
    enum
    {
        supSides = 32,
        supCircles = 9, ///< three about each axis
    };
    for ( int32_t c = 0; c < supCircles; ++c )
    {
        double height = 0.6 * ( c % 3 - 1 ), radius = supSqrt( 1.0 - height * height );
        supVec3 before = supVec3_zero;
        for ( int32_t i = 0; i <= supSides; ++i )
        {
            double sine, cosine;
            supSinCos( 2.0 * SUP_PI * i / supSides, &sine, &cosine );
            float a = (float)( radius * cosine ), b = (float)( radius * sine ), h = (float)height;
            supVec3 unit = c / 3 == 0   ? supMakeVec3( a, b, h )
                           : c / 3 == 1 ? supMakeVec3( b, h, a )
                                        : supMakeVec3( h, a, b );
            supVec3 at = supTransformPoint( placed, unit );
            if ( i > 0 )
            {
                draw->line( before, at, color, 1.0f, draw->user );
            }
            before = at;
        }
    }
}

void supDrawMuscles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)positions;
    const supMuscles* muscles = compiled;
    supMuscleFrame now;
    supMuscleFrame_Place( &now, muscles, frame->scratch );
    supMuscleFrame_Pose( &now, muscles, frame->joints, frame->live, shown );
    if ( strcmp( what, "muscles" ) == 0 && draw->triangles != NULL )
    {
        supDrawForms( muscles, &now, draw );
    }
    else if ( strcmp( what, "lines" ) == 0 )
    {
        supDrawLines( muscles, &now, draw );
    }
    else if ( strcmp( what, "fields" ) == 0 && draw->line != NULL )
    {
        for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
        {
            supDrawField( muscles->ellipsoids + e, now.ellipsoids[e], draw );
        }
    }
}
