// What a model is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/flesh/flesh.h"
#include "rig/skin_blocks.h"
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

    /// Helper joints carry this times the elongation, and vertices take 1 / this of their weight: more than 1 only
    /// where elements overlap so much that their weights on one vertex sum to more than 1, which skin weights cannot.
    float helperGain;
    int32_t helperCount;
    supHelperView* helpers;
};

/// How much of its joints' weights a vertex hands over to helper joints, for one of its touches: `shares`, one an
/// influence of its mesh, sum to weight / helperGain and never exceed what is left of the influence in `rest`, which is
/// taken down. Largest influences first, so that most vertices need one helper.
void supShareWithHelpers( float weight, float helperGain, int32_t count, float* rest, float* shares );
