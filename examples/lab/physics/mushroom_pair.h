// The mushroom twice: as one flesh element and as a body of masses and springs, moved alike.
// SPDX-License-Identifier: MIT
//
// Larboulette, Cani, Arnaldi, "Dynamic skinning", 2005, section 6.1. The single spring is calibrated once, on the free
// decay after a sideways release: its stiffness and damping, and how much of the motion it feels.
#pragma once

#include "reference_body.h"
#include "supple/body.h"
#include "supple/creatures.h"

enum
{
    supRate = 240, // frames a second of both
    supMostJoints = 8,
    supMostFrames = 3 * supRate + 1,
};

/// Both mushrooms.
typedef struct supPair
{
    supCreature* creature;
    const supCharacter* character;
    supRig* rig;
    supModel* model;
    supBody* body;
    supReference reference;
    double young;  // of the reference, Pa
    double stable; // largest step of the reference, s
    double step;   // the one that is used, s
    supElementView element;
    double frequency, dampingRatio, amount; // as calibrated
    double stiffness, damping;              // the same: N/m, N s/m
} supPair;

/// What one of them did, frame by frame: the displacement of its skin, projected on the element's weights.
typedef struct supTrace
{
    int count;
    double u[supMostFrames][3];
} supTrace;

/// A motion of the bone: seconds to a rigid motion.
typedef void supMotion( double t, supBoneMotion* out );

static const supBoneMotion supStill = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };
/// Those of figure 9. N/kg
static const double supGravities[3] = { 16.3, 36.4, 63.4 };

// Motions of the bone.
void supHold( double t, supBoneMotion* out );   // none
void supSwing( double t, supBoneMotion* out );  // sideways, two swings, held at the end of the second
void supStop( double t, supBoneMotion* out );   // sideways, away at a steady pace, and stopped at 1 s
void supBounce( double t, supBoneMotion* out ); // up and down as in the swing

/// Not calibrated yet. 0: it went well.
int supMakePair( supPair* pair );
void supDropPair( supPair* pair );
/// Fits the spring to the reference's free decay along an axis. 0: it went well.
int supCalibrate( supPair* pair, int axis );

/// The reference through a motion, from the state that it is in. `step`: s.
void supRunReference(
    supPair* pair, supMotion* motion, const double gravity[3], double seconds, double step, supTrace* out );
/// The joints of ours, carried by the bone's motion.
void supMoveJoints( const supPair* pair, const supBoneMotion* at, supMat34* joints );
/// Ours through a motion, from rest.
void supRunOurs( supPair* pair, supMotion* motion, double seconds, supTrace* out );
/// Lets the reference settle under a gravity; gives the elongation along an axis.
double supSettle( supPair* pair, const double gravity[3], int axis );
/// The same for ours, which is left so: where its spring is, before the limit.
double supSettleOurs( supPair* pair, const double gravity[3], int axis );

/// What is compared, of the swings along one axis from a time on.
typedef struct supSwingFigures
{
    double frequency; // Hz, from the crossings of zero
    double first;     // largest elongation, m
    double settling;  // seconds until the line through its peaks falls below a tenth of that
    double aside;     // degrees between the axis and the elongation, at the worst of the peaks before
} supSwingFigures;

supSwingFigures supMeasure( const supTrace* trace, int axis, double from );
