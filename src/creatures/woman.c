// Supple: the woman: her body, skeleton, paint and motions.
// SPDX-License-Identifier: MIT
#include "creatures/gait.h"
#include "creatures/surface.h"

#include <assert.h>

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

// ---------------------------------------------------------------------------------------------------------------
// The woman's skin, face, hair and clothes, as colours of places.

static const supVec3d sup_skinColor = { 0.80, 0.47, 0.34 };
static const supVec3d sup_hairColor = { 0.115, 0.040, 0.018 };
static const supVec3d sup_clothColor = { 0.035, 0.235, 0.300 };
static const supVec3d sup_trimColor = { 0.62, 0.74, 0.70 };
static const supVec3d sup_shoeColor = { 0.60, 0.115, 0.085 };

static supVec3d supPaintEye( supVec3d color, double x, double y )
{
    double ex = x - 0.0335, ey = y - 1.5730;
    double along = ex / 0.0165;
    double arch = 1.0 - along * along;
    // Between the lids: the upper one higher than the lower one is low.
    double upper = 0.0118 * arch - ey, lower = ey + 0.0088 * arch;
    double open = supMin( upper, lower );
    supVec3d eye = supV( 0.86, 0.84, 0.80 );
    double fromMiddle = supSqrt( ex * ex + ( ey - 0.001 ) * ( ey - 0.001 ) );
    eye = supOver( eye, supV( 0.13, 0.055, 0.020 ), supCover( 0.0093 - fromMiddle, 0.0006 ) );
    eye = supOver(
        eye, supV( 0.30, 0.135, 0.045 ), supCover( 0.0080 - fromMiddle, 0.0012 ) * supRamp( 0.004, -0.006, ey ) );
    eye = supOver( eye, supV( 0.008, 0.006, 0.006 ), supCover( 0.0046 - fromMiddle, 0.0006 ) );
    double glint = supSqrt( ( ex + 0.0030 ) * ( ex + 0.0030 ) + ( ey - 0.0050 ) * ( ey - 0.0050 ) );
    eye = supOver( eye, supV( 1.0, 1.0, 1.0 ), supCover( 0.0022 - glint, 0.0005 ) );
    // A shadow of the upper lid, then the lid's line and lashes, longer outwards.
    eye = supScaleD( eye, 1.0 - 0.45 * supRamp( 0.0045, 0.0, upper ) );
    color = supOver( color, eye, supCover( open, 0.0006 ) );
    double reach = 0.0012 + 0.0012 * supClamp( along, 0.0, 1.2 );
    double lash = reach - supAbs( upper - 0.0003 );
    double ends = supMin( ex + 0.0172, 0.0195 - ex );
    color = supOver( color, supV( 0.020, 0.010, 0.008 ), supCover( supMin( lash, ends ), 0.0007 ) );
    double browLine = y - ( 1.5975 + 0.0035 * ( 1.0 - ( along - 0.25 ) * ( along - 0.25 ) ) );
    double brow = 0.0024 - 0.0009 * supClamp( along, -1.0, 1.3 ) - supAbs( browLine );
    double browEnds = supMin( ex + 0.0170, 0.0205 - ex );
    return supOver( color, sup_hairColor, 0.85 * supCover( supMin( brow, browEnds ), 0.0009 ) );
}

static supVec3d supPaintMouth( supVec3d color, double x, double y )
{
    double along = x / 0.0215;
    double line = 1.5215 + 0.0030 * along * along;
    double arch = supMax( 1.0 - along * along, 0.0 );
    double upper = 0.0062 * arch * ( 0.86 + 0.28 * supRamp( 0.0, 0.35, x / 0.0215 ) ) - ( y - line );
    double lower = ( y - line ) + 0.0078 * arch;
    double lips = supMin( supMin( upper, lower ), 0.0222 - x );
    color = supOver( color, supV( 0.56, 0.135, 0.115 ), supCover( lips, 0.0009 ) );
    double seam = supMin( 0.0011 - supAbs( y - line ), 0.0222 - x );
    return supOver( color, supV( 0.22, 0.030, 0.030 ), supCover( seam, 0.0007 ) );
}

