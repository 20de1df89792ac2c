// The plan of a body, read off skeleton and skin: what is trunk, what are limbs, which way is forward.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/auto.h"
#include "supple/character.h"

enum
{
    supMostLimbs = 16,
    supMostSegments = 12,
    supMostTrunk = 32,
};

/// A stretch of a limb from one joint to the next.
typedef struct supSegment
{
    int32_t joint, next;
    float length;
    float radius; ///< mean distance of its skin from its bone, over the middle of the segment. 0: no skin there
} supSegment;

/// A chain of joints from the trunk to a hand or a foot.
typedef struct supPlanLimb
{
    int32_t attach; ///< the trunk's joint that it hangs on
    int32_t side;   ///< -1 or 1
    int32_t mirror; ///< its twin on the other side, or -1
    int32_t segmentCount;
    supSegment segments[supMostSegments];
    int32_t girdle; ///< how many of the first segments only lead out of the trunk: a collarbone, a hip's offset
} supPlanLimb;

typedef struct supPlan
{
    const supCharacter* character;
    int32_t jointCount;
    float size;        ///< of the model
    float* area;       ///< a joint: area of the skin that hangs on it. m^2
    float* reach;      ///< a joint: length of the longest chain below it
    int32_t* parent;   ///< a joint: its nearest ancestor with skin, or -1; -2 for joints without
    int8_t* side;      ///< a joint: -1, 0 (in the plane of symmetry) or 1
    bool* inTrunk;     ///< a joint
    float* vertexArea; ///< a vertex

    supVec3 sideways; ///< normal of the plane of symmetry
    float plane;      ///< its offset
    int32_t limbCount;
    supPlanLimb limbs[supMostLimbs];
    int32_t trunkCount; ///< joints from the trunk's base to where the far limbs hang, in that order
    int32_t trunk[supMostTrunk];
    bool upright;    ///< the trunk stands rather than lies
    supVec3 forward; ///< horizontal
    int32_t neck;    ///< the first joint above the trunk's top that is not a limb, or -1
} supPlan;

/// False where there is no memory. Found or not: `trunkCount` is 0 where the character has no trunk with limbs.
bool supReadPlan( const supCharacter* character, const supAllocator* allocator, supPlan* plan );
void supDropPlan( supPlan* plan, const supAllocator* allocator );
