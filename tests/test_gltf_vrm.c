// VRM files: opened as the .glb they are, their bones of a human and their springs read, and baked without a change to
// what they say of themselves. Made here, of a built-in character.
#include "support/baked_file.h"
#include "support/draco_file.h"
#include "support/glb_edit.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static char sup_folder[256];

static const char* supPathOf( const char* name )
{
    static char paths[6][600];
    static int next = 0;
    char* path = paths[next++ % 6];
    snprintf( path, sizeof( paths[0] ), "%s/%s", sup_folder, name );
    return path;
}

typedef struct supNotes
{
    int count;
    char text[800];
} supNotes;

static void supTakeNote( const char* text, void* user )
{
    supNotes* notes = user;
    notes->count += 1;
    snprintf( notes->text, sizeof( notes->text ), "%s", text );
}

static supCharacter* supReadTold( const char* path, supNotes* notes )
{
    supGltf* document = NULL;
    supCharacter* character = NULL;
    supError error = { 0 };
    *notes = ( supNotes ){ 0 };
    if ( supOpenGltf( path, ( supLog ){ supTakeNote, notes }, &document, &error ) != sup_success ||
         supGltf_Character( document, NULL, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    supCloseGltf( document );
    return character;
}

static int supNodeNamed( const supGlb* glb, const char* name )
{
    for ( int i = 0; i < supGlb_Count( glb, "nodes" ); ++i )
    {
        const char* other = json_string_value( json_object_get( supGlb_Item( glb, "nodes", i ), "name" ) );
        if ( other != NULL && strcmp( other, name ) == 0 )
        {
            return i;
        }
    }
    fail_msg( "no node '%s'", name );
    return -1;
}

/// The woman's joints, and what VRM calls them.
static const char* const sup_bones[][2] = { { "hips", "hips" }, { "spine", "spine" }, { "thigh.L", "leftUpperLeg" },
    { "thigh.R", "rightUpperLeg" }, { "head", "head" } };

enum
{
    sup_boneCount = sizeof( sup_bones ) / sizeof( sup_bones[0] )
};

static supGlb supMakeWoman( void )
{
    const char* path = supPathOf( "woman.glb" );
    supSaveCreature( "woman", path );
    return supOpenGlb( path );
}

static void supListExtension( supGlb* glb, const char* name, json_t* extension )
{
    json_t* used = json_object_get( glb->json, "extensionsUsed" );
    json_t* extensions = json_object_get( glb->json, "extensions" );
    if ( used == NULL )
    {
        used = json_array();
        json_object_set_new( glb->json, "extensionsUsed", used );
    }
    if ( extensions == NULL )
    {
        extensions = json_object();
        json_object_set_new( glb->json, "extensions", extensions );
    }
    json_array_append_new( used, json_string( name ) );
    json_object_set_new( extensions, name, extension );
}

/// VRM 0.x: bones as a list, springs as groups of roots.
static void supAddVrm0( supGlb* glb, const char* springRoot )
{
    json_t* bones = json_array();
    for ( int i = 0; i < sup_boneCount; ++i )
    {
        json_array_append_new( bones, json_pack( "{s:s, s:i, s:b}", "bone", sup_bones[i][1], "node",
                                          supNodeNamed( glb, sup_bones[i][0] ), "useDefaultValues", 1 ) );
    }
    json_array_append_new( bones, json_pack( "{s:s, s:i}", "bone", "leftThumbIntermediate", "node", -1 ) );
    json_t* groups = json_pack(
        "[{s:s, s:f, s:[i]}]", "comment", "hair", "stiffiness", 0.7, "bones", supNodeNamed( glb, springRoot ) );
    supListExtension( glb, "VRM",
        json_pack( "{s:s, s:{s:o}, s:{s:o}, s:{s:s}}", "specVersion", "0.0", "humanoid", "humanBones", bones,
            "secondaryAnimation", "boneGroups", groups, "meta", "title", "woman" ) );
}

/// VRM 1.0: bones by name, springs joint by joint.
static void supAddVrm1( supGlb* glb, const char* springA, const char* springB )
{
    json_t* bones = json_object();
    for ( int i = 0; i < sup_boneCount; ++i )
    {
        json_object_set_new(
            bones, sup_bones[i][1], json_pack( "{s:i}", "node", supNodeNamed( glb, sup_bones[i][0] ) ) );
    }
    supListExtension( glb, "VRMC_vrm",
        json_pack( "{s:s, s:{s:o}, s:{s:s}}", "specVersion", "1.0", "humanoid", "humanBones", bones, "meta", "name",
            "woman" ) );
    supListExtension( glb, "VRMC_springBone",
        json_pack( "{s:s, s:[{s:s, s:[{s:i, s:f}, {s:i}]}]}", "specVersion", "1.0", "springs", "name", "legs", "joints",
            "node", supNodeNamed( glb, springA ), "stiffness", 1.5, "node", supNodeNamed( glb, springB ) ) );
}

static bool supIsBelow( const supCharacter* character, int32_t joint, int32_t root )
{
    while ( joint >= 0 && joint != root )
    {
        joint = supCharacter_Joint( character, joint )->parent;
    }
    return joint == root;
}

/// Every joint that the table names has its word, and no other has one.
static void supAssertBones( const supCharacter* character )
{
    int named = 0;
    for ( int i = 0; i < sup_boneCount; ++i )
    {
        int32_t joint = supCharacter_FindJoint( character, sup_bones[i][0] );
        assert_string_equal( supCharacter_Joint( character, joint )->humanBone, sup_bones[i][1] );
    }
    for ( int j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        named += supCharacter_Joint( character, j )->humanBone[0] != '\0';
    }
    assert_int_equal( named, sup_boneCount );
}

static void supTestVrm0( void** state )
{
    (void)state;
    supGlb glb = supMakeWoman();
    supAddVrm0( &glb, "thigh.L" );
    const char* path = supPathOf( "old.vrm" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );
    supNotes notes;
    supCharacter* character = supReadTold( path, &notes );
    assert_int_equal( notes.count, 0 ); // -1 is how exporters say none
    supAssertBones( character );
    int32_t root = supCharacter_FindJoint( character, "thigh.L" );
    int swung = 0;
    for ( int j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        assert_int_equal( supCharacter_Joint( character, j )->hasPhysics, supIsBelow( character, j, root ) );
        swung += supCharacter_Joint( character, j )->hasPhysics;
    }
    assert_true( swung > 1 && swung < supCharacter_Info( character )->jointCount );
    supDestroyCharacter( character );
}

static void supTestVrm1( void** state )
{
    (void)state;
    supGlb glb = supMakeWoman();
    supAddVrm1( &glb, "thigh.L", "thigh.R" );
    const char* path = supPathOf( "new.vrm" );
    supSaveGlb( &glb, path );
    supCloseGlb( &glb );
    supNotes notes;
    supCharacter* character = supReadTold( path, &notes );
    assert_int_equal( notes.count, 0 );
    supAssertBones( character );
    int32_t left = supCharacter_FindJoint( character, "thigh.L" ),
            right = supCharacter_FindJoint( character, "thigh.R" );
    for ( int j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        assert_int_equal( supCharacter_Joint( character, j )->hasPhysics, j == left || j == right );
    }
    supDestroyCharacter( character );
}

/// A file that is no VRM says nothing.
static void supTestNoVrm( void** state )
{
    (void)state;
    supNotes notes;
    supGlb glb = supMakeWoman();
    supCloseGlb( &glb );
    supCharacter* character = supReadTold( supPathOf( "woman.glb" ), &notes );
    for ( int j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        assert_string_equal( supCharacter_Joint( character, j )->humanBone, "" );
        assert_false( supCharacter_Joint( character, j )->hasPhysics );
    }
    supDestroyCharacter( character );
}

/// What makes no sense there is passed over: the character is whole without it.
static void supTestBrokenVrm( void** state )
{
    (void)state;
    static const char* const broken[] = { "{\"humanoid\": 3}", "[]",
        "{\"humanoid\": {\"humanBones\": 7}, \"secondaryAnimation\": []}",
        "{\"humanoid\": {\"humanBones\": [3, null, {\"bone\": 5, \"node\": 1}, {\"bone\": \"hips\"}]}}",
        "{\"secondaryAnimation\": {\"boneGroups\": [1, {\"bones\": {}}, {\"bones\": [\"a\", 1.5, -7, 99999]}]}}" };
    static const int astray[] = { 0, 0, 0, 1, 4 };
    for ( size_t i = 0; i < sizeof( broken ) / sizeof( broken[0] ); ++i )
    {
        supGlb glb = supMakeWoman();
        supListExtension( &glb, "VRM", json_loads( broken[i], 0, NULL ) );
        supSaveGlb( &glb, supPathOf( "broken.vrm" ) );
        supCloseGlb( &glb );
        supNotes notes;
        char words[100];
        supCharacter* character = supReadTold( supPathOf( "broken.vrm" ), &notes );
        snprintf(
            words, sizeof( words ), "its VRM extensions name %d nodes that are not there: passed over", astray[i] );
        assert_int_equal( notes.count, astray[i] > 0 ? 1 : 0 );
        assert_true( astray[i] == 0 || strstr( notes.text, words ) != NULL );
        supDestroyCharacter( character );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Baked

/// What the extensions say, and what stands where they point, is the same after a bake.
static void supCheckBaked( const char* in, const char* out, bool asMorphs )
{
    supBakedFileDef def = supDefaultBakedFileDef( in, out );
    def.asMorphs = asMorphs;
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDropBakedFile( &baked );
    supGlb before = supOpenGlb( in ), after = supOpenGlb( out ); // a .vrm is a .glb
    static const char* const names[] = { "VRM", "VRMC_vrm", "VRMC_springBone" };
    int kept = 0;
    for ( size_t i = 0; i < 3; ++i )
    {
        json_t* a = json_object_get( json_object_get( before.json, "extensions" ), names[i] );
        json_t* b = json_object_get( json_object_get( after.json, "extensions" ), names[i] );
        assert_true( a == NULL ? b == NULL : json_equal( a, b ) != 0 );
        kept += a != NULL;
    }
    assert_true( kept > 0 );
    assert_true( supGlb_Count( &after, "nodes" ) >= supGlb_Count( &before, "nodes" ) );
    for ( int n = 0; n < supGlb_Count( &before, "nodes" ); ++n )
    {
        const char* a = json_string_value( json_object_get( supGlb_Item( &before, "nodes", n ), "name" ) );
        const char* b = json_string_value( json_object_get( supGlb_Item( &after, "nodes", n ), "name" ) );
        assert_string_equal( a != NULL ? a : "", b != NULL ? b : "" );
    }
    supCloseGlb( &before );
    supCloseGlb( &after );
    supNotes notes;
    supCharacter *a = supReadTold( in, &notes ), *b = supReadTold( out, &notes );
    for ( int j = 0; j < supCharacter_Info( a )->jointCount; ++j )
    {
        assert_string_equal( supCharacter_Joint( a, j )->humanBone, supCharacter_Joint( b, j )->humanBone );
        assert_int_equal( supCharacter_Joint( a, j )->hasPhysics, supCharacter_Joint( b, j )->hasPhysics );
    }
    supDestroyCharacter( a );
    supDestroyCharacter( b );
}

static void supTestBaked( void** state )
{
    (void)state;
    supGlb glb = supMakeWoman();
    supAddVrm0( &glb, "head" );
    supSaveGlb( &glb, supPathOf( "old.vrm" ) );
    supCloseGlb( &glb );
    glb = supMakeWoman();
    supAddVrm1( &glb, "head", "head" );
    supSaveGlb( &glb, supPathOf( "new.vrm" ) );
    supCloseGlb( &glb );
    supCheckBaked( supPathOf( "old.vrm" ), supPathOf( "old_baked.vrm" ), false );
    supCheckBaked( supPathOf( "new.vrm" ), supPathOf( "new_baked.VRM" ), false );
    if ( SUP_SLOW_BUILD == 0 )
    {
        supCheckBaked( supPathOf( "new.vrm" ), supPathOf( "new_morphs.glb" ), true );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Names that lie

static void supTestNames( void** state )
{
    (void)state;
    assert_true( supIsGltfName( "a.glb" ) && supIsGltfName( "a.b.GLTF" ) && supIsGltfName( "dir/a.Vrm" ) );
    assert_false( supIsGltfName( "glb" ) || supIsGltfName( "a.glb.txt" ) || supIsGltfName( "" ) );
    assert_true( supIsBinaryGltfName( "a.glb" ) && supIsBinaryGltfName( "a.VRM" ) );
    assert_false( supIsBinaryGltfName( "a.gltf" ) );
}

/// A file is what it holds: a .glb called .gltf, JSON called .glb, either called nothing at all; as motion too.
static void supTestContent( void** state )
{
    (void)state;
    supGlb glb = supMakeWoman();
    supCloseGlb( &glb );
    supGltf* document = NULL;
    supError error = { 0 };
    assert_int_equal(
        supOpenGltf( supPathOf( "woman.glb" ), ( supLog ){ NULL, NULL }, &document, &error ), sup_success );
    assert_int_equal( supGltf_Write( document, supPathOf( "text.gltf" ), &error ), sup_success );
    supCloseGltf( document );
    static const char* const lies[][2] = { { "woman.glb", "lie.gltf" }, { "woman.glb", "lie" },
        { "woman.glb", "lie.bvh" }, { "text.gltf", "lie.glb" }, { "text.gltf", "lie.vrm" } };
    supNotes notes;
    supCharacter* truth = supReadTold( supPathOf( "woman.glb" ), &notes );
    for ( size_t i = 0; i < sizeof( lies ) / sizeof( lies[0] ); ++i )
    {
        size_t size;
        uint8_t* bytes = supReadWhole( supPathOf( lies[i][0] ), &size );
        supWriteWhole( supPathOf( lies[i][1] ), bytes, size );
        free( bytes );
        supCharacter *character = supReadTold( supPathOf( lies[i][1] ), &notes ), *motion = NULL;
        assert_true( supCharacter_Info( character )->fingerprint == supCharacter_Info( truth )->fingerprint );
        assert_int_equal(
            supLoadMotion( supPathOf( lies[i][1] ), ( supLog ){ NULL, NULL }, &motion, &error ), sup_success );
        assert_int_equal( supCharacter_Info( motion )->clipCount, supCharacter_Info( truth )->clipCount );
        supDestroyCharacter( motion );
        supDestroyCharacter( character );
    }
    supDestroyCharacter( truth );
    // and a bake of one is what its own name says
    supBakedFileDef def = supDefaultBakedFileDef( supPathOf( "lie.gltf" ), supPathOf( "truth.glb" ) );
    supBakedFile baked;
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDropBakedFile( &baked );
    def = supDefaultBakedFileDef( supPathOf( "lie.vrm" ), supPathOf( "truth.gltf" ) );
    assert_true( supMakeBakedFile( &def, &baked ) );
    supDropBakedFile( &baked );
}

int main( void )
{
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestVrm0 ),
        cmocka_unit_test( supTestVrm1 ),
        cmocka_unit_test( supTestNoVrm ),
        cmocka_unit_test( supTestBrokenVrm ),
        cmocka_unit_test( supTestBaked ),
        cmocka_unit_test( supTestNames ),
        cmocka_unit_test( supTestContent ),
    };
    int failed = cmocka_run_group_tests( tests, NULL, NULL );
    supRemoveTestFolder( sup_folder );
    return failed;
}