static supVec3d supPaintFace( supVec3d color, double x, supVec3d p )
{
    double blush = supSqrt( ( x - 0.046 ) * ( x - 0.046 ) + ( p.y - 1.545 ) * ( p.y - 1.545 ) );
    color = supOver( color, supV( 0.80, 0.25, 0.19 ), 0.38 * supRamp( 0.026, 0.0, blush ) );
    double nostril = supInEllipse( x - 0.0065, p.y - 1.5485, 0.0030, 0.0018 );
    color = supOver( color, supV( 0.30, 0.10, 0.07 ), 0.40 * supCover( nostril, 0.0012 ) );
    color = supPaintEye( color, x, p.y );
    return supPaintMouth( color, x, p.y );
}

static supVec3d supPaintHead( supVec3d color, double x, supVec3d p )
{
    if ( p.z > 0.03 && p.y > 1.49 && p.y < 1.63 )
    {
        color = supPaintFace( color, x, p );
    }
    // The face is a window in the hair; behind the ears it goes down to the nape.
    double window = p.z > -0.015 ? -supInEllipse( x, p.y - 1.551, 0.0690, 0.0960 ) : 1.0;
    double low = 1.556 - 0.048 * supRamp( -0.020, -0.062, p.z );
    double ear = x > 0.06 ? supInEllipse( p.z + 0.008, p.y - 1.561, 0.0215, 0.0330 ) : -1.0;
    // The corner before the ear is rounded.
    double corner = supMax( 0.012 - supAbs( window - ( p.y - low ) ), 0.0 );
    double edge = supMin( window, p.y - low ) - corner * corner / 0.048;
    double hair = supMin( edge, -ear );
    // Combed back to the knot: strands run around the axis through it.
    double strands = 0.5 + 0.5 * supSin( 34.0 * supAtan2( x, p.y - 1.660 - 0.45 * supMax( 0.0, p.z + 0.10 ) ) );
    supVec3d tone = supLerpD( sup_hairColor, supV( 0.190, 0.072, 0.032 ), 0.6 * strands * strands );
    return supOver( color, tone, supCover( hair, 0.0012 ) );
}

// A top with a round neckline, straps and trim; shorts with a band; flat shoes.
static supVec3d supPaintClothes( supVec3d color, double x, supVec3d p )
{
    double neckRadius = p.z > 0.0 ? 0.098 : 0.080;
    double neckline = supSqrt( x * x + ( p.y - 1.415 ) * ( p.y - 1.415 ) ) - neckRadius;
    // All that is beyond a line from the armpit to the shoulder's top, rounded below.
    double height = supClamp( ( p.y - 1.330 ) / 0.12, 0.0, 1.0 );
    double armholeX = x - 0.170 - 0.016 * height, armholeY = p.y - 1.330 - 0.12 * height;
    double armhole = supSqrt( armholeX * armholeX + armholeY * armholeY ) - 0.060;
    armhole = x > 0.170 && p.y > 1.330 ? -1.0 : armhole;
    double top = supMin( supMin( neckline, armhole ), supMin( p.y - 1.158, 1.43 - p.y ) );
    top = supMin( top, 0.157 - x );
    color = supOver( color, sup_trimColor, supCover( top, 0.0010 ) );
    color = supOver( color, sup_clothColor, supCover( top - 0.0065, 0.0010 ) );
    double shorts = supMin( 0.988 - p.y, p.y - 0.772 );
    shorts = x > 0.3 ? -1.0 : shorts;
    color = supOver( color, sup_trimColor, supCover( shorts, 0.0010 ) );
    double band = supMin( 0.988 - p.y - 0.016, p.y - 0.772 - 0.0055 );
    color = supOver( color, sup_clothColor, supCover( x > 0.3 ? -1.0 : band, 0.0010 ) );
    double shoe = 0.050 + 0.12 * supMax( 0.0, -p.z ) - p.y;
    color = supOver( color, sup_shoeColor, supCover( shoe, 0.0012 ) );
    return supOver( color, supV( 0.75, 0.72, 0.66 ), supCover( 0.011 - p.y, 0.0010 ) );
}

static supVec3d supPaintWoman( supVec3d p )
{
    double x = supAbs( p.x );
    supVec3d color = sup_skinColor;
    // Warmer where the skin is thin or rubbed: knees, elbows, hands.
    double knee = supLengthD( supSubD( supV( x, p.y, p.z ), supV( 0.103, 0.490, 0.060 ) ) );
    color = supOver( color, supV( 0.78, 0.34, 0.25 ), 0.22 * supRamp( 0.06, 0.0, knee ) );
    if ( p.y > 1.44 )
    {
        return supPaintHead( color, x, p );
    }
    return supPaintClothes( color, x, p );
}

