// Supple: the poses of examples: driving joints, where everything is in the pose, what joints have turned.
// SPDX-License-Identifier: MIT
#include "layers/correctives/correctives.h"

#include "base/fields.h"
#include "base/scalar_math.h"
#include "layers/names_in_rig.h"

#include <string.h>

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
        supPathText( place, "examples[%d].joints[%d]", work->index, i );
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
        supPathText( place, "examples[%d].clip", work->index );
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
