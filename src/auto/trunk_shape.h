// The shape of a trunk: how far it reaches to the front, the back and below, place by place along it.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/body_plan.h"

enum
{
    supShapeRows = 48,  ///< along the trunk
    supShapeLanes = 12, ///< across it, from the middle to its side; both sides are folded into one
};

/// Depths are distances in front of (or behind, or below) a line through the trunk, averaged over left and right.
typedef struct supTrunkShape
{
    supVec3 from, along; ///< the line: from its base, `length` along a unit vector
    supVec3 outward;     ///< that depths are measured towards
    float length;
    float low, high;                          ///< what the rows stand for: shares of the length, beyond both ends too
    float halfWidth;                          ///< of the trunk, between the limbs
    float depth[supShapeRows][supShapeLanes]; ///< largest; -1: no skin there
} supTrunkShape;

/// Measures the skin of the trunk and of its helpers, and of what `wants` takes beside them.
void supMeasureTrunk( const supPlan* plan, supVec3 from, supVec3 to, supVec3 outward, float low, float high,
    const bool* wantedParts, supTrunkShape* shape );

/// The depth at a place: rows and lanes as shares, 0 to 1. -1: no skin there.
float supTrunkShape_Depth( const supTrunkShape* shape, float along, float across );

/// A lump that stands out: of a pair of breasts.
typedef struct supLump
{
    float along;      ///< where it is fullest. Share of the length
    float across;     ///< and how far from the middle. Share of the half width
    float depth;      ///< there
    float prominence; ///< how far it stands out before what is above and below it. Same unit as depth
    float lobe;       ///< how far it stands out before the middle
} supLump;

/// The most prominent lump between two places along the trunk.
supLump supFindLump( const supTrunkShape* shape, float from, float to );
/// The same in the middle of the trunk: what stands out before and behind it along the trunk, within a quarter of it.
supLump supFindRidge( const supTrunkShape* shape, float from, float to );
