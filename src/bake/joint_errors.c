// What a player makes of a baked clip, against the take.
// SPDX-License-Identifier: MIT
//
// A vertex with room for all its influences is off by what its helpers are off, times its weights on them: sums over
// all such vertices follow from one matrix of products of weights, and a vertex has to be looked at only where some
// helper is off more than the worst vertex so far. Refitted vertices are worked out one by one. At a few times both
// skins are made in full, in floats, as a check of all this and for the rounding.
#include "bake/error_plan.h"

#include "bake/helper_frames.h"
#include "base/math.h"
#include "base/tasks.h"
#include "body/body_data.h"
#include "character/skin_blend.h"

#include <string.h>

enum
{
    supParts = 4,         ///< times looked at from one key to the next
    supNormalStride = 12, ///< of the poses looked at, one in so many for the normals of all vertices
    supFullLooks = 24     ///< of a clip with layers above flesh: times at which both skins are made in full
};

/// The work on one clip.
typedef struct supErrorWork
{
    const supJointBake* bake;
    const supErrorPlan* plan;
    const supBakedClip* clip;
    supHelperClock clock;
    supHelperFrame* frames;
    supVec3 *errors, *moves;   ///< one a helper
    supVec3* shown;            ///< one a motion: its shift. Elements come first
    supMat34 *played, *wanted; ///< one a helper that turns, one a motion: see supTurnedPose
    supMat34* palette;
    supPadded *columns, *padMoves, *padShifts; ///< as supRefitPose has them
    double largestAtKeys, largest;
    double sum; ///< of squares
    int64_t count;
    int32_t worstVertex;
    double worstTime;
    supTurns turns; ///< of normals
    float* lengths; ///< one a motion: of `shown`
    float* turned;  ///< one a row: by what refitting turned its normal, last time; then the largest of each block
    int32_t poses;  ///< looked at so far
} supErrorWork;

/// A helper's key out of the arrays of the clip.
static supHelperFrame supKeyOf( const supBakedClip* clip, int32_t helper, int32_t key )
{
    bool isCubic = clip->keys == sup_keysCubic;
    size_t width = isCubic ? 9 : 3;
    const float* at = clip->translations + ( (size_t)helper * (size_t)clip->keyCount + (size_t)key ) * width;
    supHelperFrame frame = { 0 };
    if ( isCubic )
    {
        frame.before = ( supVec3 ){ at[0], at[1], at[2] };
        frame.value = ( supVec3 ){ at[3], at[4], at[5] };
        frame.after = ( supVec3 ){ at[6], at[7], at[8] };
    }
    else
    {
        frame.value = ( supVec3 ){ at[0], at[1], at[2] };
    }
    return frame;
}

/// The rotation of a key, of the helper that is number `turning` of those that turn.
static void supReadTurnKeys( const supBakedClip* clip, int32_t turning, int32_t key, supHelperFrame* frame )
{
    bool isCubic = clip->keys == sup_keysCubic;
    size_t width = isCubic ? 12 : 4;
    const float* at = clip->rotations + ( (size_t)turning * (size_t)clip->keyCount + (size_t)key ) * width;
    memcpy( &frame->turn, isCubic ? at + 4 : at, sizeof( supQuat ) );
    if ( isCubic )
    {
        memcpy( &frame->turnBefore, at, sizeof( supQuat ) );
        memcpy( &frame->turnAfter, at + 8, sizeof( supQuat ) );
    }
}

/// Poses a helper that turns.
static void supPlayTurning( supErrorWork* work, int32_t helper, supVec3 value, supQuat turn )
{
    supVec3 place = ( (const supBakedHelper*)work->bake->helpers.data )[helper].place;
    supMat34d inverse = supMat34d_identity;
    supMat34 played = supPlayedMatrix( work->frames + helper, place, value, turn );
    supInvertMatD( supMatToDouble( work->frames[helper].joint ), &inverse );
    work->played[helper] = supMatToFloat( supMulMatD( supMatToDouble( played ), inverse ) );
    work->moves[helper] = work->errors[helper] = supVec3_zero;
}

