// A round bar of flesh for tests of baking, moved by functions of time: a formula for every clip, sampled into keys.
#pragma once

#include "supple/bake.h"

#define SUP_BAR_RINGS 9
#define SUP_BAR_SIDES 12
#define SUP_BAR_VERTICES ( SUP_BAR_RINGS * SUP_BAR_SIDES )
#define SUP_BAR_KEYS 2048
#define SUP_BAR_MOMENTS 16

/// Where a joint is at a time, relative to its parent: translation and rotation vector.
typedef void supBarMotion( double time, double translation[3], double rotation[3], const void* user );

/// Joints: "root" at the origin, "trunk" on it, "tip" 1 above "trunk". The bar has radius 0.25 and stands around the
/// trunk; its upper half passes over to "tip" where `blended`. Change the fields, then build.
typedef struct supBar
{
    double scale;      ///< of everything. 1
    double start, end; ///< of the clip. Seconds
    double fps;        ///< of its keys
    supInterpolation interpolation;
    const char* clipName;
    supBarMotion* root; ///< NULL: still
    supBarMotion* trunk;
    supBarMotion* tip;
    const void* user;
    bool blended;
    supElementDef element; ///< driver "trunk", end "tip"
    supVec3 gravity;

    supCharacter* character;
    supModel* model;
    float times[SUP_BAR_KEYS];
    float values[3][SUP_BAR_KEYS * 7];
} supBar;

void supInitBar( supBar* bar );
/// Fails the test with words where that fails.
void supBuildBar( supBar* bar );
void supFreeBar( supBar* bar );
/// A take of the clip, likewise.
supTake* supBarTake( const supBar* bar, supLoop loop, supEnds ends );

/// What a body shows that has walked the clip, of one second, for 20 cycles at 240 steps a second: at 1/16, 2/16, … 1
/// of the last, seen from where that began.
void supWalkBar( const supBar* bar, supVec3 out[SUP_BAR_MOMENTS][SUP_BAR_VERTICES] );
