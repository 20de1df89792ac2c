// Which of its joints a vertex leaves to which of their helpers.
// SPDX-License-Identifier: MIT
//
// A joint of weight w that is left to a helper which adds sum_e m_e u_e costs no influence, and moves the vertex by w
// m_e of each elongation. The sum over the joints should be alpha: with four joints and four or five choices each there
// are some hundred sums to choose from. The smooth skin stays as it was, whatever is chosen.
//
// What turns takes its share of every joint first, and as it is; the choice is about the rest of them.

#include "bake/assignments.h"

#include "base/math.h"

/// The most ways that are tried. Where there are more, the joints with the most choices lose the last of them.
static const int64_t supMostWays = 65536;

/// The search.
typedef struct supAssigner
{
    const supJointBake* bake;
    const supMixedVertex* vertex;
    const float* reaches;
    int32_t elements, skipped;
    int32_t choiceCounts[SUP_ASSIGNED_JOINTS];
    int32_t choices[SUP_ASSIGNED_JOINTS][SUP_MAX_CANDIDATES]; ///< helpers; -1: the joint itself
    int32_t usedCount;
    int32_t* used; ///< motions that are wanted, or that a choice adds: the others stay 0
    float (
        *left )[SUP_MAX_MIXED]; ///< what is still wanted of each of those when the first joints are assigned. Metres
    float ( *room )[SUP_MAX_MIXED];       ///< what these joints and those after them can make up for at most. Metres
    float gains[SUP_ASSIGNED_JOINTS + 1]; ///< the same, of all motions together
    float bound;                          ///< no assignment that is kept is off by more. Metres
    int32_t chosen[SUP_ASSIGNED_JOINTS];
    supAssignments result;
} supAssigner;

supMixedVertex supMakeMixedVertex( const supJointBake* bake, const supRefit* refit )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    supMeshView mesh = supCharacter_Mesh( bake->model->character, refit->mesh );
    const int32_t* joints = supCharacter_Info( bake->model->character )->paletteJoints + mesh.firstPalette;
    size_t first = (size_t)( offsets->touched[refit->row] - mesh.firstVertex ) * (size_t)mesh.influenceCount;
    supMixedVertex vertex = { .row = refit->row };
    for ( int32_t k = 0; k < mesh.influenceCount && mesh.weights[first + (size_t)k] > 0.0f; ++k )
    {
        int32_t at = vertex.jointCount++;
        vertex.locals[at] = mesh.jointIndices[first + (size_t)k];
        vertex.joints[at] = joints[vertex.locals[at]];
        vertex.weights[at] = mesh.weights[first + (size_t)k];
    }
    const supSkinMotions* motions = bake->model->motions;
    for ( int32_t i = motions->offsets[refit->row]; i < motions->offsets[refit->row + 1] && motions->anyTurns; ++i )
    {
        vertex.turned += motions->turns[motions->touches[i].motion] ? motions->touches[i].weight : 0.0f;
    }
    for ( int32_t k = 0; k < vertex.jointCount && vertex.turned > 0.0f; ++k )
    {
        vertex.weights[k] *= supMaxF( 1.0f - vertex.turned, 0.0f );
    }
    return vertex;
}

/// Helpers on a joint that add something that is wanted.
static void supListChoices( supAssigner* work, int32_t joint, const float* wanted )
{
    const supBakedHelper* helpers = work->bake->helpers.data;
    const float* mixes = work->bake->mixes.data;
    int32_t* count = work->choiceCounts + joint;
    work->choices[joint][( *count )++] = -1;
    for ( int32_t h = 0; h < supBakedHelperCount( work->bake ) && *count < SUP_MAX_CANDIDATES; ++h )
    {
        bool here = helpers[h].joint == work->vertex->joints[joint] && !helpers[h].turns, wants = false;
        for ( int32_t e = 0; e < work->elements && here && !wants; ++e )
        {
            wants = wanted[e] > 0.0f && mixes[(size_t)h * (size_t)work->elements + (size_t)e] > 0.0f;
        }
        if ( wants )
        {
            work->choices[joint][( *count )++] = h;
        }
    }
}

static void supKeepAssignment( supAssigner* work, float error )
{
    supAssignments* kept = &work->result;
    if ( kept->count == SUP_KEPT_ASSIGNMENTS && error >= kept->best[kept->count - 1].error )
    {
        return;
    }
    int32_t at = kept->count < SUP_KEPT_ASSIGNMENTS ? kept->count++ : kept->count - 1;
    for ( ; at > 0 && kept->best[at - 1].error > error; --at )
    {
        kept->best[at] = kept->best[at - 1];
    }
    supAssignment* best = kept->best + at;
    best->error = error;
    best->count = 0;
    for ( int32_t k = 0; k < work->vertex->jointCount; ++k )
    {
        if ( k != work->skipped )
        {
            best->influences[best->count++] = ( supBakeInfluence ){ work->vertex->locals[k],
                k < SUP_ASSIGNED_JOINTS ? work->chosen[k] : -1, work->vertex->weights[k] };
        }
    }
}

