// The pieces of the écorché's surface in a pose: strands of muscles, and ellipsoids.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/implicit_surface.h"
#include "layers/muscles/muscle_frame.h"

/// Strands' segments, then ellipsoids that fill. `muscles` may be NULL: none.
int32_t supCountPieces( const supMuscles* muscles );
/// The former alone.
int32_t supCountSegments( const supMuscles* muscles );
/// `now`: of these muscles.
void supPlacePieces( const supMuscles* muscles, const supMuscleFrame* now, const float* live, supImplicitReady* out );
/// The joints that carry a piece, and its muscle. Gives how many.
int32_t supPieceJoints( const supMuscles* muscles, int32_t piece, int32_t* muscle, int32_t joints[4] );
