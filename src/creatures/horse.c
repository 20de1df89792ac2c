// Supple: the horse: its body, skeleton, paint and motion.
// SPDX-License-Identifier: MIT
//
// About as many vertices and sections as the horse of You, Yang, Zhang, "Dynamic skin deformation with characteristic
// curves", 2008, figures 1, 10 and 11.
#include "creatures/horse.h"

#include "creatures/surface.h"

#include <assert.h>

// Places that shape and skeleton share. Left side; metres.
static const supVec3d sup_pointOfShoulderAt = { 0.150, 1.130, 0.520 };
static const supVec3d sup_elbowAt = { 0.150, 0.935, 0.385 };
static const supVec3d sup_foreKneeAt = { 0.145, 0.530, 0.425 };
static const supVec3d sup_foreFetlockAt = { 0.145, 0.175, 0.415 };
static const supVec3d sup_foreToeAt = { 0.145, 0.020, 0.500 };
static const supVec3d sup_hipAt = { 0.130, 1.270, -0.560 };
static const supVec3d sup_stifleAt = { 0.160, 0.960, -0.420 };
static const supVec3d sup_hockAt = { 0.150, 0.560, -0.780 };
static const supVec3d sup_hindFetlockAt = { 0.150, 0.185, -0.755 };
static const supVec3d sup_hindToeAt = { 0.150, 0.020, -0.670 };
static const supVec3d sup_tailAt[4] = { { 0.0, 1.400, -0.860 }, { 0.0, 1.240, -1.020 }, { 0.0, 0.960, -1.080 },
    { 0.0, 0.600, -1.060 } };

static void supShapeTrunk( supSolid* f )
{
    supQuatd straight = supQuatd_identity;
    supSolid_Ellipsoid( f, supV( 0.0, 1.160, 0.400 ), supV( 0.235, 0.320, 0.320 ), straight, 0.10 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.130, -0.100 ), supV( 0.275, 0.305, 0.520 ), straight, 0.14 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.240, -0.570 ), supV( 0.255, 0.270, 0.320 ), straight, 0.12 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.380, 0.280 ), supV( 0.100, 0.150, 0.300 ), straight, 0.12 );
    for ( int32_t i = 0; i < 3; ++i )
    {
        static const double radii[4] = { 0.052, 0.058, 0.066, 0.026 };
        supSolid_Cone( f, sup_tailAt[i], radii[i], sup_tailAt[i + 1], radii[i + 1], i == 0 ? 0.06 : 0.04 );
    }
}

static void supShapeHead( supSolid* f )
{
    supQuatd down = supTurnByAngles( 44.0, 0.0, 0.0 );
    supSolid_Cone( f, supV( 0.0, 1.220, 0.520 ), 0.215, supV( 0.0, 1.520, 0.760 ), 0.150, 0.14 );
    supSolid_Cone( f, supV( 0.0, 1.500, 0.740 ), 0.150, supV( 0.0, 1.770, 0.930 ), 0.108, 0.08 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.735, 1.015 ), supV( 0.098, 0.125, 0.150 ), down, 0.06 );
    supSolid_Cone( f, supV( 0.0, 1.720, 1.050 ), 0.092, supV( 0.0, 1.490, 1.290 ), 0.064, 0.06 );
    supSolid_Ellipsoid( f, supV( 0.0, 1.462, 1.310 ), supV( 0.064, 0.066, 0.086 ), down, 0.04 );
    supSolid_Cone( f, supV( 0.055, 1.835, 0.945 ), 0.038, supV( 0.078, 1.985, 0.965 ), 0.012, 0.030 );
}

static void supShapeForeLeg( supSolid* f )
{
    supSolid_Cone( f, supV( 0.130, 1.140, 0.430 ), 0.165, sup_elbowAt, 0.105, 0.08 );
    supSolid_Cone( f, sup_elbowAt, 0.098, sup_foreKneeAt, 0.056, 0.05 );
    supSolid_Ellipsoid( f, sup_foreKneeAt, supV( 0.060, 0.070, 0.062 ), supQuatd_identity, 0.03 );
    supSolid_Cone( f, sup_foreKneeAt, 0.050, sup_foreFetlockAt, 0.044, 0.03 );
    supSolid_Ellipsoid( f, sup_foreFetlockAt, supV( 0.053, 0.056, 0.058 ), supQuatd_identity, 0.025 );
    supSolid_Cone( f, sup_foreFetlockAt, 0.045, supV( 0.145, 0.090, 0.460 ), 0.048, 0.025 );
    supSolid_Cone( f, supV( 0.145, 0.085, 0.458 ), 0.054, supV( 0.145, 0.025, 0.478 ), 0.068, 0.02 );
}