// Around the body, around each leg below. Heights are given room by how much there is to see. Over the shoulder, where
// the body is level, the way outwards counts as downwards. An arm has one colour and shrinks to a place at the
// shoulder.
static supVec3d supUnfoldWoman( supVec3d p )
{
    static const double heights[][2] = { { -0.02, 0.0 }, { 0.09, 0.09 }, { 0.75, 0.17 }, { 1.01, 0.33 }, { 1.14, 0.36 },
        { 1.44, 0.60 }, { 1.76, 1.0 } };
    double arm = supMax( supRamp( 0.25, 0.30, p.x ), supRamp( 0.155, 0.215, p.x ) * supRamp( 1.04, 1.10, p.y ) );
    supVec3d q = supLerpD( p, supV( 0.185, 1.395, -0.015 ), arm );
    double shoulder = supRamp( 1.20, 1.34, q.y ) * supRamp( 1.46, 1.42, q.y );
    double height = q.y - 0.5 * shoulder * supMax( 0.0, q.x - 0.04 );
    int32_t i = 0;
    while ( i < 5 && height > heights[i + 1][0] )
    {
        ++i;
    }
    double share = ( height - heights[i][0] ) / ( heights[i + 1][0] - heights[i][0] );
    double middle = 0.107 * supRamp( 0.74, 0.60, q.y );
    return supV(
        supWayRound( q.x - middle, q.z + 0.018 * shoulder ), supMix( heights[i][1], heights[i + 1][1], share ), 0.0 );
}

// ---------------------------------------------------------------------------------------------------------------
// The woman's motions: walk, run, turn, jump.
//
// Walking and running are one formula with different numbers: footfalls on the ground, the pelvis over them, the trunk
// turning against it, arms against the legs. Left is worked out, right is its mirror image half a cycle later.

// Numbers of a way to go. Metres, degrees, shares of a cycle.
typedef struct supStyle
{
    supRoute path;
    double stance, lift, ahead;
    double track;            // of the feet from the middle
    const supEaseKey* pitch; // of the foot
    int32_t pitchCount;
    double low, bob, bobAt; // the pelvis: lower than at rest by, up and down by, highest at (after a footfall)
    double sway, hipYaw, hipRoll, lean;
    double chestYaw, armSwing, armForward, armOut, elbow, elbowSwing;
    double bank; // into a turn
} supStyle;

static const supEaseKey sup_walkPitch[] = { { 0.00, -20.0, 0.0 }, { 0.07, 0.0, 0.0 }, { 0.30, 0.0, 0.0 },
    { 0.47, 16.0, 150.0 }, { 0.60, 48.0, 200.0 }, { 0.68, 56.0, 0.0 }, { 0.88, -12.0, -160.0 }, { 0.96, -22.0, 0.0 },
    { 1.00, -20.0, 0.0 } };

static const supEaseKey sup_runPitch[] = { { 0.00, -6.0, 0.0 }, { 0.05, 0.0, 0.0 }, { 0.15, 0.0, 0.0 },
    { 0.30, 45.0, 300.0 }, { 0.46, 85.0, 0.0 }, { 0.66, 50.0, -300.0 }, { 0.90, -10.0, 0.0 }, { 1.00, -6.0, 0.0 } };

static const supStyle sup_walkStyle = {
    .path = { 1.16, 0.0 },
    .stance = 0.60,
    .lift = 0.035,
    .ahead = 0.085,
    .track = 0.062,
    .pitch = sup_walkPitch,
    .pitchCount = sizeof( sup_walkPitch ) / sizeof( sup_walkPitch[0] ),
    .low = 0.030,
    .bob = 0.016,
    .bobAt = 0.30,
    .sway = 0.026,
    .hipYaw = 9.0,
    .hipRoll = 5.5,
    .lean = 2.0,
    .chestYaw = 8.0,
    .armSwing = 23.0,
    .armForward = 0.0,
    .armOut = 12.0,
    .elbow = 16.0,
    .elbowSwing = 8.0,
};

