// Supple: the woman: her body, skeleton and paint.
// SPDX-License-Identifier: MIT

#include "creatures/woman.h"

#include <assert.h>

// Places that shape and skeleton share. Left side; metres.
static const supVec3d sup_shoulderAt = { 0.150, 1.365, -0.015 };
static const supVec3d sup_elbowAt = { 0.352, 1.195, -0.022 };
static const supVec3d sup_wristAt = { 0.528, 1.046, 0.002 };
static const supVec3d sup_fingersAt = { 0.592, 0.990, 0.008 };
static const supVec3d sup_fingerTipAt = { 0.650, 0.936, 0.012 };
static const supVec3d sup_hipAt = { 0.090, 0.915, 0.000 };
static const supVec3d sup_kneeAt = { 0.103, 0.495, 0.012 };
static const supVec3d sup_ankleAt = { 0.108, 0.085, -0.018 };
static const supVec3d sup_ballAt = { 0.116, 0.026, 0.090 };
static const supVec3d sup_toeTipAt = { 0.120, 0.022, 0.150 };

static void supShapeTrunk( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Ellipsoid( f, supV( 0.0, 0.945, -0.008 ), supV( 0.156, 0.115, 0.106 ), straight, 0.05 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.095, 0.004 ), supV( 0.110, 0.150, 0.084 ), straight, 0.08 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.255, -0.008 ), supV( 0.130, 0.145, 0.096 ), straight, 0.06 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.350, -0.018 ), supV( 0.142, 0.056, 0.066 ), straight, 0.06 );
    // Belly, breast, bottom, flanks: what hangs.
    supSolid_Ellipsoid( f, supV( 0.0, 1.005, 0.050 ), supV( 0.108, 0.105, 0.072 ), straight, 0.07 );
    supSolid_Ellipsoid(
        f, supV( 0.070, 1.243, 0.072 ), supV( 0.064, 0.066, 0.062 ), supTurnByAngles( 12.0, 14.0, 0.0 ), 0.045 );
    supSolid_Ellipsoid( f, supV( 0.078, 0.895, -0.068 ), supV( 0.086, 0.094, 0.086 ), straight, 0.045 );
    supSolid_Ellipsoid( f, supV( 0.106, 0.900, -0.005 ), supV( 0.076, 0.115, 0.088 ), straight, 0.06 );
}

static void supShapeLegs( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Cone( f, supV( 0.094, 0.860, 0.000 ), 0.090, supV( 0.103, 0.530, 0.010 ), 0.050, 0.06 );
    supSolid_Ellipsoid( f, supV( 0.100, 0.720, 0.010 ), supV( 0.078, 0.180, 0.082 ), straight, 0.06 );
    supSolid_Cone( f, supV( 0.103, 0.520, 0.010 ), 0.047, supV( 0.108, 0.085, -0.018 ), 0.0295, 0.05 );
    supSolid_Ellipsoid(
        f, supV( 0.107, 0.365, -0.020 ), supV( 0.050, 0.120, 0.052 ), supTurnByAngles( 4.0, 0.0, 0.0 ), 0.06 );
    supSolid_Cone( f, supV( 0.108, 0.044, -0.028 ), 0.031, supV( 0.115, 0.028, 0.075 ), 0.028, 0.05 );
    supSolid_Ellipsoid(
        f, supV( 0.118, 0.022, 0.094 ), supV( 0.040, 0.027, 0.062 ), supTurnByAngles( 0.0, 6.0, 0.0 ), 0.03 );
    supSolid_Ellipsoid( f, supV( 0.109, 0.028, -0.030 ), supV( 0.032, 0.030, 0.036 ), straight, 0.02 );
}

