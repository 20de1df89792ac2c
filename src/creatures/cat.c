// Supple: the cat: its body, skeleton, paint and motions.
// SPDX-License-Identifier: MIT
#include "creatures/gait.h"
#include "creatures/surface.h"

#include <assert.h>

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

// ---------------------------------------------------------------------------------------------------------------
// The cat's fur and face, as colours of places.

static const supVec3d sup_furColor = { 0.70, 0.315, 0.080 };
static const supVec3d sup_stripeColor = { 0.36, 0.115, 0.020 };
static const supVec3d sup_paleColor = { 0.88, 0.78, 0.63 };

// Bands around the trunk, the tail and the legs, thick above and thin below.
static double supStripes( double x, supVec3d p )
{
    double wave = 0.12 * supSinTurns( p.y / 0.11 + 0.3 );
    if ( p.z < -0.245 && p.y > 0.25 )
    {
        double along = supSqrt( ( p.z + 0.235 ) * ( p.z + 0.235 ) + ( p.y - 0.29 ) * ( p.y - 0.29 ) );
        return 0.030 * ( supSinTurns( along / 0.050 ) - 0.25 );
    }
    if ( p.y < 0.16 )
    {
        return 0.020 * ( supSinTurns( p.y / 0.036 + 0.15 ) - 0.45 );
    }
    if ( p.z < -0.205 )
    {
        return -1.0;
    }
    double height = supRamp( 0.175, 0.30, p.y );
    double side = supSinTurns( p.z / 0.068 + wave + 0.9 * x );
    return 0.020 * ( side - supMix( 1.05, 0.05, height ) );
}

// Height in the picture: ears are lifted off the skull between them.
static double supEarHeight( double x, supVec3d p )
{
    return p.y + 0.8 * supMax( 0.0, x - 0.022 ) * supRamp( 0.395, 0.425, p.y ) * supRamp( 0.19, 0.22, p.z );
}

static supVec3d supPaintEye( supVec3d color, double x, double y )
{
    double ex = x - 0.0315, ey = y - 0.3785;
    // Leaning outwards, as cats' eyes do.
    double u = 0.955 * ex + 0.295 * ey, v = 0.955 * ey - 0.295 * ex;
    double round = supInEllipse( u, v, 0.0168, 0.0148 );
    color = supOver( color, supV( 0.030, 0.014, 0.008 ), supCover( round + 0.0022, 0.0008 ) );
    supVec3d iris = supLerpD( supV( 0.18, 0.36, 0.045 ), supV( 0.52, 0.55, 0.07 ), supRamp( 0.010, -0.010, ey ) );
    color = supOver( color, iris, supCover( round, 0.0007 ) );
    color = supOver( color, supV( 0.006, 0.006, 0.006 ), supCover( supInEllipse( ex, ey, 0.0062, 0.0118 ), 0.0006 ) );
    double glint = supSqrt( ( ex + 0.0040 ) * ( ex + 0.0040 ) + ( ey - 0.0058 ) * ( ey - 0.0058 ) );
    return supOver( color, supV( 1.0, 1.0, 1.0 ), supCover( 0.0030 - glint, 0.0006 ) );
}

