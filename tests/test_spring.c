// The spring against its own differential equation, and the path through frames.
#include "solve/spring_step.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/// The textbook solution of the free spring, in long double: value after h from (1, 0) and from (0, 1).
static void supTextbook( double omega, double zeta, double h, double* fromValue, double* fromSpeed )
{
    long double a = (long double)zeta * omega, d = a * a - (long double)omega * omega, c, s;
    if ( d < 0 )
    {
        long double b = sqrtl( -d );
        c = expl( -a * h ) * cosl( b * h );
        s = expl( -a * h ) * sinl( b * h ) / b;
    }
    else if ( d > 0 )
    {
        long double b = sqrtl( d ), slow = -(long double)omega * omega / ( a + b );
        c = ( expl( slow * h ) + expl( ( -a - b ) * h ) ) / 2;
        s = ( expl( slow * h ) - expl( ( -a - b ) * h ) ) / ( 2 * b );
    }
    else
    {
        c = expl( -a * h );
        s = h * c;
    }
    *fromValue = (double)( c + a * s );
    *fromSpeed = (double)s;
}

static void supTestFreeSpring( void** state )
{
    (void)state;
    const double frequencies[] = { 0.01, 1.0, 4.0, 50.0, 1e4, 1e7 }, ratios[] = { 0.0, 0.05, 0.5, 1.0, 1.0001, 20.0 };
    const double steps[] = { 1e-4, 1e-3, 1.0 / 60.0, 0.1, 5.0 };
    for ( int i = 0; i < 6; ++i )
    {
        for ( int j = 0; j < 6; ++j )
        {
            for ( int k = 0; k < 5; ++k )
            {
                double omega = 2.0 * 3.14159265358979323846 * frequencies[i], h = steps[k];
                if ( ratios[j] == 0.0 && omega * h > 1e4 )
                {
                    continue; // an undamped phase of thousands of turns is not known to any precision worth testing
                }
                supResponse response = supSpringResponse( 2.0 * ratios[j] * omega, omega * omega, h );
                double fromValue, fromSpeed;
                supTextbook( omega, ratios[j], h, &fromValue, &fromSpeed );
                assert_true( fabs( response.e[0][0] - fromValue ) < 1e-11 );
                assert_true( fabs( response.e[0][1] - fromSpeed ) * omega < 1e-11 );
                // a constant push of omega^2 ends at 1 - (what is left of 1)
                assert_true( fabs( response.r[0][0] * omega * omega - ( 1.0 - fromValue ) ) < 1e-11 );
            }
        }
    }
}

/// Forcing by theta^k against a fine Runge-Kutta integration.
static void supTestForcedSpring( void** state )
{
    (void)state;
    const double friction = 7.0, stiffness = 900.0, h = 0.07;
    supResponse response = supSpringResponse( friction, stiffness, h );
    for ( int k = 0; k <= SUP_RESPONSE_DEGREE; ++k )
    {
        const int count = 4000;
        double w = 0.0, v = 0.0, dt = h / count;
        for ( int n = 0; n < count; ++n )
        {
            double kw[4], kv[4];
            for ( int s = 0; s < 4; ++s )
            {
                double at = s == 0 ? 0.0 : s == 3 ? 1.0 : 0.5;
                double ws = s == 0 ? w : w + at * dt * kw[s - 1], vs = s == 0 ? v : v + at * dt * kv[s - 1];
                kw[s] = vs;
                kv[s] = pow( ( n + at ) / count, k ) - friction * vs - stiffness * ws;
            }
            w += dt / 6.0 * ( kw[0] + 2 * kw[1] + 2 * kw[2] + kw[3] );
            v += dt / 6.0 * ( kv[0] + 2 * kv[1] + 2 * kv[2] + kv[3] );
        }
        assert_true( fabs( response.r[0][k] - w ) < 1e-10 * fabs( w ) );
        assert_true( fabs( response.r[1][k] - v ) < 1e-10 * fabs( v ) );
    }
}

/// A free mass, with no spring at all: h^2 / 2 for a constant push.
static void supTestNoSpring( void** state )
{
    (void)state;
    supResponse response = supSpringResponse( 0.0, 0.0, 0.5 );
    assert_true( fabs( response.r[0][0] - 0.125 ) < 1e-15 );
    assert_true( fabs( response.r[0][2] - 0.25 / 12.0 ) < 1e-15 );
    assert_true( fabs( response.e[0][1] - 0.5 ) < 1e-15 );
}

static double supQuartic( double t )
{
    return 0.3 + t * ( -0.7 + t * ( 1.1 + t * ( -0.4 + 0.9 * t ) ) );
}

/// A path that is a quartic comes out exactly, whatever the lengths of the frames.
static void supTestPath( void** state )
{
    (void)state;
    const float spans[3][4] = { { 1, 1, 1, 1 }, { 0.5f, 1.0f, 0.75f, 0.5f }, { 1.0f, 0.5f, 0.5f, 1.0f } };
    for ( int s = 0; s < 3; ++s )
    {
        supFrameTimes times;
        memset( &times, 0, sizeof( times ) );
        double edges[5] = { 2.0 }, deltas[4];
        for ( int i = 3; i >= 0; --i )
        {
            supFrameTimes_Push( &times, spans[s][i] );
        }
        for ( int i = 0; i < 4; ++i )
        {
            edges[i + 1] = edges[i] - spans[s][i];
            deltas[i] = supQuartic( edges[i] ) - supQuartic( edges[i + 1] );
        }
        supPathBasis basis = supMakePathBasis( &times );
        for ( double theta = 0.0; theta <= 1.0; theta += 0.125 )
        {
            double d = 0.0, power = 1.0;
            for ( int k = 0; k < SUP_PATH_SPANS; ++k )
            {
                power *= theta;
                for ( int j = 0; j < SUP_PATH_SPANS; ++j )
                {
                    d += power * basis.m[k][j] * deltas[j];
                }
            }
            double truth = supQuartic( edges[1] + theta * spans[s][0] ) - supQuartic( edges[1] );
            assert_true( fabs( d - truth ) < 1e-12 );
        }
    }
}

/// A long frame after short ones is taken straight: what happened in a millisecond says nothing about the next five
/// seconds.
static void supTestPathAfterPause( void** state )
{
    (void)state;
    supFrameTimes times;
    memset( &times, 0, sizeof( times ) );
    supFrameTimes_Push( &times, 0.001f );
    supFrameTimes_Push( &times, 0.001f );
    supFrameTimes_Push( &times, 5.0f );
    supPathBasis basis = supMakePathBasis( &times );
    for ( int k = 0; k < SUP_PATH_SPANS; ++k )
    {
        for ( int j = 0; j < SUP_PATH_SPANS; ++j )
        {
            assert_true( basis.m[k][j] == ( k == 0 && j == 0 ? 1.0 : 0.0 ) );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestFreeSpring ),
        cmocka_unit_test( supTestForcedSpring ),
        cmocka_unit_test( supTestNoSpring ),
        cmocka_unit_test( supTestPath ),
        cmocka_unit_test( supTestPathAfterPause ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