static void supShapeArms( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supVec3d along = supNormalizeD( supSubD( sup_wristAt, sup_elbowAt ) );
    supSolid_Cone( f, supV( 0.020, 1.415, -0.030 ), 0.034, supV( 0.125, 1.372, -0.022 ), 0.038, 0.05 );
    supSolid_Cone( f, sup_shoulderAt, 0.050, sup_elbowAt, 0.035, 0.05 );
    supSolid_Ellipsoid(
        f, supV( 0.212, 1.305, -0.014 ), supV( 0.070, 0.040, 0.046 ), supTurnByAngles( 0.0, 0.0, -40.0 ), 0.04 );
    supSolid_Ellipsoid( f, supV( 0.148, 1.358, -0.014 ), supV( 0.054, 0.054, 0.054 ), straight, 0.03 );
    supSolid_Cone( f, sup_elbowAt, 0.033, sup_wristAt, 0.023, 0.04 );
    supVec3d swell = supMulAddD( sup_elbowAt, 0.060, along );
    supQuatd turn = supFrameTurn( supV( 0, 1, 0 ), supV( 0, 0, 1 ), along, supV( 0, 0, 1 ) );
    supSolid_Ellipsoid( f, swell, supV( 0.036, 0.085, 0.039 ), turn, 0.04 );
    // A mitten: palm, fingers a little bent, thumb ahead. Across the palm is x of the turned axes.
    supVec3d palm = supMulAddD( sup_wristAt, 0.048, along );
    supSolid_Ellipsoid( f, palm, supV( 0.0190, 0.054, 0.040 ), turn, 0.022 );
    supVec3d fingersAlong = supNormalizeD( supSubD( sup_fingerTipAt, sup_fingersAt ) );
    supQuatd fingersTurn = supFrameTurn( supV( 0, 1, 0 ), supV( 0, 0, 1 ), fingersAlong, supV( 0, 0, 1 ) );
    supVec3d fingers = supMulAddD( sup_fingersAt, 0.034, fingersAlong );
    supSolid_Ellipsoid( f, fingers, supV( 0.0160, 0.058, 0.035 ), fingersTurn, 0.018 );
    supVec3d thumbRoot = supAddD( supMulAddD( sup_wristAt, 0.026, along ), supV( -0.004, 0.0, 0.026 ) );
    supVec3d thumbTip = supAddD( supMulAddD( sup_wristAt, 0.080, along ), supV( -0.014, -0.002, 0.058 ) );
    supSolid_Cone( f, thumbRoot, 0.0155, thumbTip, 0.0115, 0.014 );
}

static void supShapeHead( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Cone( f, supV( 0.0, 1.385, -0.024 ), 0.047, supV( 0.0, 1.500, -0.010 ), 0.043, 0.040 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.598, -0.006 ), supV( 0.080, 0.092, 0.094 ), straight, 0.03 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.548, 0.026 ), supV( 0.062, 0.064, 0.060 ), straight, 0.05 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.496, 0.058 ), supV( 0.020, 0.015, 0.018 ), straight, 0.04 );
    supSolid_Ellipsoid( f, supV( 0.038, 1.545, 0.052 ), supV( 0.026, 0.024, 0.024 ), straight, 0.03 );
    // Eye sockets, nose, lips.
    supSolid_Carve( f, supV( 0.034, 1.580, 0.110 ), supV( 0.026, 0.015, 0.018 ), straight, 0.028 );
    supSolid_Cone( f, supV( 0.0, 1.580, 0.084 ), 0.007, supV( 0.0, 1.556, 0.096 ), 0.0090, 0.016 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.5215, 0.080 ), supV( 0.018, 0.0085, 0.009 ), straight, 0.014 );
    // Hair: a cap, sides over the ears, a knot.
    supSolid_Ellipsoid( f, supV( 0.0, 1.612, -0.022 ), supV( 0.090, 0.098, 0.099 ), straight, 0.012 );
    supSolid_Ellipsoid(
        f, supV( 0.056, 1.582, -0.016 ), supV( 0.026, 0.046, 0.052 ), supTurnByAngles( 0.0, 0.0, 6.0 ), 0.025 );
    supSolid_Ellipsoid(
        f, supV( 0.083, 1.561, -0.006 ), supV( 0.0105, 0.030, 0.018 ), supTurnByAngles( -10.0, -24.0, -8.0 ), 0.010 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.672, -0.112 ), supV( 0.047, 0.045, 0.043 ), straight, 0.014 );
}

