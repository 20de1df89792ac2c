// Supple: an arm, and a horse's leg, each by itself with shapes to go to.
// SPDX-License-Identifier: MIT
//
// The cases of You, Yang, Zhang, "Dynamic skin deformation with characteristic curves", 2008, figures 7, 8 and 9. The
// shapes are formulas over the rest shape: every section is carried whole, so what an in-between should look like is
// known.

#include "creatures/draft.h"
#include "creatures/horse.h"
#include "creatures/surface.h"

#define SUP_ELBOW 0.30
#define SUP_WRIST 0.565

static supVec3d supTurnAbout( supVec3d p, supVec3d pivot, supVec3d axis, double degrees )
{
    return supAddD( pivot, supRotateD( supTurnBy( axis, degrees ), supSubD( p, pivot ) ) );
}

// The middle line becomes an arc of 18 cm about the elbow; sections stay flat, whole and square to it.
static supVec3d supBendArm( supVec3d p )
{
    double from = SUP_ELBOW - 0.09, length = 0.18, angle = 120.0;
    double share = supClamp( ( p.y - from ) / length, 0.0, 1.0 ), radius = length / ( angle * SUP_PI / 180.0 );
    double sine, cosine;
    supSinCos( share * angle * SUP_PI / 180.0, &sine, &cosine );
    supVec3d middle = supV( 0.0, supMin( p.y, from ) + radius * sine, radius * ( 1.0 - cosine ) );
    double beyond = supMax( p.y - from - length, 0.0 );
    middle = supAddD( middle, supV( 0.0, beyond * cosine, beyond * sine ) );
    return supAddD( middle, supV( p.x, -sine * p.z, cosine * p.z ) );
}

// From above the shoulder to the wrist by equal steps.
static supVec3d supTwistArm( supVec3d p, double degrees )
{
    double share = supClamp( ( p.y - 0.06 ) / ( SUP_WRIST - 0.06 ), 0.0, 1.0 );
    return supTurnAbout( p, supV( 0.0, p.y, 0.0 ), supV( 0.0, 1.0, 0.0 ), share * degrees );
}

static supVec3d supTwistUp( supVec3d p )
{
    return supTwistArm( p, 18.0 );
}

static supVec3d supTwistDown( supVec3d p )
{
    return supTwistArm( p, -18.0 );
}

static supVec3d supTwistHalf( supVec3d p )
{
    return supTwistArm( p, 180.0 );
}

// Upper arm and forearm alone turn, as an animator's keys have it: what LBS and DQS make of the same.
static void supArmBendClip( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    posture->turns[1] = supTurnBy( supV( 1.0, 0.0, 0.0 ), 120.0 * phase );
}

static void supArmTwistClip( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    posture->turns[1] = supTurnBy( supV( 0.0, 1.0, 0.0 ), 180.0 * phase );
}

static supVec3d supPaintArm( supVec3d p )
{
    supVec3d skin = supV( 0.66, 0.36, 0.25 );
    return supOver( skin, supV( 0.60, 0.27, 0.19 ), 0.5 * supRamp( SUP_WRIST, 0.62, p.y ) );
}

static supVec3d supUnfoldArm( supVec3d p )
{
    return supV( supWayRound( p.x, p.z ), 0.02 + 0.96 * p.y / 0.70, 0.0 );
}

void supDraftArm( supDraft* draft )
{
    supSolid* f = &draft->field;
    supQuatd straight = supQuatd_identity;
    supSolid_Init( f, 0.0135 );
    f->sole = 0.006;
    supSolid_Cone( f, supV( 0.0, -0.01, 0.0 ), 0.056, supV( 0.0, SUP_ELBOW, 0.0 ), 0.041, 0.02 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.150, 0.020 ), supV( 0.042, 0.110, 0.036 ), straight, 0.05 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.130, -0.020 ), supV( 0.040, 0.110, 0.034 ), straight, 0.05 );
    supSolid_Cone( f, supV( 0.0, SUP_ELBOW, 0.0 ), 0.041, supV( 0.0, SUP_WRIST, 0.0 ), 0.027, 0.03 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.375, 0.004 ), supV( 0.045, 0.100, 0.036 ), straight, 0.04 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.630, 0.006 ), supV( 0.039, 0.055, 0.027 ), straight, 0.05 );
    draft->cell = 0.006;
    draft->vertexCount = 1150;
    draft->openness = 0.0;
    draft->paint = supPaintArm;
    draft->unfold = supUnfoldArm;
    draft->textureWidth = 256;
    draft->textureHeight = 512;
    draft->roughness = 0.7;
    int32_t upper = supDraft_Joint( draft, "upper", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, SUP_ELBOW, 0.0 ) );
    int32_t fore = supDraft_Joint( draft, "fore", upper, supV( 0.0, SUP_ELBOW, 0.0 ), supV( 0.0, SUP_WRIST, 0.0 ) );
    supDraft_Joint( draft, "hand", fore, supV( 0.0, SUP_WRIST, 0.0 ), supV( 0.0, 0.684, 0.0 ) );
    static const supDraftClip clips[] = { { "bend", 30, false, supArmBendClip },
        { "twist", 30, false, supArmTwistClip } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
    static supShapeFormula* const shapes[] = { supBendArm, supTwistUp, supTwistDown, supTwistHalf };
    draft->shapes = shapes;
    draft->shapeCount = sizeof( shapes ) / sizeof( shapes[0] );
}

