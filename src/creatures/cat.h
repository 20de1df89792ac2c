// Supple: the cat's formulas, shared by its shape and its motions.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/gait.h"

/// Its joints, in their order; of a pair the left one, the right one is next.
enum
{
    sup_catRoot,
    sup_catHips,
    sup_catSpine,
    sup_catLoin,
    sup_catChest,
    sup_catNeck,
    sup_catHead,
    sup_catTail, ///< four of them
    sup_catShoulder = 11,
    sup_catUpperArm = 13,
    sup_catLowerArm = 15,
    sup_catPaw = 17,
    sup_catThigh = 19,
    sup_catShin = 21,
    sup_catFoot = 23,
    sup_catToes = 25,
    sup_catJointCount = 27,
};

supVec3d supPaintCat( supVec3d place );
supVec3d supUnfoldCat( supVec3d place );

void supCatRun( const supDraft* draft, double phase, supPosture* posture );
void supCatJump( const supDraft* draft, double phase, supPosture* posture );
