// Vectors, rotations and affine maps against what they must do.
// SPDX-License-Identifier: MIT
#include "base/math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

static double supBetween( uint32_t* state, double lower, double upper )
{
    *state = *state * 1664525u + 1013904223u;
    return lower + ( upper - lower ) * ( *state >> 8 ) / 16777216.0;
}

static supVec3d supRandomVector( uint32_t* state )
{
    double x = supBetween( state, -1.0, 1.0 ), y = supBetween( state, -1.0, 1.0 );
    return ( supVec3d ){ x, y, supBetween( state, -1.0, 1.0 ) };
}

static supQuatd supRandomRotation( uint32_t* state )
{
    supVec3d v = supRandomVector( state );
    return supNormalizeQuatD( ( supQuatd ){ v.x, v.y, v.z, supBetween( state, -1.0, 1.0 ) } );
}

static void supAssertNear( supVec3d a, supVec3d b, double tolerance )
{
    if ( supLengthD( supSubD( a, b ) ) > tolerance )
    {
        fail_msg( "(%g, %g, %g) is not (%g, %g, %g)", a.x, a.y, a.z, b.x, b.y, b.z );
    }
}

static void supAssertSameTurn( supQuatd a, supQuatd b, double tolerance )
{
    double sign = supDotQuatD( a, b ) < 0.0 ? -1.0 : 1.0;
    supQuatd less = { a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z, a.w - sign * b.w };
    assert_true( supSqrt( supDotQuatD( less, less ) ) <= tolerance );
}

static void supTestVectors( void** state )
{
    (void)state;
    supVec3 x = { 1.0f, 0.0f, 0.0f }, y = { 0.0f, 1.0f, 0.0f }, z = { 0.0f, 0.0f, 1.0f };
    assert_true( supDistance( supCross( x, y ), z ) == 0.0f && supDistance( supCross( y, z ), x ) == 0.0f );
    supVec3 a = supMakeVec3( 3.0f, 4.0f, 12.0f );
    assert_true( supLength( a ) == 13.0f && supLengthSquared( a ) == 169.0f && supDot( a, y ) == 4.0f );
    assert_true( supAbs( supLength( supNormalize( a ) ) - 1.0 ) < 1e-7 );
    assert_true( supLength( supNormalize( supVec3_zero ) ) == 0.0f );
    assert_true( supDistance( supLerp( x, y, 0.0f ), x ) == 0.0f && supDistance( supLerp( x, y, 1.0f ), y ) == 0.0f );
    assert_true( supNeg( a ).x == -3.0f && supMulAdd( x, 2.0f, a ).x == 7.0f );
    assert_true( supMinVec3( a, x ).z == 0.0f && supMaxVec3( a, x ).z == 12.0f );
    assert_true( supIsFiniteVec3( a ) && !supIsFiniteVec3( supMakeVec3( 0.0f, NAN, 0.0f ) ) );
}

// Rodrigues' formula: v cos + (axis x v) sin + axis (axis . v)(1 - cos)
static void supTestAxisAngle( void** state )
{
    (void)state;
    uint32_t random = 1;
    for ( int i = 0; i < 1000; ++i )
    {
        supVec3d axis = supNormalizeD( supRandomVector( &random ) ), v = supRandomVector( &random );
        double angle = supBetween( &random, -7.0, 7.0 );
        supQuatd q = supQuatFromAxisAngleD( axis, angle );
        supVec3d want = supScaleD( v, cos( angle ) );
        want = supMulAddD( want, sin( angle ), supCrossD( axis, v ) );
        want = supMulAddD( want, supDotD( axis, v ) * ( 1.0 - cos( angle ) ), axis );
        supAssertNear( supRotateD( q, v ), want, 1e-14 );
        supAssertNear( supTransformVectorD( supMatFromQuatD( q ), v ), want, 1e-14 );
        supVec3 single = supRotate( supQuatFromAxisAngle( supToFloat( axis ), (float)angle ), supToFloat( v ) );
        supAssertNear( supToDouble( single ), want, 2e-6 );

        supVec3d vector = supRotationVectorD( q );
        assert_true( supLengthD( vector ) <= SUP_PI + 1e-12 );
        double length = supLengthD( vector );
        supQuatd back = supQuatFromAxisAngleD( length > 0.0 ? supScaleD( vector, 1.0 / length ) : axis, length );
        supAssertSameTurn( back, q, 1e-14 );
    }
    supVec3d still = supRotationVectorD( ( supQuatd ){ 0.0, 0.0, 0.0, 1.0 } );
    assert_true( supLengthD( still ) == 0.0 );
    supVec3d tiny = supRotationVectorD( ( supQuatd ){ 1e-200, 0.0, 0.0, -1.0 } );
    assert_true( tiny.x == -2e-200 );
}

