// What a body is made of: one block, sized when the model is known.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "body/body_health.h"
#include "body/body_jump.h"
#include "body/body_layers.h"
#include "body/skin_kernel.h"
#include "rig/model_data.h"
#include "supple/body.h"
#include "supple/lab/machine.h"
#include "supple/lab/profile.h"

struct supBody
{
    const supModel* model;
    supAllocator allocator; ///< that gave the block, where the body owns it
    bool ownsBlock;
    size_t blockSize;
    supSkinning skinning;
    bool exact; ///< skins by the reference
    supSimd simd;

    supMat34* joints; ///< of the last good step, model space
    supMat34* palette;
    supDualJoint* duals; ///< the palette once more, kept up to date under sup_skinningDualQuaternion alone
    float* morphWeights;
    supMat34 world;        ///< of the last good step
    supVec3 gravity, wind; ///< that the next step feels. World space, m/s^2 and m/s
    supVec3* shown;        ///< elongations in model space, one an element; NULL: there are none
    supJumps jumps;
    supBodyStack layers;
    supProfile* profile; ///< or NULL

    supKeptState kept;   ///< of the last good step
    bool wasHealed;      ///< the last step went back to it
    int64_t healedCount; ///< steps that did
};

/// Makes a body in a block of at least supBody_MemorySize( model ) bytes, aligned to 64. It does not own the block.
supResult supInitBody( void* block, size_t size, const supModel* model, supBody** out, supError* error );
/// Keeps a pose that is finite and not absurd; what is shown stays. supBody_Show without elongations.
supResult supBody_Pose( supBody* body, const supMat34* joints );
/// supBody_Step without a look at what comes of it.
supResult supBody_Advance( supBody* body, const supMat34* joints, supMat34 world, float dt );

/// How many steps so far the limit has held an elongation back (body_elements.c).
int64_t supBody_LimitedSteps( const supBody* body );

/// The host's clock, or 0 where nobody wants to know.
static inline double supBodyClock( const supBody* body )
{
    return body->profile != NULL ? body->profile->clock( body->profile->user ) : 0.0;
}

/// Adds the time since `start` to a layer's.
static inline void supProfileLayer( const supBody* body, int32_t layer, double start )
{
    if ( body->profile != NULL && layer < SUP_PROFILE_LAYERS )
    {
        body->profile->layers[layer] += supBodyClock( body ) - start;
    }
}
