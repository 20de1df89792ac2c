// Flesh elements that keep their volume.
// SPDX-License-Identifier: MIT
//
// The bone is rigid, so the volume between skin and bone changes by exactly what the skin sweeps (supSweptCubic). On
// skin that several elements lie on, each owns the part of the sweep that its weight alpha is of all elements' there:
// the parts sum to what the whole body gains or loses. What was lost comes back along the smooth skin's normals n (the
// living skin's own would make walls of the steep flanks that a spring leaves at a border), in the shares b = a ( 1 -
// 3/4 a ), a = alpha^2 ( 3 - 2 alpha ): nothing at the border, most of it around the middle, which the spring has moved
// and which stays nearly where it is. Its slope is 0 at the border too; with alpha itself in place of a, a ridge stood
// there (the cat's belly, behind the fore leg). The volume of P + s b n is a cubic in s; its root is found by
// Newton's method, from zero on. Neighbours that overlap move one another's skin: a few rounds.
#include "layers/volume/volume.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/math_double.h"
#include "base/memory.h"
#include "layers/layer.h"
#include "layers/moved_surface.h"
#include "supple/lab/drawing.h"

#include <stddef.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// How much volume moving skin sweeps

/// A triangle of skin on its way. Metres
typedef struct supSweptTriangle
{
    supVec3d smooth[3]; ///< where it comes from
    supVec3d way[3];    ///< how far its corners have gone
    supVec3d more[3];   ///< a direction that they may go further in: way + s more
    double part[3];     ///< of each corner's way that counts, 0 to 1
} supSweptTriangle;

/// Adds what it sweeps to k[0] + k[1] s + k[2] s^2 + k[3] s^3. m^3
//
// While the corners of a triangle go from a to a + d on straight ways, it sweeps the integral over time of the mean of
// d over its area, times its normal. A triangle is flat and d linear on it, so the mean is ( d0 + d1 + d2 ) / 3 at
// every time, and with the edges E at first and D for what they change by
//
//     swept = ( d0 + d1 + d2 ) / 3 . G,    G = 1/2 ( E1 x E2 + 1/2 ( E1 x D2 + D1 x E2 ) + 1/3 D1 x D2 )
//
// This knows of no point to look from, and summed over a closed surface it is the change of its volume exactly. It is
// linear in d beside G, so where flesh of several elements lies on one vertex, its part can be shared out among them
// and the parts still sum to the whole.
static void supSweptCubic( const supSweptTriangle* t, double k[4] )
{
    supVec3d e1 = supSubD( t->smooth[1], t->smooth[0] ), e2 = supSubD( t->smooth[2], t->smooth[0] );
    supVec3d d1 = supSubD( t->way[1], t->way[0] ), d2 = supSubD( t->way[2], t->way[0] );
    supVec3d m1 = supSubD( t->more[1], t->more[0] ), m2 = supSubD( t->more[2], t->more[0] );
    supVec3d g0 = supCrossD( e1, e2 );
    g0 = supMulAddD( g0, 0.5, supAddD( supCrossD( e1, d2 ), supCrossD( d1, e2 ) ) );
    g0 = supMulAddD( g0, 1.0 / 3.0, supCrossD( d1, d2 ) );
    supVec3d g1 = supScaleD( supAddD( supCrossD( e1, m2 ), supCrossD( m1, e2 ) ), 0.5 );
    g1 = supMulAddD( g1, 1.0 / 3.0, supAddD( supCrossD( d1, m2 ), supCrossD( m1, d2 ) ) );
    supVec3d g2 = supScaleD( supCrossD( m1, m2 ), 1.0 / 3.0 );
    supVec3d h0 = { 0.0, 0.0, 0.0 }, h1 = { 0.0, 0.0, 0.0 };
    for ( int c = 0; c < 3; ++c )
    {
        h0 = supMulAddD( h0, t->part[c] / 6.0, t->way[c] );
        h1 = supMulAddD( h1, t->part[c] / 6.0, t->more[c] );
    }
    k[0] += supDotD( h0, g0 );
    k[1] += supDotD( h1, g0 ) + supDotD( h0, g1 );
    k[2] += supDotD( h1, g1 ) + supDotD( h0, g2 );
    k[3] += supDotD( h1, g2 );
}