static void supTestProducts( void** state )
{
    (void)state;
    uint32_t random = 2;
    for ( int i = 0; i < 1000; ++i )
    {
        supQuatd a = supRandomRotation( &random ), b = supRandomRotation( &random );
        supVec3d v = supRandomVector( &random );
        supAssertNear( supRotateD( supMulQuatD( a, b ), v ), supRotateD( a, supRotateD( b, v ) ), 1e-14 );
        supAssertNear( supRotateD( supConjugateD( a ), supRotateD( a, v ) ), v, 1e-14 );
        supQuat single = supMulQuat( supQuatToFloat( a ), supQuatToFloat( b ) );
        supAssertSameTurn( supQuatToDouble( single ), supMulQuatD( a, b ), 1e-6 );
        supAssertSameTurn( supQuatFromMatD( supMatFromQuatD( a ) ), a, 1e-14 );
    }
    // Half turns, where the trace is -1: each of the other three branches
    static const supQuatd halfTurns[] = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 },
        { 0.6, 0.8, 0.0, 0.0 }, { 0.0, 0.6, 0.8, 0.0 }, { 0.6, 0.0, 0.8, 0.0 } };
    for ( int i = 0; i < 6; ++i )
    {
        supAssertSameTurn( supQuatFromMatD( supMatFromQuatD( halfTurns[i] ) ), halfTurns[i], 1e-15 );
    }
    supQuat zero = { 0.0f, 0.0f, 0.0f, 0.0f };
    assert_true( supNormalizeQuat( zero ).w == 1.0f );
}

// Along the way from a to b the angle from a grows evenly.
static void supTestSlerp( void** state )
{
    (void)state;
    uint32_t random = 3;
    for ( int i = 0; i < 2000; ++i )
    {
        supQuatd a = supRandomRotation( &random );
        supVec3d axis = supNormalizeD( supRandomVector( &random ) );
        double angle = i % 3 == 0 ? 1e-9 * i : supBetween( &random, 0.0, SUP_PI - 1e-4 );
        double t = supBetween( &random, -0.2, 1.2 );
        supQuatd b = supMulQuatD( a, supQuatFromAxisAngleD( axis, angle ) );
        if ( i % 2 == 0 ) // the same turn, written the other way
        {
            b = ( supQuatd ){ -b.x, -b.y, -b.z, -b.w };
        }
        supQuatd want = supMulQuatD( a, supQuatFromAxisAngleD( axis, t * angle ) );
        supAssertSameTurn( supSlerpD( a, b, t ), want, 2e-15 );
        supAssertSameTurn( supSlerpD( a, b, 0.0 ), a, 2e-15 );
        supAssertSameTurn( supSlerpD( a, b, 1.0 ), b, 2e-15 );
        supQuat single = supSlerp( supQuatToFloat( a ), supQuatToFloat( b ), (float)t );
        assert_true( supAbs( supDotQuat( single, single ) - 1.0 ) < 1e-6 );
    }
    supQuatd same = { 0.0, 0.6, 0.0, 0.8 };
    supAssertSameTurn( supSlerpD( same, same, 0.3 ), same, 4e-16 );
}

static supMat34d supRandomMatrix( uint32_t* random )
{
    supVec3d x = supRandomVector( random ), y = supRandomVector( random ), z = supRandomVector( random );
    return ( supMat34d ){ x, y, z, supRandomVector( random ) };
}

static void supTestMatrices( void** state )
{
    (void)state;
    uint32_t random = 4;
    for ( int i = 0; i < 1000; ++i )
    {
        supMat34d a = supRandomMatrix( &random ), b = supRandomMatrix( &random ), inverse;
        supVec3d p = supRandomVector( &random );
        supAssertNear(
            supTransformPointD( supMulMatD( a, b ), p ), supTransformPointD( a, supTransformPointD( b, p ) ), 1e-14 );
        double determinant = supDeterminantD( a );
        assert_true( supAbs( supDeterminantD( supMulMatD( a, b ) ) - determinant * supDeterminantD( b ) ) < 1e-13 );
        assert_true( supInvertMatD( a, &inverse ) );
        supAssertNear( supTransformPointD( inverse, supTransformPointD( a, p ) ), p, 1e-14 / supAbs( determinant ) );
        // (M^T u) . v = u . (M v)
        double left = supDotD( supTransposeVectorD( a, b.x ), p ), right = supDotD( b.x, supTransformVectorD( a, p ) );
        assert_true( supAbs( left - right ) < 1e-14 );

        supMat34 single = supMatToFloat( a ), singleInverse;
        supVec3 point = supToFloat( p );
        supAssertNear( supToDouble( supTransformPoint( single, point ) ), supTransformPointD( a, p ), 1e-6 );
        supMat34 product = supMulMat( single, supMatToFloat( b ) );
        supAssertNear( supToDouble( product.t ), supMulMatD( a, b ).t, 1e-6 );
        supAssertNear( supToDouble( supTransposeVector( single, point ) ), supTransposeVectorD( a, p ), 1e-6 );
        assert_true( supInvertMat( single, &singleInverse ) );
    }
    supMat34d flat = { { 1.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 5.0, 5.0, 5.0 } }, out;
    assert_false( supInvertMatD( flat, &out ) );
    assert_memory_equal( &out, &supMat34d_identity, sizeof( out ) );
    flat.y.y = NAN;
    assert_false( supInvertMatD( flat, &out ) );
    supMat34 tiny = { { 1e-10f, 0.0f, 0.0f }, { 0.0f, 1e-10f, 0.0f }, { 0.0f, 0.0f, 1e-10f }, { 1.0f, 0.0f, 0.0f } };
    supMat34 large;
    assert_true( supInvertMat( tiny, &large ) ); // in single precision its determinant is not even a number of 1e-30
    assert_true( supAbs( large.x.x / 1e10 - 1.0 ) < 1e-6 && supAbs( large.t.x / -1e10 - 1.0 ) < 1e-6 );
}

