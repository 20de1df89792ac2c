// Supple: the woman's formulas, shared by her shape and her motions.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/gait.h"

/// Her joints, in their order; of a pair the left one, the right one is next.
enum
{
    sup_womanRoot,
    sup_womanHips,
    sup_womanSpine,
    sup_womanChest,
    sup_womanNeck,
    sup_womanHead,
    sup_womanShoulder,
    sup_womanUpperArm = 8,
    sup_womanLowerArm = 10,
    sup_womanHand = 12,
    sup_womanThigh = 14,
    sup_womanShin = 16,
    sup_womanFoot = 18,
    sup_womanToes = 20,
    sup_womanJointCount = 22,
};

supVec3d supPaintWoman( supVec3d place );
supVec3d supUnfoldWoman( supVec3d place );

void supWomanWalk( const supDraft* draft, double phase, supPosture* posture );
void supWomanRun( const supDraft* draft, double phase, supPosture* posture );
void supWomanTurn( const supDraft* draft, double phase, supPosture* posture );
void supWomanJump( const supDraft* draft, double phase, supPosture* posture );
