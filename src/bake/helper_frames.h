// Where helper joints are, and what they should do, at one time of a clip.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"
#include "bake/key_times.h"

/// A helper's translation in its parent's space, and its rotation where it turns.
typedef struct supHelperKey
{
    supVec3 value;
    supQuat turn;
} supHelperKey;

/// One helper at one time.
typedef struct supHelperFrame
{
    supMat34 joint; ///< its parent's, model space
    supVec3 move;   ///< what it should add to its joint's motion: the elongation times the gain. Model space
    supVec3 value;  ///< its translation in its parent's space
    supVec3 before; ///< slope of `value` just before this time. m/s
    supVec3 after;  ///< and just after

    // of those that turn
    supMat34 target;               ///< where it should bring what lies in its parent's space. Model space
    supQuat turn;                  ///< its rotation in its parent's space
    supQuat turnBefore, turnAfter; ///< slopes of `turn`. 1/s
} supHelperFrame;

/// Evaluates frames. One for each thread.
typedef struct supHelperClock
{
    const supJointBake* bake;
    const supTake* take;
    supPose* pose;
    bool wantsSlopes;
    supVec3d* u;      ///< of the elements, as shown, at the time that was read last
    supVec3d* shifts; ///< of the motions, likewise
    supVec3d* speeds; ///< of these; where layers have motions they stay 0
    supSkinMotion* motions;
    float* layers; ///< what the layers show, likewise
    void* block;
    size_t blockSize;
} supHelperClock;

supResult supMakeHelperClock(
    supHelperClock* clock, const supJointBake* bake, const supTake* take, bool wantsSlopes, supError* error );
void supHelperClock_Destroy( supHelperClock* clock );
/// Pose and motions alone.
void supHelperClock_Set( supHelperClock* clock, double time );
/// All helpers, `frames` has room for them. The pose is left at that time.
void supHelperClock_Read( supHelperClock* clock, double time, supHelperFrame* frames );

/// What a player makes of two keys `span` seconds apart, at a share `theta` of the way.
supVec3 supPlayKeys( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta );
/// The same for the rotation: along the great circle, or each number by itself and brought to length 1 where cubic.
supQuat supPlayTurns( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta );
/// How far a helper that is translated by `value` is from where it should be at `frame`.
supVec3 supHelperError( const supHelperFrame* frame, supVec3 value );
/// Where a helper that turns, with its place at rest, brings what lies in its parent's space. Model space
supMat34 supPlayedMatrix( const supHelperFrame* frame, supVec3 place, supVec3 value, supQuat turn );
