// Fewer influences than vertices need: all of them.
// SPDX-License-Identifier: MIT
#include "bake/refit.h"

#include "bake/error_plan.h"
#include "base/math.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    supRefitBlock = 32, ///< vertices of one task
    supMostErrors = 8 << 20,
    supLeastFrames = 64
};

/// Rounds of adding mixed helpers: what errors are worth one, as shares of the size, and how many. The last ones are
/// for vertices that differ much from a neighbour alone.
static const struct
{
    double target;
    int32_t most;
    bool dents;
} sup_mixRounds[] = { { 3e-4, 16, false }, { 4e-4, 12, false }, { 2e-4, 8, true }, { 2e-4, 8, true } };

/// Jumps of the error along an edge above this share of the size are seen.
static const double supSeenJump = 7e-4;

typedef struct supRefitTasks
{
    const supRefitWork* work;
    float least; ///< vertices with smaller errors are good as they are. Metres
    bool* done;  ///< one a task; false: no memory
} supRefitTasks;

static void supRefitTask( int32_t index, void* context )
{
    const supRefitTasks* tasks = context;
    const supRefitWork* work = tasks->work;
    supFitting* fitting = supAlloc( &work->bake->allocator, supFittingSize(), SUP_MAX_ALIGNMENT );
    int32_t first, end = supBlock( index, supRefitBlock, (int32_t)work->bake->refits.count, &first );
    for ( int32_t i = first; i < end && fitting != NULL; ++i )
    {
        if ( work->errors[i] >= tasks->least )
        {
            supRefitVertex( work, i, fitting );
        }
    }
    tasks->done[index] = fitting != NULL;
    supFree( &work->bake->allocator, fitting, supFittingSize() );
}

static supResult supRefitRound( supRefitWork* work, supRefitFrames* frames, float least, supError* error )
{
    supResult result = supMoveHelpers( frames, work->bake, error );
    if ( result != sup_success )
    {
        return result;
    }
    size_t blocks = (size_t)supBlockCount( supRefitBlock, (int32_t)work->bake->refits.count );
    bool* done = supAllocZeroed( &work->bake->allocator, blocks, sizeof( bool ), _Alignof( bool ) );
    bool all = done != NULL;
    if ( all )
    {
        supRefitTasks tasks = { work, least, done };
        supRunTasks( work->tasks, supRefitTask, (int32_t)blocks, &tasks );
    }
    for ( size_t i = 0; i < blocks && all; ++i )
    {
        all = done[i];
    }
    supFree( &work->bake->allocator, done, blocks * sizeof( bool ) );
    return all ? sup_success : supFail( error, sup_errorMemory, "no memory to fit weights in" );
}

/// Fits with the model's helpers, then, where that is not good enough, with mixes as well.
static supResult supRefitAll( supRefitWork* work, supRefitFrames* frames, const supJointBakeDef* def, supError* error )
{
    supJointBake* bake = work->bake;
    float seen = (float)( supSeenJump * bake->size );
    supResult result = supRefitRound( work, frames, 0.0f, error );
    result = result == sup_success ? supMeasureRefits( work, seen, work->dented, error ) : result;
    size_t rounds = def->modelHelpersOnly ? 0 : sizeof( sup_mixRounds ) / sizeof( sup_mixRounds[0] );
    for ( size_t i = 0; i < rounds && result == sup_success; ++i )
    {
        size_t before = bake->helpers.count;
        double target = sup_mixRounds[i].target;
        const float* errors = sup_mixRounds[i].dents ? work->dented : work->errors;
        result = supAddMixes( work, errors, target, sup_mixRounds[i].most, error );
        if ( result == sup_success && bake->helpers.count > before )
        {
            result = supRefitRound( work, frames, (float)( target * bake->size ), error );
            result = result == sup_success ? supMeasureRefits( work, seen, work->dented, error ) : result;
        }
    }
    return result;
}

