// Fat where there is no memory for a factor: the same solid, found by gradients.
#include "base/math.h"
#include "layers/fat/fat_step.h"
#include "supple/lab/compiled.h"
#include "support/fat_case.h"
#include "support/limb.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static supFatDef supSmallBreasts( supSphere balls[2], float memory )
{
    supFatDef def = supTorsoBreasts( balls );
    def.nodes = 300.0f;
    def.modes = SUP_SLOW_BUILD ? 8.0f : 24.0f;
    def.memory = memory;
    return def;
}

/// Just below what the factor takes, and just above: the switch is where it is said to be, and nothing else changes.
static void TestSwitch( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supSmallBreasts( balls, 2.0f );
    supFatCase cases[2];
    supFatView views[2];
    supOpenFatCase( cases, "torso", &def );
    assert_true( supModel_Fat( cases[0].model, 0, views ) );
    assert_true( views[0].factorBytes > 1e5 && views[0].factorBytes < 1e8 );
    def.memory = (float)( 1.01e-9 * views[0].factorBytes );
    supOpenFatCase( cases + 1, "torso", &def );
    assert_true( supModel_Fat( cases[1].model, 0, views + 1 ) && views[1].factorBytes == views[0].factorBytes );
    supCloseFatCase( cases + 1 );
    def.memory = (float)( 0.99e-9 * views[0].factorBytes );
    supOpenFatCase( cases + 1, "torso", &def );
    assert_true( supModel_Fat( cases[1].model, 0, views + 1 ) && views[1].factorBytes == 0.0 );

    double off = 0.0;
    for ( int32_t k = 0; k < cases[0].fat->modeCount; ++k )
    {
        off = fmax( off, fabs( (double)cases[1].fat->omegas[k] / cases[0].fat->omegas[k] - 1.0 ) );
    }
    float sags[2], swings[2];
    for ( int i = 0; i < 2; ++i )
    {
        supStepFatCase( cases + i, supMat34_identity, 0.0f );
        sags[i] = supLargestFatShift( cases + i );
        for ( int n = 0; n < 30; ++n )
        {
            supStepFatCase( cases + i, supMoved( 0.03f * (float)sin( 0.4 * n ), 0.0f, 0.0f ), 1.0f / 60.0f );
        }
        swings[i] = supLargestFatShift( cases + i );
        supCloseFatCase( cases + i );
    }
    print_message(
        "with a factor of %.2f MB and without: frequencies within %.1e, sag %.5f and %.5f mm, swing %.4f and "
        "%.4f mm\n",
        1e-6 * views[0].factorBytes, off, 1e3 * sags[0], 1e3 * sags[1], 1e3 * swings[0], 1e3 * swings[1] );
    assert_true( off < 1e-5 );
    assert_true( sags[0] > 0.002f && supAbsF( sags[1] / sags[0] - 1.0f ) < 1e-4f );
    assert_true( supAbsF( swings[1] / swings[0] - 1.0f ) < 1e-3f );
}

/// Forces on the skin in full need the factor.
static void TestTouchNeedsFactor( void** state )
{
    (void)state;
    supSphere balls[2];
    supFatDef def = supSmallBreasts( balls, 0.0f );
    supCreature* creature;
    supError error = { 0 };
    def.touch = true;
    assert_int_equal( supCreateCreature( "torso", NULL, &creature, NULL ), sup_success );
    assert_null( supCompileFatRig( supCreature_Character( creature ), &def, &error ) );
    assert_non_null( strstr( error.text, "fat[0].touch: needs a factor" ) );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestSwitch ), cmocka_unit_test( TestTouchNeedsFactor ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
