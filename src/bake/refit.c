// Fewer influences than a vertex needs, with the weights that miss them least.
// SPDX-License-Identifier: MIT
//
// Many engines read four influences a vertex. A vertex with four joints of its own and flesh needs five. Which four,
// and with what weights, is decided by least squares over frames of all clips. A joint can be left to one of its
// helpers altogether, which costs no influence: often the best of all.

#include "bake/error_plan.h"
#include "bake/fewest_weights.h"
#include "base/math.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    supRefitBlock = 64, ///< vertices of one task
    supMostFrames = 96, ///< of all clips together
    supLeastFrames = 4  ///< of each clip
};

/// How much the smooth skin counts, of clips that nobody baked: a weight that is off by 1 costs as an error of this
/// share of the size in every frame.
static const double supSmoothCost = 2e-3;

/// Frames of all clips.
typedef struct supRefitFrames
{
    int32_t count;
    supMat34* palettes;  ///< frame after frame
    supVec3* shown;      ///< elongations, frame after frame
    float* morphWeights; ///< frame after frame
    size_t paletteCount, elementCount, morphCount;
    size_t blockSize;
} supRefitFrames;

typedef struct supRefitWork
{
    supJointBake* bake;
    const supRefitFrames* frames;
} supRefitWork;

// ---------------------------------------------------------------------------------------------------------------
// Frames

/// How many frames of a take are looked at.
static int32_t supFramesOf( const supJointBakeDef* def, int32_t take )
{
    double total = 0.0;
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        total += def->takes[i]->info.end - def->takes[i]->info.start;
    }
    double length = def->takes[take]->info.end - def->takes[take]->info.start;
    return supLeastFrames + (int32_t)( total > 0.0 ? supMostFrames * length / total : 0.0 );
}

static supResult supReadFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, supPose* pose )
{
    const supCharacter* character = bake->model->character;
    int32_t at = 0;
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        const supTake* take = def->takes[i];
        int32_t count = supFramesOf( def, i );
        for ( int32_t k = 0; k < count; ++k, ++at )
        {
            double time = take->info.start + ( take->info.end - take->info.start ) * k / ( count - 1 );
            supPose_Sample( pose, take->clip, time );
            supCharacter_Palette(
                character, supPose_Joints( pose ), frames->palettes + (size_t)at * frames->paletteCount );
            supTake_Elongations( take, time, frames->shown + (size_t)at * frames->elementCount );
            memcpy( frames->morphWeights + (size_t)at * frames->morphCount, supPose_MorphWeights( pose ),
                sizeof( float ) * frames->morphCount );
        }
    }
    return sup_success;
}

