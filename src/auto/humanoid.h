// A human skeleton in a character: which joints are its arms, legs and trunk.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/body_plan.h"

/// Bones of one side.
typedef enum supSideBone
{
    sup_boneClavicle = 0, ///< from the chest to the upper arm; the chest's own joint where there is no collarbone
    sup_boneUpperArm,
    sup_boneForearm,
    sup_boneHand, ///< only its joint: where the forearm ends
    sup_boneThigh,
    sup_boneShin,
    sup_boneFoot, ///< only its joint
    sup_sideBones,
} supSideBone;

enum
{
    supMostSpine = 16,
};

typedef struct supHumanoid
{
    int32_t sides[2][sup_sideBones]; ///< joints; left and right
    int32_t spineCount;
    int32_t spine[supMostSpine]; ///< joints from the one that the legs hang on to the one that the arms hang on
    int32_t neck, head;          ///< joints; head may be the neck's own
    bool byNames;                ///< or by shape
    supVec3 up, forward;         ///< of the body at rest; unit length, at right angles
    supVec3 outward[2];          ///< from the middle to each side
} supHumanoid;

/// By the usual names (Mixamo, VRM, CMU, Rigify, Unreal and the like), or by shape where they say nothing. False where
/// it is none; `why`: in a few words.
bool supFindHumanoid( const supPlan* plan, supHumanoid* out, const char** why );
