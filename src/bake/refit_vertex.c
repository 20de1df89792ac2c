// Fewer influences than a vertex needs, with the weights that miss them least: one vertex.
// SPDX-License-Identifier: MIT
//
// Many engines read four influences a vertex. A vertex with four joints of its own and flesh needs five. Which four,
// and with what weights, is decided over frames of all clips: ways to leave joints to their helpers (assignments.c),
// these with weights fitted by least squares, and the best few candidates of all by least squares (fewest_weights.c).
// What is off least in its worst frame is taken.

#include "bake/assignments.h"
#include "bake/error_plan.h"
#include "bake/fewest_weights.h"
#include "bake/refit.h"
#include "base/math.h"

#include <string.h>

/// How much the smooth skin counts, of clips that nobody baked: a weight that is off by 1 costs as an error of this
/// share of the size in every frame.
static const double supSmoothCost = 2e-3;
/// An error of this share of the size is no reason to look further.
static const double supGoodEnough = 5e-5;

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

struct supFitting
{
    supMeshView mesh;
    int32_t row;
    supExactInfluences candidates;
    /// Where each candidate alone would put the vertex in each frame, less where it should be.
    supVec3 errors[SUP_REFIT_FRAMES][SUP_MAX_CANDIDATES];
    supWeightProblem problem;
};

size_t supFittingSize( void )
{
    return sizeof( supFitting );
}

static void supCandidateErrors( const supRefitWork* work, supFitting* fitting, int32_t frame )
{
    const supMeshView* mesh = &fitting->mesh;
    const supExactInfluences* candidates = &fitting->candidates;
    const supRefitFrames* frames = work->frames;
    const supMat34* palette = frames->palettes + (size_t)frame * frames->paletteCount + mesh->firstPalette;
    const supVec3* moves = frames->moves + (size_t)frame * work->bake->helpers.count;
    const float* morphWeights = frames->morphWeights + (size_t)frame * frames->morphCount;
    int32_t vertex = work->bake->model->flesh->touched[fitting->row] - mesh->firstVertex;
    supVec3 point = supMorphedPoint( mesh, vertex, morphWeights ), target = supVec3_zero;
    supVec3* errors = fitting->errors[frame];
    supVec3 places[SUP_MAX_CANDIDATES]; // of the joints, at their first candidate
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        const supBakeInfluence* candidate = candidates->influences + c;
        int32_t known = 0; // helpers move as their joints do, which are few
        while ( candidates->influences[known].joint != candidate->joint )
        {
            ++known;
        }
        if ( known == c )
        {
            places[c] = supTransformPoint( palette[candidate->joint], point );
        }
        supVec3 moved = places[known];
        errors[c] = candidate->helper >= 0 ? supAdd( moved, moves[candidate->helper] ) : moved;
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
    for ( int32_t f = 0; f < work->frames->count; f += SUP_FIT_STRIDE )
    {
        const supVec3* errors = fitting->errors[f];
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
    double smooth = unit * unit * work->frames->count / SUP_FIT_STRIDE;
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

/// The error of a choice in a frame.
static supVec3 supChoiceError( const supFitting* fitting, const supWeightChoice* choice, int32_t frame )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        sum = supMulAdd( sum, (float)choice->weights[i], fitting->errors[frame][choice->chosen[i]] );
    }
    return sum;
}

/// The largest error of a choice in any frame; where it is above `most`, something above that. Metres
static double supErrorOf(
    const supRefitWork* work, const supFitting* fitting, const supWeightChoice* choice, double most )
{
    float worst = 0.0f;
    for ( int32_t f = 0; f < work->frames->count && worst <= most * most; ++f )
    {
        worst = supMaxF( worst, supLengthSquared( supChoiceError( fitting, choice, f ) ) );
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
    double error = choice->count > 0 ? supErrorOf( work, fitting, choice, best->error ) : supInfinity();
    if ( error < best->error )
    {
        best->error = error;
        best->choice = *choice;
    }
}

/// What a vertex would need, where there is room for it.
static supWeightChoice supExactChoice( const supExactInfluences* candidates )
{
    supWeightChoice choice = { .count = 0 };
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        if ( candidates->influences[c].weight > 0.0f )
        {
            choice.chosen[choice.count++] = c;
        }
    }
    return choice;
}

static void supStoreChoice(
    const supRefitWork* work, int32_t index, const supFitting* fitting, const supWeightChoice* choice )
{
    supJointBake* bake = work->bake;
    const supRefit* refit = (const supRefit*)bake->refits.data + index;
    supBakeInfluence influences[SUP_MAX_CANDIDATES];
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        influences[i] = fitting->candidates.influences[choice->chosen[i]];
        influences[i].weight = (float)choice->weights[i];
    }
    int32_t vertex = bake->model->flesh->touched[refit->row] - fitting->mesh.firstVertex;
    supStoreInfluences( bake, refit->mesh, vertex, choice->count, influences );
    double worst = 0.0;
    supVec3* errors = work->frameErrors + (size_t)index * (size_t)work->frames->count;
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        errors[f] = supChoiceError( fitting, choice, f );
        worst = supMax( worst, supLengthSquared( errors[f] ) );
    }
    work->errors[index] = (float)supSqrt( worst );
}

void supRefitVertex( const supRefitWork* work, int32_t index, supFitting* fitting )
{
    const supJointBake* bake = work->bake;
    const supRefit* refit = (const supRefit*)bake->refits.data + index;
    fitting->mesh = supCharacter_Mesh( bake->model->character, refit->mesh );
    fitting->row = refit->row;
    fitting->candidates = supCandidatesOf( bake, &fitting->mesh, refit->row );
    supWeightChoice assigned[SUP_KEPT_ASSIGNMENTS];
    int32_t assignedCount = supAssignmentChoices( work, fitting, refit, assigned );
    for ( int32_t f = 0; f < work->frames->count; ++f )
    {
        supCandidateErrors( work, fitting, f );
    }

    supBestChoice best = { .error = supInfinity() };
    for ( int32_t i = 0; i < assignedCount; ++i )
    {
        supKeepBetter( work, fitting, assigned + i, &best );
    }
    if ( best.error > supGoodEnough * bake->size )
    {
        supSetCosts( work, fitting );
        for ( int32_t i = 0; i < assignedCount; ++i )
        {
            supSolveWeights( &fitting->problem, assigned + i );
            supKeepBetter( work, fitting, assigned + i, &best );
        }
        supWeightChoice exact = supExactChoice( &fitting->candidates );
        supWeightChoice choice =
            supChooseWeights( &fitting->problem, &exact, bake->meshes[refit->mesh].influenceCount );
        supKeepBetter( work, fitting, &choice, &best );
    }
    bool isFirst = work->errors[index] == 0.0f;
    if ( best.choice.count > 0 && ( isFirst || best.error < work->errors[index] ) )
    {
        supStoreChoice( work, index, fitting, &best.choice );
    }
}