// ---------------------------------------------------------------------------------------------------------------
// The layer

typedef struct supVolumeItem
{
    float volume;        ///< of the element at rest. m^3
    float thickness;     ///< of the element. Metres
    supSurface* surface; ///< around the element's vertices
    float* shares;       ///< b of surface->vertices
    float* parts;        ///< of what those sweep: the element's own, 0 to 1
    int32_t* rows;       ///< of each corner of the triangles: its row of the surface, or -1
    size_t sharesSize, rowsSize;
} supVolumeItem;

enum
{
    supVolumeRounds = 3
};

typedef struct supVolumes
{
    int32_t count;
    supVolumeItem* items;
    int32_t touchedCount;
    int32_t* touched;
    size_t touchedSize, scratchSize, blockSize;
} supVolumes;

/// Weights of all elements together, of each of the character's vertices.
static void supSumAlphas( const supLayerContext* context, float* sums )
{
    for ( int32_t e = 0; e < context->elementCount; ++e )
    {
        const supElementView* element = context->elements + e;
        for ( int32_t i = 0; i < element->vertexCount; ++i )
        {
            sums[element->vertices[i]] += element->weights[i];
        }
    }
}

/// Weights of an element looked up for the surface's vertices, which may be more: vertices at a seam that it lacks.
static void supFillShares( supVolumeItem* item, const supElementView* element, const float* sums )
{
    int32_t at = 0;
    for ( int32_t row = 0; row < item->surface->count; ++row )
    {
        int32_t vertex = item->surface->vertices[row];
        while ( at < element->vertexCount && element->vertices[at] < vertex )
        {
            ++at;
        }
        float alpha = at < element->vertexCount && element->vertices[at] == vertex ? element->weights[at] : 0.0f;
        float a = alpha * alpha * ( 3.0f - 2.0f * alpha );
        item->shares[row] = a * ( 1.0f - 0.75f * a );
        item->parts[row] = alpha > 0.0f ? alpha / sums[vertex] : 0.0f;
    }
}

static int32_t supRowOf( const supSurface* surface, int32_t vertex )
{
    int32_t low = 0, high = surface->count;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        bool before = surface->vertices[middle] < vertex;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < surface->count && surface->vertices[low] == vertex ? low : -1;
}

static bool supMakeVolumeItem(
    supVolumeItem* item, const supLayerContext* context, const supElementView* element, const float* sums )
{
    item->volume = element->volume;
    item->thickness = element->thickness;
    item->surface =
        supMakeSurface( context->character, element->vertices, element->vertexCount, false, context->allocator );
    if ( item->surface == NULL )
    {
        return false;
    }
    item->sharesSize = 2 * ( (size_t)item->surface->count + 1 ) * sizeof( float );
    item->rowsSize = ( 3 * (size_t)item->surface->triangleCount + 1 ) * sizeof( int32_t );
    item->shares = supAlloc( context->allocator, item->sharesSize, _Alignof( float ) );
    item->rows = supAlloc( context->allocator, item->rowsSize, _Alignof( int32_t ) );
    if ( item->shares == NULL || item->rows == NULL )
    {
        return false;
    }
    item->parts = item->shares + item->surface->count;
    supFillShares( item, element, sums );
    for ( int32_t i = 0; i < 3 * item->surface->triangleCount; ++i )
    {
        item->rows[i] = supRowOf( item->surface, item->surface->triangles[i] );
    }
    return true;
}

