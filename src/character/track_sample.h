// Supple: one track at one time.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "supple/character.h"

/// Between which keys a time falls. Held ends have key == next.
typedef struct supKeySpan
{
    int32_t key, next;
    double fraction; // in [0, 1) from key to next
    double duration; // seconds from key to next; 0 where held
} supKeySpan;

/// `cursor` is where the last search ended: a hint that saves time and never changes the answer.
supKeySpan supFindKeys( const supTrackDef* track, double time, int32_t* cursor );

/// Component `component` of a value, as the track interpolates it. Not for linear rotations.
double supSampleNumber( const supTrackDef* track, supKeySpan span, int32_t component );

supVec3d supSampleVector( const supTrackDef* track, supKeySpan span );

/// Of unit length.
supQuatd supSampleRotation( const supTrackDef* track, supKeySpan span );