static const supStyle sup_turnStyle = {
    .path = { 1.10, 60.0 },
    .stance = 0.60,
    .lift = 0.035,
    .ahead = 0.08,
    .track = 0.07,
    .pitch = sup_walkPitch,
    .pitchCount = sizeof( sup_walkPitch ) / sizeof( sup_walkPitch[0] ),
    .low = 0.034,
    .bob = 0.016,
    .bobAt = 0.30,
    .sway = 0.026,
    .hipYaw = 8.0,
    .hipRoll = 5.0,
    .lean = 2.5,
    .chestYaw = 8.0,
    .armSwing = 20.0,
    .armForward = 0.0,
    .armOut = 13.0,
    .elbow = 17.0,
    .elbowSwing = 8.0,
    .bank = 4.0,
};

static const supStyle sup_runStyle = {
    .path = { 1.90, 0.0 },
    .stance = 0.32,
    .lift = 0.16,
    .ahead = 0.06,
    .track = 0.045,
    .pitch = sup_runPitch,
    .pitchCount = sizeof( sup_runPitch ) / sizeof( sup_runPitch[0] ),
    .low = 0.045,
    .bob = 0.040,
    .bobAt = 0.41,
    .sway = 0.014,
    .hipYaw = 9.0,
    .hipRoll = 5.0,
    .lean = 12.0,
    .chestYaw = 13.0,
    .armSwing = 34.0,
    .armForward = 2.0,
    .armOut = 14.0,
    .elbow = 82.0,
    .elbowSwing = 16.0,
};

// The elbow's axis at rest: square to the arm and to straight ahead; about it minus is up and forward.
static supVec3d supElbowAxis( const supDraft* draft )
{
    supVec3d along = supSubD( draft->joints[sup_womanLowerArm].place, draft->joints[sup_womanUpperArm].place );
    return supNormalizeD( supCrossD( supV( 0.0, 0.0, 1.0 ), along ) );
}

// Turns of the left arm: hanging `out` degrees off straight down, swung `back`, bent at the elbow.
static void supPoseArm( const supDraft* draft, supPosture* posture, bool right, double out, double back, double elbow )
{
    // At rest the arm points 40 degrees below level.
    supQuatd hang = supTurnBy( supV( 0.0, 0.0, 1.0 ), -( 50.0 - out ) );
    supQuatd shoulder = supTurnBy( supV( 0.0, 0.0, 1.0 ), -4.0 + 0.10 * out );
    supQuatd upper = supMulQuatD( supTurnBy( supV( 1.0, 0.0, 0.0 ), back ), hang );
    supQuatd lower = supTurnBy( supElbowAxis( draft ), -elbow );
    supQuatd hand = supTurnBy( supElbowAxis( draft ), -8.0 );
    supQuatd turns[4] = { shoulder, upper, lower, hand };
    int32_t joints[4] = { sup_womanShoulder, sup_womanUpperArm, sup_womanLowerArm, sup_womanHand };
    for ( int32_t i = 0; i < 4; ++i )
    {
        posture->turns[joints[i] + right] = right ? supMirrorTurn( turns[i] ) : turns[i];
    }
}

// Sets a leg by where its foot is; the toes stay flat while the heel rises.
static void supPoseLeg( const supDraft* draft, supPosture* posture, bool right, supFootfall fall )
{
    supVec3d ankle = draft->joints[sup_womanFoot].place, ball = draft->joints[sup_womanToes].place;
    supVec3d heel = supV( ankle.x, 0.0, ankle.z - 0.035 );
    if ( right )
    {
        ankle = supMirrorD( ankle );
        ball = supMirrorD( ball );
        heel = supMirrorD( heel );
    }
    supQuatd facing;
    supVec3d place = supRollFoot( fall, ankle, heel, ball, &facing );
    // From the walker's frame into the character, which the root may have moved.
    place = supAddD( posture->places[0], supRotateD( posture->facing[0], place ) );
    facing = supMulQuatD( posture->facing[0], facing );
    supLimb limb = { sup_womanThigh + right, sup_womanShin + right, sup_womanFoot + right, false };
    // The knee points between the hips' way and the foot's, a little outwards.
    supVec3d outwards = supV( 1.0, 0.0, right ? 0.06 : -0.06 );
    supQuatd heading = supMulQuatD( posture->facing[0], supTurnBy( supV( 0.0, 1.0, 0.0 ), fall.heading ) );
    supVec3d side = supAddD( supRotateD( posture->facing[sup_womanHips], outwards ), supRotateD( heading, outwards ) );
    supReachLimb( draft, posture, &limb, place, facing, side );
    double bent = supClamp( fall.pitch, 0.0, 60.0 ) * ( 1.0 - supRamp( 0.0, 0.05, fall.place.y ) * 0.7 );
    posture->turns[sup_womanToes + right] = supTurnBy( supV( 1.0, 0.0, 0.0 ), -bent );
    supPosture_Update( posture, draft, sup_womanThigh );
}

