// Fewer influences than a vertex needs, with the weights that miss them least: one vertex.
// SPDX-License-Identifier: MIT
//
// Many engines read four influences a vertex. A vertex with four joints of its own and flesh needs five. Which four,
// and with what weights, is decided over frames of all clips: ways to leave joints to their helpers (assignments.c),
// these with weights fitted by least squares, and the best few candidates of all by least squares (joint_weights.c).
// What is off least in its worst frame is taken.

#include "bake/assignments.h"
#include "bake/error_plan.h"
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
    const supSkinOffsets* offsets = &bake->model->offsets;
    const int32_t* paletteJoints = supCharacter_Info( bake->model->character )->paletteJoints + mesh->firstPalette;
    const supSkinMotions* motions = bake->model->motions;
    supExactInfluences all = supExactInfluencesOf( bake, mesh, row, NULL );
    size_t first = (size_t)( offsets->touched[row] - mesh->firstVertex ) * (size_t)mesh->influenceCount;
    for ( int32_t i = motions->offsets[row] - 1; i < motions->offsets[row + 1]; ++i )
    {
        for ( int32_t k = 0; k < mesh->influenceCount && mesh->weights[first + (size_t)k] > 0.0f; ++k )
        {
            int32_t joint = mesh->jointIndices[first + (size_t)k];
            bool isJoint = i < motions->offsets[row]; // the first round is for the joints themselves
            int32_t helper = isJoint ? -1 : supHelperOf( bake, motions->touches[i].motion, paletteJoints[joint] );
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

/// A vector in every frame.
typedef struct supFrameVectors
{
    _Alignas( SUP_MAX_ALIGNMENT ) float x[SUP_REFIT_FRAMES];
    float y[SUP_REFIT_FRAMES], z[SUP_REFIT_FRAMES];
} supFrameVectors;

struct supFitting
{
    supMeshView mesh;
    int32_t row;
    supExactInfluences candidates;
    /// Where each candidate alone would put the vertex, less where it should be.
    supFrameVectors errors[SUP_MAX_CANDIDATES];
    supFrameVectors point, place, smooth, moved; ///< scratch
    supWeightProblem problem;
};

size_t supFittingSize( void )
{
    return sizeof( supFitting );
}

/// The vertex as the mesh has it, with its morphs on.
static void supReadPoint( const supRefitWork* work, supFitting* fitting )
{
    const supRefitFrames* frames = work->frames;
    int32_t vertex = work->bake->model->offsets.touched[fitting->row] - fitting->mesh.firstVertex;
    const float* p = fitting->mesh.positions + 3 * (size_t)vertex;
    supVec3 point = { p[0], p[1], p[2] };
    for ( int32_t f = 0; f < (int32_t)frames->stride; ++f )
    {
        if ( fitting->mesh.morphCount > 0 && f < frames->count )
        {
            const float* morphWeights = frames->morphWeights + (size_t)f * frames->morphCount;
            point = supMorphedPoint( &fitting->mesh, vertex, morphWeights );
        }
        fitting->point.x[f] = point.x;
        fitting->point.y[f] = point.y;
        fitting->point.z[f] = point.z;
    }
}

/// One coordinate of a point under a matrix: `m` is the first of its four tracks, of the columns x, y, z, t.
static void supPlaceTrack(
    const float* restrict m, size_t stride, const supFrameVectors* restrict p, float* restrict out )
{
    const float *y = m + 3 * stride, *z = m + 6 * stride, *t = m + 9 * stride;
    for ( size_t f = 0; f < stride; ++f )
    {
        out[f] = m[f] * p->x[f] + y[f] * p->y[f] + z[f] * p->z[f] + t[f];
    }
}

/// out = a + scale * b
static void supMulAddTrack( const float* a, float scale, const float* b, float* out, size_t count )
{
    for ( size_t f = 0; f < count; ++f )
    {
        out[f] = a[f] + scale * b[f];
    }
}

static void supMulAddTracks(
    const supFrameVectors* a, float scale, const supFrameVectors* b, supFrameVectors* out, size_t count )
{
    supMulAddTrack( a->x, scale, b->x, out->x, count );
    supMulAddTrack( a->y, scale, b->y, out->y, count );
    supMulAddTrack( a->z, scale, b->z, out->z, count );
}

/// A point under a motion that turns.
static void supTurnTracks(
    const supRefitFrames* frames, int32_t motion, const supFrameVectors* p, supFrameVectors* out )
{
    size_t stride = frames->stride;
    const float* m = frames->turns + 12 * (size_t)motion * stride;
    supPlaceTrack( m, stride, p, out->x );
    supPlaceTrack( m + stride, stride, p, out->y );
    supPlaceTrack( m + 2 * stride, stride, p, out->z );
}

/// Where the candidates put the vertex that move as one joint does: it, and its helpers.
static void supPlaceCandidates( const supRefitWork* work, supFitting* fitting, int32_t joint )
{
    const supRefitFrames* frames = work->frames;
    const supExactInfluences* candidates = &fitting->candidates;
    size_t stride = frames->stride;
    const float* palette = frames->palettes + 12 * (size_t)( fitting->mesh.firstPalette + joint ) * stride;
    supPlaceTrack( palette, stride, &fitting->point, fitting->place.x );
    supPlaceTrack( palette + stride, stride, &fitting->point, fitting->place.y );
    supPlaceTrack( palette + 2 * stride, stride, &fitting->point, fitting->place.z );
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        int32_t helper = candidates->influences[c].helper;
        supFrameVectors* to = fitting->errors + c;
        if ( candidates->influences[c].joint != joint )
        {
            continue;
        }
        if ( helper < 0 )
        {
            memcpy( to, &fitting->place, sizeof( *to ) );
            continue;
        }
        const float* moves = frames->moves + 3 * (size_t)helper * stride;
        const supFrameVectors* place = &fitting->place;
        if ( supHelperTurn( work->bake, helper ) >= 0 )
        {
            supTurnTracks( frames, supHelperTurn( work->bake, helper ), place, to );
            place = to;
        }
        supMulAddTrack( place->x, 1.0f, moves, to->x, stride );
        supMulAddTrack( place->y, 1.0f, moves + stride, to->y, stride );
        supMulAddTrack( place->z, 1.0f, moves + 2 * stride, to->z, stride );
    }
}

/// Where the vertex should be, from its motions themselves: where several turn there may be no influences that would be
/// exact.
static void supWantedTracks( const supRefitWork* work, supFitting* fitting, supFrameVectors* target )
{
    const supRefitFrames* frames = work->frames;
    const supSkinMotions* motions = work->bake->model->motions;
    const supMeshView* mesh = &fitting->mesh;
    int32_t vertex = work->bake->model->offsets.touched[fitting->row] - mesh->firstVertex;
    size_t stride = frames->stride, first = (size_t)vertex * (size_t)mesh->influenceCount;
    supFrameVectors *smooth = &fitting->smooth, *moved = &fitting->moved;
    memset( smooth, 0, sizeof( *smooth ) );
    for ( int32_t k = 0; k < mesh->influenceCount && mesh->weights[first + (size_t)k] > 0.0f; ++k )
    {
        const float* palette =
            frames->palettes + 12 * (size_t)( mesh->firstPalette + mesh->jointIndices[first + (size_t)k] ) * stride;
        supPlaceTrack( palette, stride, &fitting->point, moved->x );
        supPlaceTrack( palette + stride, stride, &fitting->point, moved->y );
        supPlaceTrack( palette + 2 * stride, stride, &fitting->point, moved->z );
        supMulAddTracks( smooth, mesh->weights[first + (size_t)k], moved, smooth, stride );
    }
    memcpy( target, smooth, sizeof( *target ) );
    for ( int32_t i = motions->offsets[fitting->row]; i < motions->offsets[fitting->row + 1]; ++i )
    {
        const supMotionTouch* touch = motions->touches + i;
        if ( motions->turns[touch->motion] )
        {
            supTurnTracks( frames, touch->motion, smooth, moved );
            supMulAddTracks( moved, -1.0f, smooth, moved, stride );
            supMulAddTracks( target, touch->weight, moved, target, stride );
            continue;
        }
        for ( int32_t f = 0; f < frames->count; ++f )
        {
            supVec3 shift = frames->shown[(size_t)f * frames->motionCount + (size_t)touch->motion];
            target->x[f] += touch->weight * shift.x;
            target->y[f] += touch->weight * shift.y;
            target->z[f] += touch->weight * shift.z;
        }
    }
}

static void supCandidateErrors( const supRefitWork* work, supFitting* fitting )
{
    const supExactInfluences* candidates = &fitting->candidates;
    size_t stride = work->frames->stride;
    supReadPoint( work, fitting );
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        int32_t first = 0;
        while ( candidates->influences[first].joint != candidates->influences[c].joint )
        {
            ++first;
        }
        if ( first == c )
        {
            supPlaceCandidates( work, fitting, candidates->influences[c].joint );
        }
    }
    supFrameVectors* target = &fitting->place;
    memset( target, 0, sizeof( *target ) );
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        if ( candidates->influences[c].weight > 0.0f )
        {
            supMulAddTracks( target, candidates->influences[c].weight, fitting->errors + c, target, stride );
        }
    }
    if ( supSkinMotions_RowTurns( work->bake->model->motions, fitting->row ) )
    {
        supWantedTracks( work, fitting, target );
    }
    for ( int32_t c = 0; c < candidates->count; ++c )
    {
        supMulAddTracks( fitting->errors + c, -1.0f, target, fitting->errors + c, stride );
    }
}

