// Supple: the horse's gallop.
// SPDX-License-Identifier: MIT

#include "creatures/horse.h"

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
void supHorseGallop( const supDraft* draft, double phase, supPosture* posture )
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