/// Poses a player at a share `theta` from `key` to the next: what each helper adds, and by how much it is off.
static double supPlayAt( supErrorWork* work, int32_t key, double theta, double* time )
{
    const supBakedClip* clip = work->clip;
    int32_t next = key + 1 < clip->keyCount ? key + 1 : key;
    double span = (double)clip->times[next] - clip->times[key];
    *time = clip->times[key] + theta * span;
    supHelperClock_Read( &work->clock, *time, work->frames );
    double largest = 0.0;
    int32_t turning = 0;
    for ( int32_t i = 0; i < supBakedHelperCount( work->bake ); ++i )
    {
        supHelperFrame a = supKeyOf( clip, i, key ), b = supKeyOf( clip, i, next );
        supVec3 value = theta > 0.0 ? supPlayKeys( &a, &b, clip->keys, span, theta ) : a.value;
        if ( supHelperTurn( work->bake, i ) >= 0 )
        {
            supReadTurnKeys( clip, turning, key, &a );
            supReadTurnKeys( clip, turning++, next, &b );
            supPlayTurning( work, i, value, theta > 0.0 ? supPlayTurns( &a, &b, clip->keys, span, theta ) : a.turn );
            continue;
        }
        work->moves[i] = supTransformVector( work->frames[i].joint, value );
        work->errors[i] = supSub( work->moves[i], work->frames[i].move );
        largest = supMax( largest, supLengthSquared( work->errors[i] ) );
    }
    return supSqrt( largest );
}

static void supNote( supErrorWork* work, double error, int32_t vertex, double time, bool atKey )
{
    work->largestAtKeys = atKey ? supMax( work->largestAtKeys, error ) : work->largestAtKeys;
    if ( error > work->largest || work->worstVertex < 0 )
    {
        work->largest = error;
        work->worstVertex = vertex;
        work->worstTime = time;
    }
}

/// Vertices that were not refitted.
static void supLookAtExact( supErrorWork* work, double bound, double time, bool atKey )
{
    const supSkinOffsets* offsets = &work->bake->model->offsets;
    const supWeightProduct* products = work->plan->products.data;
    for ( size_t i = 0; i < work->plan->products.count; ++i )
    {
        work->sum += products[i].sum * supDot( work->errors[products[i].first], work->errors[products[i].second] );
    }
    const supTurnedRows* turned = &work->plan->turned;
    work->count += offsets->touchedCount - (int32_t)work->bake->refits.count - ( turned->count - turned->refits );
    if ( bound <= work->largest && ( !atKey || bound <= work->largestAtKeys ) )
    {
        return;
    }
    double largest = 0.0;
    int32_t worst = -1;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        if ( !supIsRefit( work->plan, row ) && !supIsTurned( work->plan, row ) )
        {
            double off = supLengthSquared( supExactRowError( work->plan, row, work->errors ) );
            worst = off >= largest ? row : worst;
            largest = supMax( largest, off );
        }
    }
    if ( worst >= 0 )
    {
        supNote( work, supSqrt( largest ), offsets->touched[worst], time, atKey );
    }
}

/// A vertex that was worked out by itself.
static void supAddLook( supErrorWork* work, supVec3 off, int32_t row, double time, bool atKey )
{
    double square = supLengthSquared( off );
    work->sum += square;
    if ( square > work->largest * work->largest || ( atKey && square > work->largestAtKeys * work->largestAtKeys ) )
    {
        supNote( work, supSqrt( square ), work->bake->model->offsets.touched[row], time, atKey );
    }
}

/// Vertices on helpers that turn.
static void supLookAtTurned( supErrorWork* work, double time, bool atKey )
{
    const supJointBake* bake = work->bake;
    const supTurnedRows* turned = &work->plan->turned;
    for ( int32_t m = 0; m < bake->model->motions->count && turned->count > 0; ++m )
    {
        work->wanted[m] = supMotionMatrix( work->clock.motions + m );
    }
    supTurnedPose pose = { work->palette, work->played, work->moves, work->wanted,
        supPose_MorphWeights( work->clock.pose ) };
    work->count += turned->count;
    for ( int32_t i = 0; i < turned->count; ++i )
    {
        supAddLook( work, supTurnedRows_Error( turned, bake, i, &pose ), turned->rows[i], time, atKey );
    }
}

