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

/// Where a section stands: an ellipse around `middle`, with half axes along `wide` and `deep` (unit length). Metres
typedef struct supSection
{
    supVec3 middle, wide, deep;
} supSection;

/// The volume of a strand with these sections, as `scales` make them larger than at rest (NULL: as they are at rest).
/// m^3
float supSectionsVolume( const supMuscles* muscles, const supMuscle* muscle, int32_t strand, const supSection* sections,
    const supSectionScale* scales );
/// By how much isometric contraction, 0 to 1, scales the sections of a strand: the belly gathers towards its middle,
/// thicker by as much as keeps its volume.
void supContractStrand(
    const supMuscles* muscles, const supMuscle* muscle, int32_t strand, float contraction, supSectionScale* scales );
