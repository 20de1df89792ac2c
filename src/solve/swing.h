// Supple: one spring of three coordinates on an anchor that is known at frames: what layers with a motion of their own
// are made of.
// SPDX-License-Identifier: MIT
//
// Flesh steps its springs in bulk, by rows (layers/flesh); here they are few. The mathematics is the same,
// solve/spring_step.c.
#pragma once

#include "base/math.h"
#include "solve/spring_step.h"

typedef struct supSwing
{
    supVec3 u;                      ///< elongation
    supVec3 s;                      ///< u' + amount * anchor's speed; before the first step u' alone
    supVec3 deltas[SUP_PATH_SPANS]; ///< what the anchor moved by in the last frames, newest first
    supSpringStep step;             ///< for the clock's times
    float amount;                   ///< that `s` was made with
    bool begun;                     ///< it knows how the anchor moves
    bool stale;                     ///< `step` is for another spring
} supSwing;

/// What all swings of a body share.
typedef struct supSwingClock
{
    supFrameTimes times;
    supPathBasis basis;
    float lastSlopes[SUP_PATH_SPANS]; ///< of an anchor's deltas in its speed at the end of the frame before. 1/s
    bool changed;                     ///< by the last tick: steps are for other times
} supSwingClock;

/// A frame of dt > 0 seconds has passed.
void supSwingClock_Tick( supSwingClock* clock, float dt );

/// Of an anchor's deltas in its speed at the end of the clock's last frame. 1/s
void supSwingClock_Slopes( const supSwingClock* clock, float slopes[SUP_PATH_SPANS] );

/// Moves on by the clock's last frame, in which the anchor moved by `delta`. The first step, and one with another
/// amount, keep u' as it is. What moves too little to be seen, less than `least`, is put to rest.
void supSwing_Step( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float least );
/// Moves on by the clock's last frame while nobody knows where the anchor was: as if that stood.
void supSwing_Coast( supSwing* swing, const supSpring* spring, const supSwingClock* clock );
/// Another anchor from now on: keeps u and u', and forgets how the old one moved. `clock`: ticked with it last.
void supSwing_Rehang( supSwing* swing, const supSwingClock* clock );
/// The same with a clock that has been ticked since.
void supSwing_Forget( supSwing* swing, const supSwingClock* clock );
/// Moves on by the clock's last frame, in which the anchor jumped: `held` of `delta` is not felt, the anchor runs on in
/// its place. Of an earlier cut, `rebased` of the change of speed that `delta` tells of is not felt either.
void supSwing_Jump( supSwing* swing, const supSpring* spring, const supSwingClock* clock, supVec3 delta, float held,
    float rebased, float least );
/// The world was turned under it.
void supSwing_Turn( supSwing* swing, supMat34 turn );
bool supSwing_IsAtRest( const supSwing* swing );

/// Within `limit`, smoothly: u (1 + (|u| / limit)^8)^(-1/8), the identity to 0.05% up to half of it.
supVec3 supSoftLimit( supVec3 u, float limit );