#define SUP_LEG_SHIFT 0.70

// A quarter of a step: thigh ahead, hock and fetlock bent. Each turn comes in over a hand's breadth about its joint.
static supVec3d supStepLeg( supVec3d p )
{
    supVec3d side = supV( 1.0, 0.0, 0.0 );
    double fetlock = supRamp( 0.25, 0.13, p.y ), hock = supRamp( 0.66, 0.46, p.y ), stifle = supRamp( 1.26, 0.72, p.y );
    p = supTurnAbout( p, supV( 0.0, 0.185, -0.755 + SUP_LEG_SHIFT ), side, 16.0 * fetlock );
    p = supTurnAbout( p, supV( 0.0, 0.560, -0.775 + SUP_LEG_SHIFT ), side, -13.0 * hock );
    p = supTurnAbout( p, supV( 0.0, 0.950, -0.450 + SUP_LEG_SHIFT ), side, 11.0 * stifle );
    return supTurnAbout( p, supV( 0.0, 1.270, -0.560 + SUP_LEG_SHIFT ), side, -9.0 );
}

static void supLegStepClip( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    static const double degrees[4] = { -36.0, 56.0, -52.0, 64.0 };
    for ( int32_t i = 0; i < 4; ++i )
    {
        posture->turns[i] = supTurnBy( supV( 1.0, 0.0, 0.0 ), degrees[i] * phase );
    }
}

static supVec3d supPaintLeg( supVec3d p )
{
    return supPaintHorse( supV( p.x, p.y, p.z - SUP_LEG_SHIFT ) );
}

static supVec3d supUnfoldLeg( supVec3d p )
{
    return supV( 0.02 + 0.96 * ( p.z + 0.25 ) / 0.62, 0.02 + 0.96 * p.y / 1.36, 0.0 );
}

static supVec3d supLegPlace( double y, double z )
{
    return supV( 0.0, y, z + SUP_LEG_SHIFT );
}

