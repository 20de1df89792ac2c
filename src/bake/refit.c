// Fewer influences than vertices need: all of them.
// SPDX-License-Identifier: MIT

#include "bake/refit.h"
#include "base/math.h"
#include "base/tasks.h"

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
