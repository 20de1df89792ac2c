// The profile adds up what the host's clock says, and reads no other.
#include "supple/lab/profile.h"
#include "support/limb.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/// A clock that goes on by a second each time it is looked at.
static double supTick( void* user )
{
    return *(double*)user += 1.0;
}

static void test_times_add_up( void** state )
{
    (void)state;
    supLimb limb = supMakeLimb( ( supLimbDef ){ 0 } );
    double time = 0.0;
    supProfile profile = { .clock = supTick, .user = &time };
    static float positions[3 * SUP_LIMB_VERTICES];
    assert_int_equal( supBody_GetProfile( limb.body ).steps, 0 );
    supBody_SetProfile( limb.body, &profile );
    for ( int i = 0; i < 5; ++i )
    {
        supStepLimb( &limb, supMoved( 0.01f * (float)i, 0.0f, 0.0f ), 1.0f / 60.0f );
        supBody_Skin( limb.body, positions, NULL );
    }
    supProfile after = supBody_GetProfile( limb.body );
    assert_int_equal( after.steps, 5 );
    assert_int_equal( after.skins, 5 );
    assert_true( after.pose == 5.0 && after.layers[0] == 5.0 && after.skin == 5.0 );
    supBody_SetProfile( limb.body, NULL );
    supBody_Skin( limb.body, positions, NULL );
    assert_true( time == 30.0 ); // four looks a step, two a skin, none when nobody asks
    supDropLimb( &limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( test_times_add_up ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
