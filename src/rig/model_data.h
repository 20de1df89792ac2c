// What a model is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/watched.h"
#include "rig/skin_blocks.h"
#include "rig/skin_motions.h"
#include "rig/stack.h"
#include "supple/lab/machine.h"
#include "supple/model.h"

struct supModel
{
    supAllocator allocator;
    const supCharacter* character;
    supVec3 gravity;
    supSkinOffsets offsets; ///< that skinning adds by itself
    supSkinBlocks* blocks;
    supStack stack; ///< the layers
    supSimd simd;   ///< the best that there is: asked once, since asking is slow in a virtual machine

    bool borrowsBlocks; ///< they are another model's, which destroys them

    supSkinMotions* motions; ///< what helper joints carry
    int32_t helperCount;
    supHelperView* helpers;
    supModelInfo info; ///< what hosts see
};

/// What of a model is compiled anew when its rig has changed.
typedef struct supModelChange
{
    supModel* from; ///< the model before the change; NULL: there is none
    int32_t layer;  ///< the one whose items have changed, in the list of layers
    /// Layers that had to be compiled: a bit each, by their place in the list
    uint32_t compiled;
    supWatched* watched; ///< who is told how far it has come, or NULL
} supModelChange;

/// The same as supCompileModel. Layers that the change does not reach are borrowed from the model before it, which must
/// live on until supModel_TakeOver; what was the default of a live field there is taken for the modelled body still.
supResult supCompileChange( const supCharacter* character, const supRig* rig, const supAllocator* allocator,
    supModelChange* change, supModel** out, supError* error );
/// All that it has borrowed becomes its own; the other one is only good to be destroyed.
void supModel_TakeOver( supModel* model, supModel* from );

/// Fills in what hosts see of it, once its layers are complete.
void supModel_Describe( supModel* model );

/// A helper's matrix in its joint's space times `joint`, under all `motions` of a moment. Model space.
supMat34 supModel_HelperMatrix( const supModel* model, int32_t helper, supMat34 joint, const supSkinMotion* motions );
