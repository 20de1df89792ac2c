// Supple: joints and postures of a draft.
// SPDX-License-Identifier: MIT

#include "creatures/draft.h"

#include "creatures/formula.h"

#include <assert.h>
#include <string.h>

int32_t supDraft_Joint( supDraft* draft, const char* name, int32_t parent, supVec3d place, supVec3d tip )
{
    assert( draft->jointCount < SUP_MAX_DRAFT_JOINTS && parent < draft->jointCount );
    int32_t index = draft->jointCount++;
    draft->joints[index] = ( supDraftJoint ){
        .name = name, .parent = parent, .place = place, .start = place, .tip = tip, .bone = true, .twin = index
    };
    return index;
}

int32_t supDraft_JointPair( supDraft* draft, const char* const names[2], int32_t parent, supVec3d place, supVec3d tip )
{
    int32_t left = supDraft_Joint( draft, names[0], parent, place, tip );
    int32_t otherParent = parent >= 0 ? draft->joints[parent].twin : -1;
    int32_t right = supDraft_Joint( draft, names[1], otherParent, supMirrorD( place ), supMirrorD( tip ) );
    draft->joints[left].twin = right;
    draft->joints[right].twin = left;
    return left;
}

void supDraft_Bone( supDraft* draft, int32_t joint, supVec3d start, supVec3d tip, double girth )
{
    supDraftJoint* own = &draft->joints[joint];
    own->start = start;
    own->tip = tip;
    own->girth = girth;
    if ( own->twin != joint )
    {
        supDraftJoint* other = &draft->joints[own->twin];
        other->start = supMirrorD( start );
        other->tip = supMirrorD( tip );
        other->girth = girth;
    }
}

void supPosture_Rest( supPosture* posture, const supDraft* draft )
{
    for ( int32_t i = 0; i < draft->jointCount; ++i )
    {
        posture->turns[i] = supQuatd_identity;
        posture->shifts[i] = supV( 0.0, 0.0, 0.0 );
    }
    supPosture_Update( posture, draft, 0 );
}

void supPosture_Update( supPosture* posture, const supDraft* draft, int32_t first )
{
    for ( int32_t i = first; i < draft->jointCount; ++i )
    {
        const supDraftJoint* joint = &draft->joints[i];
        if ( joint->parent < 0 )
        {
            posture->facing[i] = posture->turns[i];
            posture->places[i] = supAddD( joint->place, posture->shifts[i] );
            continue;
        }
        supVec3d offset = supSubD( joint->place, draft->joints[joint->parent].place );
        offset = supAddD( offset, posture->shifts[i] );
        supQuatd parentFacing = posture->facing[joint->parent];
        posture->facing[i] = supMulQuatD( parentFacing, posture->turns[i] );
        posture->places[i] = supAddD( posture->places[joint->parent], supRotateD( parentFacing, offset ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Turns by degrees and by frames.

supQuatd supTurnBy( supVec3d axis, double degrees )
{
    return supQuatFromAxisAngleD( axis, degrees * ( SUP_PI / 180.0 ) );
}

supQuatd supTurnByAngles( double x, double y, double z )
{
    supQuatd turnX = supTurnBy( supV( 1.0, 0.0, 0.0 ), x );
    supQuatd turnY = supTurnBy( supV( 0.0, 1.0, 0.0 ), y );
    supQuatd turnZ = supTurnBy( supV( 0.0, 0.0, 1.0 ), z );
    return supMulQuatD( turnY, supMulQuatD( turnX, turnZ ) );
}

// The turn that carries y to `along` and z to the part of `facing` across it.
static supQuatd supAlongTurn( supVec3d along, supVec3d facing )
{
    supVec3d y = supNormalizeD( along );
    supVec3d x = supNormalizeD( supCrossD( y, facing ) );
    return supQuatFromMatD( ( supMat34d ){ x, y, supCrossD( x, y ), { 0.0, 0.0, 0.0 } } );
}

supQuatd supFrameTurn( supVec3d fromAlong, supVec3d fromFacing, supVec3d toAlong, supVec3d toFacing )
{
    supQuatd from = supAlongTurn( fromAlong, fromFacing );
    supQuatd to = supAlongTurn( toAlong, toFacing );
    return supMulQuatD( to, supConjugateD( from ) );
}
