// What anchored nodes of fat stand on: the inner border, which moves.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_border.h"
#include "layers/fat/fat_voxels.h"
#include "solve/elastic.h"

enum
{
    supFootRays = 3 ///< a node stands on a triangle of them
};

/// What one ray of the inner border does to a node that stands on it.
typedef struct supFootRay
{
    int32_t ray;
    supVec3 way; ///< that the node goes when the ray's share grows by one. Metres
} supFootRay;

/// The rays that a node stands on, in the measure in which there is fat (where there is none the border lies on the
/// skin). Gives how many.
int32_t supReadFootRays( const supFatRegion* region, const supFatNode* node, supFootRay rays[supFootRays] );

/// Kept for the reference alone.
typedef struct supFatGround
{
    int32_t anchorCount;
    supFootRay* rays; ///< supFootRays an anchored node; ways of zero where there are fewer
    float* rest;      ///< of all rays: their share of the way at rest
    size_t blockSize;
} supFatGround;

/// False: no memory.
bool supKeepFatGround( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const supFatRegion* region,
    const supAllocator* allocator );
/// How far the anchored nodes have moved: three numbers each.
void supFatGround_Moves( const supFatGround* ground, const float* shares, double* held );
