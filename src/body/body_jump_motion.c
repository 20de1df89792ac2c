// By what rigid motion a body was put elsewhere.
// SPDX-License-Identifier: MIT
//
// The turn is the one between the sums of the joints' motions from rest, A = sum_j W J_j R_j^T with R_j the rest
// matrix: the rotation nearest to T A is T times that nearest to A, so any rigid T is found exactly, be it the world's
// or the joints' own, and a pose that changes at the same time only counts by its mean.
//
// Where the joints go on as they did and the world alone has jumped, that turn would count what the pose does in this
// step as part of the jump. The world says better: W is where it stands, W' where it would stand had it gone on as in
// the step before, and W W'^-1 the jump.

#include "body/body_jump_motion.h"

#include "base/math.h"
#include "base/math_double.h"

/// How far a world may be taken to have gone on, in steps like the one before.
static const float supMostRatio = 4.0f;

static supMat34 supPostureOf( const supBody* body, const supMat34* joints, supMat34 world )
{
    const supCharacter* character = body->model->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supMat34 sum = { supVec3_zero, supVec3_zero, supVec3_zero, supVec3_zero };
    for ( int32_t i = 0; i < supCharacter_Info( character )->jointCount; ++i )
    {
        const supMat34 *j = joints + i, *r = rest + i;
        if ( body->jumps.watched[i] == 0.0f )
        {
            continue;
        }
        sum.x = supMulAdd( supMulAdd( supMulAdd( sum.x, r->x.x, j->x ), r->y.x, j->y ), r->z.x, j->z );
        sum.y = supMulAdd( supMulAdd( supMulAdd( sum.y, r->x.y, j->x ), r->y.y, j->y ), r->z.y, j->z );
        sum.z = supMulAdd( supMulAdd( supMulAdd( sum.z, r->x.z, j->x ), r->y.z, j->y ), r->z.z, j->z );
    }
    return ( supMat34 ){ supTransformVector( world, sum.x ), supTransformVector( world, sum.y ),
        supTransformVector( world, sum.z ), supVec3_zero };
}

void supJumps_KeepPosture( supBody* body )
{
    supJumps* jumps = &body->jumps;
    if ( jumps->started && !jumps->hasPosture )
    {
        jumps->posture = supPostureOf( body, body->joints, body->world );
        jumps->hasPosture = true;
    }
}

supMat34 supFindMotion( supBody* body, const supMat34* joints, supMat34 world, supVec3 from, supVec3 to )
{
    supJumps_KeepPosture( body );
    supQuatd before = supNearestRotationD( supMatToDouble( body->jumps.posture ) );
    supQuatd after = supNearestRotationD( supMatToDouble( supPostureOf( body, joints, world ) ) );
    supMat34 motion = supMatToFloat( supMatFromQuatD( supMulQuatD( after, supConjugateD( before ) ) ) );
    motion.t = supSub( to, supTransformVector( motion, from ) );
    return motion;
}

supMat34 supMotionShare( supMat34 motion, supVec3 from, float share )
{
    supQuatd none = { 0.0, 0.0, 0.0, 1.0 }, all = supNearestRotationD( supMatToDouble( motion ) );
    supMat34 part = supMatToFloat( supMatFromQuatD( supSlerpD( none, all, share ) ) );
    supVec3 to = supMulAdd( from, share, supSub( supTransformPoint( motion, from ), from ) );
    part.t = supSub( to, supTransformVector( part, from ) );
    return part;
}

bool supFindPut( const supBody* body, supMat34 world, supVec3 from, float dt, supMat34* out )
{
    const supJumps* jumps = &body->jumps;
    supMat34 inverse;
    if ( !supInvertMat( jumps->before, &inverse ) )
    {
        return false;
    }
    float ratio = jumps->lastSpan > 0.0f ? supMinF( dt / jumps->lastSpan, supMostRatio ) : 0.0f;
    supMat34 went = supMotionShare( supMulMat( body->world, inverse ), body->world.t, ratio );
    if ( !supInvertMat( supMulMat( went, body->world ), &inverse ) )
    {
        return false;
    }
    *out = supMatToFloat( supMatFromQuatD( supNearestRotationD( supMatToDouble( supMulMat( world, inverse ) ) ) ) );
    supVec3 to = supTransformPoint( world, supTransformPoint( inverse, from ) );
    out->t = supSub( to, supTransformVector( *out, from ) );
    return true;
}

supMat34 supMotionBetween( supMat34 a, supMat34 b, supVec3 from, float share )
{
    supQuatd first = supNearestRotationD( supMatToDouble( a ) ), second = supNearestRotationD( supMatToDouble( b ) );
    supMat34 part = supMatToFloat( supMatFromQuatD( supSlerpD( first, second, share ) ) );
    supVec3 to = supTransformPoint( a, from );
    to = supMulAdd( to, share, supSub( supTransformPoint( b, from ), to ) );
    part.t = supSub( to, supTransformVector( part, from ) );
    return part;
}

void supNoteWorld( supBody* body, supMat34 world, float dt, float whole )
{
    supJumps* jumps = &body->jumps;
    supMat34 inverse;
    if ( whole >= 0.5f && supInvertMat( body->world, &inverse ) )
    {
        jumps->before = supMulMat( supMulMat( world, inverse ), jumps->before );
    }
    else if ( dt > 0.0f )
    {
        jumps->before = body->world;
    }
}
