// Where helper joints are, and what they should do, at one time of a clip.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"
#include "bake/key_times.h"

/// One helper at one time.
typedef struct supHelperFrame
{
    supMat34 joint; ///< its parent's, model space
    supVec3 move;   ///< what it should add to its joint's motion: the elongation times the gain. Model space
    supVec3 value;  ///< its translation in its parent's space
    supVec3 before; ///< slope of `value` just before this time. m/s
    supVec3 after;  ///< and just after
} supHelperFrame;

/// Evaluates frames. One for each thread.
typedef struct supHelperClock
{
    const supJointBake* bake;
    const supTake* take;
    supPose* pose;
    bool wantsSlopes;
    supVec3d *u, *speeds; ///< of the elements, as shown, at the time that was read last
    size_t blockSize;
} supHelperClock;

supResult supMakeHelperClock(
    supHelperClock* clock, const supJointBake* bake, const supTake* take, bool wantsSlopes, supError* error );
void supHelperClock_Destroy( supHelperClock* clock );
/// All helpers, `frames` has room for them. The pose is left at that time.
void supHelperClock_Read( supHelperClock* clock, double time, supHelperFrame* frames );

/// What a player makes of two keys `span` seconds apart, at a share `theta` of the way.
supVec3 supPlayKeys( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta );
/// How far a helper that is translated by `value` is from where it should be at `frame`.
supVec3 supHelperError( const supHelperFrame* frame, supVec3 value );
