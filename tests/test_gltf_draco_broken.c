// Streams of Draco, and what a file says of them, broken: an error in one line that names the thing, or a mesh that is
// whole. No stream does harm.
#include "supple/io.h"
#include "support/draco_file.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

#if SUP_HAS_DRACO

static char sup_folder[256];

static const char* supSaveHere( const char* name )
{
    static char path[400];
    snprintf( path, sizeof( path ), "%s/%s.glb", sup_folder, name );
    supSaveCreature( name, path );
    return path;
}

/// Opens within a budget, and reads the character where that works. Whatever comes of it, an error names the file in
/// one line.
static supResult supTryWithin( const supGlb* glb, size_t mostMemory, supError* error )
{
    size_t size;
    char* text = json_dumps( glb->json, JSON_COMPACT );
    uint8_t* file = supMakeGlb( text, glb->bin, glb->binSize, &size );
    supGltf* document = NULL;
    supCharacter* character = NULL;
    *error = ( supError ){ 0 };
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.mostMemory = mostMemory;
    supResult result = supOpenGltfMemoryWith( file, size, "test.glb", NULL, &def, &document, error );
    result = result == sup_success ? supGltf_Character( document, NULL, &character, error ) : result;
    if ( result != sup_success )
    {
        assert_int_equal( strncmp( error->text, "test.glb: ", 10 ), 0 );
        assert_null( strchr( error->text, '\n' ) );
        assert_true( strlen( error->text ) > 20 );
    }
    supDestroyCharacter( character );
    supCloseGltf( document );
    free( file );
    free( text );
    return result;
}

static supResult supTry( const supGlb* glb, supError* error )
{
    return supTryWithin( glb, supDefaultGltfOpenDef().mostMemory, error );
}

/// Every byte of a stream changed in several ways, and the stream cut off everywhere: an error, or a mesh that is
/// whole.
static void supTestBrokenStreams( void** state )
{
    (void)state;
    const char* path = supSaveHere( "arm" );
    for ( int way = 0; way < 2; ++way )
    {
        supCompressed made = supCompress( path, way == 0, 8 );
        json_t* json = supGlb_Item( &made.glb, "bufferViews", made.view );
        size_t start = (size_t)json_integer_value( json_object_get( json, "byteOffset" ) );
        size_t size = (size_t)json_integer_value( json_object_get( json, "byteLength" ) );
        int refused = 0, read = 0;
        supError error;
        uint32_t random = 12345;
        size_t step = 1 + size / ( SUP_SLOW_BUILD ? 200 : 1200 );
        assert_int_equal( supTry( &made.glb, &error ), sup_success );
        for ( size_t i = 0; i < size; i += i < 200 ? 1 : step )
        {
            uint8_t* at = made.glb.bin + start + i;
            const uint8_t kept = *at;
            for ( int k = 0; k < 3; ++k )
            {
                random = random * 1664525u + 1013904223u;
                *at = k == 0 ? (uint8_t)( kept ^ 1u << ( random >> 29 ) ) : k == 1 ? 0xff : (uint8_t)( random >> 24 );
                bool isRead = supTry( &made.glb, &error ) == sup_success;
                refused += isRead ? 0 : 1;
                read += isRead ? 1 : 0;
            }
            *at = kept;
        }
        for ( size_t cut = 0; cut < size; cut += 1 + cut / 8 )
        {
            json_object_set_new( json, "byteLength", json_integer( (json_int_t)cut ) );
            assert_int_not_equal( supTry( &made.glb, &error ), sup_success );
        }
        print_message( "%s, %zu bytes: %d changes refused, %d read\n", way == 0 ? "sequential" : "edgebreaker", size,
            refused, read );
        assert_true( refused > 100 );
        supCloseGlb( &made.glb );
    }
}

typedef struct supWrongJson
{
    void ( *change )( supGlb* glb, json_t* primitive, json_t* ext );
    supResult code;
    const char* words;
} supWrongJson;

#    define SUP_CHANGE( name, statements )                                                                             \
        static void name( supGlb* glb, json_t* primitive, json_t* ext )                                                \
        {                                                                                                              \
            (void)glb;                                                                                                 \
            (void)primitive;                                                                                           \
            (void)ext;                                                                                                 \
            statements;                                                                                                \
        }

