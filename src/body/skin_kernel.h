// Skinning by blocks: what all paths share.
// SPDX-License-Identifier: MIT
#pragma once

#include "rig/skin_blocks.h"
#include "supple/base.h"
#include "supple/lab/machine.h"
#include "supple/lab/skin.h"

// ---------------------------------------------------------------------------------------------------------------
// Palette matrices taken apart for dual quaternion skinning, once a pose.

/// A palette matrix as a stretch in rest space and a rigid motion after it, as in character/skin_job.c.
typedef struct supDualJoint
{
    float real[4], dual[4]; ///< x y z w; dual: half of translation times real
    float stretch[9];       ///< by columns
    bool stretched;         ///< false: `stretch` is the identity to rounding
} supDualJoint;

void supMakeDualPalette( const supMat34* palette, int32_t count, supDualJoint* out );

// ---------------------------------------------------------------------------------------------------------------
// Kernels

/// Some blocks to skin. Written to the streams in the file's order, or, where `ordered` is set, in ours: 16 vertices a
/// block, one after the other, from block 0 on.
typedef struct supSkinBlockJob
{
    const supSkinBlocks* blocks;
    int32_t first, end; ///< blocks
    const supMat34* palette;
    const supDualJoint* duals; ///< the palette as dual quaternions, or NULL: linear blends
    const supVec3* shown;      ///< elongations in model space, one an element
    bool living;               ///< false: the smooth skin alone
    bool ordered;
    bool isFar;             ///< what is read and written is larger than the second cache
    supOutStream positions; ///< 12 bytes an item at least
    supOutStream normals;   ///< or none

    /// Morphed places and normals of one block, x[16] y[16] z[16] each, in place of what the block has; NULL: its own.
    /// Only for jobs of a single block.
    const float *morphedPlaces, *morphedNormals;
} supSkinBlockJob;

typedef void supBlockFunction( const supSkinBlockJob* job );

supBlockFunction supSkinBlocksScalar, supSkinBlocksSse2, supSkinBlocksAvx2, supSkinBlocksAvx512, supSkinBlocksNeon,
    supSkinBlocksWasm;

/// The path for a set of instructions; the scalar one where it was not compiled in.
supBlockFunction* supFindBlockFunction( supSimd simd );