void supShapeHindLeg( supSolid* f, double side )
{
    double x = side;
    supSolid_Ellipsoid(
        f, supV( 0.86 * x, 1.080, -0.590 ), supV( 0.125, 0.270, 0.215 ), supTurnByAngles( -12.0, 0.0, 0.0 ), 0.10 );
    supSolid_Cone( f, supV( x, 1.050, -0.510 ), 0.165, supV( x, 0.930, -0.460 ), 0.120, 0.08 );
    supSolid_Cone( f, supV( x, 0.930, -0.470 ), 0.118, supV( x, 0.575, -0.770 ), 0.060, 0.06 );
    supSolid_Ellipsoid( f, supV( x, 0.560, -0.775 ), supV( 0.060, 0.078, 0.068 ), supQuatd_identity, 0.035 );
    supSolid_Cone( f, supV( x, 0.560, -0.775 ), 0.054, supV( x, 0.185, -0.755 ), 0.046, 0.03 );
    supSolid_Ellipsoid( f, supV( x, 0.185, -0.755 ), supV( 0.054, 0.056, 0.060 ), supQuatd_identity, 0.025 );
    supSolid_Cone( f, supV( x, 0.185, -0.755 ), 0.046, supV( x, 0.090, -0.710 ), 0.048, 0.025 );
    supSolid_Cone( f, supV( x, 0.085, -0.712 ), 0.054, supV( x, 0.025, -0.692 ), 0.068, 0.02 );
}

static void supJointsOfHorse( supDraft* d )
{
    static const char* const names[8][2] = { { "upperArm.L", "upperArm.R" }, { "forearm.L", "forearm.R" },
        { "foreCannon.L", "foreCannon.R" }, { "foreHoof.L", "foreHoof.R" }, { "thigh.L", "thigh.R" },
        { "shin.L", "shin.R" }, { "hindCannon.L", "hindCannon.R" }, { "hindHoof.L", "hindHoof.R" } };
    static const char* const tails[3] = { "tail.1", "tail.2", "tail.3" };
    supVec3d hips = supV( 0.0, 1.330, -0.560 ), loin = supV( 0.0, 1.330, -0.230 ), chest = supV( 0.0, 1.300, 0.150 );
    supVec3d neck = supV( 0.0, 1.320, 0.560 ), crest = supV( 0.0, 1.540, 0.780 ), head = supV( 0.0, 1.790, 0.960 );
    supVec3d muzzle = supV( 0.0, 1.460, 1.310 );
    int32_t root = supDraft_Joint( d, "root", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, 0.3, 0.0 ) );
    d->joints[root].bone = false;
    int32_t hipsJoint = supDraft_Joint( d, "hips", root, hips, loin );
    int32_t j = supDraft_Joint( d, "loin", hipsJoint, loin, chest );
    int32_t chestJoint = supDraft_Joint( d, "chest", j, chest, supV( 0.0, 1.240, 0.520 ) );
    j = supDraft_Joint( d, "neck", chestJoint, neck, crest );
    j = supDraft_Joint( d, "crest", j, crest, head );
    supDraft_Joint( d, "head", j, head, muzzle );
    j = hipsJoint;
    for ( int32_t i = 0; i < 3; ++i )
    {
        j = supDraft_Joint( d, tails[i], j, sup_tailAt[i], sup_tailAt[i + 1] );
    }
    j = supDraft_JointPair( d, names[0], chestJoint, sup_pointOfShoulderAt, sup_elbowAt );
    j = supDraft_JointPair( d, names[1], j, sup_elbowAt, sup_foreKneeAt );
    j = supDraft_JointPair( d, names[2], j, sup_foreKneeAt, sup_foreFetlockAt );
    supDraft_JointPair( d, names[3], j, sup_foreFetlockAt, sup_foreToeAt );
    j = supDraft_JointPair( d, names[4], hipsJoint, sup_hipAt, sup_stifleAt );
    j = supDraft_JointPair( d, names[5], j, sup_stifleAt, sup_hockAt );
    j = supDraft_JointPair( d, names[6], j, sup_hockAt, sup_hindFetlockAt );
    supDraft_JointPair( d, names[7], j, sup_hindFetlockAt, sup_hindToeAt );
    assert( d->jointCount == sup_horseJointCount );
    // Through the middle of the barrel, so that the belly is the trunk's and not the legs'.
    supDraft_Bone( d, sup_horseHips, supV( 0.0, 1.230, -0.680 ), supV( 0.0, 1.170, -0.360 ), 0.230 );
    supDraft_Bone( d, sup_horseLoin, supV( 0.0, 1.150, -0.360 ), supV( 0.0, 1.130, 0.050 ), 0.260 );
    supDraft_Bone( d, sup_horseChest, supV( 0.0, 1.150, 0.050 ), supV( 0.0, 1.200, 0.470 ), 0.240 );
    supDraft_Bone( d, sup_horseNeck, supV( 0.0, 1.360, 0.600 ), supV( 0.0, 1.530, 0.770 ), 0.150 );
    supDraft_Bone( d, sup_horseUpperArm, supV( 0.150, 1.060, 0.470 ), sup_elbowAt, 0.060 );
    supDraft_Bone( d, sup_horseThigh, supV( 0.150, 1.080, -0.540 ), sup_stifleAt, 0.080 );
}