static json_t* supAccessorOf( supGlb* glb, const char* name )
{
    return supGlb_Item( glb, "accessors", supGlb_Attribute( glb, 0, 0, name ) );
}

static void supSetAllCounts( supGlb* glb, json_t* primitive, int vertices, int corners )
{
    const char* name;
    json_t* value;
    json_object_foreach( json_object_get( primitive, "attributes" ), name, value )
    {
        json_object_set_new( supAccessorOf( glb, name ), "count", json_integer( vertices ) );
    }
    int indices = (int)json_integer_value( json_object_get( primitive, "indices" ) );
    json_object_set_new( supGlb_Item( glb, "accessors", indices ), "count", json_integer( corners ) );
}

SUP_CHANGE( supNoView, json_object_del( ext, "bufferView" ) )
SUP_CHANGE( supViewOutside, json_object_set_new( ext, "bufferView", json_integer( 9999 ) ) )
SUP_CHANGE( supOtherView, json_object_set_new( ext, "bufferView", json_integer( 0 ) ) )
SUP_CHANGE( supNoAttributes, json_object_del( ext, "attributes" ) )
SUP_CHANGE( supIdUnknown, json_object_set_new( json_object_get( ext, "attributes" ), "NORMAL", json_integer( 99 ) ) )
SUP_CHANGE( supIdNegative, json_object_set_new( json_object_get( ext, "attributes" ), "NORMAL", json_integer( -1 ) ) )
SUP_CHANGE( supIdText, json_object_set_new( json_object_get( ext, "attributes" ), "NORMAL", json_string( "a" ) ) )
SUP_CHANGE( supNameUnknown, json_object_set_new( json_object_get( ext, "attributes" ), "COLOR_0", json_integer( 1 ) ) )
SUP_CHANGE( supNoIndices, json_object_del( primitive, "indices" ) )
SUP_CHANGE( supStrip, json_object_set_new( primitive, "mode", json_integer( 5 ) ) )
SUP_CHANGE( supOtherCount, json_object_set_new( supAccessorOf( glb, "NORMAL" ), "count", json_integer( 5 ) ) )
SUP_CHANGE( supOtherType, json_object_set_new( supAccessorOf( glb, "NORMAL" ), "type", json_string( "VEC4" ) ) )
SUP_CHANGE( supMatrixType, json_object_set_new( supAccessorOf( glb, "NORMAL" ), "type", json_string( "MAT4" ) ) )
SUP_CHANGE(
    supBytesForPlaces, json_object_set_new( supAccessorOf( glb, "POSITION" ), "componentType", json_integer( 5121 ) ) )
SUP_CHANGE( supAllCounts, supSetAllCounts( glb, primitive, 4, 6 ) )
SUP_CHANGE( supHugeCounts, supSetAllCounts( glb, primitive, 16000000, 15000000 ) )
SUP_CHANGE( supEndlessCounts, supSetAllCounts( glb, primitive, 2000000000, 2000000001 ) )
SUP_CHANGE( supBrokenTriangle, supSetAllCounts( glb, primitive, 4, 7 ) )

static void supTestWrongJson( void** state )
{
    (void)state;
    static const supWrongJson cases[] = {
        { supNoView, sup_errorData, "Draco compression: has no \"bufferView\"" },
        { supViewOutside, sup_errorData, "\"bufferView\" is 9999" },
        { supOtherView, sup_errorFormat, "its Draco data cannot be decoded: it is no Draco stream" },
        { supNoAttributes, sup_errorData, "Draco compression: has no \"attributes\"" },
        { supIdUnknown, sup_errorFormat, "it has no attribute of the id 99" },
        { supIdNegative, sup_errorData, "'NORMAL' is no attribute of the primitive, or its id is no whole number" },
        { supIdText, sup_errorData, "'NORMAL' is no attribute of the primitive, or its id is no whole number" },
        { supNameUnknown, sup_errorData, "'COLOR_0' is no attribute of the primitive" },
        { supNoIndices, sup_errorData, "Draco compression: has no \"indices\"" },
        { supStrip, sup_errorUnsupported, "Draco compression of mode 5" },
        { supOtherCount, sup_errorData, "items, POSITION has" },
        { supOtherType, sup_errorFormat,
            "it has 3 numbers a vertex in the attribute of the id 3, its accessor says 4" },
        { supMatrixType, sup_errorData, "NORMAL is a matrix" },
        { supBytesForPlaces, sup_errorFormat, "that its accessor cannot hold" },
        { supAllCounts, sup_errorFormat, "its accessors say 2 and 4" },
        { supHugeCounts, sup_errorData, "cannot be in" },
        { supEndlessCounts, sup_errorLimit, "at most" },
        { supBrokenTriangle, sup_errorData, "are no whole number of triangles" },
    };
    supCompressed made = supCompress( supSaveHere( "arm" ), false, 14 );
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        supGlb glb = made.glb;
        supError error;
        glb.json = json_deep_copy( made.glb.json );
        json_t* primitive = supFirstPrimitive( &glb );
        cases[i].change( &glb, primitive,
            json_object_get( json_object_get( primitive, "extensions" ), "KHR_draco_mesh_compression" ) );
        supResult result = supTry( &glb, &error );
        if ( result != cases[i].code || strstr( error.text, cases[i].words ) == NULL ||
             strstr( error.text, "mesh 0 'arm', primitive 0" ) == NULL )
        {
            fail_msg(
                "case %zu: %d '%s', not %d '%s'", i, (int)result, error.text, (int)cases[i].code, cases[i].words );
        }
        json_decref( glb.json );
    }
    supCloseGlb( &made.glb );
}

