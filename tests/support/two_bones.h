// A small character for tests: a square bar along +Y on two joints, with everything a def can have. Change it, then
// create.
#pragma once

#include "supple/character.h"

#define SUP_TWO_BONES_RINGS 5
#define SUP_TWO_BONES_VERTICES ( 4 * SUP_TWO_BONES_RINGS )
#define SUP_TWO_BONES_INDICES ( 24 * ( SUP_TWO_BONES_RINGS - 1 ) )

/// Joint 0 "root" stands at (0, 0, 0) and shows the mesh, 1 "lower" there too, 2 "upper" at (0, 1, 0); the bar reaches
/// from y = 0 to 2. Below y = 1 it hangs on "lower", above on "upper", at y = 1 on both by half. Clip 0 "bend" turns
/// "upper" by 90 degrees about Z in 1 second; morph target 0 "fat" moves vertices 1 along x.
typedef struct supTwoBones
{
    supJointDef joints[3];
    int32_t skinJoints[2];
    supMat34 inverseBind[2];
    supSkinDef skin;
    float positions[3 * SUP_TWO_BONES_VERTICES];
    float normals[3 * SUP_TWO_BONES_VERTICES];
    float tangents[4 * SUP_TWO_BONES_VERTICES];
    uint16_t jointIndices[2 * SUP_TWO_BONES_VERTICES];
    float weights[2 * SUP_TWO_BONES_VERTICES];
    uint32_t indices[SUP_TWO_BONES_INDICES];
    float morph[3 * SUP_TWO_BONES_VERTICES];
    const float* morphs[1];
    float morphWeights[1];
    supMeshDef mesh;
    float times[2];
    float rotations[8];
    supTrackDef track;
    supClipDef clip;
    supCharacterDef def;
} supTwoBones;

/// Pointers lead into `out` itself: do not copy it.
void supMakeTwoBones( supTwoBones* out );

/// Creates, and fails the test with the error's words where that fails.
supCharacter* supTestCreate( const supCharacterDef* def );