/// Whether no choice for joint `joint` and those after it can come among the best that are kept: each motion is made up
/// for by no more than what the helpers that move it most give, and all together by no more than what the helper that
/// moves most gives. The last digits are left to rounding, so that what is
/// kept is what it would be without this.
static bool supIsHopeless( const supAssigner* work, int32_t joint )
{
    const supAssignments* kept = &work->result;
    float worst = kept->count < SUP_KEPT_ASSIGNMENTS ? work->bound : kept->best[kept->count - 1].error;
    worst = supMinF( worst, work->bound );
    const float *left = work->left[joint], *room = work->room[joint];
    float least = 0.0f, sum = 0.0f;
    for ( int32_t i = 0; i < work->usedCount; ++i )
    {
        least += supMaxF( supAbsF( left[i] ) - room[i], 0.0f );
        sum += supAbsF( left[i] );
    }
    return 0.9999f * supMaxF( least, sum - work->gains[joint] ) > worst + 1e-4f * sum;
}

/// What is left in all once a helper is chosen for a joint.
static float supLeaveWith( supAssigner* work, int32_t joint, int32_t helper, float* next )
{
    const float *left = work->left[joint], *mixes = work->bake->mixes.data;
    const float* mix = mixes + (size_t)( helper < 0 ? 0 : helper ) * (size_t)work->elements;
    float weight = helper < 0 ? 0.0f : work->vertex->weights[joint], sum = 0.0f;
    for ( int32_t i = 0; i < work->usedCount; ++i )
    {
        next[i] = left[i] - weight * mix[work->used[i]] * work->reaches[work->used[i]];
        sum += supAbsF( next[i] );
    }
    return sum;
}

/// As many assignments as are kept, found by taking the best for one joint after the other: those that are kept in the
/// end are no worse than the worst of these.
static float supBoundByGreed( supAssigner* work )
{
    float errors[SUP_KEPT_ASSIGNMENTS];
    int32_t count = 0;
    int32_t end = work->vertex->jointCount < SUP_ASSIGNED_JOINTS ? work->vertex->jointCount : SUP_ASSIGNED_JOINTS;
    for ( int32_t joint = 0; joint < end; ++joint )
    {
        bool isSkipped = joint == work->skipped;
        int32_t best = isSkipped ? -1 : work->choices[joint][0];
        float least = 3e38f;
        for ( int32_t c = 0; c < ( isSkipped ? 1 : work->choiceCounts[joint] ); ++c )
        {
            int32_t helper = isSkipped ? -1 : work->choices[joint][c];
            float sum = supLeaveWith( work, joint, helper, work->left[joint + 1] );
            best = sum < least ? helper : best;
            least = supMinF( least, sum );
            if ( joint == end - 1 )
            {
                int32_t at = count < SUP_KEPT_ASSIGNMENTS ? count++ : count - 1;
                float entry = at == count - 1 && count == SUP_KEPT_ASSIGNMENTS && c >= SUP_KEPT_ASSIGNMENTS
                                  ? supMinF( errors[at], sum )
                                  : sum;
                for ( ; at > 0 && errors[at - 1] > entry; --at )
                {
                    errors[at] = errors[at - 1];
                }
                errors[at] = entry;
            }
        }
        supLeaveWith( work, joint, best, work->left[joint + 1] );
    }
    return count == SUP_KEPT_ASSIGNMENTS ? errors[count - 1] : 3e38f;
}

/// What the helpers of each joint and those after it can make up for at most.
static void supMeasureRoom( supAssigner* work )
{
    const float* mixes = work->bake->mixes.data;
    for ( int32_t i = 0; i < work->usedCount; ++i )
    {
        work->room[SUP_ASSIGNED_JOINTS][i] = 0.0f;
    }
    for ( int32_t k = SUP_ASSIGNED_JOINTS; k-- > 0; )
    {
        float largest = 0.0f;
        for ( int32_t c = 1; c < work->choiceCounts[k] && k != work->skipped; ++c )
        {
            const float* mix = mixes + (size_t)work->choices[k][c] * (size_t)work->elements;
            float sum = 0.0f;
            for ( int32_t i = 0; i < work->usedCount; ++i )
            {
                sum += supAbsF( work->vertex->weights[k] * mix[work->used[i]] * work->reaches[work->used[i]] );
            }
            largest = supMaxF( largest, sum );
        }
        work->gains[k] = work->gains[k + 1] + largest;
        for ( int32_t i = 0; i < work->usedCount; ++i )
        {
            float most = 0.0f;
            for ( int32_t c = 1; c < work->choiceCounts[k] && k != work->skipped; ++c )
            {
                size_t at = (size_t)work->choices[k][c] * (size_t)work->elements + (size_t)work->used[i];
                most = supMaxF( most, supAbsF( work->vertex->weights[k] * mixes[at] * work->reaches[work->used[i]] ) );
            }
            work->room[k][i] = work->room[k + 1][i] + most;
        }
    }
}

