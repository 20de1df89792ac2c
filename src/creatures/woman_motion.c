// Supple: the woman's motions: walk, run, turn, jump.
// SPDX-License-Identifier: MIT
//
// Walking and running are one formula with different numbers: footfalls on the ground, the pelvis over them, the trunk
// turning against it, arms against the legs. Left is worked out, right is its mirror image half a cycle later.

#include "creatures/gait.h"
#include "creatures/woman.h"

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

void supWomanWalk( const supDraft* draft, double phase, supPosture* posture )
{
    supGo( draft, &sup_walkStyle, phase, false, posture );
}

void supWomanRun( const supDraft* draft, double phase, supPosture* posture )
{
    supGo( draft, &sup_runStyle, phase, true, posture );
}

void supWomanTurn( const supDraft* draft, double phase, supPosture* posture )
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

void supWomanJump( const supDraft* draft, double phase, supPosture* posture )
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