/// The pose that refitted rows are worked out from.
static supRefitPose supPadPose( supErrorWork* work, const float* morphWeights )
{
    const supJointBake* bake = work->bake;
    for ( int32_t i = 0; i < supCharacter_Info( bake->model->character )->paletteCount; ++i )
    {
        work->columns[4 * i] = supPad( work->palette[i].x );
        work->columns[4 * i + 1] = supPad( work->palette[i].y );
        work->columns[4 * i + 2] = supPad( work->palette[i].z );
        work->columns[4 * i + 3] = supPad( work->palette[i].t );
    }
    for ( int32_t i = 0; i < supBakedHelperCount( bake ); ++i )
    {
        work->padMoves[i] = supPad( work->moves[i] );
    }
    for ( int32_t m = 0; m < bake->model->motions->count; ++m )
    {
        work->padShifts[m] = supPad( work->shown[m] );
    }
    return ( supRefitPose ){ work->columns, work->padMoves, work->padShifts, morphWeights };
}

// ---------------------------------------------------------------------------------------------------------------
// Normals of a bake as joints, against the living ones.
//
// Helper joints of springs shift skin and do not turn it: a player's normals are those of the smooth skin, but for
// vertices whose influences were refitted and those that modes turn. The living skin's turn with the flesh. The
// difference is the price of this form in shading; morphs with normals do not have to pay it.

/// The mesh's normal with its own morphs on; `morphWeights` may be NULL.
static supVec3d supMorphedNormal( const supMeshView* mesh, size_t vertex, const float* morphWeights )
{
    const float* p = mesh->normals + 3 * vertex;
    supVec3d normal = { p[0], p[1], p[2] };
    for ( int32_t i = 0; mesh->morphNormals != NULL && morphWeights != NULL && i < mesh->morphCount; ++i )
    {
        float weight = morphWeights[mesh->firstMorphWeight + i];
        if ( weight != 0.0f && mesh->morphNormals[i] != NULL )
        {
            const float* m = mesh->morphNormals[i] + 3 * vertex;
            normal = supMulAddD( normal, weight, ( supVec3d ){ m[0], m[1], m[2] } );
        }
    }
    return normal;
}

/// A row's matrix with its baked influences: what refitting has changed is added to the original.
static supMat34d supBakedMatrix( const supErrorPlan* plan, int32_t row, const supMat34* palette, supMat34d m )
{
    const supPlanEntry* deltas = plan->deltas.data;
    for ( int32_t i = plan->deltaOffsets[row]; i < plan->deltaOffsets[row + 1]; ++i )
    {
        supMat34d joint = supMatToDouble( palette[deltas[i].index] );
        m.x = supMulAddD( m.x, deltas[i].weight, joint.x );
        m.y = supMulAddD( m.y, deltas[i].weight, joint.y );
        m.z = supMulAddD( m.z, deltas[i].weight, joint.z );
    }
    return m;
}

/// Normals of one row. Zeros: the mesh has none.
typedef struct supRowNormals
{
    supVec3d smooth, baked, living;
} supRowNormals;

static supRowNormals supNormalsOf( const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose,
    const supMeshView* view, int32_t row )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    if ( view->normals == NULL )
    {
        return ( supRowNormals ){ 0 };
    }
    size_t vertex = (size_t)( offsets->touched[row] - view->firstVertex );
    size_t at = vertex * (size_t)view->influenceCount;
    supVec3d normal = supMorphedNormal( view, vertex, pose->morphWeights );
    supMat34d m = supBlendLinear(
        pose->palette + view->firstPalette, view->influenceCount, view->jointIndices + at, view->weights + at );
    supVec3d smooth = supSkinnedNormal( m, normal ), baked = smooth;
    if ( supIsRefit( plan, row ) )
    {
        baked = supSkinnedNormal( supBakedMatrix( plan, row, pose->palette, m ), normal );
    }
    supVec3 living = supSkinOffsets_LivingNormal( offsets, row, m, pose->shown, supToFloat( smooth ) );
    return ( supRowNormals ){ smooth, baked, supNormalizeD( supToDouble( living ) ) };
}

