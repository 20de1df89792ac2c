// A file read and written with nothing added is the same file: every JSON value, every byte of every buffer view.
#include "io/gltf_document.h"
#include "io/gltf_reader.h"
#include "support/gltf_files.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
// cmocka wants the headers above first
#include <cmocka.h>

static const supLog sup_silence = { NULL, NULL };

static supGltf* supOpen( const char* path )
{
    supGltf* document;
    supError error = { 0 };
    if ( supOpenGltf( path, sup_silence, &document, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return document;
}

static void supWrite( const supGltf* document, const char* path )
{
    supError error = { 0 };
    if ( supGltf_Write( document, path, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

/// Buffer views by their bytes as they lie in the buffers, wherever these are.
static void supCheckViews( const supGltf* a, const supGltf* b )
{
    int32_t count = supGltf_Count( a, "bufferViews" );
    for ( int32_t i = 0; i < count; ++i )
    {
        supReader readerA = supMakeReader( a, NULL ), readerB = supMakeReader( b, NULL );
        supBytes bytesA = supReader_Bytes( &readerA, supGltf_Item( a, "bufferViews", i ) );
        supBytes bytesB = supReader_Bytes( &readerB, supGltf_Item( b, "bufferViews", i ) );
        assert_int_equal( readerA.result, readerB.result );
        assert_int_equal( bytesA.size, bytesB.size );
        if ( bytesA.size > 0 )
        {
            assert_memory_equal( bytesA.data, bytesB.data, bytesA.size );
        }
    }
}

/// The character is the same one, or neither file has one.
static void supCheckCharacters( const supGltf* a, const supGltf* b )
{
    supCharacter *first = NULL, *second = NULL;
    supResult result = supGltf_Character( a, NULL, &first, NULL );
    assert_int_equal( result, supGltf_Character( b, NULL, &second, NULL ) );
    if ( result == sup_success )
    {
        assert_true( supCharacter_Info( first )->fingerprint == supCharacter_Info( second )->fingerprint );
        supDestroyCharacter( first );
        supDestroyCharacter( second );
    }
}

typedef struct supTrip
{
    char folder[256];
    int count;
} supTrip;

static void supVisitSame( const char* path, void* user )
{
    supTrip* trip = user;
    supGltf* before;
    if ( supOpenGltf( path, sup_silence, &before, NULL ) != sup_success )
    {
        return;
    }
    char folder[512], written[1024];
    snprintf( folder, sizeof( folder ), "%s/%d", trip->folder, trip->count++ );
    assert_int_equal( mkdir( folder, 0777 ), 0 );
    snprintf( written, sizeof( written ), "%s/%s", folder, strrchr( path, '/' ) + 1 );
    supWrite( before, written );
    supGltf* after = supOpen( written );
    if ( json_equal( before->root, after->root ) == 0 )
    {
        fail_msg( "%s: its JSON changed", path );
    }
    supCheckViews( before, after );
    supCheckCharacters( before, after );
    assert_int_equal( before->chunkCount, after->chunkCount );
    supCloseGltf( before );
    supCloseGltf( after );
}

static void supTestSameContainer( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTrip trip = { 0 };
    supMakeTestFolder( trip.folder, sizeof( trip.folder ) );
    supForEachGltf( supTestAssets(), supVisitSame, &trip );
    print_message( "%d files read and written: all JSON values and buffer views kept\n", trip.count );
    assert_true( trip.count > 250 );
    supRemoveTestFolder( trip.folder );
}

/// All of the JSON but what the other container must have otherwise.
static void supCheckOtherJson( const supGltf* a, const supGltf* b )
{
    const char* key;
    json_t* value;
    json_object_foreach( a->root, key, value )
    {
        if ( strcmp( key, "buffers" ) != 0 && strcmp( key, "bufferViews" ) != 0 && strcmp( key, "images" ) != 0 )
        {
            assert_true( json_equal( value, json_object_get( b->root, key ) ) );
        }
    }
}

static void supVisitOther( const char* path, void* user )
{
    supTrip* trip = user;
    supGltf* before;
    if ( supOpenGltf( path, sup_silence, &before, NULL ) != sup_success )
    {
        return;
    }
    char written[1024];
    snprintf( written, sizeof( written ), "%s/%d.%s", trip->folder, trip->count++, before->isBinary ? "gltf" : "glb" );
    supWrite( before, written );
    supGltf* after = supOpen( written );
    supCheckOtherJson( before, after );
    supCheckViews( before, after );
    supCheckCharacters( before, after );
    supCloseGltf( before );
    supCloseGltf( after );
}

static void supTestOtherContainer( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    supTrip trip = { 0 };
    supMakeTestFolder( trip.folder, sizeof( trip.folder ) );
    supForEachGltf( supTestAssets(), supVisitOther, &trip );
    print_message( "%d files written as the other kind: all buffer views and characters kept\n", trip.count );
    assert_true( trip.count > 250 );
    supRemoveTestFolder( trip.folder );
}

static void supCheckSameFile( const char* a, const char* b )
{
    size_t sizeA, sizeB;
    uint8_t* dataA = supReadWhole( a, &sizeA );
    uint8_t* dataB = supReadWhole( b, &sizeB );
    assert_int_equal( sizeA, sizeB );
    assert_memory_equal( dataA, dataB, sizeA );
    free( dataA );
    free( dataB );
}

static void supTestSameBytes( void** state )
{
    (void)state;
    SUP_SKIP_WITHOUT_ASSETS();
    char folder[256], path[512], first[512], second[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( first, sizeof( first ), "%s/first.glb", folder );
    snprintf( second, sizeof( second ), "%s/second.glb", folder );
    assert_true( supTestAssetPath( "odd_cow/Cow_external2.gltf", path, sizeof( path ) ) );
    supGltf* document = supOpen( path );
    supWrite( document, first );
    supCloseGltf( document );
    document = supOpen( first );
    supWrite( document, second ); // what Supple wrote stays as it is, to the byte
    supCloseGltf( document );
    supCheckSameFile( first, second );
    supRemoveTestFolder( folder );
}

// ---------------------------------------------------------------------------------------------------------------
// Values that are hard to keep

static void supTestNumbers( void** state )
{
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extras\":{\"reals\":[0.1,1e-300,1.0,-0.0,100000.0,1e22,123456789.123456789,5e-324,"
        "1.7976931348623157e308,0.30000000000000004],\"integers\":[9007199254740993,-9223372036854775808,0],\"huge\":["
        "18446744073709551615,-99999999999999999999],\"text\":\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u0000\\u00e9\\ud83d\\ude00\",\"\":null,"
        "\"deep\":[[],{},[[{\"a\":true}]],false]}}";
    char folder[256], path[512];
    supError error = { 0 };
    supGltf* before;
    assert_int_equal(
        supOpenGltfMemory( text, sizeof( text ) - 1, "numbers", NULL, sup_silence, &before, &error ), sup_success );
    supMakeTestFolder( folder, sizeof( folder ) );
    for ( int i = 0; i < 2; ++i )
    {
        snprintf( path, sizeof( path ), "%s/numbers.%s", folder, i == 0 ? "gltf" : "glb" );
        supWrite( before, path );
        supGltf* after = supOpen( path );
        assert_true( json_equal( before->root, after->root ) );
        const json_t* extras = json_object_get( after->root, "extras" );
        assert_int_equal( json_string_length( json_object_get( extras, "text" ) ), 17 );
        assert_true( json_is_real( json_array_get( json_object_get( extras, "reals" ), 2 ) ) );
        const json_t* huge = json_object_get( extras, "huge" );
        assert_true( json_real_value( json_array_get( huge, 0 ) ) == 18446744073709551615.0 );
        assert_true(
            json_integer_value( json_array_get( json_object_get( extras, "integers" ), 0 ) ) == 9007199254740993 );
        supCloseGltf( after );
    }
    supCloseGltf( before );
    supRemoveTestFolder( folder );
}

// ---------------------------------------------------------------------------------------------------------------
// Files beside the document

static const unsigned char sup_png[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3 };

/// in/fox.gltf with in/fur.bin, in/tex tures/fur.png and up.png above it.
static void supMakeFox( const char* folder )
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":5,\"uri\":\"fur.bin\",\"name\":\"kept\"}],\"bufferViews\":[{\"buffer\":0,"
        "\"byteOffset\":1,\"byteLength\":3}],\"images\":[{\"uri\":\"tex%20tures/fur.png\"},{\"uri\":\"../up.png\"},{\"uri\":\"gone.png\"}]}";
    char path[512];
    snprintf( path, sizeof( path ), "%s/in", folder );
    mkdir( path, 0777 );
    snprintf( path, sizeof( path ), "%s/in/tex tures", folder );
    mkdir( path, 0777 );
    snprintf( path, sizeof( path ), "%s/out", folder );
    mkdir( path, 0777 );
    snprintf( path, sizeof( path ), "%s/in/fox.gltf", folder );
    supWriteWhole( path, text, sizeof( text ) - 1 );
    snprintf( path, sizeof( path ), "%s/in/fur.bin", folder );
    supWriteWhole( path, "hello", 5 );
    snprintf( path, sizeof( path ), "%s/in/tex tures/fur.png", folder );
    supWriteWhole( path, sup_png, sizeof( sup_png ) );
    snprintf( path, sizeof( path ), "%s/up.png", folder );
    supWriteWhole( path, sup_png, sizeof( sup_png ) );
}

static const char* supUriOf( const supGltf* document, const char* kind, int32_t index )
{
    return json_string_value( json_object_get( supGltf_Item( document, kind, index ), "uri" ) );
}

static void supCheckContent( const char* folder, const char* name, const void* content, size_t size )
{
    char path[512];
    size_t realSize;
    snprintf( path, sizeof( path ), "%s/%s", folder, name );
    uint8_t* data = supReadWhole( path, &realSize );
    assert_int_equal( realSize, size );
    assert_memory_equal( data, content, size );
    free( data );
}

static void supTestFilesBeside( void** state )
{
    (void)state;
    char folder[256], in[512], out[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    supMakeFox( folder );
    snprintf( in, sizeof( in ), "%s/in/fox.gltf", folder );
    snprintf( out, sizeof( out ), "%s/out/wolf.gltf", folder );

    // Another folder: the files come along under their names; what stands above is pointed at.
    supGltf* fox = supOpen( in );
    supWrite( fox, out );
    supGltf* wolf = supOpen( out );
    assert_string_equal( supUriOf( wolf, "buffers", 0 ), "fur.bin" );
    assert_string_equal( supUriOf( wolf, "images", 0 ), "tex%20tures/fur.png" );
    assert_string_equal( supUriOf( wolf, "images", 1 ), "../up.png" );
    assert_string_equal( supUriOf( wolf, "images", 2 ), "gone.png" );
    supCheckContent( folder, "out/fur.bin", "hello", 5 );
    supCheckContent( folder, "out/tex tures/fur.png", sup_png, sizeof( sup_png ) );
    supCloseGltf( wolf );

    // Somebody else's fur.bin stands there: it stays.
    snprintf( in, sizeof( in ), "%s/out/fur.bin", folder );
    supWriteWhole( in, "theirs", 6 );
    supWrite( fox, out );
    wolf = supOpen( out );
    assert_string_equal( supUriOf( wolf, "buffers", 0 ), "wolf_fur.bin" );
    supCheckViews( fox, wolf );
    supCheckContent( folder, "out/fur.bin", "theirs", 6 );
    supCloseGltf( wolf );
    supCloseGltf( fox );
    supRemoveTestFolder( folder );
}

static void supTestPicturesComeAlong( void** state )
{
    (void)state;
    char folder[256], in[512], out[512];
    supMakeTestFolder( folder, sizeof( folder ) );
    supMakeFox( folder );
    snprintf( in, sizeof( in ), "%s/in/fox.gltf", folder );
    snprintf( out, sizeof( out ), "%s/out/fox.glb", folder );
    supGltf* fox = supOpen( in );
    supWrite( fox, out );
    supGltf* glb = supOpen( out );
    const supLook* look;
    assert_int_equal( supGltf_Look( glb, &look, NULL ), sup_success );
    for ( int i = 0; i < 2; ++i )
    {
        assert_null( supUriOf( glb, "images", i ) );
        assert_int_equal( look->images[i].size, sizeof( sup_png ) );
        assert_memory_equal( look->images[i].data, sup_png, sizeof( sup_png ) );
    }
    assert_non_null( look->images[2].missing );
    assert_string_equal( json_string_value( json_object_get( supGltf_Item( glb, "buffers", 0 ), "name" ) ), "kept" );
    supCheckViews( fox, glb );
    supCloseGltf( fox );

    // And back: the BIN chunk becomes a file. fur.bin is the fox's: a new fur.gltf takes another name, the first time
    // and again.
    snprintf( out, sizeof( out ), "%s/in/fur.gltf", folder );
    supWrite( glb, out );
    supWrite( glb, out );
    supGltf* back = supOpen( out );
    assert_string_equal( supUriOf( back, "buffers", 0 ), "fur_1.bin" );
    supCheckViews( glb, back );
    supCheckContent( folder, "in/fur.bin", "hello", 5 );
    supCloseGltf( glb );
    supCloseGltf( back );
    supRemoveTestFolder( folder );
}

/// For check_gltf_validator.mjs: FOLDER/N/NAME for every file that can be opened.
static int supCopyFiles( const char* folder, char** files, int count )
{
    for ( int i = 0; i < count; ++i )
    {
        char path[1024];
        supGltf* document;
        supError error = { 0 };
        if ( supOpenGltf( files[i], sup_silence, &document, NULL ) != sup_success )
        {
            continue;
        }
        snprintf( path, sizeof( path ), "%s/%d", folder, i );
        mkdir( path, 0777 );
        snprintf( path, sizeof( path ), "%s/%d/%s", folder, i, strrchr( files[i], '/' ) + 1 );
        supResult result = supGltf_Write( document, path, &error );
        supCloseGltf( document );
        if ( result != sup_success )
        {
            fprintf( stderr, "%s\n", error.text );
            return 1;
        }
    }
    return 0;
}

int main( int argc, char** argv )
{
    if ( argc > 2 && strcmp( argv[1], "--copy" ) == 0 )
    {
        return supCopyFiles( argv[2], argv + 3, argc - 3 );
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSameContainer ),
        cmocka_unit_test( supTestOtherContainer ),
        cmocka_unit_test( supTestSameBytes ),
        cmocka_unit_test( supTestNumbers ),
        cmocka_unit_test( supTestFilesBeside ),
        cmocka_unit_test( supTestPicturesComeAlong ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
