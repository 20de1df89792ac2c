// Supple: small words for making characters from formulas.
// SPDX-License-Identifier: MIT
//
// Shapes and motions are worked out in doubles with base's own functions and rounded to floats once, at the end: a
// character has the same bytes on every machine. +X is the character's left, +Y up, +Z ahead.
#pragma once

#include "base/math_double.h"

static const supQuatd supQuatd_identity = { 0.0, 0.0, 0.0, 1.0 };

static inline supVec3d supV( double x, double y, double z )
{
    return ( supVec3d ){ x, y, z };
}

/// The mirror image in the plane x = 0.
static inline supVec3d supMirrorD( supVec3d a )
{
    return supV( -a.x, a.y, a.z );
}

static inline double supMix( double a, double b, double t )
{
    return a + t * ( b - a );
}

/// 0 below `from`, 1 above `to`, with level ends: 3 t^2 - 2 t^3.
static inline double supRamp( double from, double to, double x )
{
    double t = supClamp( ( x - from ) / ( to - from ), 0.0, 1.0 );
    return t * t * ( 3.0 - 2.0 * t );
}

/// sin( 2 pi t ), cos( 2 pi t ); exactly periodic.
static inline double supSinTurns( double turns )
{
    return supSin( 2.0 * SUP_PI * ( turns - supFloor( turns ) ) );
}

static inline double supCosTurns( double turns )
{
    return supCos( 2.0 * SUP_PI * ( turns - supFloor( turns ) ) );
}

/// sin( a / 2 ) for the angle a of (x, z) from straight ahead: 0 in front, 1 behind. A way round that needs no
/// arctangent.
static inline double supWayRound( double x, double z )
{
    double across = supSqrt( x * x + z * z );
    return across > 0.0 ? supSqrt( supMax( 0.5 - 0.5 * z / across, 0.0 ) ) : 0.0;
}

/// About an axis of unit length, by degrees: what animators think in.
supQuatd supTurnBy( supVec3d axis, double degrees );
/// First about z, then x, then y (tilt, nod, heading), in degrees.
supQuatd supTurnByAngles( double x, double y, double z );
/// The turn that carries `fromAlong` to `toAlong`, and the side of it that faces `fromFacing` to `toFacing`.
supQuatd supFrameTurn( supVec3d fromAlong, supVec3d fromFacing, supVec3d toAlong, supVec3d toFacing );
