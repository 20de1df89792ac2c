// The living skin as linear blend skinning: which motions there are, and which helper joints carry them.
// SPDX-License-Identifier: MIT

#include "rig/skin_motions.h"

#include "base/math.h"
#include "base/memory.h"

#include <string.h>

/// What rounding may leave of an element's weight that layers have taken over.
static const float supLeastLeft = 1e-6f;

/// Layers that helper joints can hold.
static bool supHoldsMotions( const supStackLayer* entry )
{
    return entry->layer->helpers != NULL;
}

static int32_t supCountLayerMotions( const supStack* stack )
{
    int32_t count = 0;
    for ( int32_t i = 0; i < stack->count; ++i )
    {
        count += supHoldsMotions( stack->layers + i )
                     ? stack->layers[i].layer->helpers->count( stack->layers[i].compiled )
                     : 0;
    }
    return count;
}

/// Motion `motion` as its layer has it; false: it is an element's own.
static bool supFindLayerMotion(
    const supSkinMotions* motions, const supStack* stack, int32_t motion, supMotionView* out )
{
    int32_t first = motions->elementCount;
    for ( int32_t i = 0; i < stack->count && motion >= first; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        int32_t count = supHoldsMotions( entry ) ? entry->layer->helpers->count( entry->compiled ) : 0;
        if ( motion < first + count )
        {
            *out = entry->layer->helpers->view( entry->compiled, motion - first );
            return true;
        }
        first += count;
    }
    return false;
}

const char* supSkinMotions_Name( const supSkinMotions* motions, const supStack* stack, int32_t motion )
{
    supMotionView view;
    return supFindLayerMotion( motions, stack, motion, &view ) ? view.name : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// By vertex

/// The row of a vertex that carries offsets, or -1.
static int32_t supRowOf( const supSkinOffsets* offsets, int32_t vertex )
{
    int32_t row = supSkinOffsets_FirstRow( offsets, vertex );
    return row < offsets->touchedCount && offsets->touched[row] == vertex ? row : -1;
}

/// How many touches each row has, at firsts[row + 1].
static void supCountTouches(
    const supSkinOffsets* offsets, const supMotionView* views, int32_t viewCount, int32_t* firsts )
{
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        firsts[row + 1] = offsets->firsts[row + 1] - offsets->firsts[row];
    }
    for ( int32_t m = 0; m < viewCount; ++m )
    {
        for ( int32_t i = 0; i < views[m].count; ++i )
        {
            int32_t row = supRowOf( offsets, views[m].vertices[i] );
            firsts[row + 1] += row >= 0;
        }
    }
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        firsts[row + 1] += firsts[row];
    }
}

/// A layer's motion takes its share of the element's weight over.
static void supTakeOver(
    const supSkinOffsets* offsets, supSkinMotions* motions, int32_t row, int32_t motion, float weight )
{
    supMotionTouch* touches = motions->touches + motions->offsets[row];
    int32_t own = offsets->firsts[row + 1] - offsets->firsts[row], at = own;
    for ( int32_t i = 0; i < own; ++i )
    {
        if ( touches[i].motion == motions->elements[motion] )
        {
            float left = touches[i].weight - weight;
            touches[i].weight = left > supLeastLeft ? left : 0.0f;
        }
    }
    while ( touches[at].weight > 0.0f )
    {
        ++at;
    }
    touches[at] = ( supMotionTouch ){ motion, weight };
}

static void supFillTouches(
    const supSkinOffsets* offsets, const supMotionView* views, int32_t viewCount, supSkinMotions* motions )
{
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            motions->touches[motions->offsets[row] + i - offsets->firsts[row]] =
                ( supMotionTouch ){ offsets->touches[i].element, offsets->touches[i].weight };
        }
    }
    for ( int32_t m = 0; m < viewCount; ++m )
    {
        for ( int32_t i = 0; i < views[m].count; ++i )
        {
            int32_t row = supRowOf( offsets, views[m].vertices[i] );
            if ( row >= 0 )
            {
                supTakeOver( offsets, motions, row, offsets->elementCount + m, views[m].weights[i] );
            }
        }
    }
}

/// Sums of a vertex's weights on motions that turn, and on others.
static void supSumWeights( const supSkinMotions* motions, int32_t row, float* turned, float* shifted )
{
    *turned = *shifted = 0.0f;
    for ( int32_t i = motions->offsets[row]; i < motions->offsets[row + 1]; ++i )
    {
        float* sum = motions->turns[motions->touches[i].motion] ? turned : shifted;
        *sum += motions->touches[i].weight;
    }
}

