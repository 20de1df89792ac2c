// Voxels between the borders of fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/fat/fat.h"
#include "layers/fat/fat_border.h"
#include "layers/triangle_tree.h"
#include "solve/elastic.h"

// ---------------------------------------------------------------------------------------------------------------
// How far the nodes of a grid lie from a border, with a sign.

/// A box of nodes.
typedef struct supFatBox
{
    supVec3 low;  ///< place of node (0, 0, 0)
    float edge;   ///< from node to node. Metres
    int32_t n[3]; ///< nodes each way
    int32_t count;
} supFatBox;

static inline int32_t supBoxNode( const supFatBox* box, int32_t x, int32_t y, int32_t z )
{
    return x + box->n[0] * ( y + box->n[1] * z );
}

supVec3 supBoxPlace( const supFatBox* box, int32_t node );

/// Nodes farther from a border than this many edges have a sign alone.
#define SUP_FAT_BAND 2.0f

typedef struct supFatDistance
{
    float inside;      ///< above zero on the inner side. Metres; at most the band
    supFootPoint foot; ///< nearest point of the border; triangle -1: farther than the band
} supFatDistance;

/// Of all nodes of a box, from the union of the border's bodies. False: no memory.
bool supMeasureDistances(
    const supFatBox* box, const supFatBorder* border, const supAllocator* allocator, supFatDistance* out );

// ---------------------------------------------------------------------------------------------------------------
// Voxels.

/// A node of the voxels.
typedef struct supFatNode
{
    supVec3 place;       ///< model space at rest
    bool anchored;       ///< held by the inner border
    float below;         ///< how far it lies below the skin; below zero: outside. Metres
    float above;         ///< how far it lies above the inner border. Metres
    supFootPoint skin;   ///< the nearest point of the skin; triangle -1: far from it
    supFootPoint anchor; ///< of anchored ones: the nearest point of the inner border
} supFatNode;

typedef struct supFatMesh
{
    float edge; ///< of the smallest voxels. Metres
    int32_t nodeCount, anchoredCount, elementCount, hangingCount, largeCount;
    supFatNode* nodes;
    int32_t* corners; ///< eight an element
    float* stiff;     ///< of each element: share inside the skin, times what held nodes beside the border ask for
    float* full;      ///< of each element: share between the borders
    supHangingNode* hanging; ///< between larger and smaller ones
    int32_t dropped;         ///< voxels that nothing holds
    double volume;           ///< of the fat. m^3
    supFatBox box;           ///< the grid
    int32_t* numbers;        ///< of each of its nodes: the number of the mesh's node, plus 1; 0: none
    const supAllocator* allocator;
    supArray arrays[6];
} supFatMesh;

/// Cuts the region in voxels of one size, or of two: eight that nothing near them holds become one (`mixed`).
/// `place`: "fat[0]". sup_errorData: they do not fit; sup_errorLimit: there would be too many. Both say what would do.
supResult supCutVoxels(
    const supFatRegion* region, float edge, bool mixed, const char* place, supFatMesh* mesh, supError* error );
void supDropFatMesh( supFatMesh* mesh );
/// The node of the mesh at a place of the grid, or -1.
int32_t supFatMesh_NodeAt( const supFatMesh* mesh, int32_t x, int32_t y, int32_t z );

// ---------------------------------------------------------------------------------------------------------------
// Which voxel of a fat a place lies in.
//
// Voxels are listed as the grid runs, plane by plane and row by row, so runs of them are close to one another: a tree
// of boxes over halves of the list, and halves of these, down to a few voxels. Box n is that of boxes 2 n and 2 n + 1.

/// Boxes that as many voxels need.
size_t supVoxelBoxCount( int32_t voxelCount );
/// Fills fat->voxelBoxes; places and corners are there.
void supFillVoxelBoxes( supFat* fat );
/// The voxel that a place lies in, or the nearest one; of several the first.
int32_t supFindVoxel( const supFat* fat, supVec3 p );
