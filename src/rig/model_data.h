// What a model is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/flesh/flesh.h"
#include "rig/skin_blocks.h"
#include "rig/skin_motions.h"
#include "rig/stack.h"
#include "supple/model.h"

struct supModel
{
    supAllocator allocator;
    const supCharacter* character;
    supVec3 gravity;
    supFlesh* flesh;
    supSkinBlocks* blocks;
    supStack stack; ///< layers that apply
    supSimd simd;   ///< the best that there is: asked once, since asking is slow in a virtual machine

    supSkinMotions* motions; ///< what helper joints carry
    int32_t helperCount;
    supHelperView* helpers;
};

/// A helper's matrix in its joint's space times `joint`, under all `motions` of a moment. Model space.
supMat34 supModel_HelperMatrix( const supModel* model, int32_t helper, supMat34 joint, const supSkinMotion* motions );