/// All vertices with a share, of all items, rising.
static bool supListVolumeVertices( supVolumes* volumes, const supLayerContext* context )
{
    size_t all = (size_t)supCharacter_Info( context->character )->vertexCount;
    uint8_t* marks = supAllocZeroed( context->allocator, all + 1, 1, 1 );
    for ( int32_t i = 0; marks != NULL && i < volumes->count; ++i )
    {
        const supVolumeItem* item = volumes->items + i;
        for ( int32_t row = 0; row < item->surface->count; ++row )
        {
            uint8_t* mark = marks + item->surface->vertices[row];
            volumes->touchedCount += *mark == 0 && item->shares[row] > 0.0f;
            *mark = *mark != 0 || item->shares[row] > 0.0f;
        }
    }
    volumes->touchedSize = ( (size_t)volumes->touchedCount + 1 ) * sizeof( int32_t );
    volumes->touched = marks != NULL ? supAlloc( context->allocator, volumes->touchedSize, _Alignof( int32_t ) ) : NULL;
    int32_t at = 0;
    for ( size_t v = 0; volumes->touched != NULL && v < all; ++v )
    {
        if ( marks[v] != 0 )
        {
            volumes->touched[at++] = (int32_t)v;
        }
    }
    supFree( context->allocator, marks, all + 1 );
    return volumes->touched != NULL;
}

/// Finds the elements of all items and what they keep.
static supResult supMakeVolumeItems(
    supVolumes* volumes, const supLayerContext* context, const void* const* items, int32_t count, supError* error )
{
    size_t bytes = ( (size_t)supCharacter_Info( context->character )->vertexCount + 1 ) * sizeof( float );
    float* sums = supAllocZeroed( context->allocator, bytes, 1, _Alignof( float ) );
    supResult result = sums != NULL ? sup_success : supFail( error, sup_errorMemory, "volumes: no memory" );
    if ( sums != NULL )
    {
        supSumAlphas( context, sums );
    }
    size_t faces = 0;
    volumes->scratchSize = sizeof( double ) * (size_t)count;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        const supVolumeDef* def = items[i];
        int32_t element = supFindElementNamed( context, def->element );
        char place[SUP_PATH_TEXT];
        supPathText( place, "volumes[%d].element", i );
        if ( element < 0 )
        {
            result = supNoElement( context, place, def->element, error );
            break;
        }
        supVolumeItem* item = volumes->items + i;
        volumes->count = i + 1;
        if ( !supMakeVolumeItem( item, context, context->elements + element, sums ) )
        {
            result = supFail( error, sup_errorMemory, "%s: no memory", place );
            break;
        }
        size_t own = supSurface_ScratchSize( item->surface );
        faces = own > faces ? own : faces;
        volumes->scratchSize += sizeof( supVec3 ) * (size_t)item->surface->count;
    }
    volumes->scratchSize += faces;
    supFree( context->allocator, sums, bytes );
    return result;
}

static void supDestroyVolumes( void* compiled, const supAllocator* allocator )
{
    supVolumes* volumes = compiled;
    for ( int32_t i = 0; i < volumes->count; ++i )
    {
        supVolumeItem* item = volumes->items + i;
        supFree( allocator, item->shares, item->sharesSize );
        supFree( allocator, item->rows, item->rowsSize );
        supFree( allocator, item->surface, item->surface != NULL ? item->surface->blockSize : 0 );
    }
    supFree( allocator, volumes->touched, volumes->touchedSize );
    supFree( allocator, volumes, volumes->blockSize );
}

static supResult supCompileVolumes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supVolumes, volumes, 1 );
    SUP_PUT_NEW( &layout, supVolumeItem, itemsRoom, count );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "volumes: no memory" );
    }
    *volumes = ( supVolumes ){ .items = itemsRoom, .blockSize = layout.size };
    supResult result = supMakeVolumeItems( volumes, context, items, count, error );
    if ( result == sup_success && !supListVolumeVertices( volumes, context ) )
    {
        result = supFail( error, sup_errorMemory, "volumes: no memory" );
    }
    *out = volumes;
    if ( result != sup_success )
    {
        supDestroyVolumes( volumes, context->allocator );
        *out = NULL;
    }
    return result;
}

