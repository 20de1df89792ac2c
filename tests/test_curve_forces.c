// Forces on curves: one shape under them against a numerical integration, files of them, what is refused; and what
// neighbouring curves hold when a motion is carried on too far.
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/lab/curves.h"
#include "supple/lab/files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct supArmCase
{
    supCreature* creature;
    supMeshView mesh;
    const float* rest;
    size_t floats;
    supCurveNetwork* network;
    supCurveMotion* motion;
    float* bent;
} supArmCase;

/// The arm on 9 curves; its motion through the rest and, where there are two shapes, the bent arm.
static supArmCase supOpenArm( supCurveMotionDef def )
{
    supArmCase c = { 0 };
    assert_int_equal( supCreateCreature( "arm", NULL, &c.creature, NULL ), sup_success );
    c.mesh = supCharacter_Mesh( supCreature_Character( c.creature ), 0 );
    c.rest = supCharacter_Info( supCreature_Character( c.creature ) )->restPositions;
    c.floats = 3 * (size_t)c.mesh.vertexCount;
    c.bent = malloc( c.floats * sizeof( float ) );
    for ( size_t i = 0; i < c.floats; ++i )
    {
        c.bent[i] = c.rest[i] + c.mesh.morphPositions[0][i];
    }
    supCurveNetworkDef net = supDefaultCurveNetworkDef();
    net.name = "arm";
    net.vertexCount = c.mesh.vertexCount;
    net.positions = c.rest;
    net.indexCount = c.mesh.indexCount;
    net.indices = c.mesh.indices;
    net.curveCount = 9;
    assert_int_equal( supCreateCurveNetwork( &net, &c.network, NULL ), sup_success );
    double times[2] = { 0.0, 1.0 };
    const float* shapes[2] = { c.rest, c.bent };
    def.times = times;
    def.shapes = shapes;
    assert_int_equal( supCreateCurveMotion( c.network, &def, &c.motion, NULL ), sup_success );
    return c;
}

static void supCloseArm( supArmCase* c )
{
    supDestroyCurveMotion( c->motion );
    supDestroyCurveNetwork( c->network );
    supDestroyCreature( c->creature );
    free( c->bent );
}

/// rho u'' + eta u' + A u = c + r t from rest, in many small steps of Runge and Kutta's fourth order.
static double supIntegrate( double rho, double eta, double A, double c, double r, double to )
{
    enum
    {
        supSteps = 20000
    };
    double h = to / supSteps, u = 0.0, v = 0.0;
    for ( int32_t i = 0; i < supSteps; ++i )
    {
        double k[4], l[4];
        for ( int32_t s = 0; s < 4; ++s )
        {
            double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h;
            double x = s == 0 ? u : u + part * k[s - 1], y = s == 0 ? v : v + part * l[s - 1];
            k[s] = y;
            l[s] = ( c + r * ( i * h + part ) - eta * y - A * x ) / rho;
        }
        u += h / 6.0 * ( k[0] + 2.0 * k[1] + 2.0 * k[2] + k[3] );
        v += h / 6.0 * ( l[0] + 2.0 * l[1] + 2.0 * l[2] + l[3] );
    }
    return u;
}

