// Supple: what motions are made of: eased keys, legs that reach for the ground, paths and footfalls.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/draft.h"
#include "supple/character.h"

/// A value at a time, and how fast it changes there.
typedef struct supEaseKey
{
    double time, value, slope;
} supEaseKey;

/// The cubic curve through the keys; held before the first and after the last.
double supEase_At( const supEaseKey* keys, int32_t count, double time );
#define SUP_KEYS_AT( keys, time ) supEase_At( keys, (int32_t)( sizeof( keys ) / sizeof( ( keys )[0] ) ), time )

/// The turn's mirror image in the plane x = 0.
static inline supQuatd supMirrorTurn( supQuatd q )
{
    return ( supQuatd ){ q.x, -q.y, -q.z, q.w };
}

/// Two bones and an end: thigh, shin and foot, or upper arm, forearm and paw. Indices of joints, each the parent of the
/// next.
typedef struct supLimb
{
    int32_t upper, lower, end;
    bool behind; ///< the middle joint goes out behind, as an elbow, instead of ahead, as a knee
} supLimb;

/// Turns the limb's joints so that its end stands at `place` and faces `facing` (both in the character). Where `place`
/// is out of reach the limb is stretched towards it. `side`: the axis about which it bends, towards the left. The
/// posture must be up to date to the limb; it is so beyond it afterwards.
void supReachLimb(
    const supDraft* draft, supPosture* posture, const supLimb* limb, supVec3d place, supQuatd facing, supVec3d side );

/// Where a walker is: a place on the ground and a heading.
typedef struct supStand
{
    supVec3d place;
    double heading; ///< degrees, leftwards
} supStand;

/// A path of constant speed and turn, one cycle long for each 1 of phase.
typedef struct supRoute
{
    double stride; ///< metres a cycle
    double turn;   ///< degrees a cycle
} supRoute;

supStand supRoute_At( supRoute path, double phase );

/// How a foot goes. Phases are shares of the cycle, from the moment when it comes down.
typedef struct supFootStep
{
    double down;             ///< phase at which it comes down
    double stance;           ///< share of the cycle for which it stays down
    double lift;             ///< height of its arc. Metres
    double ahead;            ///< how far ahead of the hip's middle the stance is centred. Metres
    double lateral;          ///< of its track from the middle, at rest. Metres
    const supEaseKey* pitch; ///< degrees, heel up positive, over the phase since it came down
    int32_t pitchCount;
} supFootStep;

/// A foot's place at a phase, in the walker's frame: the ball's ground point and its heading and pitch.
typedef struct supFootfall
{
    supVec3d place;
    double heading, pitch; ///< degrees
} supFootfall;

supFootfall supFootStep_At( const supFootStep* step, supRoute path, double phase );

/// Where the ankle goes, for a foot that rolls over its heel or its ball. `ankle`, `heel` and `ball`: at
/// rest.
supVec3d supRollFoot( supFootfall fall, supVec3d ankle, supVec3d heel, supVec3d ball, supQuatd* facing );

// ---------------------------------------------------------------------------------------------------------------
// From motion formulas to keys.

/// All clips of a draft as definitions, with everything they point to.
typedef struct supClipSheet
{
    int32_t clipCount;
    supClipDef* clips;
    void* block;
    size_t blockSize;
    supAllocator allocator;
} supClipSheet;

/// Tracks only for joints that move.
supResult supCreateClipSheet(
    const supDraft* draft, const supAllocator* allocator, supClipSheet* out, supError* error );
void supClipSheet_Destroy( supClipSheet* sheet );