bool supSkinMotions_RowTurns( const supSkinMotions* motions, int32_t row )
{
    float turned = 0.0f, shifted;
    if ( motions->anyTurns )
    {
        supSumWeights( motions, row, &turned, &shifted );
    }
    return turned > 0.0f;
}

static bool supRides( const supSkinMotions* motions, float turned, float shifted )
{
    return turned > 0.0f && turned + shifted / motions->gain > 1.0f;
}

/// The gain, and the kinds that ride on others.
static void supFindKinds( const supSkinOffsets* offsets, supSkinMotions* motions )
{
    motions->gain = 1.0f;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        float turned, shifted;
        supSumWeights( motions, row, &turned, &shifted );
        motions->gain = supMaxF( motions->gain, turned > 0.0f ? 2.0f * shifted : shifted );
    }
    motions->kindCount = motions->count;
    for ( int32_t m = 0; m < motions->count; ++m )
    {
        motions->kinds[m] = motions->turns[m] ? ( supHelperKind ){ m, -1 } : ( supHelperKind ){ -1, m };
    }
    for ( int32_t row = 0; row < offsets->touchedCount && motions->anyTurns; ++row )
    {
        const supMotionTouch* touches = motions->touches + motions->offsets[row];
        int32_t count = motions->offsets[row + 1] - motions->offsets[row];
        float turned, shifted;
        supSumWeights( motions, row, &turned, &shifted );
        for ( int32_t i = 0; i < count * count && supRides( motions, turned, shifted ); ++i )
        {
            int32_t turn = touches[i / count].motion, shift = touches[i % count].motion;
            int32_t* pair = motions->pairs + turn * motions->count + shift;
            bool both = touches[i / count].weight > 0.0f && touches[i % count].weight > 0.0f;
            if ( both && motions->turns[turn] && !motions->turns[shift] && *pair < 0 )
            {
                *pair = motions->kindCount;
                motions->kinds[motions->kindCount++] = ( supHelperKind ){ turn, shift };
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Making them

/// The layers' motions, one after the other.
static void supReadViews( supSkinMotions* motions, const supStack* stack, supMotionView* views )
{
    for ( int32_t m = 0; m < motions->count; ++m )
    {
        motions->elements[m] = m;
        if ( supFindLayerMotion( motions, stack, m, views + m - motions->elementCount ) )
        {
            const supMotionView* view = views + m - motions->elementCount;
            motions->elements[m] = view->element;
            motions->turns[m] = view->turns;
            motions->pivots[m] = view->pivot;
            motions->anyTurns = motions->anyTurns || view->turns;
        }
    }
}

supSkinMotions* supMakeSkinMotions(
    const supSkinOffsets* offsets, const supStack* stack, const supAllocator* allocator )
{
    int32_t layers = supCountLayerMotions( stack );
    size_t count = (size_t)offsets->elementCount + (size_t)layers;
    size_t rows = (size_t)offsets->touchedCount, touches = (size_t)offsets->touchCount;
    size_t viewBytes = ( (size_t)layers + 1 ) * sizeof( supMotionView );
    supMotionView* views = supAllocZeroed( allocator, (size_t)layers + 1, sizeof( *views ), _Alignof( supMotionView ) );
    supSkinMotions counted = { .count = (int32_t)count, .elementCount = offsets->elementCount };
    for ( int32_t m = 0; views != NULL && m < layers; ++m )
    {
        supFindLayerMotion( &counted, stack, offsets->elementCount + m, views + m );
        touches += (size_t)views[m].count;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supSkinMotions, motions, 1 );
    SUP_PUT( &layout, counted.elements, count );
    SUP_PUT( &layout, counted.turns, count );
    SUP_PUT( &layout, counted.pivots, count );
    SUP_PUT( &layout, counted.offsets, rows + 1 );
    SUP_PUT( &layout, counted.touches, touches );
    size_t pairs = layers > 0 ? count : 0;
    SUP_PUT_ROWS( &layout, counted.kinds, count, 1 + pairs );
    SUP_PUT_ROWS( &layout, counted.pairs, count, pairs );
    char* block = views != NULL ? supAllocLayout( allocator, &layout ) : NULL;
    if ( block != NULL )
    {
        counted.anyLayers = layers > 0;
        counted.blockSize = layout.size;
        *motions = counted;
        memset( motions->pairs, 0xff, count * pairs * sizeof( int32_t ) );
        supReadViews( motions, stack, views );
        supCountTouches( offsets, views, layers, motions->offsets );
        supFillTouches( offsets, views, layers, motions );
        supFindKinds( offsets, motions );
    }
    supFree( allocator, views, viewBytes );
    return motions;
}

// ---------------------------------------------------------------------------------------------------------------
// Shares

typedef struct supSharing
{
    const supSkinMotions* motions;
    int32_t count;
    supHelperShare* shares;
} supSharing;

static void supAddShare( supSharing* sharing, int32_t influence, int32_t kind, float weight )
{
    if ( weight > 0.0f && sharing->count < SUP_MOST_SHARES )
    {
        sharing->shares[sharing->count++] = ( supHelperShare ){ influence, kind, weight };
    }
}

/// `weight` of a shift, of the largest influences first.
static void supShareShift( supSharing* sharing, int32_t motion, float weight, int32_t count, float* rest )
{
    float left = weight / sharing->motions->gain;
    for ( int32_t k = 0; k < count; ++k )
    {
        float share = supMinF( left, rest[k] );
        rest[k] -= share;
        left -= share;
        supAddShare( sharing, k, motion, share );
    }
}

/// `weight` of a shift, taken from the shares of what turns, the largest first.
static void supShareRiding( supSharing* sharing, int32_t motion, float weight )
{
    const supSkinMotions* motions = sharing->motions;
    float left = weight / motions->gain;
    while ( left > 0.0f )
    {
        supHelperShare* largest = NULL;
        for ( int32_t i = 0; i < sharing->count; ++i )
        {
            supHelperShare* share = sharing->shares + i;
            bool plain = share->kind < motions->count && motions->turns[share->kind];
            largest = plain && ( largest == NULL || share->weight > largest->weight ) ? share : largest;
        }
        if ( largest == NULL || !( largest->weight > 0.0f ) )
        {
            return;
        }
        float taken = supMinF( left, largest->weight );
        int32_t pair = motions->pairs[largest->kind * motions->count + motion];
        largest->weight -= taken;
        left -= taken;
        supAddShare( sharing, largest->influence, pair, taken );
    }
}

int32_t supSkinMotions_Share(
    const supSkinMotions* motions, int32_t row, int32_t count, float* rest, supHelperShare* shares, bool* isExact )
{
    supSharing sharing = { motions, 0, shares };
    const supMotionTouch* touches = motions->touches + motions->offsets[row];
    int32_t touchCount = motions->offsets[row + 1] - motions->offsets[row];
    float turned, shifted;
    supSumWeights( motions, row, &turned, &shifted );
    float most = 1.0f + supLeastLeft, scale = turned > most ? 1.0f / turned : 1.0f;
    for ( int32_t i = 0; i < touchCount && turned > 0.0f; ++i )
    {
        for ( int32_t k = 0; k < count && motions->turns[touches[i].motion]; ++k )
        {
            supAddShare( &sharing, k, touches[i].motion, scale * touches[i].weight * rest[k] );
        }
    }
    float left = supMaxF( 1.0f - scale * turned, 0.0f );
    for ( int32_t k = 0; k < count && turned > 0.0f; ++k )
    {
        rest[k] *= left;
    }
    for ( int32_t i = 0; i < touchCount; ++i )
    {
        if ( motions->turns[touches[i].motion] )
        {
            continue;
        }
        if ( supRides( motions, turned, shifted ) )
        {
            supShareRiding( &sharing, touches[i].motion, touches[i].weight );
        }
        else
        {
            supShareShift( &sharing, touches[i].motion, touches[i].weight, count, rest );
        }
    }
    if ( isExact != NULL )
    {
        *isExact = turned <= most && sharing.count < SUP_MOST_SHARES;
    }
    return sharing.count;
}

float supSkinMotions_Mix( const supSkinMotions* motions, int32_t kind, int32_t motion )
{
    supHelperKind of = motions->kinds[kind];
    return ( of.turn == motion ? 1.0f : 0.0f ) + ( of.shift == motion ? motions->gain : 0.0f );
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

void supSkinMotions_At( const supSkinMotions* motions, const supStack* stack, const supMat34* joints, const supVec3d* u,
    const float* shown, supSkinMotion* out )
{
    for ( int32_t e = 0; e < motions->elementCount; ++e )
    {
        out[e] = ( supSkinMotion ){ .turn = { 0.0, 0.0, 0.0, 1.0 }, .shift = u[e] };
    }
    int32_t first = motions->elementCount;
    for ( int32_t i = 0; i < stack->count && motions->anyLayers; ++i )
    {
        const supStackLayer* entry = stack->layers + i;
        if ( supHoldsMotions( entry ) )
        {
            entry->layer->helpers->at( entry->compiled, joints, shown, out + first );
            first += entry->layer->helpers->count( entry->compiled );
        }
        shown += entry->shownCount;
    }
    for ( int32_t m = motions->elementCount; m < motions->count; ++m )
    {
        int32_t element = motions->elements[m];
        out[m].shift = element >= 0 ? supAddD( out[m].shift, u[element] ) : out[m].shift;
    }
}