/// One shape: nothing jumps at its time, without forces nothing moves, and a curve under forces goes where the
/// equation says. Its skin goes with it, and the skin far from it does not.
static void supTestOneShape( void** state )
{
    (void)state;
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 1;
    def.wire.density = 0.8;
    def.wire.damping = 3.0;
    def.wire.a1[0] = def.wire.a1[1] = def.wire.a1[2] = 0.05;
    supArmCase c = supOpenArm( def );
    float *still = malloc( c.floats * sizeof( float ) ), *moved = malloc( c.floats * sizeof( float ) );
    supCurveMotion_At( c.motion, 5.0, still );
    for ( size_t i = 0; i < c.floats; ++i )
    {
        assert_true( fabsf( still[i] - c.rest[i] ) < 1e-6f );
    }
    int32_t curve = 4;
    supNetworkCurve view = supCurveNetwork_Curve( c.network, curve );
    int32_t count = 3 * supCurveCoefficientCount( view.open, view.terms );
    double constant[3 * 129] = { 0 }, rate[3 * 129] = { 0 }, before[3 * 129], after[3 * 129];
    constant[1] = 0.02; // the mean along y
    rate[5] = 0.3;      // the first cosine along z
    constant[6] = -0.4; // the first sine along x
    assert_int_equal( supCurveMotion_SetForces( c.motion, curve, 0, constant, rate, NULL ), sup_success );
    supCurveMotion_CurveAt( c.motion, curve, 0.0, before );
    supWireDef wire = def.wire;
    for ( double t = 0.1; t < 2.0; t += 0.6 )
    {
        supCurveMotion_CurveAt( c.motion, curve, t, after );
        for ( int32_t i = 0; i < count; ++i )
        {
            double A = supWire_Stiffness( &wire, i % 3, i / 3 );
            double truth = supIntegrate( wire.density, wire.damping, A, constant[i], rate[i], t );
            assert_true( fabs( after[i] - before[i] - truth ) < 1e-9 );
        }
    }
    supCurveMotion_At( c.motion, 1.5, moved );
    double most = 0.0, least = 1.0;
    for ( int32_t v = 0; v < c.mesh.vertexCount; ++v )
    {
        double x = moved[3 * v] - still[3 * v], y = moved[3 * v + 1] - still[3 * v + 1],
               z = moved[3 * v + 2] - still[3 * v + 2];
        most = fmax( most, sqrt( x * x + y * y + z * z ) );
        least = fmin( least, sqrt( x * x + y * y + z * z ) );
    }
    print_message( "one shape under forces: skin moves by up to %.1f mm\n", 1e3 * most );
    assert_true( most > 0.003 && least == 0.0 );
    supCurveMotion_At( c.motion, -1.0, moved ); // before its time: as it was
    assert_memory_equal( moved, still, c.floats * sizeof( float ) );
    free( still );
    free( moved );
    supCloseArm( &c );
}

/// Written, read and put back they are the same forces; a file with one mistake changes none.
static void supTestForcesFile( void** state )
{
    (void)state;
    supCurveMotionDef def = supDefaultCurveMotionDef();
    def.shapeCount = 2;
    supArmCase c = supOpenArm( def );
    char path[] = "/tmp/supple-forces-XXXXXX";
    close( mkstemp( path ) );
    float *a = malloc( c.floats * sizeof( float ) ), *b = malloc( c.floats * sizeof( float ) );
    supError error = { 0 };
    supCurveMotion_At( c.motion, 0.3, a );
    assert_int_equal( supWriteCurveForces( c.network, c.motion, path, &error ), sup_success );
    assert_int_equal( supReadCurveForces( c.network, c.motion, path, &error ), sup_success );
    supCurveMotion_At( c.motion, 0.3, b );
    for ( size_t i = 0; i < c.floats; ++i )
    {
        assert_true( fabsf( a[i] - b[i] ) < 1e-6f );
    }
    static const struct
    {
        const char *text, *words;
    } cases[] = { { "{", ":1:" }, { "{}", "no list" }, { "{\"curves\": [1]}", "curves[0]: no curve" },
        { "{\"curves\": [{\"part\": \"part 1\", \"number\": 77}]}", "number 77" },
        { "{\"curves\": [{\"part\": \"part 1\", \"number\": 0, \"span\": 1, \"constant\": [[0,0,0]]}]}", "span" },
        { "{\"curves\": [{\"part\": \"part 1\", \"number\": 0}]}", "curves[0].constant: 0 rows" },
        { "{\"curves\": [{\"part\": \"part 1\", \"number\": 0, \"constant\": [[0,\"x\",0]]}]}", "three numbers" },
        // the first entry is good, the second pulls at a mean
        { "{\"curves\": [{\"part\": \"part 1\", \"number\": 0, \"constant\": [[0,0,0]]},"
          " {\"part\": \"part 1\", \"number\": 0, \"constant\": [[9,0,0]]}]}",
            "curves[1]: part 'part 1', curve 0: a force on the mean" } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        FILE* file = fopen( path, "w" );
        fputs( cases[i].text, file );
        fclose( file );
        assert_int_not_equal( supReadCurveForces( c.network, c.motion, path, &error ), sup_success );
        if ( strstr( error.text, cases[i].words ) == NULL )
        {
            fail_msg( "'%s' does not say '%s'", error.text, cases[i].words );
        }
        supCurveMotion_At( c.motion, 0.3, a );
        assert_memory_equal( a, b, c.floats * sizeof( float ) );
    }
    remove( path );
    free( a );
    free( b );
    supCloseArm( &c );
}

