// Frames of all clips that weights are fitted to.
// SPDX-License-Identifier: MIT

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

void supAlphasOf( const supFlesh* flesh, int32_t row, float* alphas )
{
    memset( alphas, 0, sizeof( float ) * (size_t)flesh->elementCount );
    for ( int32_t i = flesh->offsets[row]; i < flesh->offsets[row + 1]; ++i )
    {
        alphas[flesh->touches[i].element] += flesh->touches[i].weight;
    }
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

static void supReadFrames( supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, int32_t most,
    supPose* pose, supMat34* palette )
{
    const supCharacter* character = bake->model->character;
    int32_t at = 0;
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        const supTake* take = def->takes[i];
        int32_t count = supFramesOf( def, i, most );
        for ( int32_t k = 0; k < count; ++k, ++at )
        {
            double share = count > 1 ? (double)k / ( count - 1 ) : 0.5;
            double time = take->info.start + ( take->info.end - take->info.start ) * share;
            supPose_Sample( pose, take->clip, time );
            supCharacter_Palette( character, supPose_Joints( pose ), palette );
            supToTracks( frames, (const float*)palette, 12 * frames->paletteCount, at, frames->palettes );
            supTake_Elongations( take, time, frames->shown + (size_t)at * frames->elementCount );
            memcpy( frames->morphWeights + (size_t)at * frames->morphCount, supPose_MorphWeights( pose ),
                sizeof( float ) * frames->morphCount );
        }
    }
    for ( size_t i = 0; i < (size_t)at * frames->elementCount; ++i )
    {
        float* reach = frames->reaches + i % frames->elementCount;
        *reach = supMaxF( *reach, supLength( frames->shown[i] ) );
    }
}

supResult supMakeFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, int32_t most, supError* error )
{
    const supCharacter* character = bake->model->character;
    *frames = ( supRefitFrames ){ .paletteCount = (size_t)supCharacter_PaletteCount( character ),
        .elementCount = (size_t)bake->model->flesh->elementCount,
        .morphCount = (size_t)supCharacter_MorphWeightCount( character ) };
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        frames->count += supFramesOf( def, i, most );
    }
    size_t count = (size_t)frames->count;
    frames->stride = ( count + SUP_FRAME_BLOCK - 1 ) / SUP_FRAME_BLOCK * SUP_FRAME_BLOCK;
    supLayout layout = supMakeLayout();
    size_t atPalettes =
        supLayoutArray( &layout, frames->stride, frames->paletteCount * sizeof( supMat34 ), SUP_MAX_ALIGNMENT );
    size_t atPalette = SUP_LAYOUT_ARRAY( &layout, supMat34, frames->paletteCount );
    size_t atShown = supLayoutArray( &layout, count, frames->elementCount * sizeof( supVec3 ), _Alignof( supVec3 ) );
    size_t atWeights = supLayoutArray( &layout, count, frames->morphCount * sizeof( float ), _Alignof( float ) );
    size_t atReaches = SUP_LAYOUT_ARRAY( &layout, float, frames->elementCount );
    char* block = supAllocLayout( &bake->allocator, &layout );
    supPose* pose = NULL;
    if ( block == NULL || supCreatePose( character, &bake->allocator, &pose, error ) != sup_success )
    {
        supFree( &bake->allocator, block, layout.size );
        return supFail( error, sup_errorMemory, "no memory for %d frames to fit weights to", frames->count );
    }
    frames->palettes = (float*)( block + atPalettes );
    frames->shown = (supVec3*)( block + atShown );
    frames->morphWeights = (float*)( block + atWeights );
    frames->reaches = (float*)( block + atReaches );
    frames->blockSize = layout.size;
    supReadFrames( frames, bake, def, most, pose, (supMat34*)( block + atPalette ) );
    supDestroyPose( pose );
    return sup_success;
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
            supVec3 move = supHelperMove( bake, (int32_t)i, frames->shown + (size_t)f * frames->elementCount );
            supToTracks( frames, &move.x, 3, f, frames->moves + 3 * i * frames->stride );
        }
    }
    return sup_success;
}
