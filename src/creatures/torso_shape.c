// Supple: a woman's upper torso in plaster, with the stumps of her arms.
// SPDX-License-Identifier: MIT
//
// The case of Aubel, Thalmann, "Realistic deformation of human body shapes", 2000: a breast that hangs, pectorals that
// follow a shoulder as the arm is raised.

#include "creatures/draft.h"
#include "creatures/gait.h"
#include "creatures/surface.h"
#include "supple/creatures.h"

// Left side; metres. The stump ends above the elbow.
static const supVec3d sup_armRootAt = { 0.150, 0.365, -0.015 };
static const supVec3d sup_stumpAt = { 0.278, 0.257, -0.019 };

enum
{
    sup_torsoRoot,
    sup_torsoSpine,
    sup_torsoChest,
    sup_torsoNeck,
    sup_torsoShoulder,
    sup_torsoUpperArm = 6,
};

/// Degrees that the arm stands below level at rest.
static const double sup_armRest = 40.0;

// The arms go from hanging to above the head and back. Of every three degrees past thirty the shoulder blade gives one.
static void supTorsoAbduct( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    double raised = -( 90.0 - sup_armRest ) + 25.0 + 115.0 * ( 0.5 - 0.5 * supCosTurns( phase ) );
    double blade = supMax( raised + 20.0, 0.0 ) / 3.0, arm = raised - blade;
    for ( int side = 0; side < 2; ++side )
    {
        supVec3d axis = supV( 0.0, 0.0, side == 0 ? 1.0 : -1.0 );
        posture->turns[sup_torsoShoulder + side] = supTurnBy( axis, blade );
        posture->turns[sup_torsoUpperArm + side] = supTurnBy( axis, arm );
    }
}

// Two hops of 6 cm: what hangs has something to do.
static void supTorsoHop( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    double hop = 2.0 * phase - supFloor( 2.0 * phase );
    posture->shifts[sup_torsoRoot].y = 0.24 * hop * ( 1.0 - hop );
}

static supVec3d supPaintTorso( supVec3d p )
{
    (void)p;
    return supV( 0.62, 0.55, 0.50 );
}

static supVec3d supUnfoldTorso( supVec3d p )
{
    return supV( supWayRound( p.x, p.z ), 0.02 + 0.96 * p.y / 0.50, 0.0 );
}

static void supShapeTorso( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Ellipsoid( f, supV( 0.0, 0.030, 0.000 ), supV( 0.118, 0.150, 0.088 ), straight, 0.08 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.100, 0.004 ), supV( 0.110, 0.150, 0.084 ), straight, 0.08 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.250, -0.008 ), supV( 0.130, 0.145, 0.096 ), straight, 0.06 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.350, -0.018 ), supV( 0.142, 0.056, 0.066 ), straight, 0.06 );
    // Breast: the fold beneath it stays open enough for a closed, smooth surface.
    supSolid_Ellipsoid(
        f, supV( 0.066, 0.240, 0.062 ), supV( 0.060, 0.074, 0.056 ), supTurnByAngles( 18.0, 14.0, 0.0 ), 0.060 );
    supSolid_Ellipsoid(
        f, supV( 0.071, 0.219, 0.078 ), supV( 0.050, 0.050, 0.048 ), supTurnByAngles( 10.0, 16.0, 0.0 ), 0.050 );
    supSolid_Cone( f, supV( 0.0, 0.385, -0.024 ), 0.050, supV( 0.0, 0.465, -0.012 ), 0.047, 0.04 );
    supSolid_Cone( f, supV( 0.020, 0.415, -0.030 ), 0.034, supV( 0.125, 0.372, -0.022 ), 0.038, 0.05 );
    supSolid_Cone( f, sup_armRootAt, 0.050, sup_stumpAt, 0.040, 0.05 );
    supSolid_Ellipsoid(
        f, supV( 0.212, 0.305, -0.014 ), supV( 0.070, 0.040, 0.046 ), supTurnByAngles( 0.0, 0.0, -40.0 ), 0.04 );
    supSolid_Ellipsoid( f, supV( 0.148, 0.358, -0.014 ), supV( 0.054, 0.054, 0.054 ), straight, 0.03 );
}

static void supJointsOfTorso( supDraft* d )
{
    static const char* const shoulder[2] = { "shoulder.L", "shoulder.R" };
    static const char* const upperArm[2] = { "upperArm.L", "upperArm.R" };
    supVec3d waist = supV( 0.0, 0.030, -0.005 ), chest = supV( 0.0, 0.200, -0.010 ), neck = supV( 0.0, 0.415, -0.020 );
    supVec3d top = supV( 0.0, 0.490, -0.012 );
    int32_t root = supDraft_Joint( d, "root", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, 0.03, 0.0 ) );
    d->joints[root].bone = false;
    int32_t spineJoint = supDraft_Joint( d, "spine", root, waist, chest );
    int32_t chestJoint = supDraft_Joint( d, "chest", spineJoint, chest, neck );
    supDraft_Joint( d, "neck", chestJoint, neck, top );
    int32_t j = supDraft_JointPair( d, shoulder, chestJoint, supV( 0.030, 0.370, -0.015 ), sup_armRootAt );
    supDraft_JointPair( d, upperArm, j, sup_armRootAt, sup_stumpAt );
    supDraft_Bone( d, sup_torsoSpine, supV( 0.0, 0.020, 0.0 ), supV( 0.0, 0.130, 0.0 ), 0.085 );
    supDraft_Bone( d, sup_torsoChest, supV( 0.0, 0.200, 0.010 ), supV( 0.0, 0.360, -0.010 ), 0.110 );
    supDraft_Bone( d, sup_torsoNeck, neck, top, 0.040 );
    supDraft_Bone( d, sup_torsoShoulder, supV( 0.080, 0.372, -0.018 ), supV( 0.125, 0.370, -0.016 ), 0.025 );
    supDraft_Bone( d, sup_torsoUpperArm, sup_armRootAt, sup_stumpAt, 0.035 );
}

void supDraftTorso( supDraft* draft )
{
    supSolid* f = &draft->field;
    supSolid_Init( f, 0.0185 );
    f->sole = 0.030;
    supShapeTorso( f );
    supSolid_Spot( f, supV( 0.070, 0.225, 0.085 ), 0.070, 0.0125 );
    supSolid_Spot( f, supV( 0.0, 0.0, 0.0 ), 0.090, 0.0150 );
    draft->cell = 0.009;
    draft->vertexCount = 2000;
    draft->openness = 0.05;
    draft->paint = supPaintTorso;
    draft->unfold = supUnfoldTorso;
    draft->textureWidth = 64;
    draft->textureHeight = 64;
    draft->roughness = 0.7;
    supJointsOfTorso( draft );
    static const supDraftClip clips[] = { { "abduct", 60, true, supTorsoAbduct }, { "hop", 30, true, supTorsoHop } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}

supFatDef supTorsoBreasts( supSphere balls[2] )
{
    // from the fold below the breasts up to where they end, 14 to 31 cm above the waist's edge
    balls[0] = ( supSphere ){ { 0.085f, 0.03f, 0.1f }, 0.105f };
    balls[1] = ( supSphere ){ { -0.085f, 0.03f, 0.1f }, 0.105f };
    supFatDef def = supDefaultFatDef();
    def.name = "breasts";
    def.joint = "chest";
    def.spheres = ( supSphereList ){ 2, balls };
    def.nodes = 904.0f;
    def.gravity = sup_gravityPlain;
    return def;
}
