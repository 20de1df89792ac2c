// Rigs of earlier versions: read as they were meant, with the same motion to the bit; steps from version to version.
#include "io/gltf_document.h"
#include "io/rig_json.h"
#include "supple/body.h"
#include "supple/creatures.h"
#include "supple/io.h"
#include "supple/lab/items.h"
#include "supple/model.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUP_COUNT( array ) ( sizeof( array ) / sizeof( ( array )[0] ) )

/// A rig of the project, and the character it was made for.
typedef struct supOldRig
{
    const char* rig;
    const char* asset;    ///< a file of the test assets, or
    const char* creature; ///< a built-in character
    const char* clip;
    int32_t frames;
    /// Of the positions that version 1 of the format gave, with the program of that time; 0: not kept. Only flesh,
    /// whose motion is to stay; layers above it are mended now and then.
    uint64_t positions;
} supOldRig;

static const supOldRig sup_oldRigs[] = {
    { "examples/fox.rig.json", "khronos_fox/glTF-Binary/Fox.glb", NULL, "Run", 90, 0x3ed42057b7cefa0bull },
    { "examples/heavy_man.rig.json", "mh_human/mh_heavy.glb", NULL, "run", 60, 0xa00cc080d7405119ull },
    { "examples/horse.rig.json", "quaternius/Horse.glb", NULL, "AnimalArmature|Gallop", 60, 0x280f8c4b5d8b0a69ull },
    { "docs/anatomy/biceps.rig.json", NULL, "arm", "bend", 20, 0 },
    { "docs/anatomy/pectoral.rig.json", NULL, "torso", "abduct", 10, 0 },
    { "docs/anatomy/pectoral_fields.rig.json", NULL, "torso", "abduct", 10, 0 },
    { "docs/anatomy/breasts.rig.json", NULL, "torso", "hop", 10, 0 },
};

static void supMust( supResult result, const supError* error )
{
    if ( result != sup_success )
    {
        fail_msg( "%s", error->text );
    }
}

/// FNV-1a.
static uint64_t supHashBytes( uint64_t hash, const void* data, size_t size )
{
    const uint8_t* bytes = data;
    for ( size_t i = 0; i < size; ++i )
    {
        hash = ( hash ^ bytes[i] ) * 0x100000001b3ull;
    }
    return hash;
}

/// The positions of every vertex in every frame of a body that plays the clip from its start. By the exact path: the
/// live one may fuse multiplications and additions, and then its bits differ from processor to processor.
static uint64_t supHashMotion( const supCharacter* character, const supRig* rig, const supOldRig* old )
{
    supError error = { 0 };
    supModel* model = NULL;
    supBody* body = NULL;
    supPose* pose = NULL;
    supMust( supCompileModel( character, rig, &model, &error ), &error );
    supMust( supCreateBody( model, &body, &error ), &error );
    supMust( supCreatePose( character, NULL, &pose, &error ), &error );
    supBody_SetExact( body, true );
    size_t size = 3 * (size_t)supCharacter_Info( character )->vertexCount * sizeof( float );
    float* positions = malloc( size );
    int32_t clip = supCharacter_FindClip( character, old->clip );
    assert_true( clip >= 0 );
    uint64_t hash = 0xcbf29ce484222325ull;
    for ( int32_t frame = 0; frame < old->frames; ++frame )
    {
        supPose_Sample( pose, clip, (double)frame / 60.0 );
        supBody_Step( body, supPose_Joints( pose ), supMat34_identity, 1.0f / 60.0f );
        supBody_Skin( body, positions, NULL );
        hash = supHashBytes( hash, positions, size );
    }
    free( positions );
    supDestroyPose( pose );
    supDestroyBody( body );
    supDestroyModel( model );
    return hash;
}

/// The rig with this version written into it; 0: without any.
static supRig* supReadAs( const supOldRig* old, const supCharacter* character, int version )
{
    json_t* root = json_load_file( old->rig, 0, NULL );
    assert_non_null( root );
    json_object_del( root, "supple" );
    if ( version > 0 )
    {
        json_object_set_new( root, "supple", json_integer( version ) );
    }
    char* text = json_dumps( root, 0 );
    supRig* rig = NULL;
    supError error = { 0 };
    supMust( supReadRigMemory( text, strlen( text ), old->rig, character, NULL, &rig, &error ), &error );
    free( text );
    json_decref( root );
    return rig;
}

static void supCheckOld( const supOldRig* old, const supCharacter* character )
{
    supError error = { 0 };
    supRig* read = NULL;
    supMust( supReadRig( old->rig, character, NULL, &read, &error ), &error );
    uint64_t motion = supHashMotion( character, read, old );
    if ( old->positions != 0 && motion != old->positions )
    {
        fail_msg( "%s: other positions than version 1 gave: 0x%016llx", old->rig, (unsigned long long)motion );
    }
    size_t length = supRigToJson( read, NULL, 0 );
    char* text = malloc( length + 1 );
    supRigToJson( read, text, length + 1 );
    assert_non_null( strstr( text, "\"supple\": 2" ) );
    for ( int version = 0; version <= SUP_RIG_VERSION; ++version )
    {
        supRig* rig = supReadAs( old, character, version );
        assert_true( supHashMotion( character, rig, old ) == motion );
        supDestroyRig( rig );
    }
    // written by today's program, and read again
    supRig* again = NULL;
    supMust( supReadRigMemory( text, length, old->rig, character, NULL, &again, &error ), &error );
    assert_true( supHashMotion( character, again, old ) == motion );
    supDestroyRig( again );
    supDestroyRig( read );
    free( text );
}

