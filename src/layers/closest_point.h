// The point of a triangle mesh that lies closest to a place.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// A point of a triangle, by the shares of its corners.
typedef struct supFootPoint
{
    int32_t triangle; ///< -1: none
    float shares[3];
    float distance;
} supFootPoint;

/// The closest point of one triangle. After Ericson, "Real-time collision detection", 2005, 5.1.5.
supFootPoint supClosestOnTriangle( supVec3 p, supVec3 a, supVec3 b, supVec3 c );

/// Triangles sorted by where their middles lie along the longest side of them all.
typedef struct supTriangleIndex
{
    int32_t count;
    const int32_t* corners; ///< three a triangle; the caller's
    const supVec3* points;  ///< the caller's
    int axis;
    int32_t* order;
    supVec3* middles; ///< of order[i]; rising along the axis
    float* radii;     ///< of order[i]: from the middle to the farthest corner
    float farthest;   ///< the largest of these
    size_t blockSize;
} supTriangleIndex;

/// NULL: no memory. Freed with blockSize.
supTriangleIndex* supMakeTriangleIndex(
    const supVec3* points, const int32_t* corners, int32_t count, const supAllocator* allocator );
/// The `most` closest, within `reach`, by rising distance. Gives how many.
int32_t supTriangleIndex_Nearest(
    const supTriangleIndex* index, supVec3 p, float reach, int32_t most, supFootPoint* feet );
/// Within `reach`; triangle -1 where there is none.
supFootPoint supTriangleIndex_Closest( const supTriangleIndex* index, supVec3 p, float reach );

/// How far along a ray, in lengths of `way`, the first triangle is that it meets beyond `low` and before `high`; -1:
/// none.
float supTriangleIndex_Meet( const supTriangleIndex* index, supVec3 from, supVec3 way, float low, float high );

/// Unit normal of a triangle; zero where it is flat.
supVec3 supFaceNormal( supVec3 a, supVec3 b, supVec3 c );
/// Distance to the closest of some triangles (192 at most), below zero where it faces away: inside. `normal`: of unit
/// length, the mean of those that are as close.
float supSignedDistance( supVec3 p, const supVec3* points, const int32_t* corners, int32_t count, supVec3* normal );
