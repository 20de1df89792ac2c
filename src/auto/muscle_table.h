// The major superficial muscles of a human, as fractions of bones.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/rig.h"

/// What a point is placed along, and carried by.
typedef enum supMuscleBone
{
    sup_onTrunk = 0, ///< from the hips' height to the neck's: 0 to 1; carried by the spine's joint at that height
    sup_onNeck,      ///< from the neck's joint to the head's
    sup_onClavicle,  ///< from the collarbone's joint to the upper arm's
    sup_onUpperArm,  ///< to the elbow
    sup_onForearm,   ///< to the wrist
    sup_onThigh,     ///< from the hip to the knee
    sup_onShin,      ///< to the ankle
    sup_onPelvis,    ///< to carry alone: the base of the spine
    sup_onFoot,      ///< to carry alone
    sup_onHead,      ///< to carry alone
    sup_muscleBones,
} supMuscleBone;

enum
{
    supMostTablePoints = 6,
};

/// A point of a line. `around`: degrees about the bone, 0 in front, 90 away from the body's middle, 180 behind.
typedef struct supTablePoint
{
    supMuscleBone place, carrier;
    float along;  ///< of the bone
    float around; ///< degrees
    float depth;  ///< share of the way from bone to skin
} supTablePoint;

/// One muscle of one side. Lengths are shares of the way from the section's middle to the skin at the middle point.
typedef struct supTableMuscle
{
    const char* name;
    int32_t shape; ///< supMuscleShape
    int32_t pointCount;
    supTablePoint points[supMostTablePoints]; ///< those between the ends are free
    float radius, width;                      ///< half thickness and half breadth
    float tendonFrom, tendonTo, belly;
    float spreadFrom, spreadTo; ///< of bellies and flat muscles: half the breadth at the ends
    float sharpness;
} supTableMuscle;

const supTableMuscle* supMuscleTable( int32_t* count );
