// What follows from the numbers of an element, and small looks at its state.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"

/// Fills in the rows that follow from an element and its tune.
void supRefreshTune( const supFlesh* flesh, supFleshState* state, int32_t element );
/// A tune from the live fields of an element.
supFleshTune supTuneOf( const supFleshElement* element, const float* live );
/// The live fields of an element, from what it was compiled to.
void supFillElementLive( supFleshElement* element );
/// The anchor's speed at the end of the last frame, from the path's own slope there; zero before there is a path.
supVec3 supAnchorSpeed( const supFleshState* state, int32_t element );
/// s = u' + amount * x' under another amount, with the same u'.
supVec3 supKeepVelocity( const supFleshState* state, int32_t element, float amount );
/// What the pull of the last frame alone would hold it at.
supVec3 supFleshSettled( const supFleshState* state, int32_t element );
/// Rotation of the driver from rest, in the world; `which`: 0 or 1, of state->newestTurn.
supMat34 supFleshTurn( const supFleshState* state, int32_t which, int32_t element );
/// The accelerations other than inertia under the gravity and the wind of now: sag * thickness * omega^2 in the
/// direction of gravity, relative to rest or plain, and the wind's drag.
supVec3 supFleshPull( const supFleshState* state, int32_t element );
/// Arms, turns and pulls of a frame that nothing is stepped to.
void supFlesh_Stand( const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world );
