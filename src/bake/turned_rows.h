// Vertices whose influences are on helpers that turn: how far the baked skin is from the living one there.
// SPDX-License-Identifier: MIT
//
// A helper that shifts is off by the same vector wherever it stands; one that turns is off by more the farther out a
// vertex is. So these vertices are skinned, both ways, one by one.
#pragma once

#include "bake/helper_frames.h"

/// One baked influence.
typedef struct supTurnedEntry
{
    int32_t palette; ///< of the joint, or of the one that the helper stands on
    int32_t helper;  ///< -1: none
    float weight;
} supTurnedEntry;

typedef struct supTurnedRows
{
    int32_t count;    ///< of vertices
    int32_t refits;   ///< of them were refitted
    int32_t* rows;    ///< of the flesh, rising
    int32_t* meshes;  ///< of each
    uint8_t* marks;   ///< one a row of the flesh: is it here?
    supArray entries; ///< supTurnedEntry
    int32_t* offsets; ///< count + 1
    supVec3* lower;   ///< of each helper: the box of what hangs on it, in its joint's own space
    supVec3* upper;
    size_t blockSize;
} supTurnedRows;

/// A moment, as a player has it and as it should be.
typedef struct supTurnedPose
{
    const supMat34* palette;
    const supMat34* played; ///< one a helper that turns: from its joint's motion to its own. Model space
    const supVec3* moves;   ///< one a helper: what others add
    const supMat34* wanted; ///< one a motion. Model space
    const float* morphWeights;
} supTurnedPose;

/// False: no memory.
bool supMakeTurnedRows( supTurnedRows* rows, const supJointBake* bake );
void supTurnedRows_Destroy( supTurnedRows* rows, const supAllocator* allocator );
/// How far vertex `index` of the list is off. Model space
supVec3 supTurnedRows_Error(
    const supTurnedRows* rows, const supJointBake* bake, int32_t index, const supTurnedPose* pose );
/// No vertex on a helper is off by more than this, where it takes its joint's space to `played` instead of `target`.
float supTurnedRows_Bound( const supTurnedRows* rows, int32_t helper, supMat34 played, supMat34 target );
/// A motion as a matrix.
supMat34 supMotionMatrix( const supSkinMotion* motion );
