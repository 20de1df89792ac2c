// How the skin hangs on the nodes of fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_voxels.h"

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
