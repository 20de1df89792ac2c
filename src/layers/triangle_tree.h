// Triangles of a skin that moves, in a tree of boxes: which is closest to a place, and on which side of them it lies.
// SPDX-License-Identifier: MIT
//
// Which triangles share a box is decided once, at rest: skin that is close stays close. Each frame only fits the boxes.
#pragma once

#include "supple/base.h"

typedef struct supBounds
{
    supVec3 low, high;
} supBounds;

/// A full binary tree, node n above 2 n + 1 and 2 n + 2; leaf l has order[l count / leafCount] and those after it.
typedef struct supTriangleTree
{
    int32_t count;
    const int32_t* corners; ///< three a triangle; the caller's
    int32_t* order;
    int32_t* pieces;   ///< of each triangle: the piece of surface that it belongs to, seams welded
    int32_t leafCount; ///< a power of two
    size_t blockSize;
} supTriangleTree;

/// The closest triangle, and the side of it.
typedef struct supTreeSide
{
    int32_t triangle; ///< -1: none within reach
    int32_t piece;    ///< that it belongs to
    float distance;   ///< below zero where the triangle faces away: inside
    supVec3 normal;   ///< of unit length, of all that are as close together
} supTreeSide;

/// `welds` as supCharacter_Welds has them. NULL: no memory. Freed with blockSize.
supTriangleTree* supMakeTriangleTree(
    const supVec3* points, const int32_t* welds, const int32_t* corners, int32_t count, const supAllocator* allocator );

/// Boxes that a tree needs, for each skin it is fitted to.
int32_t supTriangleTree_BoxCount( const supTriangleTree* tree );
void supTriangleTree_Fit( const supTriangleTree* tree, const supVec3* points, supBounds* boxes );
/// Of all triangles within `reach`, or of one piece's; -1: any. `boxes` as fitted to the same points. Bodies of several
/// pieces that stand in one another are solid in each of them: which side of one a place is on says nothing of the
/// next.
supTreeSide supTriangleTree_Side(
    const supTriangleTree* tree, const supVec3* points, const supBounds* boxes, supVec3 p, float reach, int32_t piece );
