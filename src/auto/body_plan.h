// The plan of a body, read off skeleton and skin: what is trunk, what are limbs, which way is forward.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/auto.h"
#include "supple/character.h"

enum
{
    supMostLimbs = 16,
    supMostSegments = 12,
    supMostMembers = 4,
    supMostTrunk = 32,
};

/// A stretch of a limb from one joint to the next: a bone. Twist joints within it are part of it.
typedef struct supSegment
{
    int32_t joint, next;
    int32_t memberCount;
    int32_t members[supMostMembers]; ///< `joint`, then the twist joints on the way to `next`
    float length;
    float radius;      ///< mean distance of its surface from its bone, over the middle of the segment. 0: none there
    float fleshRadius; ///< the same of what is not hard. 0: none, or so little of it that the segment is a shell
    float bend;        ///< sine of the largest angle to the segment before it, over rest and clips
    float turn;        ///< how far its joint turns against that one over the clips. Sine
    float blend;       ///< share of the skin half way down the segment before it that both joints hold
    bool isFork;       ///< several chains go on from its joint: a hand, a foot
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
    float* area;       ///< a joint: area of the surface that hangs on it, but what is worn. m^2
    float* hardArea;   ///< a joint: of that and of what is worn, the area of hard pieces. m^2
    float* reach;      ///< a joint: length of the longest chain below it
    int32_t* parent;   ///< a joint: its nearest ancestor with skin, or -1; -2 for joints without
    int8_t* side;      ///< a joint: -1, 0 (in the plane of symmetry) or 1
    bool* inTrunk;     ///< a joint
    float* vertexArea; ///< a vertex
    int32_t* pieces;   ///< a vertex: a number for the hard piece that it belongs to, or -1
    bool* isWorn;      ///< a mesh: worn or carried, no part of the body
    int32_t hardCount; ///< pieces
    float hardShare;   ///< of all surface that has a skin

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

// ---------------------------------------------------------------------------------------------------------------
// Shared by the files that read it

supVec3 supPlan_Vertex( const supPlan* plan, int32_t vertex ); ///< at rest
supVec3 supPlan_Joint( const supPlan* plan, int32_t joint );   ///< at rest

/// Calls for every influence of every skinned vertex that is not worn.
typedef void supInfluenceFunction( supPlan* plan, int32_t vertex, int32_t joint, float weight, void* context );
void supPlan_ForInfluences( supPlan* plan, supInfluenceFunction* function, void* context );

/// Whether `child` may go on a chain after `joint`: a joint with skin, or the bare marker at a chain's end.
bool supPlan_Follows( const supPlan* plan, int32_t joint, int32_t child );
/// The joint of the other side that stands where this one's mirror image is, or -1.
int32_t supPlan_Mirror( const supPlan* plan, int32_t joint );

/// Finds hard pieces and what is worn and carried. Vertex areas must be there. False where there is no memory.
bool supFindHardParts( supPlan* plan, const supAllocator* allocator );
/// Finds the plane of symmetry, and on which side of it every joint is. False where there is no memory.
bool supFindSymmetry( supPlan* plan, const supAllocator* allocator );
/// Finds the limbs, their bones, and their twins. False where there is no memory.
bool supFindLimbs( supPlan* plan, const supAllocator* allocator );
/// Joins the segments of limbs that twist joints have cut. False where there is no memory.
bool supMergeTwists( supPlan* plan, const supAllocator* allocator );
/// How many of a limb's first segments only lead out of the trunk.
int32_t supCountGirdle( const supPlan* plan, const supPlanLimb* limb );
