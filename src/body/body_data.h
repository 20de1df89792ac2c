// What a body is made of: one block, sized when the model is known.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "rig/model_data.h"
#include "supple/body.h"

struct supBody
{
    const supModel* model;
    bool ownsBlock;
    size_t blockSize;
    supSkinning skinning;

    supMat34* joints; ///< of the last good step, model space
    supMat34* palette;
    float* morphWeights;
    supMat34 world; ///< of the last good step
    supVec3* shown; ///< elongations in model space, one an element
    supFleshState flesh;
};
