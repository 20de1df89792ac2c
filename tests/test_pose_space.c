// From rotations to shares of examples: against splines in one dimension, and what must hold in any.

#include "layers/correctives/correctives.h"
#include "solve/dense.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char* const sup_names[] = { "first", "second", "third", "fourth", "fifth", "sixth" };

typedef struct supSpaceCase
{
    supPoseSpace space;
    void* block;
} supSpaceCase;

static supResult supTryPoseSpace(
    supSpaceCase* made, int32_t joints, int32_t examples, const double* features, supError* error )
{
    made->block = malloc( supPoseSpace_MemorySize( joints, examples ) );
    return supInitPoseSpace( &made->space, made->block, joints, examples, features, sup_names, NULL, error );
}

/// A turn by `swing` radians about a slanted axis across y, after a twist about y.
static void supFeaturesOf( double swing, double slant, double twist, double features[supPoseFeatures] )
{
    supQuatd bend = supQuatFromAxisAngleD( ( supVec3d ){ cos( slant ), 0.0, sin( slant ) }, swing );
    supQuatd roll = supQuatFromAxisAngleD( ( supVec3d ){ 0.0, 1.0, 0.0 }, twist );
    supSwingAndTwist( supMulQuatD( bend, roll ), ( supVec3d ){ 0.0, 1.0, 0.0 }, features );
}

static void supTestSwingAndTwist( void** state )
{
    (void)state;
    for ( int i = -20; i <= 20; ++i )
    {
        double swing = 0.14 * i, slant = 0.3 * i, twist = 0.15 * ( 20 - i ) - 2.9, features[supPoseFeatures];
        supFeaturesOf( swing, slant, twist, features );
        assert_true( fabs( features[0] - swing * cos( slant ) ) < 1e-9 );
        assert_true( fabs( features[1] ) < 1e-9 );
        assert_true( fabs( features[2] - swing * sin( slant ) ) < 1e-9 );
        assert_true( fabs( features[3] - twist ) < 1e-9 );
    }
}

/// One example: a straight line through rest and on past it, nothing the other way, nothing from what it does not have.
static void supTestOneExample( void** state )
{
    (void)state;
    double at[supPoseFeatures], features[supPoseFeatures], share;
    supFeaturesOf( 1.5, 0.4, 0.0, at );
    supSpaceCase made;
    assert_int_equal( supTryPoseSpace( &made, 1, 1, at, NULL ), sup_success );
    assert_int_equal( made.space.span, 1 );
    for ( int i = -30; i <= 60; ++i )
    {
        double part = i / 30.0;
        supFeaturesOf( 1.5 * part, 0.4, 0.8 * part, features );
        supPoseSpace_Shares( &made.space, features, &share );
        assert_true( fabs( share - supShareOf( part ) ) < 1e-9 );
        assert_true( part > 0.0 || share == 0.0 );
        assert_true( fabs( share - fmax( part, 0.0 ) ) < 0.1 );
    }
    supPoseSpace_Shares( &made.space, at, &share );
    assert_true( fabs( share - 1.0 ) < 1e-12 );
    free( made.block );
}

/// The natural cubic spline through (0, 0), (1, 0), (2, 1), (3, 0), by hand: its slopes' equations solved at 1 and 2.
static double supNaturalSpline( double x )
{
    const double y[4] = { 0.0, 0.0, 1.0, 0.0 };
    // second derivatives m: m0 = m3 = 0; m0 + 4 m1 + m2 = 6 (y0 - 2 y1 + y2) = 6; m1 + 4 m2 + m3 = 6 (y1 - 2 y2 + y3) =
    // -12
    const double m[4] = { 0.0, 2.4, -3.6, 0.0 };
    int k = x < 1.0 ? 0 : x < 2.0 ? 1 : 2;
    double a = k + 1 - x, b = x - k;
    return m[k] * a * a * a / 6.0 + m[k + 1] * b * b * b / 6.0 + ( y[k] - m[k] / 6.0 ) * a +
           ( y[k + 1] - m[k + 1] / 6.0 ) * b;
}

static void supTestSpline( void** state )
{
    (void)state;
    double features[3 * supPoseFeatures];
    for ( int e = 0; e < 3; ++e )
    {
        supFeaturesOf( e + 1.0, 0.0, 0.0, features + e * supPoseFeatures );
    }
    supSpaceCase made;
    assert_int_equal( supTryPoseSpace( &made, 1, 3, features, NULL ), sup_success );
    for ( int i = 0; i <= 30; ++i )
    {
        double at[supPoseFeatures], shares[3];
        supFeaturesOf( i * 0.1, 0.0, 0.0, at );
        supPoseSpace_Shares( &made.space, at, shares );
        assert_true( fabs( shares[1] - supShareOf( supNaturalSpline( i * 0.1 ) ) ) < 1e-9 );
    }
    free( made.block );
}