/// What the smooth skin would lose: the sum over joints j of (W_j - w_j)^2, W_j with the helpers on j. With sum w = 1
/// it is |(S - w 1^T) w|^2, where S_jc says whether candidate c moves with joint j.
static void supAddSmoothCosts( const supExactInfluences* candidates, double unit, supWeightProblem* problem )
{
    int32_t count = candidates->count;
    for ( int32_t j = 0; j < count; ++j )
    {
        if ( candidates->influences[j].helper >= 0 )
        {
            continue;
        }
        double moves[SUP_MAX_CANDIDATES], own = 0.0;
        for ( int32_t c = 0; c < count; ++c )
        {
            bool with = candidates->influences[c].joint == candidates->influences[j].joint;
            own += with ? candidates->influences[c].weight : 0.0;
            moves[c] = with ? 1.0 : 0.0;
        }
        for ( int32_t i = 0; i < count; ++i )
        {
            for ( int32_t k = 0; k <= i; ++k )
            {
                problem->costs[i][k] += unit * ( moves[i] - own ) * ( moves[k] - own );
            }
        }
    }
}

/// w^T C w: squared errors over all frames, and what the smooth skin would lose.
static void supSetCosts( const supRefitWork* work, supFitting* fitting )
{
    supWeightProblem* problem = &fitting->problem;
    int32_t count = fitting->candidates.count;
    problem->count = count;
    memset( problem->costs, 0, sizeof( problem->costs ) );
    for ( int32_t f = 0; f < work->frames->count; f += SUP_FIT_STRIDE )
    {
        float x[SUP_MAX_CANDIDATES], y[SUP_MAX_CANDIDATES], z[SUP_MAX_CANDIDATES];
        for ( int32_t i = 0; i < count; ++i )
        {
            x[i] = fitting->errors[i].x[f];
            y[i] = fitting->errors[i].y[f];
            z[i] = fitting->errors[i].z[f];
            for ( int32_t k = 0; k <= i; ++k )
            {
                problem->costs[i][k] += x[i] * x[k] + y[i] * y[k] + z[i] * z[k];
            }
        }
    }
    double unit = supSmoothCost * work->bake->size;
    supAddSmoothCosts( &fitting->candidates, unit * unit * work->frames->count / SUP_FIT_STRIDE, problem );
    for ( int32_t i = 0; i < count; ++i )
    {
        for ( int32_t k = 0; k < i; ++k )
        {
            problem->costs[k][i] = problem->costs[i][k];
        }
    }
}