/// The least step from a curve to the next one along the arm, at the curves' points, as a share of rest: below zero
/// where they cross. The way is that of the curve's own plane.
static double supLeastGap( const supArmCase* c, const float* shape )
{
    double least = 1e9;
    for ( int32_t k = 0; k + 1 < supCurveNetwork_CurveCount( c->network ); ++k )
    {
        supNetworkCurve one = supCurveNetwork_Curve( c->network, k ), two = supCurveNetwork_Curve( c->network, k + 1 );
        if ( one.tip || two.tip )
        {
            continue;
        }
        double steps[2][24], points[3 * 128];
        for ( int32_t pass = 0; pass < 2; ++pass )
        {
            const float* from = pass == 0 ? c->rest : shape;
            double places[2][24][3], area[3] = { 0 }, way[3] = { 0 };
            for ( int32_t side = 0; side < 2; ++side )
            {
                supNetworkCurve view = side == 0 ? one : two;
                double series[3 * 129];
                supCurveNetwork_Points( c->network, k + side, from, points );
                supCurveFitDef fit = { .terms = view.terms, .pointCount = view.pointCount, .points = points };
                assert_int_equal( supFitCurve( &fit, series, NULL, NULL ), sup_success );
                for ( int32_t i = 0; i < 24; ++i )
                {
                    supCurve_At( false, view.terms, series, i / 24.0, places[side][i], NULL );
                }
                for ( int32_t i = 0; i < 24; ++i )
                {
                    const double *p = places[side][i], *q = places[side][( i + 1 ) % 24];
                    for ( int32_t axis = 0; axis < 3; ++axis )
                    {
                        int32_t y = ( axis + 1 ) % 3, z = ( axis + 2 ) % 3;
                        area[axis] +=
                            ( p[y] - series[y] ) * ( q[z] - series[z] ) - ( p[z] - series[z] ) * ( q[y] - series[y] );
                    }
                }
            }
            for ( int32_t axis = 0; axis < 3; ++axis )
            {
                way[axis] = area[axis] / sqrt( area[0] * area[0] + area[1] * area[1] + area[2] * area[2] );
            }
            for ( int32_t i = 0; i < 24; ++i )
            {
                steps[pass][i] = 0.0;
                for ( int32_t axis = 0; axis < 3; ++axis )
                {
                    steps[pass][i] += ( places[1][i][axis] - places[0][i][axis] ) * way[axis];
                }
            }
        }
        for ( int32_t i = 0; i < 24; ++i )
        {
            least = fmin( least, steps[1][i] / steps[0][i] );
        }
    }
    return least;
}

/// The arm bent by 120 degrees at t = 1, carried on to 168: curves cross on the inside of the elbow, and with `apart`
/// they do not; the given shapes, in which they do not cross, come back as before.
static void supTestCarriedOnTooFar( void** state )
{
    (void)state;
    double gaps[2];
    for ( int32_t holds = 0; holds < 2; ++holds )
    {
        supCurveMotionDef def = supDefaultCurveMotionDef();
        def.shapeCount = 2;
        def.apart = holds ? 0.2 : 0.0;
        supArmCase c = supOpenArm( def );
        float* out = malloc( c.floats * sizeof( float ) );
        supCurveMotion_At( c.motion, 0.0, out );
        for ( size_t i = 0; i < c.floats; ++i )
        {
            assert_true( fabsf( out[i] - c.rest[i] ) < 1e-6f );
        }
        supCurveMotion_At( c.motion, 1.4, out );
        gaps[holds] = supLeastGap( &c, out );
        free( out );
        supCloseArm( &c );
    }
    print_message( "arm bent on to 168 degrees: the least step between curves is %.2f of rest, %.2f with apart 0.2\n",
        gaps[0], gaps[1] );
    assert_true( gaps[0] < 0.0 );
    assert_true( gaps[1] > 0.1 );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOneShape ),
        cmocka_unit_test( supTestForcesFile ),
        cmocka_unit_test( supTestCarriedOnTooFar ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
