// What carries the nodes of fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "layers/fat/fat_border.h"
#include "layers/fat/fat_voxels.h"
#include "solve/block_matrix.h"
#include "solve/elastic.h"

/// Of each node of a mesh.
typedef struct supFatNodes
{
    supFatHold* holds;
    supVec3d* places;
    uint8_t* anchored;
    supVec3d* fibers; ///< of each element; NULL: none
    void* block;
    size_t size;
} supFatNodes;

/// A node goes with the nearest point of the skin; those too far inside to have one, with their neighbours. False: no
/// memory.
bool supReadFatNodes( const supFatRegion* region, const supFatMesh* mesh, const supFatDef* def, supFatNodes* nodes );
void supDropFatNodes( supFatNodes* nodes, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// The shape that gravity takes into the modelled one.

/// How far a solid sags, on the skin.
typedef struct supFatSag
{
    float largest; ///< of all vertices. Metres
    float off;     ///< how far the region's skin, sagged, is from the modelled one at worst. Metres
} supFatSag;

/// Lets the solid of the region sag. Where that ends farther from the modelled skin than `tolerance`, a share of the
/// sag, the region's skin is moved back by what it has missed it by. `sag`: as a share of the thickness; below zero:
/// what the material lets it. `gravity`: m/s^2, of the model at rest. False: no memory.
bool supSagRegion( supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic,
    const supBlockFactor* factor, supVec3 gravity, float sag, float tolerance, supFatSag* out );

// ---------------------------------------------------------------------------------------------------------------
// How the skin hangs on the nodes of fat.

/// Vertices and the free nodes that they follow.
typedef struct supFatSkin
{
    supArray vertices; ///< int32_t
    supArray starts;   ///< int32_t: one a vertex and one more
    supArray links;    ///< int32_t: free nodes
    supArray shares;   ///< float
} supFatSkin;

/// `elastic`: of the mesh. False: no memory.
bool supHangSkin( const supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic, supFatSkin* skin );
void supDropFatSkin( supFatSkin* skin );

// ---------------------------------------------------------------------------------------------------------------
// What anchored nodes of fat stand on: the inner border, which moves.

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