/// The errors of a choice in one block of frames.
static void supChoiceErrors( const supFitting* fitting, const supWeightChoice* choice, size_t first,
    float x[restrict SUP_FRAME_BLOCK], float y[restrict SUP_FRAME_BLOCK], float z[restrict SUP_FRAME_BLOCK] )
{
    memset( x, 0, SUP_FRAME_BLOCK * sizeof( float ) );
    memset( y, 0, SUP_FRAME_BLOCK * sizeof( float ) );
    memset( z, 0, SUP_FRAME_BLOCK * sizeof( float ) );
    for ( int32_t i = 0; i < choice->count; ++i )
    {
        const supFrameVectors* errors = fitting->errors + choice->chosen[i];
        float weight = (float)choice->weights[i];
        for ( size_t f = 0; f < SUP_FRAME_BLOCK; ++f )
        {
            x[f] += weight * errors->x[first + f];
            y[f] += weight * errors->y[first + f];
            z[f] += weight * errors->z[first + f];
        }
    }
}

/// The largest error of a choice in any frame; where it is above `most`, something above that. Metres
static double supErrorOf(
    const supRefitWork* work, const supFitting* fitting, const supWeightChoice* choice, double most )
{
    float worst = 0.0f;
    for ( size_t first = 0; first < work->frames->stride && worst <= most * most; first += SUP_FRAME_BLOCK )
    {
        float x[SUP_FRAME_BLOCK], y[SUP_FRAME_BLOCK], z[SUP_FRAME_BLOCK];
        supChoiceErrors( fitting, choice, first, x, y, z );
        for ( size_t f = 0; f < SUP_FRAME_BLOCK; ++f )
        {
            x[f] = x[f] * x[f] + y[f] * y[f] + z[f] * z[f];
        }
        for ( size_t half = SUP_FRAME_BLOCK / 2; half > 0; half /= 2 ) // a tree: wide, and the same for any order
        {
            for ( size_t f = 0; f < half; ++f )
            {
                x[f] = supMaxF( x[f], x[f + half] );
            }
        }
        worst = supMaxF( worst, x[0] );
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

/// False: no room.
static bool supAddChosen( supFitting* fitting, supBakeInfluence influence, supWeightChoice* choice )
{
    int32_t c = supFindCandidate( &fitting->candidates, influence );
    if ( c >= 0 )
    {
        choice->chosen[choice->count] = c;
        choice->weights[choice->count++] = (double)influence.weight;
    }
    return c >= 0;
}

/// What turns, in proportion on every joint. False: no room.
static bool supAddTurning(
    const supJointBake* bake, supFitting* fitting, const supMixedVertex* vertex, int32_t room, supWeightChoice* choice )
{
    const supSkinMotions* motions = bake->model->motions;
    size_t first = (size_t)( bake->model->offsets.touched[vertex->row] - fitting->mesh.firstVertex ) *
                   (size_t)fitting->mesh.influenceCount;
    bool fits = vertex->turned <= 1.0f;
    for ( int32_t i = motions->offsets[vertex->row]; i < motions->offsets[vertex->row + 1] && fits; ++i )
    {
        const supMotionTouch* touch = motions->touches + i;
        for ( int32_t k = 0; k < vertex->jointCount && motions->turns[touch->motion] && fits; ++k )
        {
            int32_t helper = supHelperOf( bake, touch->motion, vertex->joints[k] );
            float weight = touch->weight * fitting->mesh.weights[first + (size_t)k];
            fits = helper >= 0 && choice->count < room &&
                   supAddChosen( fitting, ( supBakeInfluence ){ vertex->locals[k], helper, weight }, choice );
        }
    }
    return fits;
}

/// The best assignments as choices of candidates, which are added where they are not there yet.
static int32_t supAssignmentChoices(
    const supRefitWork* work, supFitting* fitting, const supRefit* refit, supWeightChoice* choices )
{
    const supJointBake* bake = work->bake;
    float alphas[SUP_MAX_MIXED];
    if ( bake->model->motions->count > SUP_MAX_MIXED )
    {
        return 0;
    }
    supAlphasOf( bake->model->motions, refit->row, alphas );
    supMixedVertex vertex = supMakeMixedVertex( bake, refit );
    supAssignments assignments = supAssignJoints( bake, &vertex, alphas, work->frames->reaches, -1 );
    int32_t count = 0;
    for ( int32_t a = 0; a < assignments.count; ++a )
    {
        const supAssignment* from = assignments.best + a;
        supWeightChoice* choice = choices + count++;
        choice->count = 0;
        bool fits = true;
        for ( int32_t k = 0; k < from->count; ++k )
        {
            bool counts = from->influences[k].weight > 0.0f;
            fits = ( !counts || supAddChosen( fitting, from->influences[k], choice ) ) && fits;
        }
        int32_t room = bake->meshes[refit->mesh].influenceCount;
        fits = fits && supAddTurning( bake, fitting, &vertex, room, choice );
        count -= !fits;
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
    int32_t vertex = bake->model->offsets.touched[refit->row] - fitting->mesh.firstVertex;
    supStoreInfluences( bake, refit->mesh, vertex, choice->count, influences );
    double worst = 0.0;
    supVec3* errors = work->frameErrors + (size_t)index * (size_t)work->frames->count;
    for ( int32_t first = 0; first < work->frames->count; first += SUP_FRAME_BLOCK )
    {
        float x[SUP_FRAME_BLOCK], y[SUP_FRAME_BLOCK], z[SUP_FRAME_BLOCK];
        supChoiceErrors( fitting, choice, (size_t)first, x, y, z );
        for ( int32_t f = 0; f < SUP_FRAME_BLOCK && first + f < work->frames->count; ++f )
        {
            errors[first + f] = ( supVec3 ){ x[f], y[f], z[f] };
            worst = supMax( worst, supLengthSquared( errors[first + f] ) );
        }
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
    supCandidateErrors( work, fitting );

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