/// All choices for joint `joint` and those after it.
static void supAssignFrom( supAssigner* work, int32_t joint )
{
    const float* left = work->left[joint];
    if ( supIsHopeless( work, joint ) )
    {
        return;
    }
    if ( joint == work->vertex->jointCount || joint == SUP_ASSIGNED_JOINTS )
    {
        float error = 0.0f;
        for ( int32_t i = 0; i < work->usedCount; ++i )
        {
            error += supAbsF( left[i] );
        }
        supKeepAssignment( work, error );
        return;
    }
    float* next = work->left[joint + 1];
    int32_t count = joint == work->skipped ? 1 : work->choiceCounts[joint];
    for ( int32_t c = 0; c < count; ++c )
    {
        int32_t helper = joint == work->skipped ? -1 : work->choices[joint][c];
        const float* mix =
            (const float*)work->bake->mixes.data + (size_t)( helper < 0 ? 0 : helper ) * (size_t)work->elements;
        float weight = helper < 0 ? 0.0f : work->vertex->weights[joint];
        for ( int32_t i = 0; i < work->usedCount; ++i )
        {
            next[i] = left[i] - weight * mix[work->used[i]] * work->reaches[work->used[i]];
        }
        work->chosen[joint] = helper;
        supAssignFrom( work, joint + 1 );
    }
}

/// Motions that count: of the many that a rig may have, few are on one vertex and its helpers.
static void supListUsed( supAssigner* work, const float* wanted )
{
    const float* mixes = work->bake->mixes.data;
    for ( int32_t e = 0; e < work->elements; ++e )
    {
        bool counts = wanted[e] != 0.0f;
        for ( int32_t k = 0; k < SUP_ASSIGNED_JOINTS && !counts; ++k )
        {
            for ( int32_t c = 1; c < work->choiceCounts[k] && !counts; ++c ) // the first is the joint itself
            {
                counts = mixes[(size_t)work->choices[k][c] * (size_t)work->elements + (size_t)e] != 0.0f;
            }
        }
        if ( counts )
        {
            work->left[0][work->usedCount] = wanted[e] * work->reaches[e];
            work->used[work->usedCount++] = e;
        }
    }
}

static void supBoundWays( supAssigner* work )
{
    for ( ;; )
    {
        int64_t ways = 1;
        int32_t most = 0;
        for ( int32_t k = 0; k < SUP_ASSIGNED_JOINTS; ++k )
        {
            ways *= work->choiceCounts[k] > 0 && k != work->skipped ? work->choiceCounts[k] : 1;
            most = work->choiceCounts[k] > work->choiceCounts[most] ? k : most;
        }
        if ( ways <= supMostWays )
        {
            return;
        }
        --work->choiceCounts[most];
    }
}

supAssignments supAssignJoints(
    const supJointBake* bake, const supMixedVertex* vertex, const float* wanted, const float* reaches, int32_t skipped )
{
    int32_t used[SUP_MAX_MIXED];
    float left[SUP_ASSIGNED_JOINTS + 1][SUP_MAX_MIXED], room[SUP_ASSIGNED_JOINTS + 1][SUP_MAX_MIXED];
    supAssigner work = { .bake = bake,
        .vertex = vertex,
        .reaches = reaches,
        .skipped = skipped,
        .elements = bake->model->motions->count,
        .used = used,
        .left = left,
        .room = room };
    if ( work.elements > SUP_MAX_MIXED || bake->helpers.count == 0 )
    {
        return work.result;
    }
    for ( int32_t k = 0; k < vertex->jointCount && k < SUP_ASSIGNED_JOINTS; ++k )
    {
        supListChoices( &work, k, wanted );
    }
    supBoundWays( &work );
    supListUsed( &work, wanted );
    supMeasureRoom( &work );
    work.bound = supBoundByGreed( &work );
    supAssignFrom( &work, 0 );
    return work.result;
}
