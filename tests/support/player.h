// A character with its automatic rig that plays clips on a stage of its own, live.
#pragma once

#include "support/found_flesh.h"

enum
{
    supMostElements = 64,
    supMostJoints = 256,
};

typedef struct supPlayer
{
    supBody* body;
    supPose* pose;
    int32_t elements;
} supPlayer;

supPlayer* supMakePlayer( const supFound* found );
void supDropPlayer( supPlayer* player );
/// A step to a moment of a clip, which is played in a loop. `time`: since the clip's start.
void supPlayAt( supPlayer* player, int32_t clip, double time, supMat34 world, double dt );
/// Elongations relative to the body: in model space, metres.
supVec3 supShownOf( const supPlayer* player, int32_t element );
/// The farthest that each element gets in smooth play of the clips.
void supFindReach( const supFound* found, double rate, float reach[supMostElements] );
/// How far two are apart, as the largest share of what the elements reach.
double supApart( const supPlayer* a, const supPlayer* b, const float reach[supMostElements] );
/// Where a body stands: `x` metres on, turned by `turn` radians about the vertical.
supMat34 supStand( double x, double turn );
