// Jumps that nobody has announced.
// SPDX-License-Identifier: MIT
//
// A host that puts an entity elsewhere may say so (supBody_Teleport). One that does not is found out by the mean of all
// joints: it moves by more than the body's size in one step, and by many times what the recent speed would give. The
// layers are then carried along by one rigid motion, from where the body would have been by now, had it gone on as it
// did, to where it is: a runner who is put elsewhere, and turned, runs on.
//
// The turn is the one between the sums of the joints' motions from rest, A = sum_j W J_j R_j^T with R_j the rest
// matrix: the rotation nearest to T A is T times that nearest to A, so any rigid T is found exactly, be it the world's
// or the joints' own, and a pose that changes at the same time only counts by its mean.

#include "body/body_jump.h"

#include "base/math.h"
#include "base/math_double.h"
#include "body/body_data.h"

/// A jump is taken for a teleport if it is this many times what the recent speed would give.
static const float supJumpRatio = 8.0f;

/// In world space.
static supVec3 supMeanPlace( const supBody* body, const supMat34* joints, supMat34 world )
{
    int32_t count = supCharacter_Info( body->model->character )->jointCount;
    float sums[4] = { 0.0f, 0.0f, 0.0f, 0.0f }; // of the last four floats of each: half the instructions of three
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* last = &joints[i].z.z;
        for ( int k = 0; k < 4; ++k )
        {
            sums[k] += last[k];
        }
    }
    supVec3 sum = { sums[1], sums[2], sums[3] };
    return supTransformPoint( world, supScale( sum, count > 0 ? 1.0f / (float)count : 0.0f ) );
}

static supMat34 supPostureOf( const supBody* body, const supMat34* joints, supMat34 world )
{
    const supCharacter* character = body->model->character;
    const supMat34* rest = supCharacter_Info( character )->restJoints;
    supMat34 sum = { supVec3_zero, supVec3_zero, supVec3_zero, supVec3_zero };
    for ( int32_t i = 0; i < supCharacter_Info( character )->jointCount; ++i )
    {
        const supMat34 *j = joints + i, *r = rest + i;
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

static supMat34 supFindMotion( supBody* body, const supMat34* joints, supMat34 world, supVec3 from, supVec3 to )
{
    supJumps_KeepPosture( body );
    supQuatd before = supNearestRotationD( supMatToDouble( body->jumps.posture ) );
    supQuatd after = supNearestRotationD( supMatToDouble( supPostureOf( body, joints, world ) ) );
    supMat34 motion = supMatToFloat( supMatFromQuatD( supMulQuatD( after, supConjugateD( before ) ) ) );
    motion.t = supSub( to, supTransformVector( motion, from ) );
    return motion;
}

bool supJumps_Notice( supBody* body, const supMat34* joints, supMat34 world, float dt, supMat34* motion )
{
    supJumps* jumps = &body->jumps;
    supVec3 place = supMeanPlace( body, joints, world ), way = supSub( place, jumps->place );
    float jump = supLength( way ), size = supCharacter_Info( body->model->character )->size * supLength( world.x );
    bool jumped = jumps->started && jump > size && jump > supJumpRatio * supLength( jumps->velocity ) * dt;
    if ( jumped )
    {
        *motion = supFindMotion( body, joints, world, supMulAdd( jumps->place, dt, jumps->velocity ), place );
        jumps->velocity = supTransformVector( *motion, jumps->velocity );
    }
    else if ( jumps->started && dt > 0.0f )
    {
        jumps->velocity = supScale( way, 1.0f / dt );
    }
    jumps->place = place;
    jumps->hasPosture = false;
    jumps->started = true;
    return jumped;
}

void supJumps_Reset( supJumps* jumps )
{
    *jumps = ( supJumps ){ 0 };
}

void supJumps_Teleport( supJumps* jumps, supMat34 motion )
{
    jumps->place = supTransformPoint( motion, jumps->place );
    jumps->velocity = supTransformVector( motion, jumps->velocity );
    supMat34 posture = supMulMat( motion, jumps->posture );
    posture.t = supVec3_zero;
    jumps->posture = posture;
}