static supVec3d supPaintFace( supVec3d color, double x, supVec3d p )
{
    // Muzzle and chin are pale; so is a spot over each eye.
    double muzzle =
        supMax( supInEllipse( x - 0.012, p.y - 0.3400, 0.0300, 0.0220 ), supInEllipse( x, p.y - 0.332, 0.030, 0.022 ) );
    double front = p.z - 0.285;
    color = supOver( color, sup_paleColor, supCover( supMin( muzzle, front ), 0.0020 ) );
    color = supOver(
        color, sup_paleColor, 0.55 * supCover( supInEllipse( x - 0.030, p.y - 0.4000, 0.010, 0.006 ), 0.003 ) );
    // The M on the forehead, and lines back from the eyes.
    double mark = supMax( 0.0028 - supAbs( x - 0.011 - 0.12 * ( p.y - 0.400 ) ), 0.0026 - supAbs( x ) );
    mark = supMin( mark, supMin( p.y - 0.398, 0.445 - p.y ) );
    double cheek = supMin( 0.0030 - supAbs( p.y - 0.368 + 0.45 * ( x - 0.050 ) ), supMin( x - 0.050, p.z - 0.245 ) );
    color = supOver( color, sup_stripeColor, supCover( supMax( mark, cheek ), 0.0010 ) );
    color = supPaintEye( color, x, p.y );
    if ( p.z < 0.30 )
    {
        return color;
    }
    // Nose: a triangle, point down; then the line below it that parts into the mouth; freckles of the whiskers.
    double nose = supMin( 0.3640 - p.y, 0.0105 - x * 0.9 - 0.85 * supMax( 0.0, 0.3600 - p.y ) );
    nose = supMin( nose, p.y - 0.3505 );
    color = supOver( color, supV( 0.50, 0.130, 0.115 ), supCover( nose, 0.0009 ) );
    double mouth = x < 0.0185 ? supAbs( p.y - 0.3365 - 0.0045 * supCosTurns( x / 0.0210 ) ) : 1.0;
    mouth = supMin( mouth, p.y < 0.3510 && p.y > 0.3400 ? x : 1.0 );
    color = supOver( color, supV( 0.17, 0.055, 0.035 ), supCover( 0.0011 - mouth, 0.0007 ) );
    for ( int32_t i = 0; i < 3; ++i )
    {
        double away = supSqrt( ( x - 0.018 - 0.003 * i ) * ( x - 0.018 - 0.003 * i ) +
                               ( p.y - 0.3500 + 0.0045 * i ) * ( p.y - 0.3500 + 0.0045 * i ) );
        color = supOver( color, supV( 0.40, 0.20, 0.10 ), 0.7 * supCover( 0.0010 - away, 0.0006 ) );
    }
    return color;
}

static supVec3d supPaintCat( supVec3d p )
{
    double x = supAbs( p.x );
    supVec3d color = sup_furColor;
    bool head = p.z > 0.20 && p.y > 0.30;
    if ( !head )
    {
        color = supOver( color, sup_stripeColor, supCover( supStripes( x, p ), 0.0014 ) );
    }
    // Belly, bib, socks, the tail's end.
    double belly = supInEllipse( p.z + 0.012, p.y - 0.120, 0.098, 0.052 );
    double bib = supInEllipse( p.z - 0.255, p.y - 0.245, 0.088, 0.088 );
    double sock = 0.048 - p.y;
    double tailEnd = p.z < -0.25 ? p.y - 0.487 : -1.0;
    double pale = supMax( supMax( belly, bib ), supMax( sock, tailEnd ) );
    color = supOver( color, sup_paleColor, supCover( pale, 0.0025 ) );
    // Ears are rosy within.
    // Told by where it lies in the picture, so that the sides of the ear that fall together there are alike.
    double ahead = ( p.z - 0.245 ) / supMax( x, 0.01 ), height = supEarHeight( x, p );
    double ear = supMin( 0.04 * ( ahead - 0.24 - 3.0 * supMax( 0.0, height - 0.455 ) ), height - 0.4410 );
    color = supOver( color, supV( 0.62, 0.27, 0.20 ), supCover( ear, 0.0015 ) );
    return head && p.z > 0.245 ? supPaintFace( color, x, p ) : color;
}

// From the side; the face is unrolled from its side to its front.
static supVec3d supUnfoldCat( supVec3d p )
{
    double side = 0.245, u = ( p.z + 0.46 ) / ( side + 0.46 ) * 0.58;
    if ( p.z > side )
    {
        u = 0.58 + 0.42 * ( 1.0 - supWayRound( p.x, p.z - side ) / 0.70710678118654752 );
    }
    // The head, above, is drawn larger, and the ears above the skull between them.
    double y = supEarHeight( p.x, p );
    double v = y < 0.30 ? y / 0.30 * 0.40 : 0.40 + ( y - 0.30 ) / 0.25 * 0.60;
    return supV( u, v, 0.0 );
}

