// Fewer influences than vertices need: all of them.
// SPDX-License-Identifier: MIT

#include "bake/refit.h"
#include "base/math.h"
#include "base/tasks.h"

enum
{
    supRefitBlock = 32 ///< vertices of one task
};

/// Rounds of adding mixed helpers: what errors are worth one, as shares of the size, and how many.
static const struct
{
    double target;
    int32_t most;
} sup_mixRounds[] = { { 3e-4, 16 }, { 4e-4, 12 }, { 4e-4, 12 } };

typedef struct supRefitTasks
{
    const supRefitWork* work;
    float least; ///< vertices with smaller errors are good as they are. Metres
} supRefitTasks;

static void supRefitTask( int32_t index, void* context )
{
    const supRefitTasks* tasks = context;
    const supRefitWork* work = tasks->work;
    int32_t first, end = supBlock( index, supRefitBlock, (int32_t)work->bake->refits.count, &first );
    for ( int32_t i = first; i < end; ++i )
    {
        if ( work->errors[i] >= tasks->least )
        {
            supRefitVertex( work, i );
        }
    }
}

static supResult supRefitRound(
    supRefitWork* work, supRefitFrames* frames, const supJointBakeDef* def, float least, supError* error )
{
    supResult result = supMoveHelpers( frames, work->bake, error );
    if ( result == sup_success )
    {
        supRefitTasks tasks = { work, least };
        int32_t blocks = supBlockCount( supRefitBlock, (int32_t)work->bake->refits.count );
        supRunTasks( def->tasks, supRefitTask, blocks, &tasks );
    }
    return result;
}

/// Fits with the model's helpers, then, where that is not good enough, with mixes as well.
static supResult supRefitAll( supRefitWork* work, supRefitFrames* frames, const supJointBakeDef* def, supError* error )
{
    supJointBake* bake = work->bake;
    supResult result = supRefitRound( work, frames, def, 0.0f, error );
    size_t rounds = def->modelHelpersOnly ? 0 : sizeof( sup_mixRounds ) / sizeof( sup_mixRounds[0] );
    for ( size_t i = 0; i < rounds && result == sup_success; ++i )
    {
        size_t before = bake->helpers.count;
        result = supAddMixes( work, sup_mixRounds[i].target, sup_mixRounds[i].most, error );
        if ( result != sup_success || bake->helpers.count == before )
        {
            break;
        }
        result = supRefitRound( work, frames, def, (float)( sup_mixRounds[i].target * bake->size ), error );
    }
    return result == sup_success ? supMeasureRefits( work, error ) : result;
}

supResult supRefitInfluences( supJointBake* bake, const supJointBakeDef* def, supError* error )
{
    size_t count = bake->refits.count;
    if ( count == 0 || def->takeCount == 0 )
    {
        return sup_success;
    }
    supRefitFrames frames;
    supResult result = supMakeFrames( &frames, bake, def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayout layout = supMakeLayout();
    size_t atErrors = SUP_LAYOUT_ARRAY( &layout, float, count );
    size_t atFrames = supLayoutArray( &layout, count, (size_t)frames.count * sizeof( supVec3 ), _Alignof( supVec3 ) );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block != NULL )
    {
        supRefitWork work = { bake, &frames, (float*)( block + atErrors ), (supVec3*)( block + atFrames ) };
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
