// Frames of all clips that weights are fitted to.
// SPDX-License-Identifier: MIT

#include "bake/error_plan.h"
#include "bake/refit.h"
#include "base/math.h"

#include <string.h>

/// How many frames of a take are looked at: some of each clip, the rest by their lengths.
static int32_t supFramesOf( const supJointBakeDef* def, int32_t take, int32_t most )
{
    int64_t takes = def->takeCount;
    if ( takes > most )
    {
        return (int32_t)( ( take + 1 ) * (int64_t)most / takes - take * (int64_t)most / takes );
    }
    double total = 0.0;
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        total += def->takes[i]->info.end - def->takes[i]->info.start;
    }
    double length = def->takes[take]->info.end - def->takes[take]->info.start;
    int32_t least = takes <= most / 8 ? 4 : 1;
    int32_t spare = most - (int32_t)takes * least;
    return least + (int32_t)( total > 0.0 ? spare * length / total : 0.0 );
}

float supAlphasOf( const supSkinMotions* motions, int32_t row, float* alphas )
{
    float turned = 0.0f;
    memset( alphas, 0, sizeof( float ) * (size_t)motions->count );
    for ( int32_t i = motions->offsets[row]; i < motions->offsets[row + 1]; ++i )
    {
        const supMotionTouch* touch = motions->touches + i;
        float* sum = motions->turns[touch->motion] ? &turned : alphas + touch->motion;
        *sum += touch->weight;
    }
    return turned;
}

/// Numbers of one frame, `count` of them, each into its own track.
static void supToTracks(
    const supRefitFrames* frames, const float* numbers, size_t count, int32_t frame, float* tracks )
{
    for ( size_t i = 0; i < count; ++i )
    {
        tracks[i * frames->stride + (size_t)frame] = numbers[i];
    }
}

/// Shifts, and turns, of all motions in one frame.
static void supReadMotions( supRefitFrames* frames, const supJointBake* bake, const supHelperClock* clock, int32_t at )
{
    supVec3* shown = frames->shown + (size_t)at * frames->motionCount;
    // about how far out flesh is, as a share of the size: only to tell large turns from small ones
    const float arm = 0.1f * bake->size;
    for ( size_t m = 0; m < frames->motionCount; ++m )
    {
        shown[m] = supToFloat( clock->shifts[m] );
        float reach = supLength( shown[m] );
        if ( bake->model->motions->turns[m] )
        {
            supMat34 matrix = supMotionMatrix( clock->motions + m );
            supToTracks( frames, &matrix.x.x, 12, at, frames->turns + 12 * m * frames->stride );
            reach += arm * (float)supLengthD( supRotationVectorD( clock->motions[m].turn ) );
        }
        frames->reaches[m] = supMaxF( frames->reaches[m], reach );
    }
}

static supResult supReadFrames( supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def,
    int32_t most, supMat34* palette, supError* error )
{
    const supCharacter* character = bake->model->character;
    int32_t at = 0;
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        const supTake* take = def->takes[i];
        int32_t count = supFramesOf( def, i, most );
        supHelperClock clock;
        supResult result = supMakeHelperClock( &clock, bake, take, false, error );
        if ( result != sup_success )
        {
            supHelperClock_Destroy( &clock );
            return result;
        }
        for ( int32_t k = 0; k < count; ++k, ++at )
        {
            double share = count > 1 ? (double)k / ( count - 1 ) : 0.5;
            double time = take->info.start + ( take->info.end - take->info.start ) * share;
            supHelperClock_Set( &clock, time );
            supCharacter_Palette( character, supPose_Joints( clock.pose ), palette );
            supToTracks( frames, (const float*)palette, 12 * frames->paletteCount, at, frames->palettes );
            supReadMotions( frames, bake, &clock, at );
            memcpy( frames->morphWeights + (size_t)at * frames->morphCount, supPose_MorphWeights( clock.pose ),
                sizeof( float ) * frames->morphCount );
        }
        supHelperClock_Destroy( &clock );
    }
    return sup_success;
}

supResult supMakeFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, int32_t most, supError* error )
{
    const supCharacter* character = bake->model->character;
    *frames = ( supRefitFrames ){ .paletteCount = (size_t)supCharacter_Info( character )->paletteCount,
        .motionCount = (size_t)bake->model->motions->count,
        .morphCount = (size_t)supCharacter_Info( character )->morphWeightCount };
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        frames->count += supFramesOf( def, i, most );
    }
    size_t count = (size_t)frames->count;
    frames->stride = ( count + SUP_FRAME_BLOCK - 1 ) / SUP_FRAME_BLOCK * SUP_FRAME_BLOCK;
    supLayout layout = supMakeLayout();
    supLayoutPut(
        &layout, &frames->palettes, frames->stride, frames->paletteCount * sizeof( supMat34 ), SUP_MAX_ALIGNMENT );
    SUP_PUT_NEW( &layout, supMat34, palette, frames->paletteCount );
    SUP_PUT_ROWS( &layout, frames->shown, count, frames->motionCount );
    size_t turning = bake->model->motions->anyTurns ? frames->motionCount : 0;
    supLayoutPut( &layout, &frames->turns, frames->stride, turning * sizeof( supMat34 ), SUP_MAX_ALIGNMENT );
    SUP_PUT_ROWS( &layout, frames->morphWeights, count, frames->morphCount );
    SUP_PUT( &layout, frames->reaches, frames->motionCount );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %d frames to fit weights to", frames->count );
    }
    frames->blockSize = layout.size;
    supResult result = supReadFrames( frames, bake, def, most, palette, error );
    if ( result != sup_success )
    {
        supRefitFrames_Destroy( frames, &bake->allocator );
    }
    return result;
}

void supRefitFrames_Destroy( supRefitFrames* frames, const supAllocator* allocator )
{
    supFree( allocator, frames->moves, frames->movesSize );
    supFree( allocator, frames->palettes, frames->blockSize );
}

supResult supMoveHelpers( supRefitFrames* frames, const supJointBake* bake, supError* error )
{
    supFree( &bake->allocator, frames->moves, frames->movesSize );
    size_t helpers = bake->helpers.count;
    frames->movesSize = frames->stride * helpers * sizeof( supVec3 );
    frames->moves =
        supAllocZeroed( &bake->allocator, frames->stride, helpers * sizeof( supVec3 ), _Alignof( supVec3 ) );
    if ( frames->moves == NULL )
    {
        return supFail(
            error, sup_errorMemory, "no memory for %zu helper joints in %d frames", helpers, frames->count );
    }
    for ( size_t i = 0; i < helpers; ++i )
    {
        for ( int32_t f = 0; f < frames->count; ++f )
        {
            supVec3 move = supHelperMove( bake, (int32_t)i, frames->shown + (size_t)f * frames->motionCount );
            int32_t turn = supHelperTurn( bake, (int32_t)i );
            // what turns has its own shift in its matrix
            move = turn >= 0 ? supSub( move, frames->shown[(size_t)f * frames->motionCount + (size_t)turn] ) : move;
            supToTracks( frames, &move.x, 3, f, frames->moves + 3 * i * frames->stride );
        }
    }
    return sup_success;
}