// ---------------------------------------------------------------------------------------------------------------
// The cat's motions: run and jump.

static const supVec3d sup_sideways = { 1.0, 0.0, 0.0 };

// One leg, by where its foot is in the character; pitch is against the foot at rest, about its ball.
static void supPoseCatLeg( const supDraft* draft, supPosture* posture, bool hind, bool right, supFootfall fall )
{
    int32_t upper = hind ? sup_catThigh : sup_catUpperArm, end = hind ? sup_catFoot : sup_catPaw;
    supVec3d ankle = draft->joints[end].place;
    supVec3d ball = hind ? draft->joints[sup_catToes].place : draft->joints[sup_catPaw].tip;
    supVec3d heel = ball;
    if ( !hind )
    {
        ball = supV( ball.x, 0.0, ball.z + 0.004 );
        heel = supV( ball.x, 0.0, ball.z - 0.050 );
    }
    if ( right )
    {
        heel = supMirrorD( heel );
        ankle = supMirrorD( ankle );
        ball = supMirrorD( ball );
    }
    supQuatd facing;
    supVec3d place = supRollFoot( fall, ankle, heel, ball, &facing );
    place = supAddD( posture->places[0], place );
    supLimb limb = { upper + right, upper + 2 + right, end + right, !hind };
    supVec3d side = supRotateD( posture->facing[hind ? sup_catHips : sup_catChest], sup_sideways );
    supReachLimb( draft, posture, &limb, place, facing, side );
    if ( hind )
    {
        double bent = supClamp( fall.pitch, -30.0, 50.0 ) * ( 1.0 - supRamp( 0.0, 0.03, fall.place.y ) );
        posture->turns[sup_catToes + right] = supTurnBy( sup_sideways, -bent );
    }
    supPosture_Update( posture, draft, upper );
}

// The trunk: pitched as a whole (nose down positive), its back arched (up positive), the head held level by `level`.
static void supPoseCatTrunk( supPosture* posture, double pitch, double arch, double level )
{
    posture->turns[sup_catHips] = supTurnBy( sup_sideways, pitch - 0.9 * arch );
    posture->turns[sup_catSpine] = supTurnBy( sup_sideways, 0.60 * arch );
    posture->turns[sup_catLoin] = supTurnBy( sup_sideways, 0.65 * arch );
    posture->turns[sup_catChest] = supTurnBy( sup_sideways, 0.40 * arch );
    double front = pitch + 0.75 * arch;
    posture->turns[sup_catNeck] = supTurnBy( sup_sideways, -0.5 * level * front );
    posture->turns[sup_catHead] = supTurnBy( sup_sideways, -0.5 * level * front );
}

static void supPoseTail( supPosture* posture, double root, double rest )
{
    for ( int32_t i = 0; i < 4; ++i )
    {
        posture->turns[sup_catTail + i] = supTurnBy( sup_sideways, i == 0 ? root : rest );
    }
}

