// A knee for tests: a closed tube on three joints along +Y, and how it ought to look when it is bent.
#pragma once

#include "supple/body.h"

enum
{
    supKneeAround = 48,
    supKneeRings = 161,
    supKneeVertices = supKneeAround * supKneeRings + 2
};

#define SUP_KNEE_RADIUS 0.2
/// What lies between thigh and shin hangs on both: this much, around y = 1.
#define SUP_KNEE_LENGTH 0.8

/// Joints "thigh" at y = 0, "shin" at 1, "foot" at 2; mesh "Leg" from -0.2 to 2.2. Clip "bend" turns the shin about x
/// from 0 to 150 degrees in 1.5 s. Morph target "knee90" is supBentKnee at 90 degrees, taken back to rest.
supCharacter* supMakeKnee( void );
/// The joints with the shin turned about x, and about its own length first.
void supPoseKnee( const supCharacter* character, double bend, double twist, supMat34 joints[3] );
/// Sections where linear skin has their middle, round, and swollen so that the volume is that of the straight leg.
/// Radians.
void supBentKnee( double bend, supVec3 places[supKneeVertices] );
double supKneeVolume( const supVec3 places[supKneeVertices] );
/// Of the straight leg, between thigh and shin alone.
double supKneeRegion( void );
