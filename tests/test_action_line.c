// Lines of springs against what is known of them: springs in a row, hanging chains, the catenary, ellipsoids.
#include "base/math.h"
#include "solve/monotone_cubic.h"
#include "solve/spring_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supChain
{
    supSpringLine line;
    bool bound[sup_mostLineNodes];
    double stiffness[sup_mostLineNodes], lengths[sup_mostLineNodes], masses[sup_mostLineNodes];
    supVec3d loads[sup_mostLineNodes], at[sup_mostLineNodes], speeds[sup_mostLineNodes];
} supChain;

static void supInitChain( supChain* chain, int32_t segments )
{
    memset( chain, 0, sizeof( *chain ) );
    chain->line = ( supSpringLine ){ .count = segments + 1,
        .bound = chain->bound,
        .stiffness = chain->stiffness,
        .lengths = chain->lengths,
        .masses = chain->masses,
        .loads = chain->loads };
}

/// Two springs of different stiffness on one straight way: the vertex between divides it as the two forces balance.
static void supTestTwoSprings( void** state )
{
    (void)state;
    supChain chain;
    supInitChain( &chain, 2 );
    chain.bound[0] = chain.bound[2] = true;
    chain.at[1] = ( supVec3d ){ 0.2, 0.03, -0.01 };
    chain.at[2] = ( supVec3d ){ 1.0, 0.0, 0.0 };
    chain.stiffness[0] = 300.0;
    chain.stiffness[1] = 1e7;
    chain.lengths[0] = 0.2;
    chain.lengths[1] = 0.3;
    supLineResult result = supSpringLine_Relax( &chain.line, 1e-12, 100, chain.at );
    // k1 ( x - l1 ) = k2 ( 1 - x - l2 )
    double x = ( 300.0 * 0.2 + 1e7 * 0.7 ) / ( 300.0 + 1e7 );
    assert_true( result.rounds < 60 );
    assert_float_equal( chain.at[1].x, x, 1e-9 );
    assert_float_equal( chain.at[1].y, 0.0, 1e-9 );
    assert_float_equal( chain.at[1].z, 0.0, 1e-9 );
}

/// A chain that hangs from one end: every spring carries what is below it.
static void supTestHangingChain( void** state )
{
    (void)state;
    enum
    {
        segments = 12
    };
    supChain chain;
    supInitChain( &chain, segments );
    chain.bound[0] = true;
    for ( int32_t i = 0; i <= segments; ++i )
    {
        chain.at[i] = ( supVec3d ){ 0.1 * i, 0.0, 0.02 * ( i % 2 ) }; // held out sideways, then let go
        chain.stiffness[i] = 50.0 + 40.0 * i;
        chain.lengths[i] = 0.1;
        chain.loads[i] = ( supVec3d ){ 0.0, -9.81 * 0.02, 0.0 };
    }
    supLineResult result = supSpringLine_Relax( &chain.line, 1e-12, 400, chain.at );
    assert_true( result.moved <= 1e-12 );
    double y = 0.0, worst = 0.0;
    for ( int32_t i = 0; i < segments; ++i )
    {
        double carried = 9.81 * 0.02 * ( segments - i );
        double length = 0.1 + carried / chain.stiffness[i];
        y -= length;
        assert_float_equal( chain.at[i + 1].y, y, 1e-3 * length );
        worst = fmax( worst, fabs( chain.at[i + 1].y - y ) / length );
        assert_float_equal( chain.at[i + 1].x, 0.0, 1e-6 );
    }
    print_message( "hanging chain: within %.1g of a link, %d rounds\n", worst, result.rounds );
}

/// The sag of a chain of nearly rigid links between two hooks, against y = a cosh( x / a ).
static void supTestCatenary( void** state )
{
    (void)state;
    enum
    {
        segments = 40
    };
    const double span = 1.0, length = 1.3, weight = 9.81 * 0.5; // N/m
    supChain chain;
    supInitChain( &chain, segments );
    chain.bound[0] = chain.bound[segments] = true;
    for ( int32_t i = 0; i <= segments; ++i )
    {
        double t = (double)i / segments;
        chain.at[i] = ( supVec3d ){ span * t, -0.2 * t * ( 1.0 - t ), 0.0 };
        chain.stiffness[i] = 1e7;
        chain.lengths[i] = length / segments;
        chain.loads[i] = ( supVec3d ){ 0.0, -weight * length / segments, 0.0 };
    }
    supLineResult result = supSpringLine_Relax( &chain.line, 1e-10, 1000, chain.at );
    assert_true( result.moved <= 1e-10 );
    double low = 0.01, high = 100.0;
    for ( int32_t i = 0; i < 200; ++i )
    {
        double a = 0.5 * ( low + high );
        *( 2.0 * a * sinh( span / ( 2.0 * a ) ) > length ? &low : &high ) = a;
    }
    double sag = low * ( cosh( span / ( 2.0 * low ) ) - 1.0 );
    double reached = -chain.at[segments / 2].y;
    print_message( "catenary: sag %.6f, reached %.6f (%.4f%%), %d rounds\n", sag, reached,
        100.0 * ( reached / sag - 1.0 ), result.rounds );
    assert_true( fabs( reached / sag - 1.0 ) < 1e-3 );
}

