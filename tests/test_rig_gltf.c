// Rigs inside glTF documents: put in, found again, taken out, with nothing else touched.
#include "io/gltf_document.h"
#include "supple/io.h"
#include "supple/lab/items.h"
#include "support/test_assets.h"
#include "support/test_rigs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static supGltf* supOpenText( const char* text )
{
    supGltf* document;
    supError error;
    supLog silence = { NULL, NULL };
    if ( supOpenGltfMemory( text, strlen( text ), "a.gltf", NULL, silence, &document, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return document;
}

static supRig* supMakeRig( uint64_t seed, int32_t count )
{
    supRig* rig;
    supError error;
    supTestRandom random = { seed };
    supTestElement* block = malloc( sizeof( supTestElement ) );
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    for ( int32_t i = 0; i < count; ++i )
    {
        supTestRandom_Element( &random, block, i, 0.8f );
        assert_int_equal( supRig_AddElement( rig, &block->def, &error ), sup_success );
    }
    free( block );
    return rig;
}

static void supExpectSame( const supRig* a, const supRig* b )
{
    assert_int_equal( supRig_ElementCount( a ), supRig_ElementCount( b ) );
    for ( int32_t i = 0; i < supRig_ElementCount( a ); ++i )
    {
        assert_null( supTestElementDifference( supRig_Element( a, i ), supRig_Element( b, i ) ) );
    }
}

static void supTestPutAndFind( void** state )
{
    (void)state;
    static const char* const texts[] = {
        "{\"asset\":{\"version\":\"2.0\"}}",
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"X_other\"],\"extensions\":{\"X_other\":{\"a\":[1,2.5]}},\"extras\":3}",
    };
    for ( int i = 0; i < 2; ++i )
    {
        supGltf* document = supOpenText( texts[i] );
        json_t* before = json_deep_copy( document->root );
        supRig* found = (supRig*)&found;
        assert_int_equal( supGltf_Rig( document, NULL, NULL, &found, NULL ), sup_success );
        assert_null( found );

        // Twice: the second takes the place of the first, and is listed once.
        for ( int32_t j = 0; j < 2; ++j )
        {
            supRig* rig = supMakeRig( (uint64_t)( 5 + j ), 3 + j );
            assert_int_equal( supGltf_SetRig( document, rig, NULL ), sup_success );
            assert_int_equal( supGltf_Rig( document, NULL, NULL, &found, NULL ), sup_success );
            supExpectSame( rig, found );
            supDestroyRig( found );
            supDestroyRig( rig );
        }
        assert_true( supGltf_ListsExtension( document, "extensionsUsed", "SUPPLE_rig" ) );
        assert_int_equal( json_array_size( json_object_get( document->root, "extensionsUsed" ) ), 1 + i );
        assert_null( json_object_get( document->root, "extensionsRequired" ) );

        assert_int_equal( supGltf_SetRig( document, NULL, NULL ), sup_success );
        assert_true( json_equal( before, document->root ) );
        json_decref( before );
        supCloseGltf( document );
    }
}

// The file's own numbers come back from the text of the document too.
static void supTestThroughText( void** state )
{
    (void)state;
    supGltf* document = supOpenText( "{\"asset\":{\"version\":\"2.0\"}}" );
    supRig* rig = supMakeRig( 9, 4 );
    assert_int_equal( supGltf_SetRig( document, rig, NULL ), sup_success );
    char* text = json_dumps( document->root, JSON_COMPACT );
    supGltf* again = supOpenText( text );
    supRig* found;
    assert_int_equal( supGltf_Rig( again, NULL, NULL, &found, NULL ), sup_success );
    supExpectSame( rig, found );
    free( text );
    supDestroyRig( rig );
    supDestroyRig( found );
    supCloseGltf( document );
    supCloseGltf( again );
}

// A real file, written and opened again: the rig is in it, and the character is the one it was.
static void supTestThroughFile( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char path[512], folder[] = "/tmp/supple-rig-XXXXXX", out[64];
    supLog silence = { NULL, NULL };
    supGltf* document;
    supError error;
    assert_true( supTestAssetPath( "khronos_fox/glTF-Binary/Fox.glb", path, sizeof( path ) ) );
    assert_non_null( mkdtemp( folder ) );
    snprintf( out, sizeof( out ), "%s/fox.glb", folder );
    assert_int_equal( supOpenGltf( path, silence, &document, &error ), sup_success );
    supCharacter *before, *after;
    assert_int_equal( supGltf_Character( document, NULL, &before, &error ), sup_success );
    supRig* rig = supMakeRig( 13, 5 );
    assert_int_equal( supGltf_SetRig( document, rig, &error ), sup_success );
    assert_int_equal( supGltf_Write( document, out, &error ), sup_success );
    supCloseGltf( document );

    assert_int_equal( supOpenGltf( out, silence, &document, &error ), sup_success );
    supRig* found;
    assert_int_equal( supGltf_Rig( document, before, NULL, &found, &error ), sup_success );
    assert_non_null( found );
    supExpectSame( rig, found );
    assert_int_equal( supGltf_Character( document, NULL, &after, &error ), sup_success );
    assert_true( supCharacter_Info( before )->fingerprint == supCharacter_Info( after )->fingerprint );
    supDestroyRig( rig );
    supDestroyRig( found );
    supDestroyCharacter( before );
    supDestroyCharacter( after );
    supCloseGltf( document );
    assert_int_equal( unlink( out ), 0 );
    assert_int_equal( rmdir( folder ), 0 );
}

static void supTestErrors( void** state )
{
    (void)state;
    supRig* rig;
    supError error;
    supGltf* document = supOpenText(
        "{\"asset\":{\"version\":\"2.0\"},\"extensions\":{\"SUPPLE_rig\":{\"elements\":[{\"driver\":\"a\",\"sagg\":1}]}}}" );
    assert_int_equal( supGltf_Rig( document, NULL, NULL, &rig, &error ), sup_errorData );
    assert_null( rig );
    assert_string_equal( error.text, "a.gltf: SUPPLE_rig: elements[0].sagg: unknown; did you mean \"sag\"?" );
    supCloseGltf( document );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestPutAndFind ),
        cmocka_unit_test( supTestThroughText ),
        cmocka_unit_test( supTestThroughFile ),
        cmocka_unit_test( supTestErrors ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
