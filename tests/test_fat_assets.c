// Fat on whatever character: found by itself on every file there is, or refused in words.
#include "rig/layer_list.h"
#include "supple/auto.h"
#include "supple/io.h"
#include "supple/model.h"
#include "support/fat_case.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"
#include "support/two_bones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct supFatCount
{
    int files, models, flat, refused, machines;
} supFatCount;

/// The fat that is found, with few nodes.
static supModel* supCompileFound( const supCharacter* character, supError* error )
{
    supRig *found, *few;
    supModel* model = NULL;
    assert_int_equal( supCreateRig( NULL, &found, NULL ), sup_success );
    assert_int_equal( supCreateRig( NULL, &few, NULL ), sup_success );
    if ( supProposeFat( character, NULL, found, error ) == sup_success )
    {
        supFatDef def = *(const supFatDef*)supRig_Item( found, sup_layerFat, 0 );
        def.nodes = 120.0f;
        def.modes = 8.0f;
        if ( supRig_AddItem( few, sup_layerFat, &def, error ) == sup_success )
        {
            supCompileModel( character, few, &model, error );
        }
    }
    supDestroyRig( few );
    supDestroyRig( found );
    return model;
}

static void supTryFat( const char* path, void* user )
{
    supFatCount* count = user;
    supCharacter* character = NULL;
    supError error = { 0 };
    bool large = strstr( path, "mh_human" ) != NULL && SUP_SLOW_BUILD;
    if ( large || strstr( path, "egative/" ) != NULL || supLoadGltf( path, &character, NULL ) != sup_success )
    {
        return;
    }
    ++count->files;
    supModel* model = supCompileFound( character, &error );
    bool flat = model == NULL && strstr( error.text, "the skin encloses nothing" ) != NULL;
    bool none =
        model == NULL && strstr( error.text, "there is no fat between the borders, since there is no skin" ) != NULL;
    bool machine = model == NULL && strstr( error.text, "which do not give way" ) != NULL;
    if ( model == NULL && !flat && !none && !machine )
    {
        fail_msg( "%s: %s", path, error.text );
    }
    count->models += model != NULL;
    count->flat += flat;
    count->refused += none;
    count->machines += machine;
    supDestroyModel( model );
    supDestroyCharacter( character );
}

static void TestAllFiles( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supFatCount count = { 0 };
    supForEachGltf( supTestAssets(), supTryFat, &count );
    print_message( "%d files: fat on %d, %d flat or open, %d without skin, %d of plates\n", count.files, count.models,
        count.flat, count.refused, count.machines );
    assert_true( count.models >= 20 && count.flat >= 2 );
    assert_int_equal( count.machines, 1 ); // the robot
}

/// The size that is told where voxels are too large does.
static void TestAdvice( void** state )
{
    (void)state;
    supFatDef def = supLimbFat();
    supError error = { 0 };
    supFatCase c;
    supOpenFatCase( &c, NULL, &def );
    def.voxel = 0.4f;
    assert_null( supCompileFatRig( c.character, &def, &error ) );
    const char* told = strstr( error.text, "m apart; " );
    assert_non_null( told );
    float size = 0.0f;
    assert_int_equal( sscanf( told, "m apart; %f (", &size ), 1 );
    def.voxel = size;
    supModel* model = supCompileFatRig( c.character, &def, &error );
    assert_non_null( model );
    supDestroyModel( model );
    supCloseFatCase( &c );
}

/// A board on joints without names.
static void TestFlatAndNameless( void** state )
{
    (void)state;
    supError error = { 0 };
    supCharacter* character = NULL;
    char path[512];
    SUP_SKIP_WITHOUT_ASSETS();
    if ( !supTestAssetPath( "khronos_simpleskin/glTF/SimpleSkin.gltf", path, sizeof( path ) ) )
    {
        skip();
    }
    assert_int_equal( supLoadGltf( path, &character, &error ), sup_success );
    supFatDef def = supDefaultFatDef();
    const char* numbers[2] = { "#1", "#7" };
    for ( int i = 0; i < 4; ++i )
    {
        def.voxel = i < 3 ? 0.02f : supDefaultFatDef().voxel;
        def.nodes = 1500.0f;
        def.joints = ( supNameList ){ i < 2 ? i + 1 : 0, numbers };
        assert_null( supCompileFatRig( character, &def, &error ) );
        const char* words = i == 1 ? "fat[0].joints[1]: no joint \"#7\"" : "the skin encloses nothing";
        if ( strstr( error.text, words ) == NULL )
        {
            fail_msg( "wanted \"%s\", got \"%s\"", words, error.text );
        }
    }
    supDestroyCharacter( character );
}

/// Plates without a skin that joints carry are the body of a machine, where they are most of it. What stands beside the
/// body is not.
static void TestPlates( void** state )
{
    (void)state;
    const struct
    {
        float scale; ///< of the plate against the skin
        int32_t joint;
        bool fat;
    } cases[] = { { 1.2f, 2, false }, { 1.2f, 1, false }, { 0.8f, 2, true }, { 1.2f, 0, true } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supTwoBones bones;
        supMakeTwoBones( &bones );
        float positions[3 * SUP_TWO_BONES_VERTICES];
        for ( int k = 0; k < 3 * SUP_TWO_BONES_VERTICES; ++k )
        {
            positions[k] = cases[i].scale * bones.positions[k];
        }
        supMeshDef meshes[2] = { bones.mesh, bones.mesh };
        meshes[1].name = "plate";
        meshes[1].skin = -1;
        meshes[1].joint = cases[i].joint;
        meshes[1].influenceCount = 0;
        meshes[1].jointIndices = NULL;
        meshes[1].weights = NULL;
        meshes[1].morphCount = 0;
        meshes[1].positions = positions;
        bones.def.meshes = meshes;
        bones.def.meshCount = 2;
        bones.def.clipCount = 0;
        supCharacter* character = supTestCreate( &bones.def );
        supRig* rig;
        supError error = { 0 };
        assert_int_equal( supCreateRig( NULL, &rig, NULL ), sup_success );
        supResult result = supProposeFat( character, NULL, rig, &error );
        assert_int_equal( result, cases[i].fat ? sup_success : sup_errorData );
        assert_int_equal( supRig_ItemCount( rig, sup_layerFat ), cases[i].fat ? 1 : 0 );
        assert_true( cases[i].fat || strstr( error.text, "59% of the body are meshes without a skin (1)" ) != NULL );
        supDestroyRig( rig );
        supDestroyCharacter( character );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestAdvice ),
        cmocka_unit_test( TestPlates ),
        cmocka_unit_test( TestFlatAndNameless ),
        cmocka_unit_test( TestAllFiles ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
