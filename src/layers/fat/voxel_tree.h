// Which voxel of a fat a place lies in.
// SPDX-License-Identifier: MIT
//
// Voxels are listed as the grid runs, plane by plane and row by row, so runs of them are close to one another: a tree
// of boxes over halves of the list, and halves of these, down to a few voxels. Box n is that of boxes 2 n and 2 n + 1.
#pragma once

#include "layers/fat/fat.h"

/// Boxes that as many voxels need.
size_t supVoxelBoxCount( int32_t voxelCount );
/// Fills fat->voxelBoxes; places and corners are there.
void supFillVoxelBoxes( supFat* fat );
/// The voxel that a place lies in, or the nearest one; of several the first.
int32_t supFindVoxel( const supFat* fat, supVec3 p );