static int32_t supVolumesTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supVolumes*)compiled )->touched;
    return ( (const supVolumes*)compiled )->touchedCount;
}

static size_t supVolumesScratch( const void* compiled )
{
    return ( (const supVolumes*)compiled )->scratchSize;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// What the element's part of the skin sweeps from smooth to living as its vertices rise by s along `rises` (NULL: they
/// stay): k[0] + k[1] s + k[2] s^2 + k[3] s^3. m^3
static void supSweepOf(
    const supVolumeItem* item, const supVec3* smooth, const supVec3* living, const supVec3* rises, double k[4] )
{
    const supSurface* surface = item->surface;
    k[0] = k[1] = k[2] = k[3] = 0.0;
    for ( size_t i = 0; i < 3 * (size_t)surface->triangleCount; i += 3 )
    {
        supSweptTriangle t = { 0 };
        for ( size_t c = 0; c < 3; ++c )
        {
            int32_t vertex = surface->triangles[i + c], row = item->rows[i + c];
            t.smooth[c] = supToDouble( smooth[vertex] );
            t.way[c] = supSubD( supToDouble( living[vertex] ), t.smooth[c] );
            t.part[c] = row >= 0 ? (double)item->parts[row] : 0.0;
            t.more[c] = row >= 0 && rises != NULL ? supToDouble( rises[row] ) : t.more[c];
        }
        supSweptCubic( &t, k );
    }
}

double supVolumes_Change(
    const void* compiled, int32_t item, const supVec3* smooth, const supVec3* living, float* volume )
{
    const supVolumeItem* own = ( (const supVolumes*)compiled )->items + item;
    double k[4];
    supSweepOf( own, smooth, living, NULL, k );
    *volume = own->volume;
    return k[0];
}

/// The root of k0 + k1 s + k2 s^2 + k3 s^3 that Newton's method finds from zero, within +-most; 0 where it finds none
/// that is better.
static double supRootOf( const double k[4], double most )
{
    double s = 0.0;
    for ( int i = 0; i < 8; ++i )
    {
        double value = k[0] + s * ( k[1] + s * ( k[2] + s * k[3] ) ),
               slope = k[1] + s * ( 2.0 * k[2] + s * 3.0 * k[3] );
        s = slope != 0.0 ? supClamp( s - value / slope, -most, most ) : s;
    }
    double left = k[0] + s * ( k[1] + s * ( k[2] + s * k[3] ) );
    return supAbs( left ) < supAbs( k[0] ) ? s : 0.0;
}

/// Moves the element's skin along `rises` until it has swept `left`. m^3
static void supKeepVolume(
    const supVolumeItem* item, const supVec3* smooth, const supVec3* rises, double left, supVec3* positions )
{
    double k[4];
    supSweepOf( item, smooth, positions, rises, k );
    k[0] -= left;
    if ( k[0] == 0.0 )
    {
        return;
    }
    float s = (float)supRootOf( k, 2.0 * (double)item->thickness );
    for ( int32_t row = 0; row < item->surface->count; ++row )
    {
        supVec3* p = positions + item->surface->vertices[row];
        *p = item->shares[row] > 0.0f ? supMulAdd( *p, s, rises[row] ) : *p;
    }
}

/// Normals of the smooth skin, as long as the shares.
static void supRisesOf( const supVolumeItem* item, const supVec3* smooth, supVec3* faces, supVec3* rises )
{
    supSurface_Normals( item->surface, smooth, faces, rises );
    for ( int32_t row = 0; row < item->surface->count; ++row )
    {
        rises[row] = supScale( supNormalize( rises[row] ), item->shares[row] );
    }
}

static void supApplyVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supVolumes* volumes = compiled;
    double* left = frame->scratch; // what each is to gain or lose all the same
    supVec3* rises = (supVec3*)( left + volumes->count );
    supVec3* faces = rises;
    for ( int32_t i = 0; i < volumes->count; ++i )
    {
        faces += volumes->items[i].surface->count;
    }
    supVec3* at = rises;
    for ( int32_t i = 0; i < volumes->count; at += volumes->items[i++].surface->count )
    {
        float volume, amount = frame->live[i];
        left[i] = amount < 1.0f
                      ? ( 1.0 - (double)amount ) * supVolumes_Change( volumes, i, frame->smooth, positions, &volume )
                      : 0.0;
        supRisesOf( volumes->items + i, frame->smooth, faces, at );
    }
    for ( int round = 0; round < ( volumes->count > 1 ? supVolumeRounds : 1 ); ++round )
    {
        at = rises;
        for ( int32_t i = 0; i < volumes->count; at += volumes->items[i++].surface->count )
        {
            if ( frame->live[i] > 0.0f )
            {
                supKeepVolume( volumes->items + i, frame->smooth, at, left[i], positions );
            }
        }
    }
}