supVec3d supPaintHorse( supVec3d p )
{
    supVec3d color = supV( 0.235, 0.082, 0.030 ), dark = supV( 0.030, 0.016, 0.011 );
    color = supOver( color, supV( 0.330, 0.140, 0.060 ),
        0.6 * supRamp( 1.15, 0.86, p.y ) * supRamp( -0.5, -0.1, p.z ) * supRamp( 0.5, 0.2, p.z ) );
    color = supOver( color, dark, supRamp( 0.62, 0.46, p.y ) );                                     // points
    color = supOver( color, dark, supRamp( -0.86, -0.92, p.z ) * supRamp( 0.45, 0.5, p.y ) );       // tail
    color = supOver( color, dark, 0.85 * supRamp( 1.52, 1.46, p.y ) * supRamp( 1.22, 1.28, p.z ) ); // muzzle
    double eye = supInEllipse( p.z - 1.075, p.y - 1.765, 0.020, 0.017 );
    color = supOver( color, supV( 0.004, 0.003, 0.003 ), supCover( eye, 0.003 ) );
    color = supOver(
        color, supV( 0.8, 0.8, 0.8 ), supCover( supInEllipse( p.z - 1.080, p.y - 1.771, 0.005, 0.004 ), 0.002 ) );
    return supOver( color, supV( 0.10, 0.085, 0.070 ), supRamp( 0.085, 0.075, p.y ) ); // hooves
}

// From the side: colours depend on height and length alone, so both legs of a pair may lie over one another.
static supVec3d supUnfoldHorse( supVec3d p )
{
    return supV( 0.02 + 0.96 * ( p.z + 1.20 ) / 2.66, 0.02 + 0.96 * p.y / 2.03, 0.0 );
}

// ---------------------------------------------------------------------------------------------------------------
// The horse's gallop.

static const supVec3d sup_sideways = { 1.0, 0.0, 0.0 };

/// One leg: the uppermost bone swings by a formula, the next two reach for the ground, the hoof rolls.
typedef struct supHorseLeg
{
    int32_t swing, upper, lower, hoof, trunk;
    bool behind;    ///< the middle joint goes out behind: a hock
    double ahead;   ///< the swing of the uppermost bone. Degrees
    double neutral; ///< about this
} supHorseLeg;

static void supPoseHorseLeg(
    const supDraft* draft, supPosture* posture, const supHorseLeg* leg, bool right, double swing, supFootfall fall )
{
    supVec3d ankle = draft->joints[leg->hoof].place, ball = draft->joints[leg->hoof].tip;
    ball = supV( ball.x, 0.0, ball.z + 0.036 ); // the hoof's edge, ahead of the bone
    supVec3d heel = supV( ball.x, 0.0, ball.z - 0.130 );
    if ( right )
    {
        ankle = supMirrorD( ankle );
        ball = supMirrorD( ball );
        heel = supMirrorD( heel );
    }
    posture->turns[leg->swing + right] = supTurnBy( sup_sideways, -leg->neutral - leg->ahead * swing );
    supPosture_Update( posture, draft, leg->swing );
    supQuatd facing;
    supVec3d place = supAddD( posture->places[0], supRollFoot( fall, ankle, heel, ball, &facing ) );
    supLimb limb = { leg->upper + right, leg->lower + right, leg->hoof + right, leg->behind };
    supVec3d side = supRotateD( posture->facing[leg->trunk], sup_sideways );
    supReachLimb( draft, posture, &limb, place, facing, side );
    supPosture_Update( posture, draft, leg->swing );
}

