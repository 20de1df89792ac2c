// Flesh elements that keep their volume.
// SPDX-License-Identifier: MIT
//
// The bone is rigid, so the volume between skin and bone changes by exactly what the skin sweeps (region_volume.h).
// What was lost comes back along the smooth skin's normals n (the living skin's own would make walls of the steep
// flanks that a spring leaves at a border), in the shares b = a ( 1 - 3/4 a ), a = alpha^2 ( 3 - 2 alpha ): nothing at
// the border, most of it around the middle, which the spring has moved and which stays nearly where it is. Its slope is
// 0 at the border too; with alpha itself in place of a, a ridge stood there (the cat's belly, behind the fore leg). The
// volume of P + s b n is a cubic in s; its root nearest to zero is found by Newton's method.

#include "layers/volume/volume_keep.h"

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/moved_surface.h"
#include "layers/names_in_rig.h"
#include "layers/region_volume.h"

#include <string.h>

typedef struct supVolumeItem
{
    float volume;        ///< of the element at rest. m^3
    float thickness;     ///< of the element. Metres
    supSurface* surface; ///< around the element's vertices
    float* shares;       ///< b of surface->vertices
    int32_t* rows;       ///< of each corner of the triangles: its row of the surface, or -1
    size_t sharesSize, rowsSize;
} supVolumeItem;

typedef struct supVolumes
{
    int32_t count;
    supVolumeItem* items;
    int32_t touchedCount;
    int32_t* touched;
    size_t touchedSize, scratchSize, blockSize;
} supVolumes;

/// Weights of an element looked up for the surface's vertices, which may be more: vertices at a seam that it lacks.
static void supFillShares( supVolumeItem* item, const supElementView* element )
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

static bool supMakeVolumeItem( supVolumeItem* item, const supLayerContext* context, const supElementView* element )
{
    item->volume = element->volume;
    item->thickness = element->thickness;
    item->surface =
        supMakeSurface( context->character, element->vertices, element->vertexCount, false, context->allocator );
    if ( item->surface == NULL )
    {
        return false;
    }
    item->sharesSize = ( (size_t)item->surface->count + 1 ) * sizeof( float );
    item->rowsSize = ( 3 * (size_t)item->surface->triangleCount + 1 ) * sizeof( int32_t );
    item->shares = supAlloc( context->allocator, item->sharesSize, _Alignof( float ) );
    item->rows = supAlloc( context->allocator, item->rowsSize, _Alignof( int32_t ) );
    if ( item->shares == NULL || item->rows == NULL )
    {
        return false;
    }
    supFillShares( item, element );
    for ( int32_t i = 0; i < 3 * item->surface->triangleCount; ++i )
    {
        item->rows[i] = supRowOf( item->surface, item->surface->triangles[i] );
    }
    return true;
}

/// All vertices with a share, of all items, rising.
static bool supListVolumeVertices( supVolumes* volumes, const supLayerContext* context )
{
    size_t all = (size_t)supCharacter_VertexCount( context->character );
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

supResult supCompileVolumes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error )
{
    supLayout layout = supMakeLayout();
    SUP_LAYOUT_ARRAY( &layout, supVolumes, 1 );
    size_t atItems = SUP_LAYOUT_ARRAY( &layout, supVolumeItem, count );
    char* block = supAllocLayout( context->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "volumes: no memory" );
    }
    supVolumes* volumes = (supVolumes*)block;
    *volumes = ( supVolumes ){ .items = (supVolumeItem*)( block + atItems ), .blockSize = layout.size };
    supResult result = sup_success;
    for ( int32_t i = 0; i < count && result == sup_success; ++i )
    {
        const supVolumeDef* def = items[i];
        int32_t element = supFindElementNamed( context, def->element );
        char place[SUP_PLACE_TEXT];
        supPlaceText( place, "volumes[%d].element", i );
        if ( element < 0 )
        {
            result = supNoElement( context, place, def->element, error );
            break;
        }
        volumes->count = i + 1;
        bool fits = supMakeVolumeItem( volumes->items + i, context, context->elements + element );
        result = fits ? result : supFail( error, sup_errorMemory, "%s: no memory", place );
        size_t bytes = fits ? supSurface_ScratchSize( volumes->items[i].surface ) +
                                  sizeof( supVec3 ) * (size_t)volumes->items[i].surface->count
                            : 0;
        volumes->scratchSize = bytes > volumes->scratchSize ? bytes : volumes->scratchSize;
    }
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

