// Skinning by blocks: what all paths share.
// SPDX-License-Identifier: MIT
#pragma once

#include "body/dual_palette.h"
#include "rig/skin_blocks.h"
#include "supple/lab/machine.h"
#include "supple/lab/skin.h"

/// Some blocks to skin. Written to the streams in the file's order, or, where `ordered` is set, in ours: 16 vertices a
/// block, one after the other, from block 0 on.
typedef struct supBlockJob
{
    const supSkinBlocks* blocks;
    int32_t first, end; ///< blocks
    const supMat34* palette;
    const supDualJoint* duals; ///< the palette as dual quaternions, or NULL: linear blends
    const supVec3* shown;      ///< elongations in model space, one an element
    bool living;               ///< false: the smooth skin alone
    bool ordered;
    supOutStream positions; ///< 12 bytes an item at least
    supOutStream normals;   ///< or none

    /// Morphed places and normals of one block, x[16] y[16] z[16] each, in place of what the block has; NULL: its own.
    /// Only for jobs of a single block.
    const float *morphedPlaces, *morphedNormals;
} supBlockJob;

typedef void supBlockFunction( const supBlockJob* job );

supBlockFunction supSkinBlocksScalar, supSkinBlocksSse2, supSkinBlocksAvx2, supSkinBlocksAvx512, supSkinBlocksNeon,
    supSkinBlocksWasm;

/// The path for a set of instructions; the scalar one where it was not compiled in.
supBlockFunction* supFindBlockFunction( supSimd simd );
