// Helper joints that add a mix of elements.
// SPDX-License-Identifier: MIT
//
// A vertex on four joints that feels flesh has no fifth influence for a helper. But it can leave one of its joints j,
// weight w, altogether to a helper on j that adds sum_e beta_e u_e: with beta = alpha / w it moves exactly as it
// should, with four influences, whatever number of elements it feels. One helper for each such vertex would be far too
// many; but neighbours want nearly the same. So mixes that some vertex wants are added one at a time, each time the one
// that helps most, until no vertex is off by more than a little or there are enough of them.
//
// With a mix on one of its joints the others may still be left to helpers (assignments.c), so a mix serves many that do
// not want quite that one.

#include "bake/assignments.h"
#include "base/math.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    supMostWanting = 128 ///< vertices that are looked at: the worst ones
};

/// Vertices that want help, and how much each one's own mix would help each other.
typedef struct supMixWork
{
    supRefitWork* refit;
    int32_t elements, count;
    int32_t* refits; ///< of each: index of the refit
    supMixedVertex* vertices;
    float* errors; ///< of each, as things stand. Metres
    float* mixes;  ///< of each: what would be exact on its first joint, one an element
    float* table;  ///< count x count: error of [i] with the mix of [k]
} supMixWork;

/// How far vertex i is off at most with the mix of vertex k, on the first joint of that one.
static float supErrorWithMix( const supMixWork* work, int32_t i, int32_t k )
{
    const supJointBake* bake = work->refit->bake;
    const supMixedVertex* vertex = work->vertices + i;
    int32_t joint = 0;
    while ( joint < vertex->jointCount && vertex->joints[joint] != work->vertices[k].joints[0] )
    {
        ++joint;
    }
    if ( joint == vertex->jointCount )
    {
        return work->errors[i];
    }
    float wanted[SUP_MAX_MIXED];
    supAlphasOf( bake->model->motions, vertex->row, wanted );
    for ( int32_t e = 0; e < work->elements; ++e )
    {
        wanted[e] -= vertex->weights[joint] * work->mixes[(size_t)k * (size_t)work->elements + (size_t)e];
    }
    supAssignments rest = supAssignJoints( bake, vertex, wanted, work->refit->frames->reaches, joint );
    return rest.count > 0 ? supMinF( rest.best[0].error, work->errors[i] ) : work->errors[i];
}

/// The vertex whose own mix helps most, all together; errors below the target count as none. -1: none does.
static int32_t supBestMix( const supMixWork* work, float target )
{
    int32_t best = -1;
    double most = 0.0;
    for ( int32_t k = 0; k < work->count; ++k )
    {
        double help = 0.0;
        for ( int32_t i = 0; i < work->count && work->errors[k] > target; ++i )
        {
            float now = supMaxF( work->errors[i], target );
            float then = supMaxF( work->table[(size_t)i * (size_t)work->count + (size_t)k], target );
            // squares: the worst first
            help += now > then ? (double)now * now - (double)then * then : 0.0;
        }
        best = help > most ? k : best;
        most = supMax( most, help );
    }
    return best;
}

/// One row of the table.
static void supMixTask( int32_t index, void* context )
{
    const supMixWork* work = context;
    for ( int32_t k = 0; k < work->count; ++k )
    {
        work->table[(size_t)index * (size_t)work->count + (size_t)k] = supErrorWithMix( work, index, k );
    }
}

static supResult supGrowMixes( supMixWork* work, float target, int32_t most, supError* error )
{
    supRunTasks( work->refit->tasks, supMixTask, work->count, work );
    for ( int32_t added = 0; added < most; ++added )
    {
        int32_t best = supBestMix( work, target );
        if ( best < 0 )
        {
            break;
        }
        supBakedHelper helper = { .joint = work->vertices[best].joints[0], .element = -1 };
        const float* mix = work->mixes + (size_t)best * (size_t)work->elements;
        if ( supAddBakedHelper( work->refit->bake, helper, -1, mix ) < 0 )
        {
            return supFail( error, sup_errorMemory, "no memory for helper joints" );
        }
        for ( int32_t i = 0; i < work->count; ++i )
        {
            work->errors[i] = supMinF( work->errors[i], work->table[(size_t)i * (size_t)work->count + (size_t)best] );
        }
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------
// Setting up

/// Whether a mix could help: what turns is not to be mixed, and leaves a vertex less room, or none.
static bool supMayMix( const supJointBake* bake, const supRefit* refit )
{
    static const float most = 0.8f;
    if ( !supSkinMotions_RowTurns( bake->model->motions, refit->row ) )
    {
        return true;
    }
    supMixedVertex vertex = supMakeMixedVertex( bake, refit );
    return vertex.turned < most && 2 * vertex.jointCount <= bake->meshes[refit->mesh].influenceCount;
}

/// The worst vertices, worst first.
static void supFindWanting( supMixWork* work, const float* errors, float target )
{
    const supRefitWork* refit = work->refit;
    for ( int32_t i = 0; i < (int32_t)refit->bake->refits.count; ++i )
    {
        float error = supMayMix( refit->bake, (const supRefit*)refit->bake->refits.data + i ) ? errors[i] : 0.0f;
        if ( error <= target || ( work->count == supMostWanting && error <= work->errors[work->count - 1] ) )
        {
            continue;
        }
        int32_t at = work->count < supMostWanting ? work->count++ : work->count - 1;
        for ( ; at > 0 && work->errors[at - 1] < error; --at )
        {
            work->errors[at] = work->errors[at - 1];
            work->refits[at] = work->refits[at - 1];
        }
        work->errors[at] = error;
        work->refits[at] = i;
    }
}

static void supReadWanting( supMixWork* work )
{
    const supJointBake* bake = work->refit->bake;
    const supRefit* refits = bake->refits.data;
    for ( int32_t i = 0; i < work->count; ++i )
    {
        float* mix = work->mixes + (size_t)i * (size_t)work->elements;
        work->vertices[i] = supMakeMixedVertex( bake, refits + work->refits[i] );
        supAlphasOf( bake->model->motions, work->vertices[i].row, mix );
        for ( int32_t e = 0; e < work->elements; ++e )
        {
            mix[e] /= work->vertices[i].weights[0];
        }
    }
}

supResult supAddMixes( supRefitWork* work, const float* errors, double target, int32_t most, supError* error )
{
    supJointBake* bake = work->bake;
    size_t elements = work->frames->motionCount;
    if ( elements > SUP_MAX_MIXED )
    {
        return sup_success;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, int32_t, refits, supMostWanting );
    SUP_PUT_NEW( &layout, supMixedVertex, verticesRoom, supMostWanting );
    SUP_PUT_NEW( &layout, float, errorsRoom, supMostWanting );
    SUP_PUT_NEW( &layout, float, mixesRoom, supMostWanting* elements );
    SUP_PUT_NEW( &layout, float, table, supMostWanting* supMostWanting );
    char* block = supAllocLayout( &bake->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory to fit the weights of %zu vertices", bake->refits.count );
    }
    supMixWork mixes = { .refit = work,
        .elements = (int32_t)elements,
        .refits = refits,
        .vertices = verticesRoom,
        .errors = errorsRoom,
        .mixes = mixesRoom,
        .table = table };
    float least = (float)( target * bake->size );
    supFindWanting( &mixes, errors, least );
    supReadWanting( &mixes );
    supResult result = supGrowMixes( &mixes, least, most, error );
    supFree( &bake->allocator, block, layout.size );
    return result;
}