/// One more touch of the block whose entries begin at `first`.
static bool supRaiseSteepest( supErrorPlan* plan, size_t first, int32_t element, float steep )
{
    supPlanEntry* entries = plan->steepest.data;
    size_t at = first;
    while ( at < plan->steepest.count && entries[at].index != element )
    {
        ++at;
    }
    if ( at < plan->steepest.count )
    {
        entries[at].weight = supMaxF( entries[at].weight, steep );
        return true;
    }
    supPlanEntry* made = supArray_Add( &plan->steepest, 1 );
    if ( made != NULL )
    {
        *made = ( supPlanEntry ){ element, steep };
    }
    return made != NULL;
}

static bool supFindSteepest( supErrorPlan* plan, const supSkinOffsets* offsets )
{
    bool fits = true;
    for ( int32_t first = 0; first < offsets->touchedCount && fits; first += SUP_PLAN_BLOCK )
    {
        size_t from = plan->steepest.count;
        int32_t end = offsets->touchedCount - first > SUP_PLAN_BLOCK ? first + SUP_PLAN_BLOCK : offsets->touchedCount;
        for ( int32_t i = offsets->firsts[first]; i < offsets->firsts[end] && fits; ++i )
        {
            fits = supRaiseSteepest( plan, from, offsets->touches[i].element, plan->steep[i] );
        }
        plan->steepestEnds[first / SUP_PLAN_BLOCK] = (int32_t)plan->steepest.count;
    }
    return fits;
}

bool supMeasureSteepness( supErrorPlan* plan, const supJointBake* bake, supMat34* palette )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    const supCharacter* character = bake->model->character;
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, palette );
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        supMeshView view = supCharacter_Mesh( character, plan->meshes[row] );
        size_t at = (size_t)( offsets->touched[row] - view.firstVertex ) * (size_t)view.influenceCount;
        supMat34d back = supMat34d_identity;
        supInvertMatD( supBlendLinear( palette + view.firstPalette, view.influenceCount, view.jointIndices + at,
                           view.weights + at ),
            &back );
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            supVec3d gradient = supToDouble( offsets->touches[i].gradient );
            plan->steep[i] = (float)supLengthD( supTransposeVectorD( back, gradient ) );
        }
    }
    return supFindSteepest( plan, offsets );
}

/// How far the normals of all rows are turned from the living ones; what refitting alone turned each by is left in
/// `turned`, one a row, and behind these the largest of each block.
static void supAddNormalTurns(
    const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose, float* turned, supTurns* turns )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    int32_t mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        if ( plan->meshes[row] != mesh )
        {
            mesh = plan->meshes[row];
            view = supCharacter_Mesh( bake->model->character, mesh );
        }
        supRowNormals normals = supNormalsOf( plan, bake, pose, &view, row );
        supTurns_Add( turns, normals.baked, normals.living );
        turned[row] = (float)supLengthD( supSubD( normals.baked, normals.smooth ) );
        float* ofBlock = turned + offsets->touchedCount + row / SUP_PLAN_BLOCK;
        *ofBlock = row % SUP_PLAN_BLOCK == 0 ? turned[row] : supMaxF( *ofBlock, turned[row] );
    }
}

// A weight whose gradient has the length s tilts the skin by at most s |u|, to first order, where the pose does not
// squash it: half as much again is allowed for both. What refitting adds goes with the pose, and that changes slowly.
static const float supTiltSlack = 1.5f;

/// Whether a row of a block may be turned farther than any so far. A block's sum runs over more elements than a row's,
/// in another order: it is given a little more room than rounding takes.
static bool supMayRaise( const supErrorPlan* plan, int32_t block, const float* lengths, float turned, double largest )
{
    const supPlanEntry* entries = plan->steepest.data;
    float tilt = 0.0f;
    for ( int32_t i = block > 0 ? plan->steepestEnds[block - 1] : 0; i < plan->steepestEnds[block]; ++i )
    {
        tilt += entries[i].weight * lengths[entries[i].index];
    }
    float most = 1.001f * supTiltSlack * ( tilt + turned );
    return (double)most * most > largest;
}

