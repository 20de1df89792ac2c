// Contact: flesh presses against the body's other parts and does not pass through them.
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

/// The automatic rig, all of its elements in contact. `preset` as for supProposeRig.
static supModel* supInContact( const supCharacter* character, supPreset preset )
{
    supRig* rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRig( character, preset, NULL, &rig, NULL, &error ), sup_success );
    for ( int32_t i = 0; i < supRig_ElementCount( rig ); ++i )
    {
        supContactDef def = supDefaultContactDef();
        def.element = supRig_Element( rig, i )->name;
        assert_int_equal( supRig_AddItem( rig, supTestLayer( "contacts" ), &def, &error ), sup_success );
    }
    if ( supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return model;
}

/// Flesh adds no more than 1e-3 of the size to smooth skin's own overlap, and at least 80% of what it added is gone.
static void supTestClips( void** state )
{
    (void)state;
    const char* const names[] = { "woman", "cat" };
    for ( int n = 0; n < ( SUP_SLOW_BUILD ? 1 : 2 ); ++n )
    {
        supCreature* creature = NULL;
        assert_int_equal( supCreateCreature( names[n], NULL, &creature, NULL ), sup_success );
        const supCharacter* character = supCreature_Character( creature );
        float size = supCharacter_Size( character );
        supModel* model = supInContact( character, sup_presetCartoon );
        supTake* takes[supMostItems] = { NULL };
        int32_t clips = supCharacter_ClipCount( character );
        for ( int32_t c = 0; c < clips && c < supMostItems; ++c )
        {
            supTakeDef def = supDefaultTakeDef();
            def.model = model;
            def.clip = c;
            assert_int_equal( supCreateTake( &def, takes + c, NULL ), sup_success );
        }
        supContactReport report;
        assert_int_equal(
            supMeasureContacts( model, (const supTake* const*)takes, clips, &report, NULL ), sup_success );
        print_message(
            "%s: flesh adds %.4f%% of the size to overlaps at most, with contact %.5f%%; %.1f%% of all is gone\n",
            names[n], 100.0 * (double)( report.deepestWithout / size ), 100.0 * (double)( report.deepestWith / size ),
            100.0 * ( 1.0 - report.sumWith / report.sumWithout ) );
        assert_true( report.deepestWithout > 1e-3f * size );
        assert_true( report.deepestWith < 1e-3f * size );
        assert_true( report.sumWith < 0.2 * report.sumWithout );
        for ( int32_t c = 0; c < clips; ++c )
        {
            supDestroyTake( takes[c] );
        }
        supDestroyModel( model );
        supDestroyCreature( creature );
    }
}

/// At rest nothing moves: the smooth skin, bit for bit.
static void supTestRest( void** state )
{
    (void)state;
    supCreature* creature = NULL;
    assert_int_equal( supCreateCreature( "cat", NULL, &creature, NULL ), sup_success );
    const supCharacter* character = supCreature_Character( creature );
    supModel* model = supInContact( character, sup_presetNatural );
    supBody* body = NULL;
    assert_int_equal( supCreateBody( model, &body, NULL ), sup_success );
    size_t bytes = (size_t)supCharacter_VertexCount( character ) * sizeof( supVec3 );
    float *living = malloc( bytes ), *smooth = malloc( bytes );
    for ( int i = 0; i < 3; ++i )
    {
        supBody_Step( body, supCharacter_RestJoints( character ), supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( body, living, NULL );
        supBody_SmoothSkin( body, smooth, NULL );
        assert_memory_equal( living, smooth, bytes );
    }
    free( living );
    free( smooth );
    supDestroyBody( body );
    supDestroyModel( model );
    supDestroyCreature( creature );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestClips ), cmocka_unit_test( supTestRest ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
