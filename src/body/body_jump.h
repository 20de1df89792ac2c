// Whether an entity was put elsewhere without a word, and by which motion.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/body.h"

/// Where a body was at its last step.
typedef struct supJumps
{
    bool started;
    supVec3 place;    ///< mean of the joints, world space
    supVec3 velocity; ///< of it. m/s
    /// The joints' motions from rest, summed, at the last step: only where the pose has been changed since
    supMat34 posture;
    bool hasPosture;
} supJumps;

/// To be called before the pose changes without a step.
void supJumps_KeepPosture( supBody* body );
/// Before the pose of a step is taken: notes where the body is now. True: it has jumped there, by the rigid motion
/// `motion` of the world.
bool supJumps_Notice( supBody* body, const supMat34* joints, supMat34 world, float dt, supMat34* motion );
void supJumps_Reset( supJumps* jumps );
void supJumps_Teleport( supJumps* jumps, supMat34 motion );
