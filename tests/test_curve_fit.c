// Trigonometric curves and wires, against what is known: given series, sums, and a fine numerical integration.
#include "base/math_double.h"
#include "supple/lab/curves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double supNoise( uint32_t* seed )
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)( *seed >> 8 ) / 8388608.0 - 1.0;
}

/// A series comes back from its own values, with as few points as there are coefficients and with many.
static void supTestSeriesComesBack( void** state )
{
    (void)state;
    for ( int open = 0; open < 2; ++open )
    {
        int32_t terms = 15, count = supCurveCoefficientCount( open, terms );
        double truth[3 * 31], found[3 * 31], points[3 * 101];
        uint32_t seed = 7;
        for ( int32_t i = 0; i < 3 * count; ++i )
        {
            truth[i] = supNoise( &seed );
        }
        int32_t sizes[2] = { count, 101 };
        for ( int32_t s = 0; s < 2; ++s )
        {
            for ( int32_t i = 0; i < sizes[s]; ++i )
            {
                double v = (double)i / ( open ? sizes[s] - 1 : sizes[s] );
                supCurve_At( open, terms, truth, v, points + 3 * i, NULL );
            }
            supCurveFitDef def = { .open = open, .terms = terms, .pointCount = sizes[s], .points = points };
            supCurveFit fit;
            assert_int_equal( supFitCurve( &def, found, &fit, NULL ), sup_success );
            assert_true( fit.maxError < 1e-12 );
            for ( int32_t i = 0; i < 3 * count; ++i )
            {
                assert_true( fabs( found[i] - truth[i] ) < 1e-12 );
            }
        }
    }
}

/// Uneven points too, where they can fix the terms; and the transform is the least-squares answer.
static void supTestUnevenPoints( void** state )
{
    (void)state;
    int32_t terms = 4;
    double truth[27], found[27], points[3 * 40], parameters[40];
    uint32_t seed = 3;
    for ( int32_t i = 0; i < 27; ++i )
    {
        truth[i] = supNoise( &seed );
    }
    for ( int32_t i = 0; i < 40; ++i )
    {
        parameters[i] = ( i + 0.45 * supNoise( &seed ) + 0.5 ) / 40.0;
        supCurve_At( false, terms, truth, parameters[i], points + 3 * i, NULL );
    }
    supCurveFitDef def = { .terms = terms, .pointCount = 40, .points = points, .parameters = parameters };
    assert_int_equal( supFitCurve( &def, found, NULL, NULL ), sup_success );
    for ( int32_t i = 0; i < 27; ++i )
    {
        assert_true( fabs( found[i] - truth[i] ) < 1e-9 );
    }
    // More harmonics in the points than are fitted: equal steps by transform and by solving agree.
    double equal[40];
    for ( int32_t i = 0; i < 40; ++i )
    {
        equal[i] = i / 40.0;
        points[3 * i] = supNoise( &seed );
    }
    double solved[27];
    def.parameters = equal;
    assert_int_equal( supFitCurve( &def, solved, NULL, NULL ), sup_success );
    def.parameters = NULL;
    assert_int_equal( supFitCurve( &def, found, NULL, NULL ), sup_success );
    for ( int32_t i = 0; i < 27; ++i )
    {
        assert_true( fabs( found[i] - solved[i] ) < 1e-10 );
    }
}

/// The paper's remedy for open curves (its series with both ends put in) cannot work: the series has period 1. Ours
/// meets both ends exactly, and the inside closely.
static void supTestOpenEnds( void** state )
{
    (void)state;
    double points[3 * 60], closed[3 * 21], open[3 * 22];
    for ( int32_t i = 0; i < 60; ++i )
    {
        double s = i / 59.0;
        points[3 * i] = s;
        points[3 * i + 1] = sin( 2.0 * s ) * s;
        points[3 * i + 2] = exp( s ) - 1.0;
    }
    supCurveFitDef def = { .terms = 10, .pointCount = 60, .points = points };
    supCurveFit periodic, chord;
    assert_int_equal( supFitCurve( &def, closed, &periodic, NULL ), sup_success );
    def.open = true;
    def.terms = 20;
    assert_int_equal( supFitCurve( &def, open, &chord, NULL ), sup_success );
    assert_true( periodic.maxError > 0.3 ); // half the gap between the ends, at least
    assert_true( chord.maxError < 2e-3 );
    double end[3];
    supCurve_At( true, 20, open, 1.0, end, NULL );
    assert_true( fabs( end[2] - points[3 * 59 + 2] ) < 1e-12 );
    supCurve_At( true, 20, open, 0.0, end, NULL );
    assert_true( fabs( end[0] ) < 1e-15 );
}

