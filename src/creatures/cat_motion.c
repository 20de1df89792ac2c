// Supple: the cat's motions: run and jump.
// SPDX-License-Identifier: MIT

#include "creatures/cat.h"

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
void supCatRun( const supDraft* draft, double phase, supPosture* posture )
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

void supCatJump( const supDraft* draft, double phase, supPosture* posture )
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
