// Supple: the cat: its body, skeleton and paint.
// SPDX-License-Identifier: MIT

#include "creatures/cat.h"

#include <assert.h>

// Places that shape and skeleton share. Left side; metres.
static const supVec3d sup_scapulaAt = { 0.040, 0.315, 0.105 };
static const supVec3d sup_shoulderAt = { 0.058, 0.240, 0.165 };
static const supVec3d sup_elbowAt = { 0.062, 0.155, 0.112 };
static const supVec3d sup_wristAt = { 0.058, 0.045, 0.128 };
static const supVec3d sup_pawTipAt = { 0.058, 0.014, 0.172 };
static const supVec3d sup_hipAt = { 0.052, 0.270, -0.170 };
static const supVec3d sup_kneeAt = { 0.070, 0.165, -0.112 };
static const supVec3d sup_hockAt = { 0.064, 0.085, -0.222 };
static const supVec3d sup_ballAt = { 0.062, 0.014, -0.180 };
static const supVec3d sup_toeTipAt = { 0.062, 0.012, -0.140 };
static const supVec3d sup_tailAt[5] = { { 0.0, 0.290, -0.240 }, { 0.0, 0.320, -0.320 }, { 0.0, 0.375, -0.385 },
    { 0.0, 0.445, -0.420 }, { 0.0, 0.520, -0.425 } };

static void supShapeTrunk( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Ellipsoid( f, supV( 0.0, 0.258, 0.115 ), supV( 0.070, 0.082, 0.098 ), straight, 0.03 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.252, 0.010 ), supV( 0.082, 0.082, 0.120 ), straight, 0.04 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.268, -0.150 ), supV( 0.072, 0.070, 0.092 ), straight, 0.04 );
    // What hangs: the belly.
    supSolid_Ellipsoid(
        f, supV( 0.0, 0.205, -0.045 ), supV( 0.084, 0.080, 0.125 ), supTurnByAngles( -4.0, 0.0, 0.0 ), 0.05 );
    for ( int32_t i = 0; i < 4; ++i )
    {
        static const double radii[5] = { 0.024, 0.019, 0.018, 0.017, 0.014 };
        supSolid_Cone( f, sup_tailAt[i], radii[i], sup_tailAt[i + 1], radii[i + 1], i == 0 ? 0.03 : 0.015 );
    }
}

static void supShapeLegs( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Cone( f, supV( 0.052, 0.262, 0.148 ), 0.050, sup_elbowAt, 0.030, 0.03 );
    supSolid_Cone( f, sup_elbowAt, 0.029, supV( 0.058, 0.045, 0.130 ), 0.021, 0.025 );
    supSolid_Ellipsoid( f, supV( 0.058, 0.018, 0.148 ), supV( 0.026, 0.020, 0.034 ), straight, 0.018 );
    supSolid_Ellipsoid(
        f, supV( 0.058, 0.228, -0.150 ), supV( 0.046, 0.078, 0.070 ), supTurnByAngles( 20.0, 0.0, 0.0 ), 0.04 );
    supSolid_Cone( f, supV( 0.060, 0.225, -0.140 ), 0.050, sup_kneeAt, 0.036, 0.03 );
    supSolid_Cone( f, sup_kneeAt, 0.033, sup_hockAt, 0.0185, 0.025 );
    supSolid_Cone( f, sup_hockAt, 0.0185, supV( 0.062, 0.022, -0.182 ), 0.018, 0.015 );
    supSolid_Ellipsoid( f, supV( 0.062, 0.017, -0.162 ), supV( 0.025, 0.019, 0.036 ), straight, 0.016 );
}

static void supShapeHead( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Cone( f, supV( 0.0, 0.280, 0.150 ), 0.060, supV( 0.0, 0.345, 0.235 ), 0.050, 0.04 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.374, 0.262 ), supV( 0.071, 0.063, 0.062 ), straight, 0.03 );
    supSolid_Ellipsoid( f, supV( 0.038, 0.352, 0.275 ), supV( 0.040, 0.034, 0.036 ), straight, 0.03 );
    supSolid_Ellipsoid( f, supV( 0.013, 0.344, 0.312 ), supV( 0.021, 0.017, 0.018 ), straight, 0.018 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.329, 0.308 ), supV( 0.015, 0.012, 0.014 ), straight, 0.014 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.360, 0.318 ), supV( 0.013, 0.010, 0.014 ), straight, 0.016 );
    supSolid_Cone( f, supV( 0.040, 0.404, 0.256 ), 0.029, supV( 0.056, 0.468, 0.254 ), 0.0055, 0.014 );
}