supResult supRefitInfluences( supJointBake* bake, const supJointBakeDef* def, supError* error )
{
    size_t count = bake->refits.count;
    if ( count == 0 || def->takeCount == 0 )
    {
        return sup_success;
    }
    // errors of all vertices in all frames are kept: fewer frames where there are very many vertices
    size_t room = supMostErrors / count;
    int32_t most = room < SUP_REFIT_FRAMES ? (int32_t)room : SUP_REFIT_FRAMES;
    supRefitFrames frames;
    supResult result = supMakeFrames( &frames, bake, def, most < supLeastFrames ? supLeastFrames : most, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, float, errorsRoom, count );
    SUP_PUT_NEW( &layout, float, dented, count );
    SUP_PUT_NEW_ROWS( &layout, supVec3, framesRoom, count, (size_t)frames.count );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block != NULL )
    {
        supRefitWork work = { bake, &frames, def->tasks, dented, errorsRoom, framesRoom };
        result = supRefitAll( &work, &frames, def, error );
    }
    else
    {
        result = supFail( error, sup_errorMemory, "no memory to fit the weights of %zu vertices", count );
    }
    supFree( &bake->allocator, block, layout.size );
    supRefitFrames_Destroy( &frames, &bake->allocator );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// What fitting has cost: the largest error, and how much errors differ between neighbours.
//
// An error of a millimetre is not seen where its neighbours have it too; among exact ones it is a dent.
//
// Tried: fitting vertices once more to their neighbours' mean error. The largest jump stayed as it was, since there are
// but few ways to choose four influences; another mixed helper for the worst vertices does away with it.

/// The square of the largest difference of two refitted vertices' errors in any frame; of one from none where the other
/// is -1.
static double supJumpOf( const supRefitWork* work, int32_t first, int32_t second )
{
    size_t frames = (size_t)work->frames->count;
    int32_t a = first >= 0 ? first : second, b = first >= 0 ? second : first;
    if ( a < 0 )
    {
        return 0.0;
    }
    const supVec3* errors = work->frameErrors + (size_t)a * frames;
    const supVec3* others = b >= 0 ? work->frameErrors + (size_t)b * frames : NULL;
    double largest = 0.0;
    for ( size_t f = 0; f < frames; ++f )
    {
        supVec3 jump = others != NULL ? supSub( errors[f], others[f] ) : errors[f];
        largest = supMax( largest, supLengthSquared( jump ) );
    }
    return largest;
}

static void supMarkDent( const supRefitWork* work, int32_t refit, float* dented )
{
    if ( refit >= 0 )
    {
        dented[refit] = work->errors[refit];
    }
}

/// Over the edges of all meshes. Gives the largest jump; marks the ends of those that are seen.
static double supLookAtEdges( const supRefitWork* work, const int32_t* refitOf, float seen, float* dented )
{
    const supJointBake* bake = work->bake;
    double largest = 0.0;
    for ( int32_t m = 0; m < bake->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( bake->model->character, m );
        const int32_t* at = refitOf + mesh.firstVertex;
        for ( int32_t i = 0; bake->meshes[m].changed && i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                int32_t a = at[mesh.indices[i + k]], b = at[mesh.indices[i + ( k + 1 ) % 3]];
                float bound = ( a >= 0 ? work->errors[a] : 0.0f ) + ( b >= 0 ? work->errors[b] : 0.0f );
                if ( (double)bound * bound <= largest && bound <= seen )
                {
                    continue;
                }
                double jump = supJumpOf( work, a, b );
                largest = supMax( largest, jump );
                if ( jump > (double)seen * seen )
                {
                    supMarkDent( work, a, dented );
                    supMarkDent( work, b, dented );
                }
            }
        }
    }
    return supSqrt( largest );
}

supResult supMeasureRefits( const supRefitWork* work, float seen, float* dented, supError* error )
{
    supJointBake* bake = work->bake;
    const supRefit* refits = bake->refits.data;
    size_t vertices = (size_t)supCharacter_Info( bake->model->character )->vertexCount;
    int32_t* refitOf = supAllocZeroed( &bake->allocator, vertices, sizeof( int32_t ), _Alignof( int32_t ) );
    if ( refitOf == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to measure %zu vertices", vertices );
    }
    memset( refitOf, 0xff, vertices * sizeof( int32_t ) );
    bake->refitError = 0.0f;
    for ( int32_t i = 0; i < (int32_t)bake->refits.count; ++i )
    {
        refitOf[bake->model->offsets.touched[refits[i].row]] = i;
        bake->refitError = supMaxF( bake->refitError, work->errors[i] );
    }
    memset( dented, 0, bake->refits.count * sizeof( float ) );
    bake->refitEdgeJump = (float)supLookAtEdges( work, refitOf, seen, dented );
    supFree( &bake->allocator, refitOf, vertices * sizeof( int32_t ) );
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Frames of all clips that weights are fitted to.

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