/// An ellipse is found as one; of a rounded square the ellipse is a poor likeness and ten terms a good one.
static void supTestEllipse( void** state )
{
    (void)state;
    double ring[3 * 200], square[3 * 200], even[3 * 200], ellipse[9], series[3 * 21];
    for ( int32_t i = 0; i < 200; ++i )
    {
        double a = 2.0 * SUP_PI * i / 200.0, c = cos( a ), s = sin( a );
        double r = 1.0 / pow( pow( c, 4.0 ) + pow( s, 4.0 ), 0.25 );
        double one[3] = { 0.3 + 2.0 * c, 1.0 + 0.7 * s, 0.5 * s + 0.2 * c }, two[3] = { r * c, 0.4 * r * s, 0.1 };
        memcpy( ring + 3 * i, one, sizeof( one ) );
        memcpy( square + 3 * i, two, sizeof( two ) );
    }
    supCurveFit fit, poor;
    assert_int_equal( supFitEllipse( NULL, ring, 200, ellipse, &fit, NULL ), sup_success );
    assert_true( fit.maxError < 1e-6 );
    assert_int_equal( supFitEllipse( NULL, square, 200, ellipse, &poor, NULL ), sup_success );
    assert_int_equal( supResampleCurve( NULL, false, square, 200, 200, even, NULL, NULL ), sup_success );
    supCurveFitDef def = { .terms = 10, .pointCount = 200, .points = even };
    assert_int_equal( supFitCurve( &def, series, NULL, NULL ), sup_success );
    fit = supMeasureCurve( false, 10, series, square, 200 );
    assert_true( poor.rmsError > 0.01 );
    assert_true( fit.rmsError < 0.1 * poor.rmsError );
}

static void supTestResample( void** state )
{
    (void)state;
    const double line[9] = { 0, 0, 0, 1, 0, 0, 1, 3, 0 };
    double out[3 * 5], at[5];
    assert_int_equal( supResampleCurve( NULL, true, line, 3, 5, out, at, NULL ), sup_success );
    for ( int32_t i = 0; i < 5; ++i )
    {
        assert_true( fabs( out[3 * i] - ( i == 0 ? 0.0 : 1.0 ) ) < 1e-12 );
        assert_true( fabs( out[3 * i + 1] - ( i == 0 ? 0.0 : i - 1.0 ) ) < 1e-12 );
    }
    assert_true( fabs( at[2] - ( 1.0 + 1.0 / 3.0 ) ) < 1e-12 );
}

static void supExpect( supResult result, supError* error, const char* words )
{
    assert_int_not_equal( result, sup_success );
    if ( strstr( error->text, words ) == NULL )
    {
        fail_msg( "'%s' does not say '%s'", error->text, words );
    }
}

static void supTestFitRefusals( void** state )
{
    (void)state;
    double points[3 * 9] = { 0 }, out[60];
    supError error;
    supCurveFitDef def = { .name = "thigh ring 2", .terms = 5, .pointCount = 9, .points = points };
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "thigh ring 2: 9 points are too few for 5 terms" );
    def.terms = 4;
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "all 9 points are in one place" );
    points[4] = NAN;
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "point 1 is not a number" );
    points[4] = 1.0;
    double same[9] = { 0.0, 0.1, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8 };
    def.parameters = same;
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "parameter 2" );
    double crowded[9] = { 0.0, 1e-9, 2e-9, 3e-9, 4e-9, 5e-9, 6e-9, 7e-9, 8e-9 };
    def.parameters = crowded;
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "unevenly spaced" );
    def.terms = 99;
    supExpect( supFitCurve( &def, out, NULL, &error ), &error, "99 terms" );
}

/// rho q'' + eta q' + A q = c + r t by Runge and Kutta's fourth order in many small steps.
static double supIntegrate(
    double rho, double eta, double A, double c, double r, double q, double dq, double from, double to, int32_t steps )
{
    double h = ( to - from ) / steps;
    for ( int32_t i = 0; i < steps; ++i )
    {
        double t = from + i * h, k[4], l[4];
        for ( int32_t s = 0; s < 4; ++s )
        {
            double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            double a = s == 0 ? q : q + part * k[s - 1], b = s == 0 ? dq : dq + part * l[s - 1];
            k[s] = b;
            l[s] = ( c + r * ( t + part ) - eta * b - A * a ) / rho;
        }
        q += h / 6.0 * ( k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3] );
        dq += h / 6.0 * ( l[0] + 2.0 * l[1] + 2.0 * l[2] + l[3] );
    }
    return q;
}

