// The forms of muscles: how thick they are along their lines, at rest and contracted.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_data.h"

/// How many strands a muscle has.
int32_t supCountStrands( const supMuscleDef* def );
/// Radii, offsets and sharpness of a muscle's strands at rest, from a few numbers. `size`: the character's.
void supShapeMuscle(
    const supMuscleDef* def, float size, const supLineVertex* line, supMuscle* muscle, supMuscles* muscles );
/// What a section is scaled by.
typedef struct supSectionScale
{
    float wide, deep;
} supSectionScale;

/// What all scales have to be multiplied by, so that the strand has the volume that it has at rest. `lengths`: of the
/// line's segments now; NULL: at rest. Metres.
float supKeepVolume( const supMuscles* muscles, const supMuscle* muscle, int32_t strand, const float* lengths,
    const supSectionScale* scales );
/// By how much isometric contraction, 0 to 1, scales the sections of a strand: the belly gathers towards its middle,
/// thicker by as much as keeps its volume.
void supContractStrand(
    const supMuscles* muscles, const supMuscle* muscle, int32_t strand, float contraction, supSectionScale* scales );
