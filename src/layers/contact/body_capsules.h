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
/// A capsule in a pose: where smooth skin has it, and where the part's own flesh has moved it. Model space
typedef struct supPosedCapsule
{
    supVec3 from, to, movedFrom, movedTo;
    float radius;
} supPosedCapsule;

void supPoseCapsules(
    const supCapsuleSet* set, const supMat34* joints, const supVec3* elongations, supPosedCapsule* posed );
/// How far a place is inside the capsule around a line, and the way out; not above zero outside.
float supCapsuleDepth( supVec3 from, supVec3 to, float radius, supVec3 p, supVec3* out );