void supDraftLeg( supDraft* draft )
{
    supSolid* f = &draft->field;
    supSolid_Init( f, 0.030 );
    f->sole = 0.012;
    supShapeHindLeg( f, 0.0 );
    supSolid_Shift( f, SUP_LEG_SHIFT );
    supSolid_Spot( f, supLegPlace( 0.20, -0.74 ), 0.22, 0.016 );
    supSolid_Spot( f, supLegPlace( 0.60, -0.75 ), 0.18, 0.020 );
    draft->cell = 0.012;
    draft->vertexCount = 1500;
    draft->openness = 0.0;
    draft->paint = supPaintLeg;
    draft->unfold = supUnfoldLeg;
    draft->textureWidth = 256;
    draft->textureHeight = 512;
    draft->roughness = 0.6;
    int32_t j = supDraft_Joint( draft, "thigh", -1, supLegPlace( 1.270, -0.560 ), supLegPlace( 0.950, -0.450 ) );
    j = supDraft_Joint( draft, "shin", j, supLegPlace( 0.950, -0.450 ), supLegPlace( 0.560, -0.775 ) );
    j = supDraft_Joint( draft, "cannon", j, supLegPlace( 0.560, -0.775 ), supLegPlace( 0.185, -0.755 ) );
    supDraft_Joint( draft, "hoof", j, supLegPlace( 0.185, -0.755 ), supLegPlace( 0.020, -0.670 ) );
    static const supDraftClip clips[] = { { "step", 30, false, supLegStepClip } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
    static supShapeFormula* const shapes[] = { supStepLeg };
    draft->shapes = shapes;
    draft->shapeCount = sizeof( shapes ) / sizeof( shapes[0] );
}

// ---------------------------------------------------------------------------------------------------------------
// A finger by itself, upright on its knuckle.
//
// The case of Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, figure 8. It bends towards +Z, where its pads are; the nail is on the other side.

#define SUP_MIDDLE 0.044
#define SUP_LAST 0.071
#define SUP_FINGERTIP 0.094

static void supBendFingerClip( const supDraft* draft, double phase, supPosture* posture )
{
    (void)draft;
    posture->turns[1] = supTurnBy( supV( 1.0, 0.0, 0.0 ), 95.0 * phase );
    posture->turns[2] = supTurnBy( supV( 1.0, 0.0, 0.0 ), 60.0 * phase );
}

static supVec3d supPaintFinger( supVec3d p )
{
    supVec3d skin = supV( 0.66, 0.36, 0.25 ), pink = supV( 0.62, 0.26, 0.19 ), nail = supV( 0.74, 0.47, 0.40 );
    supVec3d color = supOver( skin, pink, 0.5 * supRamp( SUP_LAST + 0.004, SUP_FINGERTIP, p.y ) );
    double crease = 0.0;
    static const double heights[3] = { SUP_MIDDLE, SUP_MIDDLE + 0.0016, SUP_LAST };
    for ( int i = 0; i < 3; ++i )
    {
        crease = supMax( crease, supCover( 0.0003 - supAbs( p.y - heights[i] ), 0.0004 ) * supRamp( 0.0, 0.004, p.z ) );
    }
    color = supOver( color, supV( 0.50, 0.22, 0.16 ), 0.6 * crease );
    double within = p.z < 0.0 ? supInEllipse( p.x, p.y - 0.0865, 0.0046, 0.0066 ) : -1.0;
    return supOver( color, nail, supCover( within, 0.0004 ) );
}

static supVec3d supUnfoldFinger( supVec3d p )
{
    return supV( supWayRound( p.x, p.z ), 0.02 + 0.96 * p.y / 0.097, 0.0 );
}

void supDraftFinger( supDraft* draft )
{
    supSolid* f = &draft->field;
    supQuatd straight = supQuatd_identity;
    supSolid_Init( f, 0.0021 );
    f->sole = 0.0016;
    supSolid_Cone( f, supV( 0.0, -0.002, 0.0 ), 0.0100, supV( 0.0, SUP_MIDDLE, 0.0 ), 0.0084, 0.003 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.021, 0.0022 ), supV( 0.0092, 0.0150, 0.0088 ), straight, 0.006 );
    supSolid_Cone( f, supV( 0.0, SUP_MIDDLE, 0.0 ), 0.0086, supV( 0.0, SUP_LAST, 0.0 ), 0.0072, 0.004 );
    supSolid_Ellipsoid( f, supV( 0.0, SUP_MIDDLE, -0.0012 ), supV( 0.0088, 0.0070, 0.0086 ), straight, 0.005 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.0575, 0.0020 ), supV( 0.0080, 0.0095, 0.0074 ), straight, 0.005 );
    supSolid_Cone( f, supV( 0.0, SUP_LAST, 0.0 ), 0.0074, supV( 0.0, 0.0875, 0.0 ), 0.0062, 0.004 );
    supSolid_Ellipsoid( f, supV( 0.0, 0.0825, 0.0016 ), supV( 0.0071, 0.0095, 0.0062 ), straight, 0.004 );
    draft->cell = 0.0009;
    draft->vertexCount = 1408;
    draft->openness = 0.0;
    draft->paint = supPaintFinger;
    draft->unfold = supUnfoldFinger;
    draft->textureWidth = 256;
    draft->textureHeight = 512;
    draft->roughness = 0.6;
    int32_t joint = supDraft_Joint( draft, "knuckle", -1, supV( 0.0, 0.0, 0.0 ), supV( 0.0, SUP_MIDDLE, 0.0 ) );
    joint = supDraft_Joint( draft, "middle", joint, supV( 0.0, SUP_MIDDLE, 0.0 ), supV( 0.0, SUP_LAST, 0.0 ) );
    supDraft_Joint( draft, "last", joint, supV( 0.0, SUP_LAST, 0.0 ), supV( 0.0, SUP_FINGERTIP, 0.0 ) );
    static const supDraftClip clips[] = { { "bend", 30, false, supBendFingerClip } };
    draft->clips = clips;
    draft->clipCount = sizeof( clips ) / sizeof( clips[0] );
}
