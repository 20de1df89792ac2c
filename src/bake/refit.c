// Fewer influences than a vertex needs, with the weights that miss them least.
// SPDX-License-Identifier: MIT
//
// Many engines read four influences a vertex. A vertex with four joints of its own and flesh needs five. Which four,
// and with what weights, is decided by least squares over frames of all clips. A joint can be left to one of its
// helpers altogether, which costs no influence: often the best of all.

#include "bake/refit.h"
#include "bake/assignments.h"
#include "bake/error_plan.h"
#include "bake/fewest_weights.h"
#include "base/math.h"
#include "base/tasks.h"

#include <string.h>

enum
{
    supRefitBlock = 64 ///< vertices of one task
};

/// How much the smooth skin counts, of clips that nobody baked: a weight that is off by 1 costs as an error of this
/// share of the size in every frame.
static const double supSmoothCost = 2e-3;

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

/// A vertex that is being fitted.
typedef struct supFitting
{
    supMeshView mesh;
    int32_t row;
    supExactInfluences candidates;
    /// Where each candidate alone would put the vertex in each frame, less where it should be.
    supVec3 errors[SUP_REFIT_FRAMES][SUP_MAX_CANDIDATES];
    supWeightProblem problem;
} supFitting;

static void supCandidateErrors( const supRefitWork* work, const supFitting* fitting, int32_t frame, supVec3* errors )
{
    const supMeshView* mesh = &fitting->mesh;
    const supExactInfluences* candidates = &fitting->candidates;
    const supModel* model = work->bake->model;
    const supRefitFrames* frames = work->frames;
    const supMat34* palette = frames->palettes + (size_t)frame * frames->paletteCount + mesh->firstPalette;
    const supVec3* shown = frames->shown + (size_t)frame * frames->elementCount;
    const float* morphWeights = frames->morphWeights + (size_t)frame * frames->morphCount;
    supVec3 point = supMorphedPoint( mesh, model->flesh->touched[fitting->row] - mesh->firstVertex, morphWeights );
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
static void supSetCosts( const supRefitWork* work, supFitting* fitting )
{
    const supExactInfluences* candidates = &fitting->candidates;
    supWeightProblem* problem = &fitting->problem;
    int32_t count = candidates->count;
    problem->count = count;
    memset( problem->costs, 0, sizeof( problem->costs ) );
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        supVec3* errors = fitting->errors[f];
        supCandidateErrors( work, fitting, f, errors );
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

/// The largest error of a choice in any frame. Metres
static double supErrorOf( const supRefitWork* work, const supFitting* fitting, const supWeightChoice* choice )
{
    double worst = 0.0;
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        supVec3 sum = supVec3_zero;
        for ( int32_t i = 0; i < choice->count; ++i )
        {
            sum = supMulAdd( sum, (float)choice->weights[i], fitting->errors[f][choice->chosen[i]] );
        }
        worst = supMax( worst, supLengthSquared( sum ) );
    }
    return supSqrt( worst );
}

/// A candidate's index; added where it is new and there is room. -1: no room.
static int32_t supFindCandidate( supExactInfluences* all, supBakeInfluence influence )
{
    int32_t c = 0;
    while ( c < all->count &&
            ( all->influences[c].joint != influence.joint || all->influences[c].helper != influence.helper ) )
    {
        ++c;
    }
    if ( c == all->count && c < SUP_MAX_CANDIDATES )
    {
        influence.weight = 0.0f;
        all->influences[all->count++] = influence;
    }
    return c < SUP_MAX_CANDIDATES ? c : -1;
}

/// The best assignments as choices of candidates, which are added where they are not there yet.
static int32_t supAssignmentChoices(
    const supRefitWork* work, supFitting* fitting, const supRefit* refit, supWeightChoice* choices )
{
    const supJointBake* bake = work->bake;
    float alphas[SUP_MAX_MIXED];
    if ( bake->model->flesh->elementCount > SUP_MAX_MIXED )
    {
        return 0;
    }
    supAlphasOf( bake->model->flesh, refit->row, alphas );
    supMixedVertex vertex = supMakeMixedVertex( bake, refit );
    supAssignments assignments = supAssignJoints( bake, &vertex, alphas, work->frames->reaches, -1 );
    int32_t count = 0;
    for ( int32_t a = 0; a < assignments.count; ++a )
    {
        const supAssignment* from = assignments.best + a;
        supWeightChoice* choice = choices + count++;
        choice->count = 0;
        for ( int32_t k = 0; k < from->count; ++k )
        {
            int32_t c = supFindCandidate( &fitting->candidates, from->influences[k] );
            if ( c >= 0 )
            {
                choice->chosen[choice->count] = c;
                choice->weights[choice->count++] = from->influences[k].weight;
            }
        }
        count -= choice->count < from->count;
    }
    return count;
}

typedef struct supBestChoice
{
    supWeightChoice choice;
    double error;
} supBestChoice;

static void supKeepBetter(
    const supRefitWork* work, const supFitting* fitting, const supWeightChoice* choice, supBestChoice* best )
{
    double error = choice->count > 0 ? supErrorOf( work, fitting, choice ) : supInfinity();
    if ( error < best->error )
    {
        best->error = error;
        best->choice = *choice;
    }
}

static void supRefitVertex( const supRefitWork* work, const supRefit* refit, float* error )
{
    supJointBake* bake = work->bake;
    supFitting fitting;
    fitting.mesh = supCharacter_Mesh( bake->model->character, refit->mesh );
    fitting.row = refit->row;
    fitting.candidates = supCandidatesOf( bake, &fitting.mesh, refit->row );
    supWeightChoice assigned[SUP_KEPT_ASSIGNMENTS];
    int32_t assignedCount = supAssignmentChoices( work, &fitting, refit, assigned );
    supSetCosts( work, &fitting );

    int32_t room = bake->meshes[refit->mesh].influenceCount;
    supBestChoice best = { .error = supInfinity() };
    for ( int32_t i = 0; i < assignedCount; ++i )
    {
        supKeepBetter( work, &fitting, assigned + i, &best );
        supSolveWeights( &fitting.problem, assigned + i );
        supKeepBetter( work, &fitting, assigned + i, &best );
    }
    supWeightChoice start = { .count = 0 };
    for ( int32_t c = 0; c < fitting.candidates.count; ++c )
    {
        if ( fitting.candidates.influences[c].weight > 0.0f )
        {
            start.chosen[start.count++] = c;
        }
    }
    supWeightChoice choice = supChooseWeights( &fitting.problem, &start, room );
    supKeepBetter( work, &fitting, &choice, &best );

    *error = (float)best.error;
    supBakeInfluence influences[SUP_MAX_CANDIDATES];
    for ( int32_t i = 0; i < best.choice.count; ++i )
    {
        influences[i] = fitting.candidates.influences[best.choice.chosen[i]];
        influences[i].weight = (float)best.choice.weights[i];
    }
    if ( best.choice.count > 0 )
    {
        int32_t vertex = bake->model->flesh->touched[refit->row] - fitting.mesh.firstVertex;
        supStoreInfluences( bake, refit->mesh, vertex, best.choice.count, influences );
    }
}

static void supRefitTask( int32_t index, void* context )
{
    const supRefitWork* work = context;
    const supRefit* refits = work->bake->refits.data;
    int32_t first, end = supBlock( index, supRefitBlock, (int32_t)work->bake->refits.count, &first );
    bool isSecond = supBakedHelperCount( work->bake ) > work->bake->model->helperCount;
    for ( int32_t i = first; i < end; ++i )
    {
        if ( !isSecond || work->errors[i] > SUP_MIX_ERROR * work->bake->size )
        {
            supRefitVertex( work, refits + i, work->errors + i );
        }
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

/// Fits with the model's helpers, then, where that is not good enough, with mixes as well.
static supResult supRefitAll( supRefitWork* work, const supJointBakeDef* def, supError* error )
{
    int32_t blocks = supBlockCount( supRefitBlock, (int32_t)work->bake->refits.count );
    supRunTasks( def->tasks, supRefitTask, blocks, work );
    supResult result = def->modelHelpersOnly ? sup_success : supAddMixes( work, error );
    if ( result == sup_success && supBakedHelperCount( work->bake ) > work->bake->model->helperCount )
    {
        supRunTasks( def->tasks, supRefitTask, blocks, work );
    }
    return result == sup_success ? supMeasureRefit( work, error ) : result;
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
    float* errors = supAllocZeroed( &bake->allocator, count, sizeof( float ), _Alignof( float ) );
    supRefitWork work = { bake, &frames, errors };
    result = errors != NULL ? supRefitAll( &work, def, error )
                            : supFail( error, sup_errorMemory, "no memory to fit the weights of %zu vertices", count );
    supFree( &bake->allocator, errors, count * sizeof( float ) );
    supFree( &bake->allocator, frames.palettes, frames.blockSize );
    return result;
}
