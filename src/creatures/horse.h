// Supple: the horse's joints, legs and motion, shared by its files.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/gait.h"

/// Joints of the horse; of pairs the left one.
enum
{
    sup_horseRoot,
    sup_horseHips,
    sup_horseLoin,
    sup_horseChest,
    sup_horseNeck,
    sup_horseCrest,
    sup_horseHead,
    sup_horseTail, ///< three of them
    sup_horseUpperArm = 10,
    sup_horseForearm = 12,
    sup_horseForeCannon = 14,
    sup_horseForeHoof = 16,
    sup_horseThigh = 18,
    sup_horseShin = 20,
    sup_horseHindCannon = 22,
    sup_horseHindHoof = 24,
    sup_horseJointCount = 26,
};

/// A hind leg from the thigh down, moved sideways; with `side` 0 it stands on the plane.
void supShapeHindLeg( supSolid* field, double side );
supVec3d supPaintHorse( supVec3d place );
