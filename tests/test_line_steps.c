// Lines of springs in time, beside their places and in fields, against closed forms: an oscillator that is damped, a
// taut string, energies and their derivatives.
#include "solve/monotone_cubic.h"
#include "solve/spring_line.h"
#include "support/assert_near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/// One free vertex between two that are bound, at x = 0 and x = 1.
typedef struct supOne
{
    supSpringLine line;
    bool bound[3];
    double stiffness[2], lengths[2], masses[3], holds[3];
    supVec3d loads[3], places[3], at[3], speeds[3];
} supOne;

static void supInitOne( supOne* one, double middle )
{
    *one = ( supOne ){ .bound = { true, false, true },
        .stiffness = { 300.0, 500.0 },
        .lengths = { 0.2, 0.3 },
        .masses = { 0.1, 0.1, 0.1 } };
    one->line = ( supSpringLine ){ .count = 3,
        .bound = one->bound,
        .stiffness = one->stiffness,
        .lengths = one->lengths,
        .masses = one->masses,
        .loads = one->loads };
    one->at[1].x = middle;
    one->at[2].x = 1.0;
}

/// Where both springs of supInitOne pull alike.
static double supBalance( const supOne* one )
{
    const double *k = one->stiffness, *l = one->lengths;
    return ( k[0] * l[0] + k[1] * ( 1.0 - l[1] ) ) / ( k[0] + k[1] );
}

/// x'' = - w^2 x - c x', from x0 at rest.
static double supDamped( double w, double c, double x0, double t )
{
    double decay = 0.5 * c, own = sqrt( w * w - decay * decay );
    return x0 * exp( -decay * t ) * ( cos( own * t ) + decay / own * sin( own * t ) );
}

/// Along the line the springs are linear: every step is that of the implicit Euler method for a damped oscillator,
/// ( 1 + c h + w^2 h^2 ) x'' - ( 2 + c h ) x' + x = 0 between three steps, to the last digits.
static void supTestDampedSteps( void** state )
{
    (void)state;
    const double h = 1.0 / 90.0, dampings[3] = { 0.0, 3.0, 60.0 };
    for ( int32_t k = 0; k < 3; ++k )
    {
        supOne one;
        supInitOne( &one, 0.7 );
        double c = dampings[k], zero = supBalance( &one ), square = 800.0 / 0.1;
        double before = 0.7 - zero, now = before * ( 1.0 + c * h ) / ( 1.0 + c * h + square * h * h );
        for ( int32_t step = 0; step < 60; ++step )
        {
            supLineResult result = supSpringLine_Step( &one.line, h, c, 1e-15, 60, one.at, one.speeds );
            assert_true( result.moved <= 1e-15 );
            supAssertNear( one.at[1].x - zero, now, 1e-12 );
            supAssertNear( one.speeds[1].x, ( now - before ) / h, 1e-9 );
            double next = ( ( 2.0 + c * h ) * now - before ) / ( 1.0 + c * h + square * h * h );
            before = now;
            now = next;
        }
    }
}

/// Finer steps come to the oscillator's own course: half the step, half the way to it.
static void supTestFinerSteps( void** state )
{
    (void)state;
    const double w = sqrt( 800.0 / 0.1 ), c = 20.0, seconds = 0.1;
    double wrong[2];
    for ( int32_t k = 0; k < 2; ++k )
    {
        supOne one;
        supInitOne( &one, 0.7 );
        double zero = supBalance( &one ), most = 0.0;
        int32_t steps = k == 0 ? 4000 : 8000;
        for ( int32_t step = 1; step <= steps; ++step )
        {
            supSpringLine_Step( &one.line, seconds / steps, c, 1e-13, 20, one.at, one.speeds );
            double x = one.at[1].x - zero;
            most = fmax( most, fabs( x - supDamped( w, c, 0.7 - zero, seconds * step / steps ) ) );
        }
        wrong[k] = most / ( 0.7 - zero );
    }
    print_message( "damped oscillator: off by %.1e and %.1e of the amplitude\n", wrong[0], wrong[1] );
    assert_true( wrong[0] < 0.01 && wrong[1] < 0.55 * wrong[0] && wrong[1] > 0.45 * wrong[0] );
}