static void supJointsOfCat( supDraft* d )
{
    static const char* const names[8][2] = { { "shoulder.L", "shoulder.R" }, { "upperArm.L", "upperArm.R" },
        { "lowerArm.L", "lowerArm.R" }, { "paw.L", "paw.R" }, { "thigh.L", "thigh.R" }, { "shin.L", "shin.R" },
        { "foot.L", "foot.R" }, { "toes.L", "toes.R" } };
    static const char* const tails[4] = { "tail.1", "tail.2", "tail.3", "tail.4" };
    supVec3d hips = supV( 0.0, 0.285, -0.165 ), spine = supV( 0.0, 0.295, -0.075 ), loin = supV( 0.0, 0.295, 0.020 );
    supVec3d chest = supV( 0.0, 0.288, 0.105 ), neck = supV( 0.0, 0.300, 0.185 ), head = supV( 0.0, 0.352, 0.248 );
    int32_t root = supDraft_Joint( d, "root", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, 0.1, 0.0 ) );
    d->joints[root].bone = false;
    int32_t hipsJoint = supDraft_Joint( d, "hips", root, hips, spine );
    int32_t j = supDraft_Joint( d, "spine", hipsJoint, spine, loin );
    j = supDraft_Joint( d, "loin", j, loin, chest );
    int32_t chestJoint = supDraft_Joint( d, "chest", j, chest, supV( 0.0, 0.270, 0.180 ) );
    j = supDraft_Joint( d, "neck", chestJoint, neck, head );
    j = supDraft_Joint( d, "head", j, head, supV( 0.0, 0.360, 0.330 ) );
    supDraft_Bone( d, j, supV( 0.0, 0.365, 0.265 ), supV( 0.0, 0.360, 0.330 ), 0.045 );
    j = hipsJoint;
    for ( int32_t i = 0; i < 4; ++i )
    {
        j = supDraft_Joint( d, tails[i], j, sup_tailAt[i], sup_tailAt[i + 1] );
    }
    j = supDraft_JointPair( d, names[0], chestJoint, sup_scapulaAt, sup_shoulderAt );
    j = supDraft_JointPair( d, names[1], j, sup_shoulderAt, sup_elbowAt );
    j = supDraft_JointPair( d, names[2], j, sup_elbowAt, sup_wristAt );
    supDraft_JointPair( d, names[3], j, sup_wristAt, sup_pawTipAt );
    j = supDraft_JointPair( d, names[4], hipsJoint, sup_hipAt, sup_kneeAt );
    j = supDraft_JointPair( d, names[5], j, sup_kneeAt, sup_hockAt );
    j = supDraft_JointPair( d, names[6], j, sup_hockAt, sup_ballAt );
    supDraft_JointPair( d, names[7], j, sup_ballAt, sup_toeTipAt );
    assert( d->jointCount == sup_catJointCount );
    // The trunk's bones are bound through its middle, not along the back, so that the belly is theirs and not the
    // legs'.
    supDraft_Bone( d, sup_catHips, supV( 0.0, 0.265, -0.200 ), supV( 0.0, 0.250, -0.110 ), 0.060 );
    supDraft_Bone( d, sup_catSpine, supV( 0.0, 0.240, -0.110 ), supV( 0.0, 0.230, -0.030 ), 0.074 );
    supDraft_Bone( d, sup_catLoin, supV( 0.0, 0.230, -0.030 ), supV( 0.0, 0.245, 0.060 ), 0.065 );
    supDraft_Bone( d, sup_catChest, supV( 0.0, 0.250, 0.060 ), supV( 0.0, 0.270, 0.170 ), 0.060 );
    supDraft_Bone( d, sup_catNeck, supV( 0.0, 0.300, 0.185 ), supV( 0.0, 0.345, 0.240 ), 0.040 );
    supDraft_Bone( d, sup_catShoulder, supV( 0.048, 0.280, 0.130 ), sup_shoulderAt, 0.005 );
    supDraft_Bone( d, sup_catThigh, supV( 0.066, 0.225, -0.150 ), sup_kneeAt, 0.010 );
}

void supDraftCat( supDraft* draft )
{
    supSolid* f = &draft->field;
    supSolid_Init( f, 0.017 );
    f->sole = 0.008;
    supShapeTrunk( f );
    supShapeLegs( f );
    supShapeHead( f );
    supSolid_Spot( f, supV( 0.0, 0.36, 0.30 ), 0.05, 0.011 );
    supSolid_Spot( f, supV( 0.05, 0.44, 0.255 ), 0.030, 0.010 );
    supSolid_Spot( f, supV( 0.056, 0.468, 0.254 ), 0.012, 0.006 );
    supSolid_Spot( f, supV( 0.058, 0.02, 0.148 ), 0.04, 0.0125 );
    supSolid_Spot( f, supV( 0.062, 0.02, -0.17 ), 0.04, 0.0125 );
    supSolid_Spot( f, supV( 0.0, 0.50, -0.425 ), 0.03, 0.010 );
    supSolid_Spot( f, supV( 0.0, 0.240, -0.110 ), 0.080, 0.0140 );
    supSolid_Spot( f, supV( 0.0, 0.225, -0.020 ), 0.080, 0.0140 );
    supSolid_Spot( f, supV( 0.0, 0.245, 0.070 ), 0.080, 0.0140 );
    draft->cell = 0.006;
    draft->vertexCount = 1296;
    draft->openness = 0.03;
    draft->paint = supPaintCat;
    draft->unfold = supUnfoldCat;
    draft->textureWidth = 1024;
    draft->textureHeight = 512;
    draft->roughness = 0.8;
    supJointsOfCat( draft );
    static const supDraftClip clips[] = { { "run", 15, true, supCatRun }, { "jump", 57, false, supCatJump } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
