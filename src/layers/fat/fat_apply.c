// Fat on the skin, and in pictures.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_step.h"
#include "layers/fat/fat_tension.h"

#include "base/math.h"
#include "base/memory.h"
#include "solve/elastic.h"
#include "supple/lab/drawing.h"

#include <string.h>

/// out += a x + b y + c z + d w, four rows in one pass.
static void supAddRows( const float* rows, size_t size, const float numbers[4], float* out )
{
    const float *x = rows, *y = rows + size, *z = rows + 2 * size, *w = rows + 3 * size;
    float a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3];
    for ( size_t i = 0; i < size; ++i )
    {
        out[i] += ( a * x[i] + b * y[i] ) + ( c * z[i] + d * w[i] );
    }
}

/// The sum of all rows, times what is shown of each.
static void supSumRows( const supFat* fat, const float* shown, float* out )
{
    size_t size = fat->rowSize;
    memset( out, 0, sizeof( float ) * size );
    int32_t r = 0;
    for ( ; r + 4 <= fat->rowCount; r += 4 )
    {
        supAddRows( fat->rows + (size_t)r * size, size, shown + r, out );
    }
    for ( ; r < fat->rowCount; ++r )
    {
        const float* row = fat->rows + (size_t)r * size;
        for ( size_t i = 0; i < size; ++i )
        {
            out[i] += shown[r] * row[i];
        }
    }
}

void supFatDisplacements( const supFat* fat, const float* shown, float limit, float* out )
{
    if ( fat->elastic != NULL )
    {
        memcpy( out, shown, sizeof( float ) * 3 * (size_t)fat->freeCount );
    }
    else
    {
        supSumRows( fat, shown, out );
        for ( int32_t i = 0; i < 3 * fat->freeCount && fat->factor != NULL; ++i )
        {
            out[i] += shown[fat->rowCount + i];
        }
    }
    if ( fat->tenseCount > 0 && fat->elastic == NULL )
    {
        supShowTense( fat, shown + fat->tensionsAt, out );
    }
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        // the soft limit is the identity to 1e-5 up to a quarter: most nodes need no root
        float* u = out + 3 * (size_t)i;
        float most = limit * fat->holds[i].room, square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        if ( square > 0.0625f * most * most )
        {
            float x = square / supMaxF( most * most, 1e-30f );
            float fourth = x * x * x * x; // ( |u| / limit )^8
            float scale = 1.0f / supSqrtF( supSqrtF( supSqrtF( 1.0f + fourth ) ) );
            u[0] *= scale;
            u[1] *= scale;
            u[2] *= scale;
        }
    }
}

/// Displacements carried forward: by the turns of the joints that carry each node.
static void supCarryForward(
    const supFat* fat, const float* moved, float keepVolume, const supMat34* turns, supVec3* out )
{
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        const supFatHold* hold = fat->holds + i;
        supVec3 u = keepVolume > 0.0f ? supFlownNode( fat, moved, i, keepVolume )
                                      : supMakeVec3( moved[3 * i], moved[3 * i + 1], moved[3 * i + 2] );
        supVec3 sum = supVec3_zero;
        for ( int k = 0; k < supFatHolds && hold->weights[k] > 0.0f; ++k )
        {
            sum = supMulAdd( sum, hold->weights[k], supTransformVector( turns[hold->joints[k]], u ) );
        }
        out[i] = sum;
    }
}

static bool supAnyShown( const supFat* fat, const float* shown )
{
    // how far the model sags already is always there, and nothing by itself
    int32_t count = fat->shownCount - ( fat->tenseCount > 0 ? 1 : 0 );
    bool any = false;
    for ( int32_t i = 0; i < count && !any; ++i )
    {
        any = shown[i] != 0.0f;
    }
    return any;
}

/// The displacements of all free nodes in a pose, in the frame's scratch.
static supVec3* supPoseNodes( const supFat* fat, const supLayerFrame* frame, const float* shown, const float* live )
{
    float* moved = frame->scratch;
    supVec3* carried = (supVec3*)( moved + fat->rowSize );
    supMat34 turns[supMostFatJoints];
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        turns[j] = supFatTurn( fat, j, frame->joints[fat->joints[j]] );
    }
    supFatDisplacements( fat, shown, live[sup_fatLimit], moved );
    float keepVolume = fat->straight ? 0.0f : live[sup_fatKeepVolume];
    if ( keepVolume > 0.0f )
    {
        supEvenFat( fat, keepVolume, moved );
    }
    supCarryForward( fat, moved, keepVolume, turns, carried );
    return carried;
}

