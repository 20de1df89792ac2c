// What swinging bones of other systems mean as springs: their own rules are run frame by frame, in space and with the
// bone's length kept, and compared with a damped spring of the numbers that the import gives.
// SPDX-License-Identifier: MIT
#include "rig_import.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum
{
    sup_frames = 240
};

/// A bone of length L that hangs along -y and swings along x: the rule of VRMC_springBone 1.0.
static void supRunVrm( double length, double stiffness, double drag, double gravity, double start, double* x )
{
    const double dt = 1.0 / 60.0;
    double now[2] = { start, -sqrt( length * length - start * start ) }, before[2] = { now[0], now[1] };
    for ( int i = 0; i < sup_frames; ++i )
    {
        double next[2] = { now[0] + ( now[0] - before[0] ) * ( 1.0 - drag ) + gravity * dt,
            now[1] + ( now[1] - before[1] ) * ( 1.0 - drag ) - stiffness * dt };
        double size = hypot( next[0], next[1] );
        x[i] = now[0];
        for ( int k = 0; k < 2; ++k )
        {
            before[k] = now[k];
            now[k] = next[k] * length / size;
        }
    }
}

/// KawaiiPhysics at its target of 60 frames: damped inertia, gravity, then a share of the way back to the pose.
static void supRunKawaii( double stiffness, double damping, double gravity, double start, double* x )
{
    const double dt = 1.0 / 60.0;
    double now = start, before = start;
    for ( int i = 0; i < sup_frames; ++i )
    {
        x[i] = now;
        double next = now + ( now - before ) * ( 1.0 - damping ) + 0.5 * gravity * dt * dt;
        next += ( 0.0 - next ) * stiffness;
        before = now;
        now = next;
    }
}

/// The largest difference from a damped spring that passes through the first two frames, as a share of the start.
static double supFarFrom( const double* x, supTunedSpring spring )
{
    double w = spring.frequency * 2.0 * 3.14159265358979323846, z = spring.dampingRatio, dt = 1.0 / 60.0, worst = 0.0;
    double rate = w * sqrt( fabs( 1.0 - z * z ) ), b = 0.0;
    for ( int i = 0; i < sup_frames; ++i )
    {
        double t = i * dt, c = z < 1.0 ? cos( rate * t ) : cosh( rate * t );
        double s = z < 1.0 ? sin( rate * t ) : sinh( rate * t );
        if ( i == 1 )
        {
            b = ( x[1] * exp( z * w * t ) - x[0] * c ) / s;
        }
        worst = fmax( worst, i > 0 ? fabs( exp( -z * w * t ) * ( x[0] * c + b * s ) - x[i] ) : 0.0 );
    }
    return worst / fabs( x[0] );
}

static void supTestVrm( void** state )
{
    (void)state;
    const double settings[][3] = { { 0.1, 1.0, 0.4 }, { 0.07, 0.3, 0.1 }, { 0.2, 4.0, 0.05 }, { 0.1, 2.0, 0.9 } };
    for ( size_t i = 0; i < sizeof( settings ) / sizeof( settings[0] ); ++i )
    {
        double length = settings[i][0], stiffness = settings[i][1], drag = settings[i][2], x[sup_frames];
        supTunedSpring spring =
            supSpringOfFrames( 1.0 - drag, length / ( length + stiffness / 60.0 ), 0.02 * stiffness / 60.0 );
        supRunVrm( length, stiffness, drag, 0.0, 0.05 * length, x );
        double far = supFarFrom( x, spring );
        print_message( "vrm %g %g %g: %.3g Hz, %.3g; off by %.2g%%\n", length, stiffness, drag, spring.frequency,
            spring.dampingRatio, 100.0 * far );
        assert_true( far < 0.02 );
        supRunVrm( length, stiffness, drag, 0.02 * stiffness, 1e-9, x );
        assert_true( fabs( x[sup_frames - 1] - spring.sag ) < 0.02 * spring.sag );
    }
}

static void supTestKawaii( void** state )
{
    (void)state;
    const double settings[][2] = { { 0.05, 0.1 }, { 0.2, 0.02 }, { 0.5, 0.3 }, { 0.02, 0.6 } };
    for ( size_t i = 0; i < sizeof( settings ) / sizeof( settings[0] ); ++i )
    {
        double stiffness = settings[i][0], damping = settings[i][1], x[sup_frames];
        supTunedSpring spring = supSpringOfFrames( 1.0 - damping, 1.0 - stiffness, 0.5 * 9.81 / 3600.0 );
        supRunKawaii( stiffness, damping, 0.0, 0.01, x );
        assert_true( supFarFrom( x, spring ) < 1e-6 );
        supRunKawaii( stiffness, damping, 9.81, 0.0, x );
        assert_true( fabs( x[sup_frames - 1] - spring.sag ) < 0.01 * spring.sag );
    }
}

/// What stops at once, never returns or never stops gives numbers that a rig takes.
static void supTestEnds( void** state )
{
    (void)state;
    for ( int i = 0; i < 9; ++i )
    {
        supTunedSpring spring = supSpringOfFrames( 0.5 * ( i % 3 ), 0.5 * ( i / 3 ), 1e-3 );
        assert_true( isfinite( spring.frequency ) && spring.frequency > 0.0 );
        assert_true( isfinite( spring.dampingRatio ) && spring.dampingRatio >= 0.0 );
        assert_true( isfinite( spring.sag ) && spring.sag >= 0.0 );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestVrm ),
        cmocka_unit_test( supTestKawaii ),
        cmocka_unit_test( supTestEnds ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
