// Networks of curves on surfaces of every kind: tubes with rims, sheets, seams, fins, several pieces, forks.
#include "supple/lab/curves.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUP_TAU 6.28318530717958648

/// A surface in plain arrays.
typedef struct supSheet
{
    float positions[3 * 4000];
    uint32_t indices[3 * 8000];
    int32_t vertexCount, indexCount;
} supSheet;

/// A grid bent into a tube (closed round, open at both ends) or a half tube (a sheet), with girth by a formula.
static void supAddTube( supSheet* s, int32_t around, int32_t along, bool closed, double x, double length )
{
    int32_t first = s->vertexCount, columns = closed ? around : around + 1;
    for ( int32_t j = 0; j <= along; ++j )
    {
        for ( int32_t i = 0; i < columns; ++i )
        {
            double a = SUP_TAU * i / around * ( closed ? 1.0 : 0.5 ), y = length * j / along;
            double r = 0.10 + 0.03 * sin( 9.0 * y ) + 0.01 * cos( 3.0 * a );
            float* p = s->positions + 3 * s->vertexCount++;
            p[0] = (float)( x + r * cos( a ) );
            p[1] = (float)y;
            p[2] = (float)( r * sin( a ) );
        }
    }
    for ( int32_t j = 0; j < along; ++j )
    {
        for ( int32_t i = 0; i < around; ++i )
        {
            uint32_t a = (uint32_t)( first + j * columns + i ),
                     b = (uint32_t)( first + j * columns + ( i + 1 ) % columns );
            uint32_t c = a + (uint32_t)columns, d = b + (uint32_t)columns;
            uint32_t six[6] = { a, c, b, b, c, d };
            memcpy( s->indices + s->indexCount, six, sizeof( six ) );
            s->indexCount += 6;
        }
    }
}

static supCurveNetwork* supNetworkOn( const supSheet* s )
{
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.vertexCount = s->vertexCount;
    def.positions = s->positions;
    def.indexCount = s->indexCount;
    def.indices = s->indices;
    supCurveNetwork* network;
    supError error;
    if ( supCreateCurveNetwork( &def, &network, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return network;
}

/// The rest comes back to rounding, and a turned and moved surface comes out turned and moved, between and beyond.
static void supCheckRigid( const supCurveNetwork* network, const supSheet* s )
{
    float* moved = malloc( 12 * (size_t)s->vertexCount );
    float* out = malloc( 12 * (size_t)s->vertexCount );
    double times[2] = { 0.0, 1.0 };
    const float* shapes[2] = { s->positions, moved };
    for ( int32_t v = 0; v < s->vertexCount; ++v )
    {
        const float* p = s->positions + 3 * v;
        moved[3 * v] = (float)( cos( 1.0 ) * p[0] - sin( 1.0 ) * p[1] );
        moved[3 * v + 1] = (float)( sin( 1.0 ) * p[0] + cos( 1.0 ) * p[1] );
        moved[3 * v + 2] = p[2] + 0.3f;
    }
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 2;
    def.times = times;
    def.shapes = shapes;
    supCurveMotion* motion;
    assert_int_equal( supCreateCurveMotion( network, &def, &motion, NULL ), sup_success );
    static const double moments[5] = { 0.0, 0.4, 1.0, 1.9, -0.7 };
    for ( int32_t k = 0; k < 5; ++k )
    {
        double t = moments[k], worst = 0.0;
        supCurveMotion_At( motion, t, out );
        for ( int32_t v = 0; v < s->vertexCount; ++v )
        {
            const float *p = s->positions + 3 * v, *q = out + 3 * v;
            double x = cos( t ) * p[0] - sin( t ) * p[1], y = sin( t ) * p[0] + cos( t ) * p[1];
            worst = fmax( worst, fmax( fabs( q[0] - x ), fmax( fabs( q[1] - y ), fabs( q[2] - p[2] - 0.3 * t ) ) ) );
        }
        assert_true( worst < 2e-6 );
    }
    supDestroyCurveMotion( motion );
    free( moved );
    free( out );
}

static supNetworkReport supCheckSurface( const char* name, const supSheet* s, int32_t* open )
{
    supCurveNetwork* network = supNetworkOn( s );
    supNetworkReport report = supCurveNetwork_Report( network );
    *open = 0;
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ); ++c )
    {
        *open += supCurveNetwork_Curve( network, c ).open;
    }
    print_message( "%s: %d curves (%d open), %d tips, %d forks, rms %.3f%% of the size, %d uncovered\n", name,
        (int)report.curves, (int)*open, (int)report.tips, (int)report.forks, 100.0 * report.rmsError / report.size,
        (int)report.uncovered );
    supCheckRigid( network, s );
    supDestroyCurveNetwork( network );
    return report;
}

static void supTestTubeWithRims( void** state )
{
    (void)state;
    supSheet* s = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 24, 60, true, 0.0, 1.2 );
    int32_t open;
    supNetworkReport report = supCheckSurface( "tube with rims", s, &open );
    assert_int_equal( report.uncovered, 0 );
    assert_true( report.curves - open >= 6 );
    assert_true( report.rmsError < 0.002 * report.size );
    free( s );
}