// A gallop: the hind feet come down almost together, the cat flies stretched, the fore feet come down, it flies
// gathered.
static void supCatRun( const supDraft* draft, double phase, supPosture* posture )
{
    static const supEaseKey hindPitch[] = { { 0.00, -8.0, 0.0 }, { 0.12, 0.0, 60.0 }, { 0.28, 38.0, 120.0 },
        { 0.40, 52.0, 0.0 }, { 0.80, -14.0, 0.0 }, { 1.00, -8.0, 0.0 } };
    static const supEaseKey forePitch[] = { { 0.00, -10.0, 0.0 }, { 0.10, 0.0, 30.0 }, { 0.26, 40.0, 250.0 },
        { 0.48, 95.0, 0.0 }, { 0.82, -16.0, 0.0 }, { 1.00, -10.0, 0.0 } };
    supRoute path = { 0.95, 0.0 };
    double gathered = supCosTurns( phase - 0.98 );
    double arch = 22.0 * gathered + 4.0;
    double pitch = 3.0 * supCosTurns( phase - 0.62 ) - 1.0;
    double lift = 0.016 * supCosTurns( 2.0 * ( phase - 0.42 ) );
    posture->shifts[sup_catHips] = supV( 0.0, -0.008 + lift + 0.012 * gathered, 0.028 * gathered );
    supPoseCatTrunk( posture, pitch, arch, 0.9 );
    supPoseTail( posture, -38.0 + 12.0 * supCosTurns( phase - 0.15 ), -6.0 + 12.0 * supCosTurns( phase - 0.35 ) );
    for ( int32_t i = 0; i < 2; ++i )
    {
        posture->turns[sup_catShoulder + i] =
            supTurnBy( sup_sideways, 10.0 * supCosTurns( phase - 0.78 - ( i == 0 ? 0.0 : 0.09 ) ) );
    }
    supPosture_Update( posture, draft, 0 );
    for ( int32_t i = 0; i < 4; ++i )
    {
        bool hind = i < 2, right = i % 2 == 1;
        static const double downs[4] = { 0.00, 0.07, 0.52, 0.43 };
        supFootStep step = { .down = downs[i],
            .stance = 0.27,
            .lift = hind ? 0.022 : 0.055,
            .ahead = hind ? -0.150 : 0.188,
            .lateral = right ? -0.050 : 0.050,
            .pitch = hind ? hindPitch : forePitch,
            .pitchCount = 6 };
        supPoseCatLeg( draft, posture, hind, right, supFootStep_At( &step, path, phase ) );
    }
}

// A leap ahead, in seconds: crouched at 0.50, off the ground at 0.72, in the air until the fore feet land at 1.06 and
// the hind feet at 1.16, down, and settled at 1.90. The root goes with it.
#define SUP_LEAP_SECONDS 1.9
#define SUP_LEAP_OFF 0.72
#define SUP_LEAP_LAND 1.10
#define SUP_LEAP_LENGTH 0.75

static double supLeapHeight( double t )
{
    static const supEaseKey before[] = { { 0.00, -0.005, 0.0 }, { 0.45, -0.085, 0.0 }, { 0.54, -0.088, 0.0 },
        { SUP_LEAP_OFF, 0.055, 1.864 } };
    static const supEaseKey after[] = { { SUP_LEAP_LAND, 0.055, -1.864 }, { 1.26, -0.070, 0.0 }, { 1.52, 0.004, 0.0 },
        { 1.72, -0.008, 0.0 }, { 1.90, -0.005, 0.0 } };
    if ( t <= SUP_LEAP_OFF )
    {
        return SUP_KEYS_AT( before, t );
    }
    if ( t >= SUP_LEAP_LAND )
    {
        return SUP_KEYS_AT( after, t );
    }
    double s = t - SUP_LEAP_OFF;
    return 0.055 + 0.5 * 9.81 * s * ( SUP_LEAP_LAND - SUP_LEAP_OFF - s );
}

