// Supple: vectors, rotations and affine maps by value, in single precision. See math_double.h for chains and bakes.
// SPDX-License-Identifier: MIT
//
// Sums are written from left to right and never contracted, so they have the same bits on every machine. What needs
// care (inverses, slerp, rotations from matrices) is worked out in double precision and rounded once.
#pragma once

#include "base/math_double.h"
#include "base/scalar_math.h"

static inline supVec3 supMakeVec3( float x, float y, float z )
{
    return ( supVec3 ){ x, y, z };
}

static inline supVec3 supAdd( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline supVec3 supSub( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline supVec3 supNeg( supVec3 a )
{
    return ( supVec3 ){ -a.x, -a.y, -a.z };
}

static inline supVec3 supScale( supVec3 a, float s )
{
    return ( supVec3 ){ a.x * s, a.y * s, a.z * s };
}

/// a + s b
static inline supVec3 supMulAdd( supVec3 a, float s, supVec3 b )
{
    return ( supVec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a at t = 0, b at t = 1, both exactly
static inline supVec3 supLerp( supVec3 a, supVec3 b, float t )
{
    return supMulAdd( supScale( a, 1.0f - t ), t, b );
}

static inline float supDot( supVec3 a, supVec3 b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline supVec3 supCross( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline float supLengthSquared( supVec3 a )
{
    return supDot( a, a );
}

static inline float supLength( supVec3 a )
{
    return supSqrtF( supDot( a, a ) );
}

static inline float supDistance( supVec3 a, supVec3 b )
{
    return supLength( supSub( a, b ) );
}

/// Unit length; zero stays zero. Good down to lengths of 1e-19 and up to 1e19.
static inline supVec3 supNormalize( supVec3 a )
{
    float length = supLength( a );
    return length > 0.0f ? supScale( a, 1.0f / length ) : a;
}

static inline supVec3 supMinVec3( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ supMinF( a.x, b.x ), supMinF( a.y, b.y ), supMinF( a.z, b.z ) };
}

static inline supVec3 supMaxVec3( supVec3 a, supVec3 b )
{
    return ( supVec3 ){ supMaxF( a.x, b.x ), supMaxF( a.y, b.y ), supMaxF( a.z, b.z ) };
}

static inline bool supIsFiniteVec3( supVec3 a )
{
    return supIsFinite( a.x ) && supIsFinite( a.y ) && supIsFinite( a.z );
}

// ---------------------------------------------------------------------------------------------------------------
// To double and back

static inline supVec3d supToDouble( supVec3 a )
{
    return ( supVec3d ){ a.x, a.y, a.z };
}

static inline supVec3 supToFloat( supVec3d a )
{
    return ( supVec3 ){ (float)a.x, (float)a.y, (float)a.z };
}

static inline supQuatd supQuatToDouble( supQuat q )
{
    return ( supQuatd ){ q.x, q.y, q.z, q.w };
}

static inline supQuat supQuatToFloat( supQuatd q )
{
    return ( supQuat ){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
}

static inline supMat34d supMatToDouble( supMat34 m )
{
    return ( supMat34d ){ supToDouble( m.x ), supToDouble( m.y ), supToDouble( m.z ), supToDouble( m.t ) };
}

static inline supMat34 supMatToFloat( supMat34d m )
{
    return ( supMat34 ){ supToFloat( m.x ), supToFloat( m.y ), supToFloat( m.z ), supToFloat( m.t ) };
}

static inline supTransformd supTransformToDouble( supTransform a )
{
    return ( supTransformd ){ supToDouble( a.translation ), supQuatToDouble( a.rotation ), supToDouble( a.scale ) };
}

// ---------------------------------------------------------------------------------------------------------------
// Rotations

/// First b, then a
static inline supQuat supMulQuat( supQuat a, supQuat b )
{
    return ( supQuat ){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline supQuat supConjugate( supQuat q )
{
    return ( supQuat ){ -q.x, -q.y, -q.z, q.w };
}

static inline float supDotQuat( supQuat a, supQuat b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Unit length; zero becomes the identity
static inline supQuat supNormalizeQuat( supQuat q )
{
    return supQuatToFloat( supNormalizeQuatD( supQuatToDouble( q ) ) );
}

/// v turned by a unit quaternion: v + 2w (q x v) + 2 q x (q x v)
static inline supVec3 supRotate( supQuat q, supVec3 v )
{
    supVec3 axis = { q.x, q.y, q.z };
    supVec3 twice = supScale( supCross( axis, v ), 2.0f );
    return supAdd( supMulAdd( v, q.w, twice ), supCross( axis, twice ) );
}

/// `axis` of unit length, angle in radians
static inline supQuat supQuatFromAxisAngle( supVec3 axis, float angle )
{
    return supQuatToFloat( supQuatFromAxisAngleD( supToDouble( axis ), angle ) );
}

/// The shorter way round
static inline supQuat supSlerp( supQuat a, supQuat b, float t )
{
    return supQuatToFloat( supSlerpD( supQuatToDouble( a ), supQuatToDouble( b ), t ) );
}

static inline supMat34 supMatFromQuat( supQuat q )
{
    return supMatToFloat( supMatFromQuatD( supQuatToDouble( q ) ) );
}

/// The rotation nearest to the linear part, in the sum of squares; also of mirrored and of flat matrices
static inline supQuat supNearestRotation( supMat34 m )
{
    return supQuatToFloat( supNearestRotationD( supMatToDouble( m ) ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Affine maps

static inline supVec3 supTransformVector( supMat34 m, supVec3 v )
{
    return ( supVec3 ){ m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
        m.x.z * v.x + m.y.z * v.y + m.z.z * v.z };
}

static inline supVec3 supTransformPoint( supMat34 m, supVec3 p )
{
    return supAdd( supTransformVector( m, p ), m.t );
}

/// The linear part's transpose times v
static inline supVec3 supTransposeVector( supMat34 m, supVec3 v )
{
    return ( supVec3 ){ supDot( m.x, v ), supDot( m.y, v ), supDot( m.z, v ) };
}

/// First b, then a
static inline supMat34 supMulMat( supMat34 a, supMat34 b )
{
    return ( supMat34 ){ supTransformVector( a, b.x ), supTransformVector( a, b.y ), supTransformVector( a, b.z ),
        supTransformPoint( a, b.t ) };
}

static inline supMat34 supMatFromTransform( supTransform a )
{
    return supMatToFloat( supMatFromTransformD( supTransformToDouble( a ) ) );
}

/// Of the linear part; below zero where it mirrors
static inline float supDeterminant( supMat34 m )
{
    return (float)supDeterminantD( supMatToDouble( m ) );
}

/// False, and the identity, where the linear part is singular or not finite
static inline bool supInvertMat( supMat34 m, supMat34* out )
{
    supMat34d inverse;
    bool good = supInvertMatD( supMatToDouble( m ), &inverse );
    *out = supMatToFloat( inverse );
    return good;
}
