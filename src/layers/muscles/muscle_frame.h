// Muscles at a moment: where their lines run, how their sections stand and how thick they are. What the flayed body,
// the meshes and the pictures are made from.
// SPDX-License-Identifier: MIT
//
// How it is used, in a layer's `apply` or `draw` (no allocation: the frame lives in the layer's scratch):
//
//     supMuscleFrame now;
//     supMuscleFrame_Place( &now, muscles, scratch );      // scratch: supMuscleFrame_Size( muscles ) bytes, at 64
//     supMuscleFrame_Pose( &now, muscles, frame->joints, live, shown ); // live, shown: of the muscles' layer
//     for ( int32_t m = 0; m < muscles->count; ++m )
//     {
//         const supMuscle* muscle = muscles->muscles + m;
//         for ( int32_t k = 0; k < muscle->strandCount; ++k )
//         {
//             int32_t first = muscle->firstStrandVertex + k * muscle->vertexCount;
//             // segments i -> i + 1 for i in first .. first + vertexCount - 2:
//             //   now.strands[i].middle, along, wide, deep, width, depth
//         }
//     }
//     for ( int32_t e = 0; e < muscles->ellipsoidCount; ++e )
//         if ( muscles->ellipsoids[e].fills ) // now.ellipsoids[e]: columns are axes times radii, t the centre
//
// At rest: the same with supCharacter_RestJoints and shown NULL. All in model space, metres. Sections are ellipses:
// `width` along `wide`, `depth` along `deep`, both radii already widened by the shortening of the line and by
// contraction.
#pragma once

#include "layers/muscles/muscle_data.h"

/// A vertex of a strand as it is now. `along`, `wide`, `deep`: unit length, at right angles, right-handed in this
/// order; `along` is the normal of the plane that bisects both segments.
typedef struct supStrandVertex
{
    supVec3 at;
    supVec3 middle; ///< of the section: where a mesh of the user's lies beside its line this is not `at`
    supVec3 along, wide, deep;
    float width, depth;         ///< radii of the section now. Metres
    float elongation;           ///< of the line here: length now over that at rest
    float wideScale, deepScale; ///< by which both are larger than at rest, the pose's own scale included
    float scale;                ///< of the pose itself (supMuscleScale)
} supStrandVertex;

typedef struct supMuscleFrame
{
    supVec3* line;            ///< one a vertex of a line
    supStrandVertex* strands; ///< one a vertex of a strand
    supMat34* ellipsoids;     ///< columns: axes times radii; t: centre
    float* lengths;           ///< of each muscle's line now. Metres
    float* contractions;      ///< of each muscle, 0 to 1, activation included
} supMuscleFrame;

/// Bytes that a frame of these muscles takes.
size_t supMuscleFrame_Size( const supMuscles* muscles );
/// Cuts a frame out of such memory, aligned to 64.
void supMuscleFrame_Place( supMuscleFrame* now, const supMuscles* muscles, void* memory );
/// The muscles in a pose. `live`, `shown`: of the muscles' layer (supEarlierLayer has both); shown NULL: every point
/// where its joints carry it, nothing contracted, as the body was modelled. Bodies refuse poses that are not finite
/// before they come here.
void supMuscleFrame_Pose(
    supMuscleFrame* now, const supMuscles* muscles, const supMat34* joints, const float* live, const float* shown );

/// How contracted a muscle is, activation included: 0 to 1. `live`, `shown` as above.
float supMuscleContraction( const supMuscles* muscles, int32_t muscle, const float* live, const float* shown );
/// How much larger a pose is than the rest, by the joints of the muscle's ends: 1, unless joints are scaled.
float supMuscleScale( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints );

/// The vertices of a muscle's line where their joints carry them.
void supPlaceLine( const supMuscles* muscles, const supMuscle* muscle, const supMat34* joints, supVec3* line );

// ---------------------------------------------------------------------------------------------------------------
// The forms of muscles: how thick they are along their lines, at rest and contracted.

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