void supDestroyVolumes( void* compiled, const supAllocator* allocator )
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

int32_t supVolumesTouched( const void* compiled, const int32_t** vertices )
{
    *vertices = ( (const supVolumes*)compiled )->touched;
    return ( (const supVolumes*)compiled )->touchedCount;
}

size_t supVolumesScratch( const void* compiled )
{
    return ( (const supVolumes*)compiled )->scratchSize;
}

int32_t supVolumesRegion( const void* compiled, int32_t item, const int32_t** corners, float* volume )
{
    const supVolumeItem* own = ( (const supVolumes*)compiled )->items + item;
    *corners = own->surface->triangles;
    *volume = own->volume;
    return own->surface->triangleCount;
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

/// Adds to k[1..3] what the cone over one triangle gains with s, s^2 and s^3 where its corners rise along n.
static void supAddCubic( supVec3d middle, const supVec3d p[3], const supVec3d n[3], double k[4] )
{
    supVec3d a = supSubD( p[0], middle ), b = supSubD( p[1], middle ), c = supSubD( p[2], middle );
    k[1] += ( supDotD( n[0], supCrossD( b, c ) ) + supDotD( n[1], supCrossD( c, a ) ) +
                supDotD( n[2], supCrossD( a, b ) ) ) /
            6.0;
    k[2] += ( supDotD( a, supCrossD( n[1], n[2] ) ) + supDotD( b, supCrossD( n[2], n[0] ) ) +
                supDotD( c, supCrossD( n[0], n[1] ) ) ) /
            6.0;
    k[3] += supDotD( n[0], supCrossD( n[1], n[2] ) ) / 6.0;
}

/// The root of k0 + k1 s + k2 s^2 + k3 s^3 nearest to zero, within +-most.
static double supRootOf( const double k[4], double most )
{
    double s = 0.0;
    for ( int i = 0; i < 8; ++i )
    {
        double value = k[0] + s * ( k[1] + s * ( k[2] + s * k[3] ) ),
               slope = k[1] + s * ( 2.0 * k[2] + s * 3.0 * k[3] );
        s = slope != 0.0 ? supClamp( s - value / slope, -most, most ) : s;
    }
    return s;
}

static void supKeepVolume( const supVolumeItem* item, const supLayerFrame* frame, float amount, supVec3* positions )
{
    const supSurface* surface = item->surface;
    double change = supVolumeChange( surface->triangles, surface->triangleCount, frame->smooth, positions );
    if ( change == 0.0 || !( amount > 0.0f ) )
    {
        return;
    }
    supVec3* faces = frame->scratch;
    supVec3* normals = faces + surface->triangleCount;
    supSurface_Normals( surface, frame->smooth, faces, normals );
    supVec3d middle = { 0.0, 0.0, 0.0 };
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        normals[row] = supScale( supNormalize( normals[row] ), item->shares[row] );
        middle = supMulAddD( middle, 1.0 / surface->count, supToDouble( positions[surface->vertices[row]] ) );
    }
    double k[4] = { change, 0.0, 0.0, 0.0 };
    for ( int32_t t = 0; t < surface->triangleCount; ++t )
    {
        supVec3d p[3], n[3];
        for ( int c = 0; c < 3; ++c )
        {
            int32_t row = item->rows[3 * (size_t)t + (size_t)c];
            p[c] = supToDouble( positions[surface->triangles[3 * (size_t)t + (size_t)c]] );
            n[c] = row >= 0 ? supToDouble( normals[row] ) : ( supVec3d ){ 0.0, 0.0, 0.0 };
        }
        supAddCubic( middle, p, n, k );
    }
    float s = amount * (float)supRootOf( k, 2.0 * (double)item->thickness );
    for ( int32_t row = 0; row < surface->count; ++row )
    {
        supVec3* p = positions + surface->vertices[row];
        *p = item->shares[row] > 0.0f ? supMulAdd( *p, s, normals[row] ) : *p;
    }
}

void supApplyVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supVolumes* volumes = compiled;
    // neighbours that overlap move one another's skin: a few rounds
    for ( int32_t i = 0; i < ( volumes->count > 1 ? 3 : 1 ) * volumes->count; ++i )
    {
        supKeepVolume( volumes->items + i % volumes->count, frame, frame->live[i % volumes->count], positions );
    }
}

/// Where the volume goes: points on the skin, the larger the more of it.
void supDrawVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
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