/// Two joints, six examples: each is itself at its own pose and nothing at the others'; and a walk through the space
/// has no jump, of place or of speed.
static void supTestManyExamples( void** state )
{
    (void)state;
    enum
    {
        examples = 6,
        width = 2 * supPoseFeatures
    };
    double features[examples * width];
    supTestRandom random = { 11 };
    for ( int e = 0; e < examples; ++e )
    {
        for ( int j = 0; j < 2; ++j )
        {
            supFeaturesOf( supTestRandom_Float( &random, 0.2f, 1.8f ), supTestRandom_Float( &random, -1.0f, 1.0f ),
                supTestRandom_Float( &random, -1.0f, 1.0f ), features + e * width + j * supPoseFeatures );
        }
    }
    supSpaceCase made;
    assert_int_equal( supTryPoseSpace( &made, 2, examples, features, NULL ), sup_success );
    double shares[examples], rest[width] = { 0 };
    supPoseSpace_Shares( &made.space, rest, shares );
    for ( int e = 0; e < examples; ++e )
    {
        assert_true( fabs( shares[e] ) < 1e-9 );
    }
    for ( int e = 0; e < examples; ++e )
    {
        supPoseSpace_Shares( &made.space, features + e * width, shares );
        for ( int k = 0; k < examples; ++k )
        {
            assert_true( fabs( shares[k] - ( k == e ? 1.0 : 0.0 ) ) < 1e-9 );
        }
    }
    double bends[2] = { 0.0, 0.0 }; // largest second differences at two step sizes: a quarter at half the step
    for ( int pass = 0; pass < 2; ++pass )
    {
        int steps = pass == 0 ? 2000 : 4000;
        double past[2][examples] = { { 0.0 } };
        for ( int i = 0; i <= steps; ++i )
        {
            double at[width], t = 2.0 * i / steps;
            for ( int k = 0; k < width; ++k )
            {
                at[k] = features[k] + ( features[3 * width + k] - features[k] ) * ( t - 0.5 );
            }
            supPoseSpace_Shares( &made.space, at, shares );
            for ( int e = 0; e < examples; ++e )
            {
                double bend = fabs( shares[e] - 2.0 * past[0][e] + past[1][e] );
                bends[pass] = i >= 2 ? fmax( bends[pass], bend ) : bends[pass];
                past[1][e] = past[0][e];
                past[0][e] = shares[e];
            }
        }
    }
    print_message( "largest second differences %.3g and %.3g at half the step\n", bends[0], bends[1] );
    assert_true( bends[1] < 0.35 * bends[0] );
    free( made.block );
}

static void supTestPoseRefusals( void** state )
{
    (void)state;
    double features[2 * supPoseFeatures];
    supError error;
    supSpaceCase made;
    supFeaturesOf( 1.0, 0.0, 0.0, features );
    supFeaturesOf( 1.0, 0.0, 0.0, features + supPoseFeatures );
    assert_int_equal( supTryPoseSpace( &made, 1, 2, features, &error ), sup_errorArgument );
    assert_string_equal( error.text, "examples \"first\" and \"second\" are at one pose; keep one of them" );
    free( made.block );
    supFeaturesOf( 0.0, 0.0, 0.0, features + supPoseFeatures );
    assert_int_equal( supTryPoseSpace( &made, 1, 2, features, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "example \"second\": its pose is the rest pose" ) );
    free( made.block );
    features[2] = NAN;
    assert_int_equal( supTryPoseSpace( &made, 1, 2, features, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "example \"first\": its pose is not finite" ) );
    free( made.block );
}

static void supTestElimination( void** state )
{
    (void)state;
    enum
    {
        n = 30
    };
    static double a[n * n], kept[n * n], b[n * 2], truth[n * 2];
    supTestRandom random = { 5 };
    for ( int i = 0; i < n * n; ++i )
    {
        a[i] = kept[i] = i % ( n + 1 ) == 0 ? 0.0 : supTestRandom_Float( &random, -1.0f, 1.0f );
    }
    for ( int i = 0; i < n * 2; ++i )
    {
        truth[i] = supTestRandom_Float( &random, -1.0f, 1.0f );
    }
    for ( int r = 0; r < n; ++r )
    {
        for ( int k = 0; k < 2; ++k )
        {
            b[r * 2 + k] = 0.0;
            for ( int c = 0; c < n; ++c )
            {
                b[r * 2 + k] += a[r * n + c] * truth[c * 2 + k];
            }
        }
    }
    assert_true( supEliminate( n, 2, a, b, 1e-12 ) );
    for ( int i = 0; i < n * 2; ++i )
    {
        assert_true( fabs( b[i] - truth[i] ) < 1e-10 );
    }
    memcpy( kept, kept + n, sizeof( double ) * n ); // two rows alike
    assert_false( supEliminate( n, 2, kept, b, 1e-12 ) );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestElimination ),
        cmocka_unit_test( supTestSwingAndTwist ),
        cmocka_unit_test( supTestOneExample ),
        cmocka_unit_test( supTestSpline ),
        cmocka_unit_test( supTestManyExamples ),
        cmocka_unit_test( supTestPoseRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
