// The plan of a body: what is trunk, what are limbs, head and tail, and which way is which.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/reading.h"
#include "supple/auto.h"
#include "supple/character.h"

enum
{
    supMostLimbs = 16,
    supMostSegments = 12,
    supMostMembers = 4,
    supMostTrunk = supMostSpineParts, // a trunk is a stretch of the spine
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

/// Whether a joint is a member of it.
static inline bool supSegment_Has( const supSegment* segment, int32_t joint )
{
    bool has = false;
    for ( int32_t i = 0; i < segment->memberCount && !has; ++i )
    {
        has = segment->members[i] == joint;
    }
    return has;
}

/// A chain of joints from the trunk to a hand or a foot.
typedef struct supPlanLimb
{
    int32_t attach; ///< the trunk's joint that it hangs on
    int32_t side;   ///< 1: the body's left; -1: its right
    int32_t mirror; ///< its twin on the other side, or -1
    bool isLeg;     ///< the body stands on it; else an arm
    int32_t segmentCount;
    supSegment segments[supMostSegments];
    int32_t girdle; ///< how many of the first segments only lead out of the trunk: a collarbone, a hip's offset
} supPlanLimb;

/// What a part of the body is.
typedef enum supPartRole
{
    sup_partOther = 0,
    sup_partTrunk,
    sup_partHelper, ///< beside the trunk's bones, with a piece of its skin: a breast, a belly, ribs
    sup_partLimb,
    sup_partHead, ///< and neck, ears, horns
    sup_partTail,
    sup_partFin, ///< and wings
} supPartRole;

typedef struct supPlan
{
    const supCharacter* character;
    int32_t jointCount;
    float size;           ///< of the body, however it is turned: about the diagonal of its bounds
    float* area;          ///< a joint: area of the surface that hangs on it, but what is worn. m^2
    float* hardArea;      ///< a joint: of that and of what is worn, the area of hard pieces. m^2
    float* reach;         ///< a joint: length of the longest chain below it
    int32_t* parent;      ///< a joint: the next one with skin on the way to the trunk's base, or -1; -2: it has no skin
    bool* inTrunk;        ///< a joint
    bool* hasChildren;    ///< a joint
    float* vertexArea;    ///< a vertex
    int32_t* pieces;      ///< a vertex: a number for the hard piece that it belongs to, or -1
    bool* isWorn;         ///< a mesh: worn or carried, no part of the body
    int32_t otherMeshes;  ///< of other bodies in the file, which are worn too
    int32_t sceneryCount; ///< meshes that the skeleton's root carries beside a soft body: a floor, a stand
    int32_t hardCount;    ///< pieces
    float hardShare;      ///< of all surface that has a skin
    float plateShare;     ///< of the whole body's surface, what has no skin: a machine's plates

    supBodyGraph* graph;
    supBodySigns* signs;
    supBodyReading reading;
    supVec3 up, forward, left; ///< of the body; unit length, at right angles
    bool headFirst;            ///< the spine's first end is the head's
    supPartRole* roles;        ///< a part
    int32_t limbCount;
    supPlanLimb limbs[supMostLimbs];
    int32_t trunkCount; ///< joints from the trunk's base to its top, towards the head
    int32_t trunk[supMostTrunk];
    bool upright; ///< the trunk stands rather than lies
    int32_t neck; ///< the first joint above the trunk's top, or -1
    int32_t head; ///< the last joint there, or -1
} supPlan;

/// False where there is no memory. `trunkCount` is 0 where the body has no trunk with limbs. `known`: what the caller
/// knows of it, or NULL.
bool supReadPlan(
    const supCharacter* character, const supProposeDef* known, const supAllocator* allocator, supPlan* plan );
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

/// The share of a body's surface that has no skin, and how many meshes that is.
double supMeasurePlates( const supCharacter* character, int32_t* count );
/// Finds hard pieces and what is worn and carried. Vertex areas must be there. False where there is no memory.
bool supFindHardParts( supPlan* plan, const supAllocator* allocator );
/// Marks the meshes of all bodies but the largest as worn. Vertex areas must be there. False where there is no memory.
bool supSetOthersAside( supPlan* plan, const supAllocator* allocator );
/// Reads the two chains of a pair of limbs.
void supReadLimbPair( supPlan* plan, int32_t leftRoot, int32_t rightRoot, bool isLeg );
/// Finds the bones of all limbs. False where there is no memory.
bool supMeasureLimbs( supPlan* plan, const supAllocator* allocator );
/// Joins the segments of limbs that twist joints have cut. False where there is no memory.
bool supMergeTwists( supPlan* plan, const supAllocator* allocator );
/// How many of a limb's first segments only lead out of the trunk.
int32_t supCountGirdle( const supPlan* plan, const supPlanLimb* limb );