static void supJointsOfWoman( supDraft* d )
{
    static const char* const shoulder[2] = { "shoulder.L", "shoulder.R" };
    static const char* const upperArm[2] = { "upperArm.L", "upperArm.R" };
    static const char* const lowerArm[2] = { "lowerArm.L", "lowerArm.R" };
    static const char* const hand[2] = { "hand.L", "hand.R" };
    static const char* const thigh[2] = { "thigh.L", "thigh.R" };
    static const char* const shin[2] = { "shin.L", "shin.R" };
    static const char* const foot[2] = { "foot.L", "foot.R" };
    static const char* const toes[2] = { "toes.L", "toes.R" };
    supVec3d neck = supV( 0.0, 1.415, -0.020 ), head = supV( 0.0, 1.505, -0.006 );
    supVec3d hips = supV( 0.0, 0.950, -0.005 ), spine = supV( 0.0, 1.060, -0.005 ), chest = supV( 0.0, 1.200, -0.010 );
    int32_t root = supDraft_Joint( d, "root", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, 0.1, 0.0 ) );
    d->joints[root].bone = false;
    int32_t hipsJoint = supDraft_Joint( d, "hips", root, hips, spine );
    int32_t spineJoint = supDraft_Joint( d, "spine", hipsJoint, spine, chest );
    int32_t chestJoint = supDraft_Joint( d, "chest", spineJoint, chest, neck );
    int32_t neckJoint = supDraft_Joint( d, "neck", chestJoint, neck, head );
    int32_t headJoint = supDraft_Joint( d, "head", neckJoint, head, supV( 0.0, 1.660, 0.0 ) );
    supDraft_Bone( d, headJoint, supV( 0.0, 1.530, 0.020 ), supV( 0.0, 1.660, 0.0 ), 0.060 );
    int32_t j = supDraft_JointPair( d, shoulder, chestJoint, supV( 0.030, 1.370, -0.015 ), sup_shoulderAt );
    j = supDraft_JointPair( d, upperArm, j, sup_shoulderAt, sup_elbowAt );
    j = supDraft_JointPair( d, lowerArm, j, sup_elbowAt, sup_wristAt );
    supDraft_JointPair( d, hand, j, sup_wristAt, sup_fingerTipAt );
    j = supDraft_JointPair( d, thigh, hipsJoint, sup_hipAt, sup_kneeAt );
    j = supDraft_JointPair( d, shin, j, sup_kneeAt, sup_ankleAt );
    j = supDraft_JointPair( d, foot, j, sup_ankleAt, sup_ballAt );
    supDraft_Bone( d, j, supV( 0.108, 0.055, -0.030 ), sup_ballAt, 0.020 );
    supDraft_JointPair( d, toes, j, sup_ballAt, sup_toeTipAt );
    supDraft_Bone( d, sup_womanToes, sup_ballAt, sup_toeTipAt, 0.020 );
    supDraft_Bone( d, sup_womanHips, supV( 0.0, 0.890, -0.005 ), supV( 0.0, 1.020, 0.010 ), 0.115 );
    supDraft_Bone( d, sup_womanSpine, supV( 0.0, 1.070, 0.005 ), supV( 0.0, 1.160, 0.000 ), 0.085 );
    supDraft_Bone( d, sup_womanChest, supV( 0.0, 1.200, 0.010 ), supV( 0.0, 1.360, -0.010 ), 0.110 );
    supDraft_Bone( d, sup_womanNeck, neck, head, 0.040 );
    supDraft_Bone( d, sup_womanShoulder, supV( 0.080, 1.372, -0.018 ), supV( 0.125, 1.370, -0.016 ), 0.025 );
    supDraft_Bone( d, sup_womanUpperArm, sup_shoulderAt, sup_elbowAt, 0.035 );
    supDraft_Bone( d, sup_womanLowerArm, sup_elbowAt, sup_wristAt, 0.025 );
    supDraft_Bone( d, sup_womanThigh, supV( 0.096, 0.800, 0.000 ), sup_kneeAt, 0.055 );
    supDraft_Bone( d, sup_womanShin, sup_kneeAt, supV( 0.108, 0.110, -0.016 ), 0.030 );
}

void supDraftWoman( supDraft* draft )
{
    supSolid* f = &draft->field;
    supSolid_Init( f, 0.021 );
    f->sole = 0.012;
    supShapeTrunk( f );
    supShapeLegs( f );
    supShapeArms( f );
    supShapeHead( f );
    supSolid_Spot( f, supV( 0.0, 1.56, 0.08 ), 0.07, 0.0085 );
    supSolid_Spot( f, supV( 0.0, 1.58, 0.0 ), 0.10, 0.014 );
    supSolid_Spot( f, supV( 0.60, 0.98, 0.01 ), 0.07, 0.010 );
    supSolid_Spot( f, supV( 0.115, 0.03, 0.04 ), 0.08, 0.014 );
    draft->cell = 0.011;
    draft->vertexCount = 5554;
    draft->openness = 0.06;
    draft->paint = supPaintWoman;
    draft->unfold = supUnfoldWoman;
    draft->textureWidth = 512;
    draft->textureHeight = 1024;
    draft->roughness = 0.65;
    supJointsOfWoman( draft );
    assert( draft->jointCount == sup_womanJointCount );
    static const supDraftClip clips[] = { { "walk", 33, true, supWomanWalk }, { "run", 21, true, supWomanRun },
        { "turn", 33, true, supWomanTurn }, { "jump", 60, false, supWomanJump } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