// Scale, then rotation, then translation
static void supTestTransforms( void** state )
{
    (void)state;
    uint32_t random = 5;
    for ( int i = 0; i < 100; ++i )
    {
        supTransformd a = { supRandomVector( &random ), supRandomRotation( &random ), supRandomVector( &random ) };
        supVec3d p = supRandomVector( &random );
        supVec3d scaled = { p.x * a.scale.x, p.y * a.scale.y, p.z * a.scale.z };
        supVec3d want = supAddD( supRotateD( a.rotation, scaled ), a.translation );
        supAssertNear( supTransformPointD( supMatFromTransformD( a ), p ), want, 1e-14 );
        supTransform single = { supToFloat( a.translation ), supQuatToFloat( a.rotation ), supToFloat( a.scale ) };
        supAssertNear( supToDouble( supTransformPoint( supMatFromTransform( single ), supToFloat( p ) ) ), want, 1e-6 );
        assert_true( supDeterminant( supMatFromTransform( single ) ) * a.scale.x * a.scale.y * a.scale.z >= 0.0 );
    }
}

static double supTraceWith( supMat34d m, supQuatd q )
{
    supMat34d r = supMatFromQuatD( q );
    return supDotD( m.x, r.x ) + supDotD( m.y, r.y ) + supDotD( m.z, r.z );
}

static void supTestNearestRotation( void** state )
{
    (void)state;
    uint32_t random = 6;
    for ( int i = 0; i < 1000; ++i )
    {
        // R S with S symmetric and positive: the nearest rotation is R.
        supQuatd q = supRandomRotation( &random ), axes = supRandomRotation( &random );
        supTransformd stretch = { { 0.0, 0.0, 0.0 }, axes,
            { supBetween( &random, 0.1, 3.0 ), supBetween( &random, 0.1, 3.0 ), supBetween( &random, 0.1, 3.0 ) } };
        supMat34d s = supMulMatD( supMatFromTransformD( stretch ), supMatFromQuatD( supConjugateD( axes ) ) );
        supAssertSameTurn( supNearestRotationD( supMulMatD( supMatFromQuatD( q ), s ) ), q, 1e-13 );

        // Any matrix, mirrored and nearly flat ones too: no small turn away from it is nearer.
        supMat34d m = supRandomMatrix( &random );
        if ( i % 5 == 0 )
        {
            m.z = supAddD( m.x, m.y );
        }
        supQuatd best = supNearestRotationD( m );
        assert_true( supAbs( supDotQuatD( best, best ) - 1.0 ) < 1e-14 && best.w >= 0.0 );
        double trace = supTraceWith( m, best );
        for ( int k = 0; k < 20; ++k )
        {
            supVec3d axis = supNormalizeD( supRandomVector( &random ) );
            double angle = k < 10 ? 1e-3 : supBetween( &random, 0.0, SUP_PI );
            assert_true(
                supTraceWith( m, supMulQuatD( supQuatFromAxisAngleD( axis, angle ), best ) ) <= trace + 1e-13 );
        }
    }
    supMat34d zero = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    assert_true( supNearestRotationD( zero ).w == 1.0 );
    zero.x.x = INFINITY;
    assert_true( supNearestRotationD( zero ).w == 1.0 );
    assert_true( supNearestRotation( supMat34_identity ).w == 1.0f );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestVectors ),
        cmocka_unit_test( supTestAxisAngle ),
        cmocka_unit_test( supTestProducts ),
        cmocka_unit_test( supTestSlerp ),
        cmocka_unit_test( supTestMatrices ),
        cmocka_unit_test( supTestTransforms ),
        cmocka_unit_test( supTestNearestRotation ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
