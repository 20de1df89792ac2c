// Poses against what can be worked out by hand.
#include "support/two_bones.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double sup_pi = 3.14159265358979323846;

static supPose* supTestPose( const supCharacter* character )
{
    supPose* pose = NULL;
    supError error = { 0 };
    assert_int_equal( supCreatePose( character, NULL, &pose, &error ), sup_success );
    return pose;
}

static void supAssertNear( double value, double truth, double tolerance )
{
    if ( !( fabs( value - truth ) <= tolerance ) )
    {
        fail_msg( "%.9g is not %.9g within %g", value, truth, tolerance );
    }
}

static void supAssertVec( supVec3 v, double x, double y, double z, double tolerance )
{
    supAssertNear( v.x, x, tolerance );
    supAssertNear( v.y, y, tolerance );
    supAssertNear( v.z, z, tolerance );
}

/// At a quarter of a turn by 90 degrees a joint has turned by 22.5, and so on: the slerp's speed is even.
static void supTestSlerp( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    for ( int i = -1; i <= 5; ++i )
    {
        supPose_Sample( pose, 0, 0.25 * i );
        double share = i < 0 ? 0.0 : i > 4 ? 1.0 : 0.25 * i; // held at both ends
        double angle = 0.5 * sup_pi * share;
        supMat34 upper = supPose_Joints( pose )[2];
        supAssertVec( upper.x, cos( angle ), sin( angle ), 0.0, 1e-7 );
        supAssertVec( upper.y, -sin( angle ), cos( angle ), 0.0, 1e-7 );
        supAssertVec( upper.t, 0.0, 1.0, 0.0, 0.0 );
    }
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

/// q and -q are the same rotation: the way between them is the short one.
static void supTestShortestWay( void** state )
{
    (void)state;
    supTwoBones bones;
    supMakeTwoBones( &bones );
    for ( int i = 4; i < 8; ++i )
    {
        bones.rotations[i] = -bones.rotations[i];
    }
    supCharacter* character = supTestCreate( &bones.def );
    supPose* pose = supTestPose( character );
    supPose_Sample( pose, 0, 0.5 );
    supAssertVec( supPose_Joints( pose )[2].x, cos( 0.25 * sup_pi ), sin( 0.25 * sup_pi ), 0.0, 1e-7 );
    supDestroyPose( pose );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestSlerp ), cmocka_unit_test( supTestShortestWay ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