static void supTestSheet( void** state )
{
    (void)state;
    supSheet* s = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 24, 60, false, 0.0, 1.2 );
    int32_t open;
    supNetworkReport report = supCheckSurface( "sheet", s, &open );
    assert_int_equal( report.uncovered, 0 );
    assert_true( open >= 3 );
    assert_true( report.rmsError < 0.01 * report.size );
    free( s );
}

/// Every triangle with vertices of its own: seams everywhere. The same curves as on the whole.
static void supTestSeams( void** state )
{
    (void)state;
    supSheet *s = calloc( 1, sizeof( supSheet ) ), *torn = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 12, 40, true, 0.0, 1.0 );
    for ( int32_t i = 0; i < s->indexCount; ++i )
    {
        memcpy( torn->positions + 3 * i, s->positions + 3 * s->indices[i], 12 );
        torn->indices[i] = (uint32_t)i;
    }
    torn->vertexCount = torn->indexCount = s->indexCount;
    int32_t open, tornOpen;
    supNetworkReport whole = supCheckSurface( "whole", s, &open ), seams = supCheckSurface( "torn", torn, &tornOpen );
    assert_int_equal( whole.curves, seams.curves );
    assert_int_equal( open, tornOpen );
    assert_true( fabs( whole.rmsError - seams.rmsError ) < 1e-9 );
    free( s );
    free( torn );
}

/// Two pieces, a fin of triangles on one edge, a hole, a loose vertex and a triangle without area.
static void supTestUnclean( void** state )
{
    (void)state;
    supSheet* s = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 20, 40, true, 0.0, 1.0 );
    supAddTube( s, 20, 30, true, 0.6, 0.7 );
    memmove( s->indices + 3 * 300, s->indices + 3 * 310, sizeof( uint32_t ) * (size_t)( s->indexCount - 3 * 310 ) );
    s->indexCount -= 30; // a hole
    uint32_t fin = (uint32_t)s->vertexCount;
    float tip[6] = { 0.3f, 0.5f, 0.0f, 0.9f, 0.9f, 0.9f };
    memcpy( s->positions + 3 * s->vertexCount, tip, sizeof( tip ) );
    s->vertexCount += 2; // the second one loose
    uint32_t more[6] = { s->indices[0], s->indices[1], fin, 5, 5, 6 };
    memcpy( s->indices + s->indexCount, more, sizeof( more ) );
    s->indexCount += 6;
    int32_t open;
    supNetworkReport report = supCheckSurface( "unclean", s, &open );
    assert_int_equal( report.uncovered, 1 ); // the loose one, and it says so
    free( s );
}

/// Every triangle once more, the other way round, as two-sided sheets have it: the same curves, nothing uncovered.
static void supTestTwice( void** state )
{
    (void)state;
    supSheet *s = calloc( 1, sizeof( supSheet ) ), *twice = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 12, 40, true, 0.0, 1.0 );
    memcpy( twice, s, sizeof( supSheet ) );
    for ( int32_t i = 0; i < s->indexCount; i += 3 )
    {
        uint32_t back[3] = { s->indices[i], s->indices[i + 2], s->indices[i + 1] };
        memcpy( twice->indices + s->indexCount + i, back, sizeof( back ) );
    }
    twice->indexCount *= 2;
    int32_t open, twiceOpen;
    supNetworkReport once = supCheckSurface( "once", s, &open ), both = supCheckSurface( "twice", twice, &twiceOpen );
    assert_int_equal( once.curves, both.curves );
    assert_int_equal( open, twiceOpen );
    assert_int_equal( both.uncovered, 0 );
    assert_true( once.rmsError == both.rmsError );
    free( s );
    free( twice );
}

/// A given list of parts names the curves; without one, tubes between forks are the parts.
static void supTestGivenParts( void** state )
{
    (void)state;
    supSheet* s = calloc( 1, sizeof( supSheet ) );
    supAddTube( s, 16, 60, true, 0.0, 1.2 );
    int32_t parts[4000];
    for ( int32_t v = 0; v < s->vertexCount; ++v )
    {
        parts[v] = s->positions[3 * v + 1] > 0.6f;
    }
    const char* names[2] = { "lower", "upper" };
    supCurveNetworkDef def = supDefaultCurveNetworkDef();
    def.vertexCount = s->vertexCount;
    def.positions = s->positions;
    def.indexCount = s->indexCount;
    def.indices = s->indices;
    def.partCount = 2;
    def.parts = parts;
    def.partNames = names;
    supCurveNetwork* network;
    assert_int_equal( supCreateCurveNetwork( &def, &network, NULL ), sup_success );
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ); ++c )
    {
        supNetworkCurve curve = supCurveNetwork_Curve( network, c );
        double points[3 * 200];
        supCurveNetwork_Points( network, c, s->positions, points );
        assert_string_equal( curve.part, points[1] > 0.61 ? "upper" : points[1] < 0.59 ? "lower" : curve.part );
    }
    supDestroyCurveNetwork( network );
    free( s );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestTubeWithRims ),
        cmocka_unit_test( supTestSheet ),
        cmocka_unit_test( supTestSeams ),
        cmocka_unit_test( supTestUnclean ),
        cmocka_unit_test( supTestTwice ),
        cmocka_unit_test( supTestGivenParts ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
