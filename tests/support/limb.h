// A limb for tests: a tube around a bone along +Y, from y = 0 to its length, with joints "root", "bone" (at y = 0),
// "tip" (at its end).
#pragma once

#include "supple/body.h"

typedef struct supLimb
{
    supCharacter* character;
    supModel* model;
    supBody* body;
} supLimb;

typedef struct supLimbDef
{
    float scale;                   ///< of everything. Default 1: 1 m long, 0.1 m thick in the middle
    bool blended;                  ///< half of the skin near the ends hangs on "root" and "tip"
    const supElementDef* elements; ///< drivers and ends are the limb's own joints
    int32_t elementCount;
} supLimbDef;

#define SUP_LIMB_RINGS 33
#define SUP_LIMB_AROUND 24
#define SUP_LIMB_VERTICES ( SUP_LIMB_RINGS * SUP_LIMB_AROUND )

/// "bone" with all else default.
supElementDef supLimbElement( void );
/// Fails the test where something cannot be made.
supLimb supMakeLimb( supLimbDef def );
void supDropLimb( supLimb* limb );
/// Only the character.
supCharacter* supMakeLimbCharacter( float scale, bool blended );
/// Blended, with a rigid plate on "bone" that stands off its middle: x = 0.11, y from 0.45 to 0.55, z from -0.05 to
/// 0.05.
supCharacter* supMakeLimbWithPlate( void );

/// All three joints carried rigidly by `motion`.
void supPoseLimb( const supLimb* limb, supMat34 motion, supMat34 joints[3] );
/// A step with the limb carried by `motion` within a world that stands still; fails the test if it is refused.
void supStepLimb( const supLimb* limb, supMat34 motion, float dt );
supMat34 supMoved( float x, float y, float z );