static void supPoseHorseTrunk( supPosture* posture, double phase )
{
    double gathered = supCosTurns( phase - 0.90 );
    double pitch = 4.0 * supCosTurns( phase - 0.60 );
    double lift = 0.035 * supCosTurns( phase - 0.86 );
    posture->shifts[sup_horseHips] = supV( 0.0, -0.045 + lift, 0.03 * gathered );
    posture->turns[sup_horseHips] = supTurnBy( sup_sideways, pitch - 7.0 * gathered );
    posture->turns[sup_horseLoin] = supTurnBy( sup_sideways, 5.0 * gathered );
    posture->turns[sup_horseChest] = supTurnBy( sup_sideways, 3.0 * gathered );
    posture->turns[sup_horseNeck] = supTurnBy( sup_sideways, 12.0 - 0.8 * pitch - 6.0 * supCosTurns( phase - 0.92 ) );
    posture->turns[sup_horseCrest] = supTurnBy( sup_sideways, 6.0 - 4.0 * supCosTurns( phase - 0.97 ) );
    posture->turns[sup_horseHead] = supTurnBy( sup_sideways, -12.0 + 5.0 * supCosTurns( phase - 0.98 ) );
    for ( int32_t i = 0; i < 3; ++i )
    {
        double wave = supCosTurns( phase - 0.10 - 0.14 * i );
        posture->turns[sup_horseTail + i] = supTurnBy( sup_sideways, ( i == 0 ? 30.0 : 6.0 ) + 9.0 * wave );
    }
}

// Four beats close together: both hind feet, both fore feet, then a flight with the legs gathered under the body.
static void supHorseGallop( const supDraft* draft, double phase, supPosture* posture )
{
    static const supHorseLeg hindLeg = { sup_horseThigh, sup_horseShin, sup_horseHindCannon, sup_horseHindHoof,
        sup_horseHips, true, 24.0, 4.0 };
    static const supHorseLeg foreLeg = { sup_horseUpperArm, sup_horseForearm, sup_horseForeCannon, sup_horseForeHoof,
        sup_horseChest, false, 24.0, 6.0 };
    static const supEaseKey hindPitch[] = { { 0.00, -10.0, 0.0 }, { 0.10, 0.0, 60.0 }, { 0.24, 45.0, 250.0 },
        { 0.42, 80.0, 0.0 }, { 0.85, -14.0, 0.0 }, { 1.00, -10.0, 0.0 } };
    static const supEaseKey forePitch[] = { { 0.00, -8.0, 0.0 }, { 0.10, 0.0, 60.0 }, { 0.24, 50.0, 300.0 },
        { 0.46, 105.0, 0.0 }, { 0.85, -14.0, 0.0 }, { 1.00, -8.0, 0.0 } };
    supRoute path = { 3.1, 0.0 };
    supPoseHorseTrunk( posture, phase );
    supPosture_Update( posture, draft, 0 );
    for ( int32_t i = 0; i < 4; ++i )
    {
        bool hind = i < 2, right = i % 2 == 1;
        static const double downs[4] = { 0.00, 0.10, 0.42, 0.30 };
        supFootStep step = { .down = downs[i],
            .stance = 0.22,
            .lift = hind ? 0.24 : 0.30,
            .ahead = hind ? -0.56 : 0.44,
            .lateral = right ? -0.12 : 0.12,
            .pitch = hind ? hindPitch : forePitch,
            .pitchCount = 6 };
        double swing = supCosTurns( phase - downs[i] + 0.06 );
        supPoseHorseLeg(
            draft, posture, hind ? &hindLeg : &foreLeg, right, swing, supFootStep_At( &step, path, phase ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

void supDraftHorse( supDraft* draft )
{
    supSolid* f = &draft->field;
    supSolid_Init( f, 0.032 );
    f->sole = 0.012;
    supShapeTrunk( f );
    supShapeForeLeg( f );
    supShapeHindLeg( f, 0.150 );
    supShapeHead( f );
    supSolid_Spot( f, supV( 0.0, 1.62, 1.12 ), 0.26, 0.020 );
    supSolid_Spot( f, supV( 0.065, 1.92, 0.955 ), 0.080, 0.012 );
    supSolid_Spot( f, supV( 0.145, 0.20, 0.43 ), 0.22, 0.019 );
    supSolid_Spot( f, supV( 0.145, 0.58, 0.42 ), 0.18, 0.021 );
    supSolid_Spot( f, supV( 0.150, 0.20, -0.74 ), 0.22, 0.019 );
    supSolid_Spot( f, supV( 0.150, 0.60, -0.75 ), 0.18, 0.021 );
    supSolid_Spot( f, supV( 0.0, 0.75, -1.08 ), 0.25, 0.022 );
    draft->cell = 0.011;
    draft->vertexCount = 8400;
    draft->openness = 0.10;
    draft->paint = supPaintHorse;
    draft->unfold = supUnfoldHorse;
    draft->textureWidth = 1024;
    draft->textureHeight = 1024;
    draft->roughness = 0.6;
    supJointsOfHorse( draft );
    static const supDraftClip clips[] = { { "gallop", 16, true, supHorseGallop } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
