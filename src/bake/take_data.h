// What a take is made of.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/anchor_path.h"
#include "rig/model_data.h"
#include "supple/bake.h"

/// A spring, per unit of mass: u'' + friction u' + stiffness u = ...
typedef struct supTakeSpring
{
    double own;       ///< the spring's own damping, 2 zeta omega. 1/s
    double friction;  ///< own + the air's. 1/s
    double stiffness; ///< omega^2. 1/s^2
    double amount;
    double limit; ///< the most that is shown. Metres
    bool clamps;  ///< the paper's limit: put back at every node
} supTakeSpring;

/// What layers above flesh show, at even times from start to end.
typedef struct supLayerTake
{
    int32_t floatCount; ///< of all layers together
    int32_t nodeCount;
    float* values; ///< nodeCount x floatCount
    int32_t liveCount;
    float* live; ///< live fields of all layers, one after the other; NULL: the model's
} supLayerTake;

struct supTake
{
    supAllocator allocator;
    const supModel* model;
    int32_t clip;
    supEnds ends;
    supRootMotion root;
    supTakeInfo info;
    int32_t elementCount;
    supTakeSpring* springs; ///< one an element
    supAnchorPath* paths;   ///< one an element
    supLayerTake layers;
    size_t blockSize;
};

/// Fills in the state at every node of the path: solved for the start that returns to itself, or settled. Gives how
/// many nodes were limited.
int32_t supSolveTakeSpring( const supTakeSpring* spring, supAnchorPath* path, const supRootMotion* root );
/// Elongation and its speed at a time, as the spring has them.
void supTakeSpringAt(
    const supTakeSpring* spring, const supAnchorPath* path, double time, supVec3d* elongation, supVec3d* speed );
/// Within the limit, as it is shown; `speed` is carried along where not NULL.
supVec3d supShowElongation( const supTakeSpring* spring, supVec3d u, supVec3d* speed );

/// Refuses takes of another model, and clips that at `fps` frames a second have more of them than any file should.
supResult supCheckTakes(
    const supModel* model, const supTake* const* takes, int32_t count, double fps, supError* error );

/// As supTake_Elongations and supTake_Speeds, one element, in double; `speed` may be NULL.
supVec3d supTakeElement( const supTake* take, int32_t element, double time, supVec3d* speed );
