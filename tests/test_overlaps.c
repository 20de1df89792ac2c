// Two layers that answer the same inertia on the same skin are told.
#include "rig/layer_list.h"
#include "supple/lab/items.h"
#include "supple/lab/overlaps.h"
#include "support/fat_case.h"
#include "support/limb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/// A limb with an element, fat, or more of it.
static supModel* supLimbWith( const supCharacter* limb, bool element, int fats, float amount )
{
    supRig* rig;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
    supElementDef flesh = supLimbElement();
    const char* ends[] = { "tip" };
    flesh.name = "belly";
    flesh.driver = "bone";
    flesh.ends = ( supNameList ){ 1, ends };
    flesh.amount = amount;
    supResult result = element ? supRig_AddElement( rig, &flesh, &error ) : sup_success;
    for ( int i = 0; i < fats && result == sup_success; ++i )
    {
        supFatDef fat = supLimbFat();
        fat.name = i == 0 ? "fat" : "more";
        result = supRig_AddItem( rig, sup_layerFat, &fat, &error );
    }
    if ( result != sup_success || supCompileModel( limb, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( rig );
    return model;
}

static void TestOverlaps( void** state )
{
    (void)state;
    supCharacter* limb = supMakeLimbCharacter( 1.0f, false );
    supOverlap overlaps[4];
    supModel* model = supLimbWith( limb, true, 1, 1.0f );
    assert_int_equal( supModel_Overlaps( model, overlaps, 4 ), 1 );
    assert_string_equal( overlaps[0].kinds[0], "elements" );
    assert_string_equal( overlaps[0].kinds[1], "fat" );
    assert_string_equal( overlaps[0].names[0], "belly" );
    assert_string_equal( overlaps[0].names[1], "fat" );
    supElementView view = supModel_Info( model )->elements[0];
    int32_t strong = 0;
    for ( int32_t i = 0; i < view.vertexCount; ++i )
    {
        strong += view.weights[i] >= 0.25f;
    }
    assert_true( overlaps[0].vertexCount > strong / 2 && overlaps[0].vertexCount <= strong );
    supDestroyModel( model );

    model = supLimbWith( limb, true, 2, 1.0f ); // each with each
    assert_int_equal( supModel_Overlaps( model, overlaps, 4 ), 3 );
    assert_int_equal( supModel_Overlaps( model, NULL, 0 ), 3 );
    supDestroyModel( model );

    model = supLimbWith( limb, true, 1, 0.0f ); // an element that answers nothing
    assert_int_equal( supModel_Overlaps( model, overlaps, 4 ), 0 );
    supDestroyModel( model );

    model = supLimbWith( limb, true, 0, 1.0f );
    assert_int_equal( supModel_Overlaps( model, overlaps, 4 ), 0 );
    supDestroyModel( model );
    supDestroyCharacter( limb );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( TestOverlaps ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
