// The body's parts as capsules, fitted to the skin at rest.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

enum
{
    supMostCapsules = 64
};

typedef struct supCapsule
{
    int32_t joint;
    supVec3 from, to; ///< in the joint's space
    float radius;     ///< model space at rest. Metres
    float* shares;    ///< how much of each element's elongation the part takes along: the mean of its weights
} supCapsule;

typedef struct supCapsuleSet
{
    int32_t count, elementCount;
    supCapsule capsules[supMostCapsules];
    int32_t* parts; ///< of each vertex: the joint that carries most of it
    float* shares;
    size_t partsSize, sharesSize;
} supCapsuleSet;

/// One capsule for every joint that carries skin: around the line from it to the middle of its skinned children. False:
/// no memory.
bool supFitCapsules( const supLayerContext* context, supCapsuleSet* set );
void supDropCapsules( supCapsuleSet* set, const supAllocator* allocator );
/// How far a place is inside a capsule that has been moved, and the way out; below zero outside.
float supCapsuleDepth( const supCapsule* capsule, supMat34 joint, supVec3 moved, supVec3 p, supVec3* out );
