// Supple: examples at work: shares of a pose, the sum of what they move, turned with the skin; and in pictures.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "base/scalar_math.h"
#include "layers/layer.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Scratch

typedef struct supExampleScratch
{
    double* features;
    double* shares; ///< of a group
    float* amounts; ///< of every example
    supTurn* turns;
    supVec3* sums; ///< of every touched vertex
    size_t size;
} supExampleScratch;

static supExampleScratch supPlaceScratch( const supCorrectives* correctives, char* base )
{
    supExampleScratch scratch;
    supLayout layout = supLayoutIn( base );
    SUP_PUT( &layout, scratch.features, (size_t)correctives->mostJoints * supPoseFeatures );
    SUP_PUT( &layout, scratch.shares, correctives->largestGroup );
    SUP_PUT( &layout, scratch.amounts, correctives->count );
    SUP_PUT( &layout, scratch.turns, correctives->held.turnCount );
    SUP_PUT( &layout, scratch.sums, correctives->held.touchedCount );
    scratch.size = layout.size;
    return scratch;
}

size_t supCorrectivesScratch( const void* compiled )
{
    return supPlaceScratch( compiled, NULL ).size;
}

/// How much of every example the pose takes, times its `amount`.
static void supReadAmounts( const supCorrectives* correctives, const supLayerFrame* frame, supExampleScratch* scratch )
{
    for ( int32_t g = 0; g < correctives->groupCount; ++g )
    {
        const supExampleGroup* group = correctives->groups + g;
        supReadFeatures( correctives->character, group, frame->joints, scratch->features );
        supPoseSpace_Shares( &group->space, scratch->features, scratch->shares );
        for ( int32_t e = 0; e < group->count; ++e )
        {
            scratch->amounts[group->examples[e]] = (float)scratch->shares[e] * frame->live[group->examples[e]];
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Skin

void supApplyCorrectives( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    (void)shown;
    const supCorrectives* correctives = compiled;
    supExampleScratch scratch = supPlaceScratch( correctives, frame->scratch );
    supReadAmounts( correctives, frame, &scratch );
    bool isIdle = true;
    for ( int32_t e = 0; e < correctives->count; ++e )
    {
        isIdle = isIdle && scratch.amounts[e] == 0.0f;
    }
    if ( isIdle )
    {
        return;
    }
    memset( scratch.sums, 0, sizeof( supVec3 ) * (size_t)correctives->held.touchedCount );
    for ( int32_t e = 0; e < correctives->count; ++e )
    {
        const supExample* example = correctives->examples + e;
        float amount = scratch.amounts[e];
        for ( int32_t i = 0; i < example->count && amount != 0.0f; ++i )
        {
            scratch.sums[example->rows[i]] = supMulAdd( scratch.sums[example->rows[i]], amount, example->moves[i] );
        }
    }
    for ( int32_t i = 0; i < correctives->held.turnCount; ++i )
    {
        scratch.turns[i] =
            supTurnOfJoint( frame->joints[correctives->held.turnJoints[i]], correctives->held.unturn + i );
    }
    for ( int32_t row = 0; row < correctives->held.touchedCount; ++row )
    {
        if ( supLengthSquared( scratch.sums[row] ) > 0.0f )
        {
            int32_t first = correctives->held.firstHold[row];
            supTurn turn = supBlendTurns(
                scratch.turns, correctives->held.holds + first, correctives->held.firstHold[row + 1] - first );
            supVec3* position = positions + correctives->held.touched[row];
            *position = supMulAdd( *position, turn.scale, supRotate( turn.rotation, scratch.sums[row] ) );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

/// Where a node is on the living skin; false where there is none under it.
static bool supNodeOnSkin( const supTubeNode* node, const supVec3* positions, supVec3* out )
{
    *out = supVec3_zero;
    float sum = 0.0f;
    for ( int k = 0; k < 3; ++k )
    {
        *out = supMulAdd( *out, node->shares[k], positions[node->corners[k]] );
        sum += node->shares[k];
    }
    return sum > 0.0f;
}

/// Curves on the skin, blue where nothing is moved and orange where most is.
static void supDrawCurves(
    const supExampleTube* part, float amount, float full, const supVec3* positions, const supDraw* draw )
{
    const supTube* tube = part->tube;
    for ( int32_t i = 0; i + 1 < tube->curves * tube->nodes; ++i )
    {
        supVec3 from, to;
        bool isInside = ( i + 1 ) % tube->nodes != 0;
        if ( isInside && supNodeOnSkin( tube->grid + i, positions, &from ) &&
             supNodeOnSkin( tube->grid + i + 1, positions, &to ) )
        {
            float share = supClampF( supLength( part->moves[i] ) * supAbsF( amount ) / full, 0.0f, 1.0f );
            supColor color = { 0.05f + 0.9f * share, 0.15f + 0.2f * share, 0.7f * ( 1.0f - share ), 1.0f };
            draw->line( from, to, color, 1.5f, draw->user );
        }
    }
}

static float supLargestMove( const supExample* example )
{
    float largest = 0.0f;
    for ( int32_t i = 0; i < example->tubeCount; ++i )
    {
        const supTube* tube = example->tubes[i].tube;
        for ( int32_t k = 0; k < tube->curves * tube->nodes; ++k )
        {
            largest = supMaxF( largest, supLength( example->tubes[i].moves[k] ) );
        }
    }
    return largest;
}

void supDrawCorrectives( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw )
{
    (void)shown;
    (void)what;
    const supCorrectives* correctives = compiled;
    supExampleScratch scratch = supPlaceScratch( correctives, frame->scratch );
    supReadAmounts( correctives, frame, &scratch );
    float size = supCharacter_Info( correctives->character )->size;
    for ( int32_t e = 0; e < correctives->count; ++e )
    {
        const supExample* example = correctives->examples + e;
        bool isDrawn = draw->line != NULL && ( example->place == 0 || scratch.amounts[e] != 0.0f );
        float full = supMaxF( supLargestMove( example ), 1e-6f * size );
        for ( int32_t i = 0; i < example->tubeCount && isDrawn; ++i )
        {
            supDrawCurves( example->tubes + i, scratch.amounts[e], full, positions, draw );
        }
        const supExampleGroup* group = correctives->groups + example->group;
        if ( draw->label != NULL )
        {
            char text[48];
            snprintf( text, sizeof( text ), "%s: %.2f", example->name, (double)scratch.amounts[e] );
            supVec3 at = frame->joints[group->joints[0]].t;
            at.y += 0.03f * size * (float)example->place;
            draw->label( at, text, ( supColor ){ 0.0f, 0.0f, 0.0f, 1.0f }, draw->user );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The poses of examples: driving joints, where everything is in the pose, what joints have turned.

// ---------------------------------------------------------------------------------------------------------------
// Turns

supTurn supTurnOfJoint( supMat34 joint, const supMat34d* unturn )
{
    supMat34d motion = supMulMatD( supMatToDouble( joint ), *unturn );
    double lengths = supLengthD( motion.x ) + supLengthD( motion.y ) + supLengthD( motion.z );
    return ( supTurn ){ supQuatToFloat( supNearestRotationD( motion ) ), (float)( lengths / 3.0 ) };
}

supTurn supBlendTurns( const supTurn* turns, const supHold* holds, int32_t count )
{
    supQuat first = turns[holds[0].turn].rotation, sum = { 0.0f, 0.0f, 0.0f, 0.0f };
    float scale = 0.0f;
    for ( int32_t i = 0; i < count; ++i )
    {
        const supTurn* turn = turns + holds[i].turn;
        float weight = holds[i].weight;
        scale += weight * turn->scale;
        // a quaternion and its opposite are one turn: all on the heaviest joint's side
        float signedWeight = supDotQuat( first, turn->rotation ) < 0.0f ? -weight : weight;
        sum.x += signedWeight * turn->rotation.x;
        sum.y += signedWeight * turn->rotation.y;
        sum.z += signedWeight * turn->rotation.z;
        sum.w += signedWeight * turn->rotation.w;
    }
    return ( supTurn ){ supNormalizeQuat( sum ), scale };
}

// ---------------------------------------------------------------------------------------------------------------
// Features

void supReadFeatures( const supCharacter* character, const supExampleGroup* group, const supMat34* joints, double* out )
{
    for ( int32_t i = 0; i < group->jointCount; ++i )
    {
        int32_t joint = group->joints[i], parent = supCharacter_Joint( character, joint )->parent;
        supQuatd own = supNearestRotationD( supMatToDouble( joints[joint] ) );
        if ( parent >= 0 )
        {
            supQuatd above = supNearestRotationD( supMatToDouble( joints[parent] ) );
            own = supMulQuatD( supConjugateD( above ), own );
        }
        supSwingAndTwist( supMulQuatD( group->restTurns[i], own ), group->axes[i], out + (size_t)i * supPoseFeatures );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The example's own pose

supResult supFindDrivers( const supExampleWork* work, int32_t* joints )
{
    const supCharacter* character = work->context->character;
    for ( int32_t i = 0; i < work->def->joints.count; ++i )
    {
        const char* name = work->def->joints.names[i];
        char place[SUP_PATH_TEXT];
        supPathText( place, "%s.joints[%d]", work->place, i );
        joints[i] = supFindJointWords( character, name );
        if ( joints[i] < 0 )
        {
            return supNoJoint( character, place, name, work->error );
        }
        for ( int32_t k = 0; k < i; ++k )
        {
            if ( joints[k] == joints[i] )
            {
                return supFail( work->error, sup_errorData, "%s: \"%s\" is listed twice", place, name );
            }
        }
    }
    return sup_success;
}

static supResult supPoseByClip( const supExampleWork* work )
{
    const supCharacter* character = work->context->character;
    int32_t clip = supCharacter_FindClip( character, work->def->clip );
    if ( clip < 0 )
    {
        const char* names[256];
        int32_t count = supCharacter_Info( character )->clipCount;
        count = count < 256 ? count : 256;
        for ( int32_t i = 0; i < count; ++i )
        {
            names[i] = supCharacter_Clip( character, i ).name;
        }
        char place[SUP_PATH_TEXT];
        supPathText( place, "%s.clip", work->place );
        return supNoName( place, "clip", work->def->clip, names, count, work->error );
    }
    supPose* pose = NULL;
    supResult result = supCreatePose( character, SUP_MAKE_IN( work->context->allocator ), &pose, work->error );
    if ( result == sup_success )
    {
        supPose_Sample( pose, clip, work->def->time );
        size_t count = (size_t)supCharacter_Info( character )->jointCount;
        memcpy( work->joints, supPose_Joints( pose ), count * sizeof( supMat34 ) );
    }
    supDestroyPose( pose );
    return result;
}

/// Rest, with the driving joints turned.
static void supPoseByTurns( const supExampleWork* work, const int32_t* drivers )
{
    const supCharacter* character = work->context->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    const int32_t* order = supCharacter_Info( character )->jointOrder;
    for ( int32_t i = 0; i < supCharacter_Info( character )->jointCount; ++i )
    {
        int32_t joint = order[i], parent = supCharacter_Joint( character, joint )->parent;
        supMat34d own = supMatToDouble( rest[joint] ), unparent;
        if ( parent >= 0 && supInvertMatD( supMatToDouble( rest[parent] ), &unparent ) )
        {
            own = supMulMatD( supMatToDouble( work->joints[parent] ), supMulMatD( unparent, own ) );
        }
        for ( int32_t d = 0; d < work->def->joints.count; ++d )
        {
            if ( drivers[d] == joint )
            {
                supVec3d turn = supScaleD( supToDouble( work->def->pose.points[d] ), SUP_PI / 180.0 );
                double angle = supLengthD( turn );
                supVec3d axis = angle > 0.0 ? supScaleD( turn, 1.0 / angle ) : ( supVec3d ){ 1.0, 0.0, 0.0 };
                own = supMulMatD( own, supMatFromQuatD( supQuatFromAxisAngleD( axis, angle ) ) );
            }
        }
        work->joints[joint] = supMatToFloat( own );
    }
}

supResult supPoseExample( const supExampleWork* work, const int32_t* drivers )
{
    const supCharacter* character = work->context->character;
    supResult result = sup_success;
    if ( work->def->clip != NULL )
    {
        result = supPoseByClip( work );
    }
    else
    {
        supPoseByTurns( work, drivers );
    }
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount && result == sup_success; ++j )
    {
        supMat34d unturn;
        if ( !supInvertMatD( supMatToDouble( rest[j] ), &unturn ) )
        {
            unturn = supMat34d_identity;
        }
        work->turns[j] = supTurnOfJoint( work->joints[j], &unturn );
    }
    return result;
}
