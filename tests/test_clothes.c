// Clothes: garments go with the skin, and no vertex of theirs comes to be inside the body.
#include "base/math.h"
#include "supple/auto.h"
#include "supple/bake.h"
#include "supple/io.h"
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
    supMostTakes = 32,
};

static supCharacter* supLoadRobot( void )
{
    char path[512];
    SUP_SKIP_WITHOUT_ASSETS();
    assert_true( supTestAssetPath( "quaternius/Character.glb", path, sizeof( path ) ) );
    supCharacter* character = NULL;
    assert_int_equal( supLoadGltf( path, &character, NULL ), sup_success );
    return character;
}

/// The automatic rig's elements without the jacket, and the jacket as a garment.
static supModel* supDressRobot( const supCharacter* character, supPreset preset )
{
    static const char* const jacket[] = { "Cube.007" };
    supRig *found = NULL, *rig = NULL;
    supModel* model = NULL;
    supError error = { 0 };
    assert_int_equal( supProposeRig( character, preset, NULL, &found, NULL, &error ), sup_success );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    for ( int32_t i = 0; i < supRig_ElementCount( found ); ++i )
    {
        supElementDef def = *supRig_Element( found, i );
        def.skipMeshes = ( supNameList ){ 1, jacket };
        def.skipRigid = false; // a robot: all of it but the jacket is rigid
        assert_int_equal( supRig_AddElement( rig, &def, &error ), sup_success );
    }
    supClothDef cloth = supDefaultClothDef();
    cloth.mesh = jacket[0];
    assert_int_equal( supRig_AddItem( rig, supTestLayer( "clothes" ), &cloth, &error ), sup_success );
    if ( supCompileModel( character, rig, &model, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supDestroyRig( found );
    supDestroyRig( rig );
    return model;
}

/// The figure asked for, with the automatic rig: no new vertex inside the body.
static void supTestJacket( void** state )
{
    (void)state;
    if ( SUP_SLOW_BUILD )
    {
        print_message( "skipped: takes minutes in this build\n" );
        skip();
    }
    supCharacter* character = supLoadRobot();
    supModel* model = supDressRobot( character, sup_presetNatural );
    supTake* takes[supMostTakes] = { NULL };
    int32_t clips = supCharacter_ClipCount( character ), step = 4, count = 0;
    for ( int32_t c = 0; c < clips && count < supMostTakes; c += step )
    {
        supTakeDef def = supDefaultTakeDef();
        def.model = model;
        def.clip = c;
        assert_int_equal( supCreateTake( &def, takes + count++, NULL ), sup_success );
    }
    supClothesReport report;
    assert_int_equal( supMeasureClothes( model, (const supTake* const*)takes, count, &report, NULL ), sup_success );
    print_message( "jacket: %d vertices at %d moments; inside the body: smooth %d, new without %d, with %d\n",
        report.vertices, report.moments, report.insideSmooth, report.newWithout, report.newWith );
    assert_true( report.vertices > 300 && report.newWithout > 0 );
    assert_int_equal( report.newWith, 0 );
    for ( int32_t i = 0; i < count; ++i )
    {
        supDestroyTake( takes[i] );
    }
    supDestroyModel( model );
    supDestroyCharacter( character );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestJacket ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