static void supTestOldRigs( void** state )
{
    (void)state;
    int looked = 0;
    for ( size_t i = 0; i < SUP_COUNT( sup_oldRigs ); ++i )
    {
        const supOldRig* old = sup_oldRigs + i;
        supError error = { 0 };
        char path[512];
        if ( old->creature != NULL )
        {
            supCreature* creature = NULL;
            supMust( supCreateCreature( old->creature, NULL, &creature, &error ), &error );
            supCheckOld( old, supCreature_Character( creature ) );
            supDestroyCreature( creature );
            looked += 1;
        }
        else if ( supTestAssetPath( old->asset, path, sizeof( path ) ) )
        {
            supCharacter* character = NULL;
            supMust( supLoadGltf( path, &character, &error ), &error );
            supCheckOld( old, character );
            supDestroyCharacter( character );
            looked += 1;
        }
    }
    assert_true( looked >= 4 );
}

/// The same inside a glTF: an old one counts, a new one is written, a newer one is refused.
static void supTestInside( void** state )
{
    (void)state;
    static const char* const text = "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"SUPPLE_rig\"],"
                                    "\"extensions\":{\"SUPPLE_rig\":{%s\"elements\":[{\"driver\":\"hips\"}]}}}";
    static const struct
    {
        const char* version;
        supResult result;
    } cases[] = { { "", sup_success }, { "\"supple\":1,", sup_success }, { "\"supple\":2,", sup_success },
        { "\"supple\":3,", sup_errorUnsupported } };
    supLog silence = { NULL, NULL };
    for ( size_t i = 0; i < SUP_COUNT( cases ); ++i )
    {
        char whole[300];
        supGltf* document = NULL;
        supRig* rig = NULL;
        supError error = { 0 };
        snprintf( whole, sizeof( whole ), text, cases[i].version );
        supMust( supOpenGltfMemory( whole, strlen( whole ), "a.gltf", NULL, silence, &document, &error ), &error );
        assert_int_equal( supGltf_Rig( document, NULL, NULL, &rig, &error ), cases[i].result );
        if ( rig == NULL )
        {
            assert_string_equal( error.text,
                "a.gltf: SUPPLE_rig: supple: version 3: made by a newer version of Supple; this one reads versions up to 2, so get a newer one" );
        }
        else
        {
            assert_int_equal( supRig_ElementCount( rig ), 1 );
            supMust( supGltf_SetRig( document, rig, &error ), &error );
            const json_t* inside = json_object_get( json_object_get( document->root, "extensions" ), "SUPPLE_rig" );
            assert_int_equal( json_integer_value( json_object_get( inside, "supple" ) ), SUP_RIG_VERSION );
        }
        supDestroyRig( rig );
        supCloseGltf( document );
    }
}

/// A step that would have something to do: the first version calls it `speed`, in turns a minute.
static bool supRenameSpeed( json_t* root )
{
    json_t* speed = json_object_get( root, "speed" );
    return speed == NULL ||
           ( json_object_set_new( root, "frequency", json_real( json_number_value( speed ) / 60.0 ) ) == 0 &&
               json_object_del( root, "speed" ) == 0 );
}

/// And a later one, that counts on it.
static bool supDoubleFrequency( json_t* root )
{
    double frequency = json_number_value( json_object_get( root, "frequency" ) );
    return json_object_set_new( root, "frequency", json_real( 2.0 * frequency ) ) == 0;
}

static bool supRunOut( json_t* root )
{
    (void)root;
    return false;
}

static void supTestSteps( void** state )
{
    (void)state;
    static const supRigStep steps[] = { supRenameSpeed, NULL, supDoubleFrequency };
    static const struct
    {
        const char* text;
        double frequency;
        bool same; ///< nothing was to be done
    } cases[] = { { "{\"speed\": 180}", 6.0, false }, { "{\"supple\": 1, \"speed\": 180}", 6.0, false },
        { "{\"supple\": 2, \"frequency\": 4}", 8.0, false }, { "{\"supple\": 3, \"frequency\": 4}", 8.0, false },
        { "{\"supple\": 4, \"frequency\": 4}", 4.0, true } };
    for ( size_t i = 0; i < SUP_COUNT( cases ); ++i )
    {
        json_t *root = json_loads( cases[i].text, 0, NULL ), *before = json_deep_copy( root ), *out = NULL;
        supError error = { 0 };
        supMust( supMigrateRigBy( root, steps, 3, &out, &error ), &error );
        assert_float_equal( json_number_value( json_object_get( out, "frequency" ) ), cases[i].frequency, 1e-9 );
        assert_null( json_object_get( out, "speed" ) );
        assert_int_equal( out == root, cases[i].same );
        assert_true( json_equal( root, before ) ); // what was read stays as it was
        json_decref( out );
        json_decref( before );
        json_decref( root );
    }
    static const supRigStep failing[] = { supRunOut };
    json_t *root = json_object(), *out = root;
    supError error = { 0 };
    assert_int_equal( supMigrateRigBy( root, failing, 1, &out, &error ), sup_errorMemory );
    assert_null( out );
    json_decref( root );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestOldRigs ),
        cmocka_unit_test( supTestInside ),
        cmocka_unit_test( supTestSteps ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