static void supPoseTrunk( const supStyle* style, double phase, supPosture* posture )
{
    double leading = supCosTurns( phase ), standing = supCosTurns( phase - 0.5 * style->stance );
    double twice = supCosTurns( 2.0 * ( phase - style->bobAt ) );
    posture->shifts[sup_womanHips] = supV( style->sway * standing, -style->low + style->bob * twice, 0.0 );
    supQuatd pelvis =
        supTurnByAngles( 0.4 * style->lean, -style->hipYaw * leading, style->hipRoll * standing + style->bank );
    supQuatd trunk =
        supTurnByAngles( style->lean + 1.5 * twice, style->chestYaw * leading, -1.5 * standing + 0.6 * style->bank );
    supQuatd half = supSlerpD( pelvis, trunk, 0.5 );
    supQuatd head = supTurnByAngles( 1.0 - 1.0 * twice, 0.15 * style->chestYaw * leading, 0.0 );
    posture->turns[sup_womanHips] = pelvis;
    posture->turns[sup_womanSpine] = supMulQuatD( supConjugateD( pelvis ), half );
    posture->turns[sup_womanChest] = supMulQuatD( supConjugateD( half ), trunk );
    supQuatd neck = supSlerpD( trunk, head, 0.5 );
    posture->turns[sup_womanNeck] = supMulQuatD( supConjugateD( trunk ), neck );
    posture->turns[sup_womanHead] = supMulQuatD( supConjugateD( neck ), head );
}

static void supGo( const supDraft* draft, const supStyle* style, double phase, bool rootMoves, supPosture* posture )
{
    supPoseTrunk( style, phase, posture );
    if ( rootMoves )
    {
        supStand stand = supRoute_At( style->path, phase );
        posture->shifts[0] = stand.place;
        posture->turns[0] = supTurnBy( supV( 0.0, 1.0, 0.0 ), stand.heading );
    }
    for ( int32_t side = 0; side < 2; ++side )
    {
        double own = phase + 0.5 * side;
        double swing = supCosTurns( own - 0.02 );
        supPoseArm( draft, posture, side == 1, style->armOut - 2.0 * swing, style->armSwing * swing - style->armForward,
            style->elbow - style->elbowSwing * swing );
    }
    supPosture_Update( posture, draft, 0 );
    for ( int32_t side = 0; side < 2; ++side )
    {
        supFootStep step = { .down = side == 0 ? 0.0 : 0.5,
            .stance = style->stance,
            .lift = style->lift,
            .ahead = style->ahead,
            .lateral = side == 0 ? style->track : -style->track,
            .pitch = style->pitch,
            .pitchCount = style->pitchCount };
        supPoseLeg( draft, posture, side == 1, supFootStep_At( &step, style->path, phase ) );
    }
}

static void supWomanWalk( const supDraft* draft, double phase, supPosture* posture )
{
    supGo( draft, &sup_walkStyle, phase, false, posture );
}

static void supWomanRun( const supDraft* draft, double phase, supPosture* posture )
{
    supGo( draft, &sup_runStyle, phase, true, posture );
}

static void supWomanTurn( const supDraft* draft, double phase, supPosture* posture )
{
    supGo( draft, &sup_turnStyle, phase, true, posture );
}

// A jump on the spot, in seconds: down, up and off the ground at 0.70, back on it at 1.20, down again, and settled
// at 2.00. Between 0.70 and 1.20 the hips are on the parabola of a free fall: 2.4525 m/s up at the start and down at
// the end.
#define SUP_JUMP_SECONDS 2.0
#define SUP_JUMP_OFF 0.70
#define SUP_JUMP_LAND 1.20
#define SUP_JUMP_SPEED 2.4525

