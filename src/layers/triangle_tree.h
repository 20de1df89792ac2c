// Triangles in a tree of boxes: which are closest to a place, on which side of them it lies, and which a ray meets.
// SPDX-License-Identifier: MIT
//
// Which triangles share a box is decided once, at rest: skin that is close stays close. Each frame only fits the boxes.
#pragma once

#include "base/math.h"
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

/// Unit normal of a triangle; zero where it is flat.
supVec3 supFaceNormal( supVec3 a, supVec3 b, supVec3 c );
/// Distance to the closest of some triangles (192 at most), below zero where it faces away: inside. `normal`: of unit
/// length, the mean of those that are as close.
float supSignedDistance( supVec3 p, const supVec3* points, const int32_t* corners, int32_t count, supVec3* normal );

// ---------------------------------------------------------------------------------------------------------------
// The tree

typedef struct supBounds
{
    supVec3 low, high;
} supBounds;

/// The square of a place's distance from a box, 0 inside of it. Never more than from what is inside, rounding included.
static inline float supBoxDistance( const supBounds* box, supVec3 p )
{
    supVec3 off = supMaxVec3( supMaxVec3( supSub( box->low, p ), supSub( p, box->high ) ), supVec3_zero );
    return supDot( off, off );
}

static inline supBounds supUnite( supBounds a, supBounds b )
{
    return ( supBounds ){ supMinVec3( a.low, b.low ), supMaxVec3( a.high, b.high ) };
}

/// A full binary tree, node n above 2 n + 1 and 2 n + 2; leaf l has order[l count / leafCount] and those after it.
typedef struct supTriangleTree
{
    int32_t count;
    const int32_t* corners; ///< three a triangle; the caller's
    const supVec3* points;  ///< that it was made of; the caller's
    int32_t* order;
    int32_t* pieces;   ///< of each triangle: the piece of surface that it belongs to, seams welded; NULL: not asked for
    supBounds* boxes;  ///< fitted to `points`
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

/// `welds` as supCharacter_Welds has them, or NULL: nobody asks for pieces. NULL: no memory. Freed with blockSize.
supTriangleTree* supMakeTriangleTree(
    const supVec3* points, const int32_t* welds, const int32_t* corners, int32_t count, const supAllocator* allocator );
/// Takes NULL too.
void supDropTriangleTree( supTriangleTree* tree, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// As it was made

/// The `most` closest, within `reach`, by rising distance; of those as close the earlier ones. Gives how many.
int32_t supTriangleTree_Nearest(
    const supTriangleTree* tree, supVec3 p, float reach, int32_t most, supFootPoint* feet );
/// Within `reach`; triangle -1 where there is none.
supFootPoint supTriangleTree_Closest( const supTriangleTree* tree, supVec3 p, float reach );
/// How far along a ray, in lengths of `way`, the first triangle is that it meets beyond `low` and before `high`; -1:
/// none.
float supTriangleTree_Meet( const supTriangleTree* tree, supVec3 from, supVec3 way, float low, float high );

// ---------------------------------------------------------------------------------------------------------------
// As it has moved

/// Boxes that a tree needs, for each skin it is fitted to.
int32_t supTriangleTree_BoxCount( const supTriangleTree* tree );
void supTriangleTree_Fit( const supTriangleTree* tree, const supVec3* points, supBounds* boxes );
/// Of all triangles within `reach`, or of one piece's; -1: any. `boxes` as fitted to the same points; of a tree with
/// pieces. Bodies of several pieces that stand in one another are solid in each of them: which side of one a place is
/// on says nothing of the next.
supTreeSide supTriangleTree_Side(
    const supTriangleTree* tree, const supVec3* points, const supBounds* boxes, supVec3 p, float reach, int32_t piece );