static supResult supMakeFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, supError* error )
{
    const supCharacter* character = bake->model->character;
    *frames = ( supRefitFrames ){ .paletteCount = (size_t)supCharacter_PaletteCount( character ),
        .elementCount = (size_t)bake->model->flesh->elementCount,
        .morphCount = (size_t)supCharacter_MorphWeightCount( character ) };
    for ( int32_t i = 0; i < def->takeCount; ++i )
    {
        frames->count += supFramesOf( def, i );
    }
    size_t count = (size_t)frames->count;
    supLayout layout = supMakeLayout();
    size_t atPalettes = supLayoutArray( &layout, count, frames->paletteCount * sizeof( supMat34 ), SUP_MAX_ALIGNMENT );
    size_t atShown = supLayoutArray( &layout, count, frames->elementCount * sizeof( supVec3 ), _Alignof( supVec3 ) );
    size_t atWeights = supLayoutArray( &layout, count, frames->morphCount * sizeof( float ), _Alignof( float ) );
    char* block = supAllocLayout( &bake->allocator, &layout );
    supPose* pose = NULL;
    if ( block == NULL || supCreatePose( character, &bake->allocator, &pose, error ) != sup_success )
    {
        supFree( &bake->allocator, block, layout.size );
        return supFail( error, sup_errorMemory, "no memory for %d frames to fit weights to", frames->count );
    }
    frames->palettes = (supMat34*)( block + atPalettes );
    frames->shown = (supVec3*)( block + atShown );
    frames->morphWeights = (float*)( block + atWeights );
    frames->blockSize = layout.size;
    supResult result = supReadFrames( frames, bake, def, pose );
    supDestroyPose( pose );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// One vertex

/// What may influence a vertex: its exact influences, and every helper of its elements on its joints.
static supExactInfluences supCandidatesOf( const supJointBake* bake, const supMeshView* mesh, int32_t row )
{
    const supFlesh* flesh = bake->model->flesh;
    const int32_t* paletteJoints = supCharacter_PaletteJoints( bake->model->character ) + mesh->firstPalette;
    supExactInfluences all = supExactInfluencesOf( bake, mesh, row );
    size_t first = (size_t)( flesh->touched[row] - mesh->firstVertex ) * (size_t)mesh->influenceCount;
    for ( int32_t i = flesh->offsets[row] - 1; i < flesh->offsets[row + 1]; ++i )
    {
        for ( int32_t k = 0; k < mesh->influenceCount && mesh->weights[first + (size_t)k] > 0.0f; ++k )
        {
            int32_t joint = mesh->jointIndices[first + (size_t)k];
            bool isJoint = i < flesh->offsets[row]; // the first round is for the joints themselves
            int32_t helper = isJoint ? -1 : supHelperOf( bake, flesh->touches[i].element, paletteJoints[joint] );
            bool known = !isJoint && helper < 0;
            for ( int32_t c = 0; c < all.count && !known; ++c )
            {
                known = all.influences[c].joint == joint && all.influences[c].helper == helper;
            }
            if ( !known && all.count < SUP_MAX_CANDIDATES )
            {
                all.influences[all.count++] = ( supBakeInfluence ){ joint, helper, 0.0f };
            }
        }
    }
    return all;
}

/// Where each candidate alone would put the vertex in a frame, less where it should be.
static void supCandidateErrors( const supRefitWork* work, const supMeshView* mesh, int32_t row,
    const supExactInfluences* candidates, int32_t frame, supVec3* errors )
{
    const supModel* model = work->bake->model;
    const supRefitFrames* frames = work->frames;
    const supMat34* palette = frames->palettes + (size_t)frame * frames->paletteCount + mesh->firstPalette;
    const supVec3* shown = frames->shown + (size_t)frame * frames->elementCount;
    const float* morphWeights = frames->morphWeights + (size_t)frame * frames->morphCount;
    supVec3 point = supMorphedPoint( mesh, model->flesh->touched[row] - mesh->firstVertex, morphWeights );
    supVec3 target = supVec3_zero;
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        const supBakeInfluence* candidate = candidates->influences + c;
        errors[c] = supTransformPoint( palette[candidate->joint], point );
        if ( candidate->helper >= 0 )
        {
            errors[c] = supAdd( errors[c], supHelperMove( work->bake, candidate->helper, shown ) );
        }
        target = supMulAdd( target, candidate->weight, errors[c] );
    }
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        errors[c] = supSub( errors[c], target );
    }
}

/// w^T C w: squared errors over all frames, and what the smooth skin would lose.
static void supSetCosts( const supRefitWork* work, const supMeshView* mesh, int32_t row,
    const supExactInfluences* candidates, supWeightProblem* problem )
{
    int32_t count = candidates->count;
    problem->count = count;
    memset( problem->costs, 0, sizeof( problem->costs ) );
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        supVec3 errors[SUP_MAX_CANDIDATES];
        supCandidateErrors( work, mesh, row, candidates, f, errors );
        for ( int32_t i = 0; i < count; ++i )
        {
            for ( int32_t k = 0; k <= i; ++k )
            {
                problem->costs[i][k] += supDot( errors[i], errors[k] );
            }
        }
    }
    // sum over joints j of (W_j - w_j)^2, W_j with the helpers on j: with sum w = 1 it is |(S - w 1^T) w|^2
    double unit = supSmoothCost * work->bake->size;
    double smooth = unit * unit * work->frames->count;
    for ( int32_t j = 0; j < count; ++j )
    {
        if ( candidates->influences[j].helper >= 0 )
        {
            continue;
        }
        double row2[SUP_MAX_CANDIDATES], own = 0.0;
        for ( int32_t c = 0; c < count; ++c )
        {
            bool on = candidates->influences[c].joint == candidates->influences[j].joint;
            own += on ? candidates->influences[c].weight : 0.0;
            row2[c] = on ? 1.0 : 0.0;
        }
        for ( int32_t i = 0; i < count; ++i )
        {
            for ( int32_t k = 0; k <= i; ++k )
            {
                problem->costs[i][k] += smooth * ( row2[i] - own ) * ( row2[k] - own );
            }
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < i; ++k )
        {
            problem->costs[k][i] = problem->costs[i][k];
        }
    }
}

