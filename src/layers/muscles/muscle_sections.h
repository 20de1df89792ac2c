// Sections across an action line: bisecting planes, and frames carried along without twist, or with twist springs.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_frame.h"

/// Normals of the planes that bisect a line's segments; at its ends those of the segments.
void supLineNormals( const supVec3* line, int32_t count, supVec3* normals );
/// The way across: `first`, put at right angles to the first normal, carried from plane to plane by the smallest turns.
void supCarryWide( supVec3 first, const supVec3* normals, int32_t count, supVec3* wide );
/// Frames of all vertices of a muscle's line: normals and ways across, with the twist that its springs share out.
void supMuscleSections( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, const supVec3* line,
    float twist, supVec3* normals, supVec3* wide );
