// Supple: vectors, rotations and affine maps in double precision, for pose chains, compiling and bakes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/scalar_math.h"

typedef struct supVec3d
{
    double x, y, z;
} supVec3d;

typedef struct supQuatd
{
    double x, y, z, w;
} supQuatd;

typedef struct supMat34d
{
    supVec3d x, y, z, t;
} supMat34d;

typedef struct supTransformd
{
    supVec3d translation;
    supQuatd rotation;
    supVec3d scale;
} supTransformd;

static const supMat34d supMat34d_identity = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 },
    { 0.0, 0.0, 0.0 } };

static inline supVec3d supAddD( supVec3d a, supVec3d b )
{
    return ( supVec3d ){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline supVec3d supSubD( supVec3d a, supVec3d b )
{
    return ( supVec3d ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline supVec3d supNegD( supVec3d a )
{
    return ( supVec3d ){ -a.x, -a.y, -a.z };
}

static inline supVec3d supScaleD( supVec3d a, double s )
{
    return ( supVec3d ){ a.x * s, a.y * s, a.z * s };
}

/// a + s b
static inline supVec3d supMulAddD( supVec3d a, double s, supVec3d b )
{
    return ( supVec3d ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a at t = 0, b at t = 1, both exactly
static inline supVec3d supLerpD( supVec3d a, supVec3d b, double t )
{
    return supMulAddD( supScaleD( a, 1.0 - t ), t, b );
}

static inline double supDotD( supVec3d a, supVec3d b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline supVec3d supCrossD( supVec3d a, supVec3d b )
{
    return ( supVec3d ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double supLengthD( supVec3d a )
{
    return supSqrt( supDotD( a, a ) );
}

/// Unit length; zero stays zero
static inline supVec3d supNormalizeD( supVec3d a )
{
    double length = supLengthD( a );
    return length > 0.0 ? supScaleD( a, 1.0 / length ) : a;
}

// ---------------------------------------------------------------------------------------------------------------
// Rotations

/// First b, then a
static inline supQuatd supMulQuatD( supQuatd a, supQuatd b )
{
    return ( supQuatd ){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline supQuatd supConjugateD( supQuatd q )
{
    return ( supQuatd ){ -q.x, -q.y, -q.z, q.w };
}

static inline double supDotQuatD( supQuatd a, supQuatd b )
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Unit length; zero becomes the identity
static inline supQuatd supNormalizeQuatD( supQuatd q )
{
    double length = supSqrt( supDotQuatD( q, q ) );
    if ( !( length > 0.0 ) )
    {
        return ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 };
    }
    double scale = 1.0 / length;
    return ( supQuatd ){ q.x * scale, q.y * scale, q.z * scale, q.w * scale };
}

/// v turned by a unit quaternion: v + 2w (q x v) + 2 q x (q x v)
static inline supVec3d supRotateD( supQuatd q, supVec3d v )
{
    supVec3d axis = { q.x, q.y, q.z };
    supVec3d twice = supScaleD( supCrossD( axis, v ), 2.0 );
    return supAddD( supMulAddD( v, q.w, twice ), supCrossD( axis, twice ) );
}

/// `axis` of unit length, angle in radians
SUP_API supQuatd supQuatFromAxisAngleD( supVec3d axis, double angle );
/// The rotation vector, axis times angle, the shorter way round: |result| <= pi
SUP_API supVec3d supRotationVectorD( supQuatd q );
/// The shorter way round; unit quaternions in, a unit quaternion out
SUP_API supQuatd supSlerpD( supQuatd a, supQuatd b, double t );
/// Of a matrix whose axes are orthonormal and right-handed
SUP_API supQuatd supQuatFromMatD( supMat34d m );
/// The rotation nearest to the linear part, in the sum of squares; also of mirrored and of flat matrices. w >= 0
SUP_API supQuatd supNearestRotationD( supMat34d m );

// ---------------------------------------------------------------------------------------------------------------
// Affine maps

/// Rotation, then scale of the axes: the columns are the images of the axes. For a quaternion that is not quite of unit
/// length this is not quite a rotation, as in every engine: normalise first.
static inline supMat34d supMatFromQuatD( supQuatd q )
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return ( supMat34d ){ { 1.0 - 2.0 * ( yy + zz ), 2.0 * ( xy + wz ), 2.0 * ( xz - wy ) },
        { 2.0 * ( xy - wz ), 1.0 - 2.0 * ( xx + zz ), 2.0 * ( yz + wx ) },
        { 2.0 * ( xz + wy ), 2.0 * ( yz - wx ), 1.0 - 2.0 * ( xx + yy ) }, { 0.0, 0.0, 0.0 } };
}

/// Scale, then rotation, then translation
static inline supMat34d supMatFromTransformD( supTransformd a )
{
    supMat34d m = supMatFromQuatD( a.rotation );
    return ( supMat34d ){ supScaleD( m.x, a.scale.x ), supScaleD( m.y, a.scale.y ), supScaleD( m.z, a.scale.z ),
        a.translation };
}

static inline supVec3d supTransformVectorD( supMat34d m, supVec3d v )
{
    return ( supVec3d ){ m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
        m.x.z * v.x + m.y.z * v.y + m.z.z * v.z };
}

static inline supVec3d supTransformPointD( supMat34d m, supVec3d p )
{
    return supAddD( supTransformVectorD( m, p ), m.t );
}

/// The linear part's transpose times v
static inline supVec3d supTransposeVectorD( supMat34d m, supVec3d v )
{
    return ( supVec3d ){ supDotD( m.x, v ), supDotD( m.y, v ), supDotD( m.z, v ) };
}

/// First b, then a
static inline supMat34d supMulMatD( supMat34d a, supMat34d b )
{
    return ( supMat34d ){ supTransformVectorD( a, b.x ), supTransformVectorD( a, b.y ), supTransformVectorD( a, b.z ),
        supTransformPointD( a, b.t ) };
}

/// Of the linear part; below zero where it mirrors
static inline double supDeterminantD( supMat34d m )
{
    return supDotD( m.x, supCrossD( m.y, m.z ) );
}

/// False, and the identity, where the linear part is singular or not finite
SUP_API bool supInvertMatD( supMat34d m, supMat34d* out );