/// The same for the rows alone that could be turned farther than any so far: only the largest is raised. `turned` is of
/// a pose not long ago.
static void supRaiseNormalTurns( const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose,
    const float* turned, supTurns* turns )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        int32_t block = row / SUP_PLAN_BLOCK;
        if ( row % SUP_PLAN_BLOCK == 0 &&
             !supMayRaise( plan, block, pose->lengths, turned[offsets->touchedCount + block], turns->largest ) )
        {
            row += SUP_PLAN_BLOCK - 1;
            continue;
        }
        float tilt = 0.0f;
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            tilt += plan->steep[i] * pose->lengths[offsets->touches[i].element];
        }
        float most = supTiltSlack * ( tilt + turned[row] );
        if ( (double)most * most > turns->largest )
        {
            supMeshView view = supCharacter_Mesh( bake->model->character, plan->meshes[row] );
            supRowNormals normals = supNormalsOf( plan, bake, pose, &view, row );
            supTurns here = { 0 };
            supTurns_Add( &here, normals.baked, normals.living );
            turns->largest = supMax( here.largest, turns->largest );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Poses and keys

/// Refitted vertices, those that turn, and normals. Where layers have a part in these, only whole skins have them.
static void supLookAtPose( supErrorWork* work, double time, bool atKey )
{
    const supJointBake* bake = work->bake;
    const supRefit* refits = bake->refits.data;
    supCharacter_Palette( bake->model->character, supPose_Joints( work->clock.pose ), work->palette );
    for ( int32_t m = 0; m < bake->model->motions->count; ++m )
    {
        work->shown[m] = supToFloat( work->clock.shifts[m] );
        work->lengths[m] = supLength( work->shown[m] );
    }
    bool morphs = supCharacter_Info( bake->model->character )->morphWeightCount > 0;
    const float* morphWeights = morphs ? supPose_MorphWeights( work->clock.pose ) : NULL;
    supNormalPose pose = { work->palette, work->shown, work->lengths, morphWeights };
    if ( bake->model->motions->anyLayers )
    {
        supLookAtTurned( work, time, atKey );
    }
    else if ( work->poses++ % supNormalStride == 0 )
    {
        supAddNormalTurns( work->plan, bake, &pose, work->turned, &work->turns );
    }
    else
    {
        supRaiseNormalTurns( work->plan, bake, &pose, work->turned, &work->turns );
    }
    work->count += (int64_t)bake->refits.count - work->plan->turned.refits;
    supRefitPose refitPose = supPadPose( work, morphWeights );
    for ( size_t i = 0; i < bake->refits.count; ++i )
    {
        int32_t row = refits[i].row;
        if ( !supIsTurned( work->plan, row ) )
        {
            supVec3 off = supRefitRowError( work->plan, bake, row, &refitPose );
            supAddLook( work, off, row, time, atKey );
        }
    }
}

static void supLookAtKey( supErrorWork* work, int32_t key )
{
    const supBakedClip* clip = work->clip;
    bool hasSpan =
        !work->bake->isDriven && key + 1 < clip->keyCount && !supIsUnseen( clip->times[key], clip->times[key + 1] );
    for ( int part = 0; part < ( hasSpan ? supParts : 1 ); ++part )
    {
        double time, bound = supPlayAt( work, key, (double)part / supParts, &time );
        supLookAtExact( work, bound, time, part == 0 );
        if ( part % 2 == 0 ) // what fitting misses changes with the pose, slower than what keys miss; so do normals
        {
            supLookAtPose( work, time, part == 0 );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// In full

/// Linear blend skinning with the baked influences: helpers move as their joints do, plus `moves`.
static supVec3 supBakedPoint(
    const supErrorWork* work, const supBakedMesh* baked, const supMeshView* view, int32_t vertex )
{
    const supModel* model = work->bake->model;
    int32_t jointCount = supMeshJointCount( model->character, view );
    supVec3 point = supMorphedPoint( view, vertex, supPose_MorphWeights( work->clock.pose ) ), sum = supVec3_zero;
    for ( int32_t k = 0; k < baked->influenceCount; ++k )
    {
        size_t at = (size_t)vertex * (size_t)baked->influenceCount + (size_t)k;
        int32_t joint = baked->joints[at], helper = joint - jointCount;
        supVec3 move = supVec3_zero;
        if ( helper >= 0 )
        {
            move = work->moves[helper];
            joint = supFindMeshJoint( model->character, view, supHelperJoint( work->bake, helper ) );
        }
        supVec3 moved = supAdd( supTransformPoint( work->palette[view->firstPalette + joint], point ), move );
        if ( helper >= 0 && supHelperTurn( work->bake, helper ) >= 0 )
        {
            moved = supTransformPoint( work->played[helper], moved );
        }
        sum = supMulAdd( sum, baked->weights[at], moved );
    }
    return sum;
}

/// The normal that a player makes of the baked influences, unit length.
static supVec3d supBakedNormal(
    const supErrorWork* work, const supBakedMesh* baked, const supMeshView* view, int32_t vertex )
{
    const supCharacter* character = work->bake->model->character;
    int32_t jointCount = supMeshJointCount( character, view );
    supMat34d sum = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    for ( int32_t k = 0; k < baked->influenceCount; ++k )
    {
        size_t at = (size_t)vertex * (size_t)baked->influenceCount + (size_t)k;
        int32_t joint = baked->joints[at], helper = joint - jointCount;
        joint = helper >= 0 ? supFindMeshJoint( character, view, supHelperJoint( work->bake, helper ) ) : joint;
        supMat34 own = work->palette[view->firstPalette + joint];
        own = helper >= 0 && supHelperTurn( work->bake, helper ) >= 0 ? supMulMat( work->played[helper], own ) : own;
        sum.x = supMulAddD( sum.x, (double)baked->weights[at], supToDouble( own.x ) );
        sum.y = supMulAddD( sum.y, (double)baked->weights[at], supToDouble( own.y ) );
        sum.z = supMulAddD( sum.z, (double)baked->weights[at], supToDouble( own.z ) );
    }
    const float* morphWeights = supPose_MorphWeights( work->clock.pose );
    return supSkinnedNormal( sum, supMorphedNormal( view, (size_t)vertex, morphWeights ) );
}

/// Normals of vertices with flesh, as the living skin has them and as a player makes them.
static void supCompareNormals( supErrorWork* work, const float* normals )
{
    const supSkinOffsets* offsets = &work->bake->model->offsets;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        int32_t mesh = work->plan->meshes[row];
        supMeshView view = supCharacter_Mesh( work->bake->model->character, mesh );
        if ( view.normals != NULL )
        {
            const float* n = normals + 3 * (size_t)offsets->touched[row];
            int32_t vertex = offsets->touched[row] - view.firstVertex;
            supVec3d living = supNormalizeD( ( supVec3d ){ (double)n[0], (double)n[1], (double)n[2] } );
            supTurns_Add( &work->turns, supBakedNormal( work, work->bake->meshes + mesh, &view, vertex ), living );
        }
    }
}

/// The living skin by a body, the baked one by its influences. `normals`: NULL where they are looked at elsewhere.
static void supCompareSkins( supErrorWork* work, supBody* body, float* skin, float* normals, int32_t key, double theta )
{
    const supCharacter* character = work->bake->model->character;
    double time;
    supPlayAt( work, key, theta, &time );
    supBody_SetMorphWeights( body, supPose_MorphWeights( work->clock.pose ) );
    if ( supTake_Show( work->clock.take, time, supPose_Joints( work->clock.pose ), body ) != sup_success )
    {
        return;
    }
    supBody_Skin( body, skin, normals );
    supCharacter_Palette( character, supPose_Joints( work->clock.pose ), work->palette );
    if ( normals != NULL )
    {
        supCompareNormals( work, normals );
    }
    for ( int32_t m = 0; m < work->bake->meshCount; ++m )
    {
        const supBakedMesh* baked = work->bake->meshes + m;
        supMeshView view = supCharacter_Mesh( character, m );
        for ( int32_t v = 0; v < view.vertexCount && baked->changed; ++v )
        {
            const float* p = skin + 3 * (size_t)( view.firstVertex + v );
            supVec3 point = supBakedPoint( work, baked, &view, v );
            double off = supLength( supSub( point, ( supVec3 ){ p[0], p[1], p[2] } ) );
            bool atKey = theta == 0.0;
            if ( off > work->largest || ( atKey && off > work->largestAtKeys ) )
            {
                supNote( work, off, view.firstVertex + v, time, atKey );
            }
        }
    }
}

/// At the first and the last key, and at the worst time; with layers above flesh at some more, and normals too.
static supResult supCompareInFull( supErrorWork* work )
{
    const supJointBake* bake = work->bake;
    size_t vertices = (size_t)supCharacter_Info( bake->model->character )->vertexCount;
    float* skin = supAllocZeroed( &bake->allocator, vertices, 6 * sizeof( float ), _Alignof( float ) );
    float* normals = bake->model->motions->anyLayers && skin != NULL ? skin + 3 * vertices : NULL;
    supBody* body = NULL;
    supResult result = skin != NULL ? supCreateBody( bake->model, &body, NULL ) : sup_errorMemory;
    if ( result == sup_success )
    {
        supBody_SetExact( body, true );
        int32_t key = 0;
        while ( key + 1 < work->clip->keyCount && work->clip->times[key + 1] <= work->worstTime )
        {
            ++key;
        }
        for ( int32_t i = 0; i < supFullLooks && normals != NULL; ++i )
        {
            int32_t at = i * work->clip->keyCount / supFullLooks;
            supCompareSkins( work, body, skin, normals, at,
                at + 1 < work->clip->keyCount && !bake->isDriven ? 0.25 * ( i % 4 ) : 0.0 );
        }
        supCompareSkins( work, body, skin, normals, 0, 0.0 );
        supCompareSkins( work, body, skin, normals, work->clip->keyCount - 1, 0.0 );
        bool between = !bake->isDriven && key + 1 < work->clip->keyCount;
        supCompareSkins( work, body, skin, normals, key, between ? 0.5 : 0.0 );
    }
    supDestroyBody( body );
    supFree( &bake->allocator, skin, vertices * 6 * sizeof( float ) );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static supResult supMeasureKeys( supErrorWork* work )
{
    const supModel* model = work->bake->model;
    size_t helpers = work->bake->helpers.count, turning = work->bake->turningCount > 0 ? helpers : 0;
    size_t motions = (size_t)model->motions->count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, work->frames, helpers );
    SUP_PUT( &layout, work->errors, helpers );
    SUP_PUT( &layout, work->moves, helpers );
    SUP_PUT( &layout, work->shown, motions );
    SUP_PUT( &layout, work->lengths, motions );
    SUP_PUT( &layout, work->turned,
        model->offsets.touchedCount + supBlockCount( SUP_PLAN_BLOCK, model->offsets.touchedCount ) );
    SUP_PUT( &layout, work->palette, supCharacter_Info( model->character )->paletteCount );
    SUP_PUT( &layout, work->columns, 4 * (size_t)supCharacter_Info( model->character )->paletteCount );
    SUP_PUT( &layout, work->padMoves, helpers );
    SUP_PUT( &layout, work->padShifts, motions );
    SUP_PUT( &layout, work->played, turning );
    SUP_PUT( &layout, work->wanted, turning > 0 ? motions : 0 );
    char* block = supAllocLayout( &work->bake->allocator, &layout );
    if ( block == NULL )
    {
        return sup_errorMemory;
    }
    for ( int32_t k = 0; k < work->clip->keyCount; ++k )
    {
        supLookAtKey( work, k );
    }
    supResult result = supCompareInFull( work );
    supFree( &work->bake->allocator, block, layout.size );
    return result;
}

supResult supMeasureClip( const supJointBake* bake, const supErrorPlan* plan, const supTake* take, supBakedClip* clip )
{
    if ( bake->helpers.count == 0 )
    {
        return sup_success;
    }
    supErrorWork work = { .bake = bake, .plan = plan, .clip = clip, .worstVertex = -1 };
    supResult result = supMakeHelperClock( &work.clock, bake, take, false, NULL );
    result = result == sup_success ? supMeasureKeys( &work ) : result;
    supHelperClock_Destroy( &work.clock );
    clip->maxErrorAtKeys = (float)work.largestAtKeys;
    clip->maxError = (float)work.largest;
    clip->rmsError = work.count > 0 && work.sum > 0.0 ? (float)supSqrt( work.sum / (double)work.count ) : 0.0f;
    clip->worstVertex = work.worstVertex;
    clip->worstTime = work.worstTime;
    clip->maxNormalError = supTurns_LargestDegrees( &work.turns );
    clip->rmsNormalError = supTurns_RmsDegrees( &work.turns );
    return result;
}