static void supRefitVertex( const supRefitWork* work, const supRefit* refit )
{
    supMeshView mesh = supCharacter_Mesh( work->bake->model->character, refit->mesh );
    supExactInfluences candidates = supCandidatesOf( work->bake, &mesh, refit->row );
    supWeightProblem problem;
    supSetCosts( work, &mesh, refit->row, &candidates, &problem );
    supWeightChoice start = { .count = 0 };
    for ( int32_t c = 0; c < candidates.count; ++c )
    {
        if ( candidates.influences[c].weight > 0.0f )
        {
            start.chosen[start.count++] = c;
        }
    }
    int32_t room = work->bake->meshes[refit->mesh].influenceCount;
    supWeightChoice choice = supChooseWeights( &problem, &start, room );
    supBakeInfluence influences[SUP_MAX_CANDIDATES];
    for ( int32_t i = 0; i < choice.count; ++i )
    {
        influences[i] = candidates.influences[choice.chosen[i]];
        influences[i].weight = (float)choice.weights[i];
    }
    if ( choice.count > 0 )
    {
        int32_t vertex = work->bake->model->flesh->touched[refit->row] - mesh.firstVertex;
        supStoreInfluences( work->bake, refit->mesh, vertex, choice.count, influences );
    }
}

static void supRefitTask( int32_t index, void* context )
{
    const supRefitWork* work = context;
    const supRefit* refits = work->bake->refits.data;
    int32_t first, end = supBlock( index, supRefitBlock, (int32_t)work->bake->refits.count, &first );
    for ( int32_t i = first; i < end; ++i )
    {
        supRefitVertex( work, refits + i );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What it cost

/// Errors of all refitted vertices in one frame, at the places of their vertices; others stay zero.
static void supFrameErrors(
    const supRefitWork* work, const supErrorPlan* plan, int32_t frame, supVec3* moves, supVec3* errors )
{
    const supModel* model = work->bake->model;
    const supRefitFrames* frames = work->frames;
    const supVec3* shown = frames->shown + (size_t)frame * frames->elementCount;
    const supRefit* refits = work->bake->refits.data;
    for ( int32_t i = 0; i < supBakedHelperCount( work->bake ); ++i )
    {
        moves[i] = supHelperMove( work->bake, i, shown );
    }
    for ( size_t i = 0; i < work->bake->refits.count; ++i )
    {
        errors[model->flesh->touched[refits[i].row]] = supRefitRowError( plan, work->bake, refits[i].row, moves, shown,
            frames->palettes + (size_t)frame * frames->paletteCount,
            frames->morphWeights + (size_t)frame * frames->morphCount );
    }
}

static double supLargestJump( const supCharacter* character, const supJointBake* bake, const supVec3* errors )
{
    double largest = 0.0;
    for ( int32_t m = 0; m < bake->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        const supVec3* at = errors + mesh.firstVertex;
        for ( int32_t i = 0; bake->meshes[m].changed && i + 2 < mesh.indexCount; i += 3 )
        {
            for ( int k = 0; k < 3; ++k )
            {
                uint32_t a = mesh.indices[i + k], b = mesh.indices[i + ( k + 1 ) % 3];
                largest = supMax( largest, supLengthSquared( supSub( at[a], at[b] ) ) );
            }
        }
    }
    return supSqrt( largest );
}

static supResult supMeasureRefit( supRefitWork* work, supError* error )
{
    supJointBake* bake = work->bake;
    const supCharacter* character = bake->model->character;
    size_t vertices = (size_t)supCharacter_VertexCount( character );
    supLayout layout = supMakeLayout();
    size_t atErrors = SUP_LAYOUT_ARRAY( &layout, supVec3, vertices );
    size_t atMoves = SUP_LAYOUT_ARRAY( &layout, supVec3, bake->helpers.count );
    char* block = supAllocLayout( &bake->allocator, &layout );
    supErrorPlan plan;
    if ( block == NULL || supMakeErrorPlan( &plan, bake, error ) != sup_success )
    {
        supFree( &bake->allocator, block, layout.size );
        return supFail( error, sup_errorMemory, "no memory to measure %zu vertices", vertices );
    }
    supVec3* errors = (supVec3*)( block + atErrors );
    double largest = 0.0, jump = 0.0;
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        supFrameErrors( work, &plan, f, (supVec3*)( block + atMoves ), errors );
        for ( size_t v = 0; v < vertices; ++v )
        {
            largest = supMax( largest, supLengthSquared( errors[v] ) );
        }
        jump = supMax( jump, supLargestJump( character, bake, errors ) );
    }
    bake->refitError = (float)supSqrt( largest );
    bake->refitEdgeJump = (float)jump;
    supErrorPlan_Destroy( &plan, &bake->allocator );
    supFree( &bake->allocator, block, layout.size );
    return sup_success;
}

supResult supRefitInfluences( supJointBake* bake, const supJointBakeDef* def, supError* error )
{
    int32_t count = (int32_t)bake->refits.count;
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
    supRefitWork work = { bake, &frames };
    supRunTasks( def->tasks, supRefitTask, supBlockCount( supRefitBlock, count ), &work );
    result = supMeasureRefit( &work, error );
    supFree( &bake->allocator, frames.palettes, frames.blockSize );
    return result;
}
