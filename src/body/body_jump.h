// Whether an entity was put elsewhere without a word: which of its joints jumped, how far that is sure, and by what.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/layer.h"
#include "supple/body.h"

/// Where a body was at its last step, and how it moved.
typedef struct supJumps
{
    bool started;
    supJumpReason announced; ///< the host has said that the next pose is a cut, or sup_jumpNone
    bool inClip;             ///< a take is made: only jumps beyond the body's size are jumps
    supVec3 place;           ///< mean of the joints, world space
    supVec3 velocity;        ///< of it. m/s
    /// The joints' motions from rest, summed, at the last step: only where the pose has been changed since
    supMat34 posture;
    bool hasPosture;
    bool waits;       ///< something may be pending
    float lastSpan;   ///< of the last step that took time. Seconds
    float gained;     ///< in the last step, on the whole. Metres
    float sure;       ///< that this was a jump: 0 to 1
    float unknown;    ///< how much of the last jump was one after which nobody knows the speeds
    supJumpView view; ///< what the host is told

    // a place beside each joint, so that turns are seen too: x, y, z rows of `count` each
    int32_t count;
    float* places;
    float* velocities;
    float* moves;     ///< scratch: of this step
    float* lastMoves; ///< of the step before, where that may have been a jump
    float* gains;     ///< scratch: one a joint
    float* levers;    ///< how far beside, in lengths of the joint's axes
    float* withheld;  ///< one a joint, as supJointJumps has them
    float* rebased;
    float* pending; ///< what of the last jumps waits for the new speeds, one a joint
} supJumps;

/// Its arrays in the body's block.
void supPlaceJumps( supJumps* jumps, const supCharacter* character, supLayout* layout );
/// When they are there and zero, as all else of it.
void supInitJumps( supJumps* jumps, const supCharacter* character );

/// To be called before the pose changes without a step.
void supJumps_KeepPosture( supBody* body );
/// Before the pose of a step is taken: notes where the body is now. True: some joint has jumped, now or in the step
/// before, as `out` says.
bool supJumps_Notice( supBody* body, const supMat34* joints, supMat34 world, float dt, supJointJumps* out );
void supJumps_Reset( supJumps* jumps );
void supJumps_Teleport( supJumps* jumps, supMat34 motion );
/// All but the arrays.
void supJumps_Restore( supJumps* jumps, const supJumps* from );
/// Takes over where another body of the same character was.
void supJumps_Adopt( supJumps* jumps, const supJumps* from );
