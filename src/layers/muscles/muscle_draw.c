// Pictures of muscles.
// SPDX-License-Identifier: MIT

#include "layers/muscles/muscles.h"

#include "base/math.h"
#include "layers/muscles/line_setup.h"

#include <string.h>

static const supColor sup_tendonColor = { 0.85f, 0.8f, 0.6f, 1.0f };

/// Triangles on their way to the host, a handful at a time.
typedef struct supTriangleBatch
{
    const supDraw* draw;
    supColor color;
    int32_t count;
    supDrawCorner corners[3 * 64];
} supTriangleBatch;

static void supBatch_End( supTriangleBatch* batch )
{
    if ( batch->count > 0 )
    {
        batch->draw->triangles( batch->corners, batch->count, batch->draw->user );
    }
    batch->count = 0;
}

static void supBatch_Add( supTriangleBatch* batch, supDrawCorner a, supDrawCorner b, supDrawCorner c )
{
    if ( batch->count == 64 )
    {
        supBatch_End( batch );
    }
    supDrawCorner* corners = batch->corners + 3 * batch->count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

static supColor supMixColor( supColor a, supColor b, float share )
{
    return ( supColor ){ a.r + share * ( b.r - a.r ), a.g + share * ( b.g - a.g ), a.b + share * ( b.b - a.b ), a.a };
}

/// How much of a line's vertex is tendon: of the segments on both sides of it.
static float supTendonAt( const supLineVertex* line, int32_t count, int32_t i )
{
    float before = i > 0 ? line[i - 1].tendon : line[i].tendon, after = i + 1 < count ? line[i].tendon : before;
    return 0.5f * ( before + after );
}

/// The ring of vertex `i` of a strand, with normals across its neighbours: it looks as round as it is meant.
static void supRingCorners(
    const supStrandVertex* strand, int32_t count, int32_t i, supColor color, supDrawCorner corners[sup_ringSides] )
{
    supVec3 before[sup_ringSides], ring[sup_ringSides], after[sup_ringSides];
    supStrandRing( strand + ( i > 0 ? i - 1 : i ), before );
    supStrandRing( strand + i, ring );
    supStrandRing( strand + ( i + 1 < count ? i + 1 : i ), after );
    for ( int32_t k = 0; k < sup_ringSides; ++k )
    {
        int32_t next = ( k + 1 ) % sup_ringSides, last = ( k + sup_ringSides - 1 ) % sup_ringSides;
        supVec3 around = supSub( ring[next], ring[last] ), along = supSub( after[k], before[k] );
        corners[k] = ( supDrawCorner ){ ring[k], supCross( around, along ), color };
    }
}

/// `line`: its action line's vertices, which say where tendons are.
static void supBatch_Strand(
    supTriangleBatch* batch, const supStrandVertex* strand, const supLineVertex* line, int32_t count )
{
    supDrawCorner rings[2][sup_ringSides];
    for ( int32_t i = 0; i < count; ++i )
    {
        supDrawCorner *ring = rings[i % 2], *before = rings[( i + 1 ) % 2];
        supColor color = supMixColor( batch->color, sup_tendonColor, supTendonAt( line, count, i ) );
        supDrawCorner end = { strand[i].at, supVec3_zero, color };
        supRingCorners( strand, count, i, color, ring );
        for ( int32_t k = 0; k < sup_ringSides; ++k )
        {
            int32_t next = ( k + 1 ) % sup_ringSides;
            if ( i > 0 )
            {
                supBatch_Add( batch, before[k], before[next], ring[next] );
                supBatch_Add( batch, before[k], ring[next], ring[k] );
            }
            supDrawCorner rim = { ring[k].at, supVec3_zero, color }, nextRim = { ring[next].at, supVec3_zero, color };
            if ( i == 0 )
            {
                supBatch_Add( batch, nextRim, rim, end );
            }
            if ( i + 1 == count )
            {
                supBatch_Add( batch, rim, nextRim, end );
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
            supDrawCorner c[3];
            for ( int k = 0; k < 3; ++k )
            {
                c[k] = ( supDrawCorner ){ supHungVertex( hangs + corners[3 * t + k], strands ), supVec3_zero,
                    batch.color };
            }
            supBatch_Add( &batch, c[0], c[1], c[2] );
        }
        for ( int32_t k = 0; k < muscle->strandCount && muscle->triangleCount == 0; ++k )
        {
            supBatch_Strand( &batch, strands + (size_t)k * (size_t)muscle->vertexCount,
                muscles->vertices + muscle->firstVertex, muscle->vertexCount );
        }
        supBatch_End( &batch );
    }
}

/// Bound vertices are dark and large, free ones light; tendons are pale.
static void supDrawLines( const supMuscles* muscles, const supMuscleFrame* now, const float* live, const supDraw* draw )
{
    const supColor belly = { 0.75f, 0.1f, 0.08f, 1.0f };
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
                draw->line(
                    now->line[i], now->line[i + 1], vertex->tendon > 0.5f ? sup_tendonColor : belly, 2.5f, draw->user );
            }
            if ( draw->point != NULL )
            {
                bool isFree = supIsFreeNow( muscle, vertex, live + muscle->liveAt );
                draw->point( now->line[i], isFree ? free : bound, isFree ? 5.0f : 8.0f, draw->user );
            }
        }
    }
}

/// Circles of latitude and longitude; green where it attracts, red where it repels, grey where it only fills or keeps
/// out.
static void supDrawField( float pull, supMat34 placed, const supDraw* draw )
{
    const supColor color = pull > 0.0f   ? ( supColor ){ 0.1f, 0.6f, 0.2f, 1.0f }
                           : pull < 0.0f ? ( supColor ){ 0.8f, 0.1f, 0.1f, 1.0f }
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
        supDrawLines( muscles, &now, frame->live, draw );
    }
    else if ( strcmp( what, "fields" ) == 0 && draw->line != NULL )
    {
        for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
        {
            float pull = frame->live[muscles->ellipsoids[e].liveAt + sup_muscleFieldPull];
            supDrawField( pull, now.ellipsoids[e], draw );
        }
    }
}