void supApplyFats( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supFats* fats = compiled;
    for ( int32_t f = 0; f < fats->count; ++f )
    {
        const supFat* fat = fats->fats + f;
        if ( !supAnyShown( fat, shown + fat->shownAt ) )
        {
            continue;
        }
        const supVec3* moved =
            supPoseNodes( fat, frame, shown + fat->shownAt, frame->live + (size_t)f * sup_fatLiveCount );
        for ( int32_t i = 0; i < fat->skinCount; ++i )
        {
            supVec3 p = positions[fat->skin[i]];
            for ( int32_t k = fat->starts[i]; k < fat->starts[i + 1]; ++k )
            {
                p = supMulAdd( p, fat->shares[k], moved[fat->links[k]] );
            }
            positions[fat->skin[i]] = p;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// Where smooth skinning carries a node.
static supVec3 supCarriedNode( const supFat* fat, const supMat34* joints, int32_t node )
{
    const supFatHold* hold = fat->allHolds + node;
    supVec3 sum = supVec3_zero;
    for ( int k = 0; k < supFatHolds && hold->weights[k] > 0.0f; ++k )
    {
        int32_t j = hold->joints[k];
        supMat34 map = supMulMat( joints[fat->joints[j]], fat->fromRest[j] );
        sum = supMulAdd( sum, hold->weights[k], supTransformPoint( map, fat->places[node] ) );
    }
    return sum;
}

/// One voxel's twelve edges: grey at rest, red where nodes have moved a quarter of the thickness.
static void supDrawVoxel(
    const supFat* fat, const supVec3* places, const float* shifts, int32_t e, const supDraw* draw )
{
    const int32_t* corners = fat->corners + 8 * (size_t)e;
    for ( int32_t axis = 0; axis < 3; ++axis )
    {
        for ( int32_t low = 0; low < 8; ++low )
        {
            int32_t a = corners[low], b = corners[low | 1 << axis];
            if ( a != b )
            {
                float heat = supMinF( 2.0f * ( shifts[a] + shifts[b] ) / fat->thickest, 1.0f );
                supColor color = { 0.25f + 0.65f * heat, 0.35f - 0.25f * heat, 0.5f - 0.45f * heat, 0.55f };
                draw->line( places[a], places[b], color, 1.0f, draw->user );
            }
        }
    }
}

/// Nodes between those of large voxels.
static void supPlaceHanging( const supFat* fat, supVec3* places, float* shifts )
{
    for ( int32_t i = 0; i < fat->hangingCount; ++i )
    {
        const supHangingNode* node = fat->hanging + i;
        float share = 1.0f / (float)node->parentCount;
        places[node->node] = supVec3_zero;
        shifts[node->node] = 0.0f;
        for ( int32_t p = 0; p < node->parentCount; ++p )
        {
            places[node->node] = supMulAdd( places[node->node], share, places[node->parents[p]] );
            shifts[node->node] += share * shifts[node->parents[p]];
        }
    }
}

/// The voxels, and the anchored nodes as points.
void supDrawFats( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)what;
    (void)positions;
    const supFats* fats = compiled;
    for ( int32_t f = 0; f < fats->count; ++f )
    {
        const supFat* fat = fats->fats + f;
        const supVec3* moved =
            supPoseNodes( fat, frame, shown + fat->shownAt, frame->live + (size_t)f * sup_fatLiveCount );
        // after the free nodes' displacements
        supVec3* places = (supVec3*)moved + fat->freeCount;
        float* shifts = (float*)( places + fat->nodeCount );
        for ( int32_t i = 0; i < fat->nodeCount; ++i )
        {
            int32_t own = fat->freeOf[i];
            places[i] = supCarriedNode( fat, frame->joints, i );
            places[i] = own >= 0 ? supAdd( places[i], moved[own] ) : places[i];
            shifts[i] = own >= 0 ? supLength( moved[own] ) : 0.0f;
            if ( own == -1 && draw->point != NULL )
            {
                draw->point( places[i], supDraw_Distinct( 2 ), 4.0f, draw->user );
            }
        }
        supPlaceHanging( fat, places, shifts );
        for ( int32_t e = 0; e < fat->elementCount && draw->line != NULL; ++e )
        {
            supDrawVoxel( fat, places, shifts, e, draw );
        }
    }
}