/// Another primitive of the same stream, whose accessors are copies if they are to be unpacked again.
static void supAddPrimitive( supGlb* glb, bool isAgain )
{
    json_t* all = json_object_get( supGlb_Item( glb, "meshes", 0 ), "primitives" );
    json_t *copy = json_deep_copy( json_array_get( all, 0 ) ), *attributes = json_object_get( copy, "attributes" );
    json_t *accessors = json_object_get( glb->json, "accessors" ), *value;
    const char* name;
    if ( isAgain )
    {
        json_object_foreach( attributes, name, value )
        {
            json_t* accessor = json_array_get( accessors, (size_t)json_integer_value( value ) );
            json_integer_set( value, (json_int_t)json_array_size( accessors ) );
            json_array_append_new( accessors, json_deep_copy( accessor ) );
        }
    }
    json_array_append_new( all, copy );
}

/// A stream that many primitives name is decoded once: nobody would wait for ten thousand times.
static void supTestSharedStream( void** state )
{
    (void)state;
    supCompressed made = supCompress( supSaveHere( "cat" ), false, 14 );
    supError error;
    json_object_del( json_array_get( json_object_get( made.glb.json, "nodes" ), 0 ), "mesh" );
    for ( int i = 0; i < 10000; ++i )
    {
        supAddPrimitive( &made.glb, false );
    }
    supResult result = supTryWithin( &made.glb, 200000000, &error );
    assert_true( result == sup_success || strstr( error.text, "memory budget" ) != NULL );
    supCloseGlb( &made.glb );
}

/// What is unpacked comes off the budget, as does what decoding takes for a while.
static void supTestBudget( void** state )
{
    (void)state;
    supCompressed made = supCompress( supSaveHere( "arm" ), true, 14 );
    supError error;
    assert_int_equal( supTryWithin( &made.glb, 2000000, &error ), sup_success );
    assert_int_equal( supTryWithin( &made.glb, 200000, &error ), sup_errorLimit );
    assert_non_null( strstr( error.text, "memory budget" ) );
    for ( int i = 0; i < 50; ++i )
    {
        supAddPrimitive( &made.glb, true );
    }
    json_object_del( made.glb.json, "nodes" ); // so that nothing but opening takes memory
    json_object_del( made.glb.json, "scenes" );
    json_object_del( made.glb.json, "scene" );
    json_object_del( made.glb.json, "skins" );
    assert_int_equal( supTryWithin( &made.glb, 2000000, &error ), sup_errorLimit );
    assert_non_null( strstr( error.text, "Draco compression" ) );
    supCloseGlb( &made.glb );
}

int main( void )
{
    supMakeTestFolder( sup_folder, sizeof( sup_folder ) );
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestBrokenStreams ),
        cmocka_unit_test( supTestWrongJson ),
        cmocka_unit_test( supTestSharedStream ),
        cmocka_unit_test( supTestBudget ),
    };
    int failed = cmocka_run_group_tests( tests, NULL, NULL );
    supRemoveTestFolder( sup_folder );
    return failed;
}

#else

int main( void )
{
    puts( "skipped: built without Draco" );
    return 77;
}

#endif
