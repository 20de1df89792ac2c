// Joints bent as a sculptor would have them, by formula, on any built-in character.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"
#include "supple/lab/skin.h"

typedef struct supSculptedJoints
{
    const supCharacter* character;
    int count;
    int32_t bent[3];      // joints
    const float* degrees; // about x, in the example
    supMat34* joints;     // of the character, as they were posed last
    supMat34* palette;
    bool presses; // flesh of the two bones meets: for limbs that are straight at rest
    bool keeps;   // the volume: sections near the joints swell as much as it takes
} supSculptedJoints;

void supOpenSculptedJoints( supSculptedJoints* sculpt, const supCharacter* character, const char* const* joints,
    const float* degrees, int count );
void supCloseSculptedJoints( supSculptedJoints* sculpt );

/// Everything at rest but the joints, which are bent by a share of their degrees.
void supSculptedJoints_Pose( supSculptedJoints* sculpt, double share );
/// The smooth skin in that pose.
void supSculptedJoints_Skin( const supSculptedJoints* sculpt, supSkinning method, float* out );
/// The skin in that pose as it should be: sections of the limb keep their size and turn with it, flesh of the two bones
/// meets in the plane between them and goes aside, and bone comes out where the joint is bent.
void supSculptedJoints_Shape( const supSculptedJoints* sculpt, float* out );
