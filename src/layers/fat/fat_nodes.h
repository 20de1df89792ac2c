// What carries the nodes of fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "layers/fat/fat_voxels.h"

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