/// Across the line the tension alone brings it back: w^2 = T ( 1 / L0 + 1 / L1 ) / m for small amplitudes.
static void supTestTautString( void** state )
{
    (void)state;
    supOne one;
    supInitOne( &one, 0.0 );
    double zero = supBalance( &one ), tension = 300.0 * ( zero - 0.2 );
    double w = sqrt( tension * ( 1.0 / zero + 1.0 / ( 1.0 - zero ) ) / 0.1 ), c = 4.0, h = 2e-5, most = 0.0;
    one.at[1] = ( supVec3d ){ zero, 1e-4, 0.0 };
    for ( int32_t step = 1; step <= 4000; ++step )
    {
        supSpringLine_Step( &one.line, h, c, 1e-14, 20, one.at, one.speeds );
        most = fmax( most, fabs( one.at[1].y - supDamped( w, c, 1e-4, h * step ) ) );
    }
    assert_true( most < 2e-6 && w * 4000 * h > 3.0 ); // half a turn at least
    supAssertNear( one.at[1].x, zero, 1e-7 );
}

/// The pull of both springs on the vertex between them.
static supVec3d supPullOf( const supOne* one )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    for ( int32_t k = 0; k < 2; ++k )
    {
        supVec3d way = supSubD( one->at[2 * k], one->at[1] );
        double length = supLengthD( way );
        sum = supMulAddD( sum, one->stiffness[k] * ( length - one->lengths[k] ) / length, way );
    }
    return sum;
}

/// A hold's spring balances the pull across the line, and has no part along it.
static void supTestHold( void** state )
{
    (void)state;
    supOne one;
    supInitOne( &one, 0.5 );
    double zero = supBalance( &one );
    one.line.holds = one.holds;
    one.line.places = one.places;
    one.holds[1] = 400.0;
    one.places[1] = ( supVec3d ){ zero + 0.2, 0.0, 0.0 }; // on the line itself: nothing holds
    assert_true( supSpringLine_Relax( &one.line, 1e-13, 200, one.at ).moved <= 1e-13 );
    supAssertNear( one.at[1].x, zero, 1e-9 );
    supAssertNear( one.at[1].y, 0.0, 1e-9 );

    one.places[1] = ( supVec3d ){ 0.5, 0.15, -0.1 };
    assert_true( supSpringLine_Relax( &one.line, 1e-13, 400, one.at ).moved <= 1e-13 );
    supVec3d before = supNormalizeD( supSubD( one.at[1], one.at[0] ) );
    supVec3d after = supNormalizeD( supSubD( one.at[2], one.at[1] ) );
    supVec3d along = supNormalizeD( supAddD( before, after ) ), off = supSubD( one.places[1], one.at[1] );
    supVec3d across = supMulAddD( off, -supDotD( off, along ), along );
    assert_true( supLengthD( across ) > 0.01 );
    assert_true( one.at[1].y > 0.03 && one.at[1].z < -0.02 ); // towards its place
    assert_true( supLengthD( supMulAddD( supPullOf( &one ), 400.0, across ) ) < 1e-7 );
}

/// A line that is pushed together, straight and without loads: nothing holds its vertices across it, and they stay.
static void supTestNothingAcross( void** state )
{
    (void)state;
    supOne one;
    supInitOne( &one, 0.4 );
    one.lengths[0] = one.lengths[1] = 0.8;
    supSpringLine_Relax( &one.line, 1e-12, 100, one.at );
    // 300 ( 0.8 - x ) = 500 ( x - 0.2 )
    supAssertNear( one.at[1].x, 340.0 / 800.0, 1e-9 );
    assert_true( one.at[1].y == 0.0 && one.at[1].z == 0.0 );
}

