// Volume: elements keep it, on the cat's and the woman's jumps.
#include "base/math.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/creatures.h"
#include "support/test_assets.h"
#include "support/test_rigs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum
{
    supMostItems = 32
};

static supModel* supKeepVolumes( const supCharacter* character )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRig( character, sup_presetNatural, NULL, &rig, NULL, &error ), sup_success );
    int32_t count = supRig_ElementCount( rig );
    assert_in_range( count, 1, supMostItems );
    for ( int32_t i = 0; i < count; ++i )
    {
        supVolumeDef def = supDefaultVolumeDef();
        def.element = supRig_Element( rig, i )->name;
        assert_int_equal( supRig_AddItem( rig, supTestLayer( "volumes" ), &def, &error ), sup_success );
    }
    if ( supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return model;
}

static void supTestJumps( void** state )
{
    (void)state;
    const char* const names[] = { "cat", "woman" };
    for ( int n = 0; n < ( SUP_SLOW_BUILD ? 1 : 2 ); ++n )
    {
        supCreature* creature = NULL;
        assert_int_equal( supCreateCreature( names[n], NULL, &creature, NULL ), sup_success );
        const supCharacter* character = supCreature_Character( creature );
        supModel* model = supKeepVolumes( character );
        supTakeDef def = supDefaultTakeDef();
        def.model = model;
        def.clip = supCharacter_FindClip( character, "jump" );
        assert_true( def.clip >= 0 );
        supTake* take = NULL;
        assert_int_equal( supCreateTake( &def, &take, NULL ), sup_success );
        supVolumeReport reports[supMostItems];
        const supTake* takes[1] = { take };
        assert_int_equal( supMeasureVolumes( model, takes, 1, reports, NULL ), sup_success );
        float worst = 0.0f, without = 0.0f;
        for ( int32_t i = 0; i < supModel_ItemCount( model, supTestLayer( "volumes" ) ); ++i )
        {
            print_message( "%s, jump: %-12s volume off by %.3f%% without, %.4f%% with\n", names[n], reports[i].name,
                100.0 * (double)reports[i].without, 100.0 * (double)reports[i].with );
            worst = supMaxF( worst, reports[i].with );
            without = supMaxF( without, reports[i].without );
        }
        assert_true( worst < 0.01f && worst < 0.2f * without );
        supDestroyTake( take );
        supDestroyModel( model );
        supDestroyCreature( creature );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestJumps ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