static supFootfall supLeapFoot( const supDraft* draft, bool hind, bool right, double t, double ahead )
{
    static const supEaseKey hindPitch[] = { { 0.00, 0.0, 0.0 }, { 0.50, 6.0, 0.0 }, { 0.62, 20.0, 250.0 },
        { 0.72, 60.0, 300.0 }, { 0.82, 78.0, 0.0 }, { 1.06, -16.0, 0.0 }, { 1.16, -6.0, 100.0 }, { 1.24, 4.0, 0.0 },
        { 1.60, 0.0, 0.0 } };
    static const supEaseKey forePitch[] = { { 0.00, 0.0, 0.0 }, { 0.54, 8.0, 0.0 }, { 0.70, 80.0, 0.0 },
        { 0.84, 60.0, 0.0 }, { 1.00, -14.0, 0.0 }, { 1.06, -8.0, 0.0 }, { 1.16, 0.0, 0.0 } };
    double off = hind ? SUP_LEAP_OFF : 0.54, land = hind ? 1.16 : 1.06;
    supVec3d ball = hind ? draft->joints[sup_catToes].place : draft->joints[sup_catPaw].tip;
    supVec3d place = supV( right ? -ball.x : ball.x, 0.0, hind ? ball.z : ball.z + 0.004 );
    double s = supClamp( ( t - off ) / ( land - off ), 0.0, 1.0 );
    double eased = s * s * s * ( 10.0 - 15.0 * s + 6.0 * s * s );
    double arc = 16.0 * s * s * ( 1.0 - s ) * ( 1.0 - s );
    place.z += SUP_LEAP_LENGTH * eased - ahead;
    place.y = ( hind ? 0.185 : 0.235 ) * arc;
    double pitch = hind ? SUP_KEYS_AT( hindPitch, t ) : SUP_KEYS_AT( forePitch, t );
    return ( supFootfall ){ place, 0.0, pitch };
}

static void supCatJump( const supDraft* draft, double phase, supPosture* posture )
{
    double t = phase * SUP_LEAP_SECONDS;
    static const supEaseKey ahead[] = { { 0.00, 0.0, 0.0 }, { 0.50, -0.030, 0.0 }, { 0.72, 0.130, 1.45 },
        { 1.10, 0.681, 1.45 }, { 1.28, 0.775, 0.0 }, { 1.60, SUP_LEAP_LENGTH, 0.0 } };
    static const supEaseKey pitch[] = { { 0.00, 0.0, 0.0 }, { 0.48, 4.0, 0.0 }, { 0.70, -26.0, -60.0 },
        { 0.80, -28.0, 0.0 }, { 1.06, 20.0, 120.0 }, { 1.16, 16.0, 0.0 }, { 1.32, -3.0, 0.0 }, { 1.60, 0.0, 0.0 } };
    static const supEaseKey arch[] = { { 0.00, 0.0, 0.0 }, { 0.48, 16.0, 0.0 }, { 0.74, -22.0, 0.0 },
        { 0.98, 12.0, 100.0 }, { 1.20, 24.0, 0.0 }, { 1.42, -4.0, 0.0 }, { 1.70, 0.0, 0.0 } };
    static const supEaseKey tail[] = { { 0.00, 0.0, 0.0 }, { 0.50, -26.0, 0.0 }, { 0.78, -40.0, 0.0 },
        { 1.10, 10.0, 0.0 }, { 1.34, -12.0, 0.0 }, { 1.60, 4.0, 0.0 }, { 1.90, 0.0, 0.0 } };
    static const supEaseKey look[] = { { 0.00, 0.0, 0.0 }, { 0.40, -10.0, 0.0 }, { 0.75, -4.0, 0.0 },
        { 1.00, 8.0, 0.0 }, { 1.40, 0.0, 0.0 } };
    double way = SUP_KEYS_AT( ahead, t );
    posture->shifts[0] = supV( 0.0, 0.0, way );
    posture->shifts[sup_catHips] = supV( 0.0, supLeapHeight( t ), 0.0 );
    supPoseCatTrunk( posture, SUP_KEYS_AT( pitch, t ), SUP_KEYS_AT( arch, t ), 0.85 );
    posture->turns[sup_catHead] =
        supMulQuatD( posture->turns[sup_catHead], supTurnBy( sup_sideways, SUP_KEYS_AT( look, t ) ) );
    supPoseTail( posture, SUP_KEYS_AT( tail, t ), 0.5 * SUP_KEYS_AT( tail, t - 0.08 ) );
    supPosture_Update( posture, draft, 0 );
    for ( int32_t i = 0; i < 4; ++i )
    {
        bool hind = i < 2, right = i % 2 == 1;
        supPoseCatLeg( draft, posture, hind, right, supLeapFoot( draft, hind, right, t, way ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Its body and skeleton.

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