/// A slack chain of nearly rigid links finds its balance in a few dozen rounds: the tension across a link is the one
/// that the last solution foresees. With that of the present stretch it takes 61.
static void supTestRigidLinks( void** state )
{
    (void)state;
    enum
    {
        segments = 40
    };
    bool bound[segments + 1] = { [0] = true, [segments] = true };
    double stiffness[segments], lengths[segments];
    supVec3d loads[segments + 1], at[segments + 1];
    for ( int32_t i = 0; i <= segments; ++i )
    {
        double t = (double)i / segments;
        at[i] = ( supVec3d ){ t, -0.2 * t * ( 1.0 - t ), 0.0 };
        loads[i] = ( supVec3d ){ 0.0, -9.81 * 0.5 * 1.3 / segments, 0.0 };
        stiffness[i < segments ? i : 0] = 1e7;
        lengths[i < segments ? i : 0] = 1.3 / segments;
    }
    supSpringLine line = {
        .count = segments + 1, .bound = bound, .stiffness = stiffness, .lengths = lengths, .loads = loads
    };
    supLineResult result = supSpringLine_Relax( &line, 1e-10, 1000, at );
    assert_true( result.moved <= 1e-10 && result.rounds < 50 );
    for ( int32_t i = 0; i < segments; ++i )
    {
        supAssertNear( supLengthD( supSubD( at[i + 1], at[i] ) ), lengths[i], 1e-6 );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Fields

static supLineField supTurnedField( supLineFieldKind kind, double stiffness )
{
    // three axes at right angles: a quarter of a right angle about z, then about x
    const double c = 0.8, s = 0.6;
    supLineField field = { .kind = kind, .stiffness = stiffness, .reach = 2.5, .smallest = 0.1 };
    field.fromUnit = ( supMat34d ){ .x = { 0.3 * c, 0.3 * s * c, 0.3 * s * s },
        .y = { -0.2 * s, 0.2 * c * c, 0.2 * c * s },
        .z = { 0.0, -0.1 * s, 0.1 * c },
        .t = { 0.1, -0.2, 0.3 } };
    assert_true( supInvertMatD( field.fromUnit, &field.toUnit ) );
    return field;
}

static supVec3d supForceAt( const supLineField* field, supVec3d at )
{
    supVec3d force = { 0.0, 0.0, 0.0 };
    supSym3 matrix = { 0 };
    supLineField_Add( field, at, &force, &matrix );
    return force;
}

/// A ball pulls along the radius, by how far its surface is, less and less towards the reach and not at all from there;
/// one that repels pushes to the reach.
static void supTestBallPull( void** state )
{
    (void)state;
    const double radius = 0.2, reach = 3.0;
    for ( int32_t sign = -1; sign <= 1; sign += 2 )
    {
        supLineField ball = { .fromUnit = { { radius, 0, 0 }, { 0, radius, 0 }, { 0, 0, radius }, { 0, 1, 0 } },
            .kind = sup_fieldToSurface,
            .stiffness = 70.0 * sign,
            .reach = reach,
            .smallest = radius };
        assert_true( supInvertMatD( ball.fromUnit, &ball.toUnit ) );
        supVec3d way = { 2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0 };
        for ( int32_t k = 1; k <= 40; ++k )
        {
            double r = 0.1 * k;
            supVec3d force = supForceAt( &ball, supMulAddD( ball.fromUnit.t, r * radius, way ) );
            double beyond = r > 1.0 ? ( r - 1.0 ) / ( reach - 1.0 ) : 0.0;
            double attracts = 70.0 * pow( 1.0 - beyond * beyond, 2.0 ) * ( 1.0 - r ) * radius;
            double repels = 70.0 * ( reach - r ) * radius;
            double wanted = r >= reach ? 0.0 : sign > 0 ? attracts : repels;
            supAssertNear( supDotD( force, way ), wanted, 1e-9 );
            supAssertNear( supLengthD( force ), fabs( wanted ), 1e-9 );
        }
    }
}

/// The energy of a metaball: c ( 1 - ( r / reach )^2 )^2, less where it attracts.
static double supEnergyAt( const supLineField* field, supVec3d at )
{
    double r = supLengthD( supTransformPointD( field->toUnit, at ) ) / field->reach;
    double c = field->stiffness * field->smallest * field->smallest;
    return r < 1.0 ? -c * ( 1.0 - r * r ) * ( 1.0 - r * r ) : 0.0;
}

/// A metaball's force is the slope of its energy; its matrix is never negative, and no less than the curvature.
static void supTestMetaball( void** state )
{
    (void)state;
    const double e = 1e-4;
    const supVec3d ways[4] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.48, 0.6, -0.64 } };
    double largest = 0.0;
    for ( int32_t k = 0; k < 2 * 12; ++k )
    {
        supLineField field = supTurnedField( sup_fieldToCenter, k % 2 == 0 ? 900.0 : -900.0 );
        double out = 0.025 * ( k / 2 );
        supVec3d at = supMulAddD( field.fromUnit.t, out, ways[3] ), force = { 0.0, 0.0, 0.0 };
        supSym3 matrix = { 0 };
        supLineField_Add( &field, at, &force, &matrix );
        largest = fmax( largest, supLengthD( force ) );
        for ( int32_t i = 0; i < 4; ++i )
        {
            double above = supEnergyAt( &field, supMulAddD( at, e, ways[i] ) );
            double below = supEnergyAt( &field, supMulAddD( at, -e, ways[i] ) ), here = supEnergyAt( &field, at );
            supAssertNear( supDotD( force, ways[i] ), ( below - above ) / ( 2.0 * e ), 1e-3 );
            double taken = supDotD( ways[i], supMulSym3( matrix, ways[i] ) );
            assert_true( taken >= -1e-9 && taken >= ( above + below - 2.0 * here ) / ( e * e ) - 0.1 );
        }
    }
    assert_true( largest > 10.0 );
}