/// The paper's two-shape solution returns both shapes and obeys the equation: integrated finely from its own position
/// and velocity it is the same motion to 1e-6. Forces that are read and applied are the same motion too.
static void supTestTwoShapesObey( void** state )
{
    (void)state;
    double worst = 0.0;
    for ( int open = 0; open < 2; ++open )
    {
        supWireDef wire = supDefaultWireDef();
        wire.open = open;
        wire.a1[0] = 2e-4;
        wire.a1[1] = 1e-4;
        wire.a1[2] = 3e-4;
        wire.a2[0] = -1e-3;
        wire.a2[2] = open ? 1e-3 : 5e-3;
        wire.density = 0.7;
        wire.damping = 1.9;
        int32_t terms = 4, count = supCurveCoefficientCount( open, terms );
        double a[27], b[27], c[27], r[27], q[27], dq[27], later[27];
        uint32_t seed = 11;
        for ( int32_t i = 0; i < 3 * count; ++i )
        {
            a[i] = supNoise( &seed );
            b[i] = supNoise( &seed );
        }
        double t0 = 0.2, t1 = 0.9;
        assert_int_equal( supWire_ReadForces( &wire, terms, t0, a, t1, b, c, r, NULL ), sup_success );
        supWire_FromForces( &wire, terms, c, r, t0, a, t1, q, NULL );
        for ( int32_t i = 0; i < 3 * count; ++i )
        {
            assert_true( fabs( q[i] - b[i] ) < 1e-12 );
        }
        supWire_FromForces( &wire, terms, c, r, t0, a, t0, q, dq );
        for ( int32_t step = 1; step <= 6; ++step )
        {
            double t = t0 + 0.3 * step; // past t1 as well
            supWire_FromForces( &wire, terms, c, r, t0, a, t, later, NULL );
            for ( int32_t i = 0; i < 3 * count; ++i )
            {
                double A = supWire_Stiffness( &wire, i % 3, i / 3 );
                double fine = supIntegrate( 0.7, 1.9, A, c[i], r[i], q[i], dq[i], t0, t, 20000 );
                worst = fmax( worst, fabs( fine - later[i] ) );
            }
        }
    }
    print_message( "two shapes, closed form against 20,000 steps: %.2g\n", worst );
    assert_true( worst < 1e-6 );
}

/// One shape and forces: light, heavy and critical damping, with and without stiffness, from rest and from a speed.
static void supTestOneShapeMoves( void** state )
{
    (void)state;
    double worst = 0.0;
    static const double dampings[3] = { 0.3, 2.0, 40.0 };
    for ( int32_t d = 0; d < 3; ++d )
    {
        supWireDef wire = supDefaultWireDef();
        wire.a1[0] = wire.a1[1] = wire.a1[2] = 1.0 / ( 16.0 * pow( SUP_PI, 4.0 ) ); // A_1 = 1: critical at 2
        wire.damping = dampings[d];
        double shape[15], speed[15], c[15], r[15], moved[15], velocity[15];
        uint32_t seed = 5;
        for ( int32_t i = 0; i < 15; ++i )
        {
            shape[i] = supNoise( &seed );
            speed[i] = supNoise( &seed );
            c[i] = supNoise( &seed );
            r[i] = supNoise( &seed );
        }
        assert_int_equal( supWire_Move( &wire, 2, shape, speed, c, r, 0.0, moved, velocity, NULL ), sup_success );
        assert_memory_equal( moved, shape, sizeof( shape ) ); // nothing jumps
        for ( double t = 0.4; t < 6.0; t += 1.1 )
        {
            assert_int_equal( supWire_Move( &wire, 2, shape, speed, c, r, t, moved, velocity, NULL ), sup_success );
            for ( int32_t i = 0; i < 15; ++i )
            {
                double A = supWire_Stiffness( &wire, i % 3, i / 3 );
                double fine = supIntegrate( 1.0, dampings[d], A, c[i], r[i], 0.0, speed[i], 0.0, t, 20000 );
                worst = fmax( worst, fabs( shape[i] + fine - moved[i] ) );
            }
        }
        // A ring under no force keeps its shape; with positions for displacements it would shrink to a point.
        double none[15] = { 0 };
        assert_int_equal( supWire_Move( &wire, 2, shape, NULL, none, none, 5.0, moved, NULL, NULL ), sup_success );
        assert_memory_equal( moved, shape, sizeof( shape ) );
    }
    print_message( "one shape and forces against 20,000 steps: %.2g\n", worst );
    assert_true( worst < 1e-6 );
}