static void supWomanJump( const supDraft* draft, double phase, supPosture* posture )
{
    double t = phase * SUP_JUMP_SECONDS;
    static const supEaseKey hips[] = { { 0.00, -0.020, 0.0 }, { 0.42, -0.280, 0.0 }, { 0.48, -0.285, 0.0 },
        { SUP_JUMP_OFF, 0.045, SUP_JUMP_SPEED }, { SUP_JUMP_LAND, 0.045, -SUP_JUMP_SPEED }, { 1.40, -0.270, 0.0 },
        { 1.74, 0.000, 0.0 }, { 1.92, -0.022, 0.0 }, { 2.00, -0.020, 0.0 } };
    static const supEaseKey back[] = { { 0.00, 0.000, 0.0 }, { 0.42, -0.090, 0.0 }, { 0.70, 0.000, 0.1 },
        { 0.90, 0.0, 0.0 }, { 1.20, -0.01, -0.1 }, { 1.40, -0.080, 0.0 }, { 1.80, 0.0, 0.0 } };
    static const supEaseKey bow[] = { { 0.00, 1.0, 0.0 }, { 0.44, 34.0, 0.0 }, { 0.70, -4.0, -60.0 },
        { 0.82, -7.0, 0.0 }, { 1.20, 8.0, 60.0 }, { 1.42, 30.0, 0.0 }, { 1.80, -1.0, 0.0 }, { 2.00, 1.0, 0.0 } };
    static const supEaseKey arms[] = { { 0.00, -2.0, 0.0 }, { 0.42, 58.0, 0.0 }, { 0.50, 56.0, -200.0 },
        { 0.74, -148.0, -200.0 }, { 0.86, -158.0, 0.0 }, { 1.20, -84.0, 260.0 }, { 1.46, 22.0, 0.0 },
        { 1.82, -6.0, 0.0 }, { 2.00, -2.0, 0.0 } };
    static const supEaseKey out[] = { { 0.00, 11.0, 0.0 }, { 0.50, 15.0, 0.0 }, { 0.86, 22.0, 0.0 },
        { 1.25, 34.0, 0.0 }, { 1.80, 11.0, 0.0 } };
    static const supEaseKey elbow[] = { { 0.00, 14.0, 0.0 }, { 0.42, 12.0, 0.0 }, { 0.60, 55.0, 0.0 },
        { 0.80, 16.0, 0.0 }, { 1.20, 40.0, 0.0 }, { 1.45, 48.0, 0.0 }, { 1.85, 14.0, 0.0 } };
    static const supEaseKey pitch[] = { { 0.00, 0.0, 0.0 }, { 0.44, 0.0, 0.0 }, { 0.60, 18.0, 250.0 },
        { 0.70, 58.0, 250.0 }, { 0.78, 68.0, 0.0 }, { 1.00, 36.0, -100.0 }, { 1.20, 26.0, -150.0 },
        { 1.28, 0.0, 0.0 } };
    static const supEaseKey tuck[] = { { 0.70, 0.0, 0.0 }, { 0.92, 0.085, 0.0 }, { 1.20, 0.0, 0.0 } };
    double rise = SUP_KEYS_AT( hips, t );
    if ( t > SUP_JUMP_OFF && t < SUP_JUMP_LAND )
    {
        double s = t - SUP_JUMP_OFF;
        rise = 0.045 + SUP_JUMP_SPEED * s - 0.5 * 9.81 * s * s;
    }
    double nod = SUP_KEYS_AT( bow, t );
    posture->shifts[sup_womanHips] = supV( 0.0, rise, SUP_KEYS_AT( back, t ) );
    supVec3d side = supV( 1.0, 0.0, 0.0 );
    posture->turns[sup_womanHips] = supTurnBy( side, 0.55 * nod );
    posture->turns[sup_womanSpine] = supTurnBy( side, 0.30 * nod );
    posture->turns[sup_womanChest] = supTurnBy( side, 0.25 * nod );
    posture->turns[sup_womanNeck] = supTurnBy( side, -0.35 * nod );
    posture->turns[sup_womanHead] = supTurnBy( side, -0.30 * nod );
    for ( int32_t i = 0; i < 2; ++i )
    {
        supPoseArm( draft, posture, i == 1, SUP_KEYS_AT( out, t ), SUP_KEYS_AT( arms, t ), SUP_KEYS_AT( elbow, t ) );
    }
    supPosture_Update( posture, draft, 0 );
    double inAir = t > SUP_JUMP_OFF && t < SUP_JUMP_LAND ? rise - 0.045 + SUP_KEYS_AT( tuck, t ) : 0.0;
    for ( int32_t i = 0; i < 2; ++i )
    {
        supFootfall fall = { supV( i == 0 ? 0.116 : -0.116, inAir, draft->joints[sup_womanToes].place.z ), 0.0,
            SUP_KEYS_AT( pitch, t ) };
        supPoseLeg( draft, posture, i == 1, fall );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Her body and skeleton.

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