/// Tendons of 1e7 N/m at 30 frames a second, shaken hard: nothing blows up, and it comes to rest where it must.
static void supTestStiffSteps( void** state )
{
    (void)state;
    enum
    {
        segments = 8
    };
    supChain chain;
    supInitChain( &chain, segments );
    chain.bound[0] = chain.bound[segments] = true;
    for ( int32_t i = 0; i <= segments; ++i )
    {
        chain.at[i] = ( supVec3d ){ 0.04 * i, 0.0, 0.0 };
        chain.stiffness[i] = i < 2 || i > 5 ? 1e7 : 2000.0;
        chain.lengths[i] = 0.03;
        chain.masses[i] = 0.01;
        chain.loads[i] = ( supVec3d ){ 0.0, -0.0981, 0.0 };
    }
    double largest = 0.0;
    for ( int32_t frame = 0; frame < 300; ++frame )
    {
        double wave = frame < 90 ? 0.1 * ( frame % 2 == 0 ? 1.0 : -1.0 ) : 0.0;
        chain.at[segments] = ( supVec3d ){ 0.32 + wave, 0.5 * wave, -wave };
        supSpringLine_Step( &chain.line, 1.0 / 30.0, 5.0, 1e-9, 4, chain.at, chain.speeds );
        for ( int32_t i = 0; i <= segments; ++i )
        {
            largest = fmax( largest, supLengthD( chain.at[i] ) );
        }
    }
    assert_true( largest < 0.8 );
    supVec3d rest[sup_mostLineNodes];
    memcpy( rest, chain.at, sizeof( rest ) );
    supSpringLine_Relax( &chain.line, 1e-12, 200, rest );
    for ( int32_t i = 0; i <= segments; ++i )
    {
        assert_true( supLengthD( supSubD( rest[i], chain.at[i] ) ) < 1e-6 );
    }
}

/// A spring that is pushed together straight does not make the matrix indefinite: it stays where it is, or springs out,
/// and never blows up.
static void supTestCompressed( void** state )
{
    (void)state;
    supChain chain;
    supInitChain( &chain, 6 );
    chain.bound[0] = chain.bound[6] = true;
    for ( int32_t i = 0; i <= 6; ++i )
    {
        chain.at[i] = ( supVec3d ){ 0.05 * i, i == 3 ? 1e-3 : 0.0, 0.0 };
        chain.stiffness[i] = 1e5;
        chain.lengths[i] = 0.1;
        chain.masses[i] = 0.01;
    }
    for ( int32_t frame = 0; frame < 200; ++frame )
    {
        supSpringLine_Step( &chain.line, 1.0 / 30.0, 2.0, 1e-9, 4, chain.at, chain.speeds );
        for ( int32_t i = 0; i <= 6; ++i )
        {
            assert_true( supLengthD( chain.at[i] ) < 1.0 );
        }
    }
}

static supLineField supMakeField( supVec3d center, supVec3d radii )
{
    supLineField field = { .fromUnit = { { radii.x, 0, 0 }, { 0, radii.y, 0 }, { 0, 0, radii.z }, center },
        .reach = 2.0,
        .smallest = fmin( fmin( radii.x, radii.y ), radii.z ),
        .solid = true,
        .barrier = 1e5 };
    assert_true( supInvertMatD( field.fromUnit, &field.toUnit ) );
    return field;
}

/// A line pulled tight across two overlapping bones lies on them; no vertex is deeper than 1% of the smallest radius.
static void supTestProjection( void** state )
{
    (void)state;
    enum
    {
        segments = 16
    };
    supLineField fields[2] = { supMakeField( ( supVec3d ){ 0.4, 0.0, 0.0 }, ( supVec3d ){ 0.2, 0.1, 0.15 } ),
        supMakeField( ( supVec3d ){ 0.6, 0.05, 0.0 }, ( supVec3d ){ 0.1, 0.12, 0.1 } ) };
    supChain chain;
    supInitChain( &chain, segments );
    chain.bound[0] = chain.bound[segments] = true;
    supVec3 sides[sup_mostLineNodes];
    for ( int32_t i = 0; i <= segments; ++i )
    {
        chain.at[i] = ( supVec3d ){ (double)i / segments, 0.02, 0.0 };
        chain.stiffness[i] = 1000.0;
        chain.lengths[i] = 0.03;
        sides[i] = supMakeVec3( 0.0f, 1.0f, 0.0f );
    }
    fields[0].sides = fields[1].sides = sides;
    chain.line.fields = fields;
    chain.line.fieldCount = 2;
    supLineResult result = supSpringLine_Relax( &chain.line, 1e-9, 60, chain.at );
    assert_true( result.moved <= 1e-9 ); // lies still on them
    double deepest = supProjectLine( fields, 2, chain.bound, chain.line.count, chain.at );
    assert_true( deepest < 0.01 );
    for ( int32_t i = 1; i < segments; ++i )
    {
        for ( int32_t f = 0; f < 2; ++f )
        {
            supVec3d way;
            assert_true( supLineField_Depth( fields + f, i, chain.at[i], &way ) <= 0.01 * fields[f].smallest );
        }
        assert_true( chain.at[i].y > 0.0 ); // on the side where it belongs
    }
    // a coarse line cuts corners of round things, a straight one through the middle for sure: both are counted
    supVec3d straight[3] = { { 0.0, 0.0, 0.0 }, { 0.4, 0.5, 0.0 }, { 0.4, -0.5, 0.0 } };
    assert_int_equal( supCountCuts( fields, 2, straight, 3, 0.01 ), 1 );
}