/// Segments that graze a solid ball less deep than the share are not counted, deeper ones are; soft fields never.
static void supTestGrazing( void** state )
{
    (void)state;
    supLineField ball = { .fromUnit = { { 0.5, 0, 0 }, { 0, 0.5, 0 }, { 0, 0, 0.5 }, { 0, 0, 0 } },
        .reach = 2.0,
        .smallest = 0.5,
        .solid = true };
    assert_true( supInvertMatD( ball.fromUnit, &ball.toUnit ) );
    const double depths[4] = { -0.01, 0.005, 0.02, 0.5 }; // of the radius
    for ( int32_t k = 0; k < 4; ++k )
    {
        double y = 0.5 * ( 1.0 - depths[k] );
        supVec3d line[3] = { { -1.0, y, 0.0 }, { 1.0, y, 0.0 }, { 2.0, 2.0, 0.0 } };
        ball.solid = true;
        assert_int_equal( supCountCuts( &ball, 1, line, 3, 0.01 ), depths[k] > 0.01 );
        assert_int_equal( supCountCuts( &ball, 1, line, 3, 0.1 ), depths[k] > 0.1 );
        ball.solid = false;
        assert_int_equal( supCountCuts( &ball, 1, line, 3, 0.01 ), 0 );
    }
}

/// Values on a straight line give that line, from the first knot to the last; beyond them it is level.
static void supTestStraightCubic( void** state )
{
    (void)state;
    const double at[5] = { 0.0, 0.07, 0.3, 0.4, 1.0 };
    double values[5], slopes[5];
    for ( int32_t sign = -1; sign <= 1; sign += 2 )
    {
        for ( int32_t i = 0; i < 5; ++i )
        {
            values[i] = 2.0 + 3.0 * sign * at[i];
        }
        supMonotoneSlopes( at, values, 5, slopes );
        int32_t knot = 0;
        for ( int32_t i = -10; i <= 110; ++i )
        {
            double x = 0.01 * i, inside = fmin( fmax( x, 0.0 ), 1.0 );
            supAssertNear( supMonotoneValue( at, values, slopes, 5, x, &knot ), 2.0 + 3.0 * sign * inside, 1e-12 );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestDampedSteps ),
        cmocka_unit_test( supTestFinerSteps ),
        cmocka_unit_test( supTestTautString ),
        cmocka_unit_test( supTestHold ),
        cmocka_unit_test( supTestNothingAcross ),
        cmocka_unit_test( supTestRigidLinks ),
        cmocka_unit_test( supTestBallPull ),
        cmocka_unit_test( supTestMetaball ),
        cmocka_unit_test( supTestGrazing ),
        cmocka_unit_test( supTestStraightCubic ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