/// Where the volume goes: points on the skin, the larger the more of it.
static void supDrawVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown, (void)what, (void)frame;
    const supVolumes* volumes = compiled;
    for ( int32_t i = 0; draw->point != NULL && i < volumes->count; ++i )
    {
        const supVolumeItem* item = volumes->items + i;
        for ( int32_t row = 0; row < item->surface->count; ++row )
        {
            if ( item->shares[row] > 0.02f )
            {
                draw->point( positions[item->surface->vertices[row]], supDraw_Distinct( i ),
                    2.0f + 12.0f * item->shares[row], draw->user );
            }
        }
    }
}

#define SUP_FIELD( member, type, unit ) SUP_FIELD_OF( supVolumeDef, member, type, unit )

static const supField sup_volumeFields[] = {
    { SUP_FIELD( name, sup_fieldName, "" ),
        .words = "What you call it; no two may have the same. Not given: the element's name." },
    { SUP_FIELD( element, sup_fieldName, "element" ), .required = true,
        .words = "The flesh element that keeps its volume." },
    { SUP_FIELD( amount, sup_fieldFloat, "" ), .maximum = 1.0f, .fallback = 1.0f, .live = true,
        .words = "How much of what it would gain or lose is made up for: 0 nothing, 1 all of it." },
};

supVolumeDef supDefaultVolumeDef( void )
{
    supVolumeDef def = { 0 };
    supFillDefaults( sup_volumeFields, SUP_COUNT( sup_volumeFields ), &def );
    return def;
}

static void supCompleteVolume( void* item )
{
    supVolumeDef* def = item;
    def->name = def->name != NULL ? def->name : def->element;
}

static const char* const sup_volumePictures[] = { "volume", NULL };

static const supLayerPictures sup_volumeDrawing = {
    .names = sup_volumePictures,
    .draw = supDrawVolumes,
};

const supLayer sup_volumeLayer = {
    .info = { .name = "volume",
        .key = "volumes",
        .words = "Flesh elements that keep their volume: what is squeezed in one place bulges in another.",
        .itemSize = sizeof( supVolumeDef ),
        .fieldCount = SUP_COUNT( sup_volumeFields ),
        .fields = sup_volumeFields },
    .nameOffset = offsetof( supVolumeDef, name ),
    .complete = supCompleteVolume,
    .ignores = sup_ignoresMoved | sup_ignoresEarlier,
    .compile = supCompileVolumes,
    .destroy = supDestroyVolumes,
    .touched = supVolumesTouched,
    .wantsSmooth = true,
    .scratchSize = supVolumesScratch,
    .apply = supApplyVolumes,
    .pictures = &sup_volumeDrawing,
};