/// An attracting ellipsoid draws a free vertex to its surface, a repelling one away; both come to rest.
static void supTestAttraction( void** state )
{
    (void)state;
    for ( int32_t kind = 0; kind < 2; ++kind )
    {
        double reached[3];
        for ( int32_t sign = -1; sign <= 1; ++sign )
        {
            supLineField field = supMakeField( ( supVec3d ){ 0.5, 0.2, 0.0 }, ( supVec3d ){ 0.2, 0.1, 0.2 } );
            field.solid = false;
            field.kind = kind == 0 ? sup_fieldToSurface : sup_fieldToCenter;
            field.stiffness = 500.0 * sign;
            field.reach = 3.0;
            supChain chain;
            supInitChain( &chain, 2 );
            chain.bound[0] = chain.bound[2] = true;
            chain.at[1] = ( supVec3d ){ 0.5, 0.02, 0.0 };
            chain.at[2] = ( supVec3d ){ 1.0, 0.0, 0.0 };
            chain.stiffness[0] = chain.stiffness[1] = 50.0;
            chain.lengths[0] = chain.lengths[1] = 0.3;
            chain.line.fields = &field;
            chain.line.fieldCount = 1;
            supLineResult result = supSpringLine_Relax( &chain.line, 1e-10, 200, chain.at );
            assert_true( result.moved <= 1e-10 );
            reached[sign + 1] = chain.at[1].y;
        }
        assert_true( reached[0] < reached[1] - 1e-3 && reached[2] > reached[1] + 1e-3 );
    }
}

/// Between two values the cubic stays between them, and goes through all.
static void supTestMonotone( void** state )
{
    (void)state;
    const double at[6] = { 0.0, 0.1, 0.2, 0.5, 0.8, 1.0 }, values[6] = { 1.0, 1.0, 0.55, 0.55, 0.6, 1.0 };
    double slopes[6];
    supMonotoneSlopes( at, values, 6, slopes );
    int32_t knot = 0, k = 0;
    for ( int32_t i = 0; i <= 1000; ++i )
    {
        double x = i / 1000.0, y = supMonotoneValue( at, values, slopes, 6, x, &knot );
        while ( k < 4 && x > at[k + 1] )
        {
            ++k;
        }
        assert_true( y >= fmin( values[k], values[k + 1] ) - 1e-12 && y <= fmax( values[k], values[k + 1] ) + 1e-12 );
    }
    for ( int32_t i = 0; i < 6; ++i )
    {
        knot = 0;
        assert_float_equal( supMonotoneValue( at, values, slopes, 6, at[i], &knot ), values[i], 1e-12 );
    }
}

/// The block solver against the equations themselves.
static void supTestBlockSolver( void** state )
{
    (void)state;
    enum
    {
        count = 20
    };
    supSym3 diagonal[count], kept[count], off[count];
    supVec3d x[count], b[count];
    for ( int32_t i = 0; i < count; ++i )
    {
        double s = 0.3 * i;
        off[i] = ( supSym3 ){ -2.0 + 0.1 * s, 0.3, -0.2, -1.5, 0.4, -1.0 - 0.05 * s };
        diagonal[i] = kept[i] = ( supSym3 ){ 7.0 + s, 0.5, -0.3, 6.0, 0.2, 8.0 };
        x[i] = b[i] = ( supVec3d ){ 1.0 - s, 0.5 * s, 2.0 };
    }
    supSolveBlockTridiagonal( count, diagonal, off, x );
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d sum = supMulSym3( kept[i], x[i] );
        sum = i > 0 ? supAddD( sum, supMulSym3( off[i - 1], x[i - 1] ) ) : sum;
        sum = i + 1 < count ? supAddD( sum, supMulSym3( off[i], x[i + 1] ) ) : sum;
        assert_true( supLengthD( supSubD( sum, b[i] ) ) < 1e-11 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTwoSprings ),
        cmocka_unit_test( supTestHangingChain ),
        cmocka_unit_test( supTestCatenary ),
        cmocka_unit_test( supTestStiffSteps ),
        cmocka_unit_test( supTestCompressed ),
        cmocka_unit_test( supTestProjection ),
        cmocka_unit_test( supTestAttraction ),
        cmocka_unit_test( supTestMonotone ),
        cmocka_unit_test( supTestBlockSolver ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
