// Balls for tests: a character of nothing but spheres, whose volumes have closed forms.
#pragma once

#include "supple/character.h"

typedef struct supBall
{
    const char* name;
    supVec3 center;
    float radius;
    const char* joint; ///< that carries it: "root" (at the origin), "left", "right" (beside it along x); NULL: "root"
    bool skinned;      ///< else it hangs on the joint by itself
    bool open;         ///< some triangles are left out
    bool insideOut;
    bool flat; ///< pressed together along z
} supBall;

/// How far "left" (+x) and "right" stand from the root. Metres
#define SUP_BALLS_ASIDE 0.2f

/// Every ball has vertices of its own along twelve seams, and as much volume as the true sphere. Fails the test where
/// it cannot be made.
supCharacter* supMakeBalls( const supBall* balls, int32_t count );

/// 4/3 pi r^3.
double supBallVolume( double radius );
/// What two balls whose centres are `apart` have in common.
double supLensVolume( double a, double b, double apart );
