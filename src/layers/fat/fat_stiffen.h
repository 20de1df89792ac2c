// Voxels of fat above muscles, each with its own stiffness: what the reference feels of a muscle that tenses.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_tension.h"

/// Kept for the reference alone.
typedef struct supTenseVoxels
{
    int32_t count;     ///< that lie above any muscle
    int32_t* corners;  ///< eight nodes each
    float* weights;    ///< fat->tenseCount each: in what measure it lies above that muscle
    double* stiffness; ///< supHexSize x supHexSize each, by how much of it is inside the skin
    size_t blockSize;
} supTenseVoxels;

/// `weights`: of all voxels, fat->partCount each. False: no memory.
bool supKeepTenseVoxels( supFat* fat, const supTenseSource* source, const float* weights );

/// The stiffness that tension adds, for a frame.
typedef struct supAddedStiffness
{
    const supFat* fat;
    const float* tensions; ///< of the muscles below
    double sag;            ///< how far the model sags already, times fat->modelledSag: strained too. 0: not
    double* all;           ///< scratch: displacements of all nodes, and forces on them
    double* own;           ///< scratch: three numbers a free node
} supAddedStiffness;

/// Numbers of scratch.
size_t supAddedStiffness_ScratchCount( const supFat* fat );
/// A supElasticMore.
void supAddedStiffness_Pull( const double* x, double* out, const void* user );
/// The same for anchored nodes that have moved, and no other.
void supAddedStiffness_PullHeld( const supAddedStiffness* added, const double* held, double* out );
/// How many times as stiff as without tension any voxel is.
double supAddedStiffness_Most( const supAddedStiffness* added );