/// The stiffness is the fourth derivative's and the second's, from the curve itself by differences.
static void supTestStiffnessIsTheOperator( void** state )
{
    (void)state;
    for ( int open = 0; open < 2; ++open )
    {
        supWireDef wire = supDefaultWireDef();
        wire.open = open;
        wire.a1[0] = 0.003;
        wire.a2[0] = 0.02;
        int32_t count = supCurveCoefficientCount( open, 2 );
        for ( int32_t k = 0; k < count; ++k )
        {
            double one[15] = { 0 };
            one[3 * k] = 1.0;
            double h = 2e-3, q[5];
            for ( int32_t i = 0; i < 5; ++i )
            {
                double p[3];
                supCurve_At( open, 2, one, 0.31 + ( i - 2 ) * h, p, NULL );
                q[i] = p[0];
            }
            double fourth = ( q[0] - 4.0 * q[1] + 6.0 * q[2] - 4.0 * q[3] + q[4] ) / ( h * h * h * h );
            double second = ( q[1] - 2.0 * q[2] + q[3] ) / ( h * h );
            double left = 0.003 * fourth + 0.02 * second, right = supWire_Stiffness( &wire, 0, k ) * q[2];
            assert_true( fabs( left - right ) < 2e-3 * ( 1.0 + fabs( right ) ) );
        }
    }
}

/// Where the paper's own mean is wrong: singular at one ratio, backwards near it, wild when extrapolated.
static void supTestPaperMean( void** state )
{
    (void)state;
    supError error;
    supWireDef wire = supDefaultWireDef();
    wire.name = "forearm";
    wire.density = 1.5;
    double share;
    supExpect( supWire_PaperMean( &wire, 0.0, 1.0, 0.5, &share, &error ), &error, "forearm: density / damping = 1.5" );
    wire.density = 1.4;
    assert_int_equal( supWire_PaperMean( &wire, 0.0, 1.0, 0.3, &share, NULL ), sup_success );
    assert_true( share < 0.0 ); // backwards
    wire.density = 0.1;
    assert_int_equal( supWire_PaperMean( &wire, 0.0, 0.1, 1.0, &share, NULL ), sup_success );
    assert_true( share > 14.0 ); // ten would be even
    supExpect( supWire_PaperMean( &wire, 0.3, 0.3, 1.0, &share, &error ), &error, "same time" );
}

static void supTestWireRefusals( void** state )
{
    (void)state;
    supError error;
    supWireDef wire = supDefaultWireDef();
    wire.name = "thigh.L";
    assert_int_equal( supCheckWire( &wire, &error ), sup_success );
    wire.a1[1] = -1.0;
    supExpect( supCheckWire( &wire, &error ), &error, "thigh.L: a1 is -1" );
    wire = supDefaultWireDef();
    wire.a2[2] = 40.0; // 4 pi^2 is 39.48
    supExpect( supCheckWire( &wire, &error ), &error, "the wire buckles" );
    wire.a2[2] = 39.4;
    assert_int_equal( supCheckWire( &wire, &error ), sup_success );
    wire.open = true;
    supExpect( supCheckWire( &wire, &error ), &error, "past pi^2 a1" );
    wire = supDefaultWireDef();
    wire.density = 0.0;
    supExpect( supCheckWire( &wire, &error ), &error, "density is 0" );
    wire = supDefaultWireDef();
    wire.damping = -2.0;
    supExpect( supCheckWire( &wire, &error ), &error, "damping is -2" );
    wire = supDefaultWireDef();
    wire.a1[0] = NAN;
    supExpect( supCheckWire( &wire, &error ), &error, "a1" );
    memset( &wire, 0, sizeof( wire ) );
    supExpect( supCheckWire( &wire, &error ), &error, "supDefaultWireDef" );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSeriesComesBack ),
        cmocka_unit_test( supTestUnevenPoints ),
        cmocka_unit_test( supTestOpenEnds ),
        cmocka_unit_test( supTestEllipse ),
        cmocka_unit_test( supTestResample ),
        cmocka_unit_test( supTestFitRefusals ),
        cmocka_unit_test( supTestTwoShapesObey ),
        cmocka_unit_test( supTestOneShapeMoves ),
        cmocka_unit_test( supTestStiffnessIsTheOperator ),
        cmocka_unit_test( supTestPaperMean ),
        cmocka_unit_test( supTestWireRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
