// Files that are wrong: each is refused with words that name the file, the thing and what is the matter; or read, where
// that is the better answer.
#include "support/gltf_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

static const supLog sup_silence = { NULL, NULL };

/// A document with parts of it filled in: everything after "asset".
static supResult supReadBody( const char* body, supCharacter** character, supError* error )
{
    char json[4096];
    int length = snprintf( json, sizeof( json ), "{\"asset\":{\"version\":\"2.0\"},%s}", body );
    assert_true( length > 0 && (size_t)length < sizeof( json ) );
    return supReadText( json, character, error );
}

static void supCheckRefused( const char* body, supResult code, const char* words )
{
    supCharacter* character;
    supError error = { 0 };
    supResult result = supReadBody( body, &character, &error );
    if ( result != code || strstr( error.text, words ) == NULL || strncmp( error.text, "test.gltf: ", 11 ) != 0 )
    {
        fail_msg( "%s\n  gave %d '%s', not %d '…%s…'", body, result, error.text, code, words );
    }
    assert_null( character );
}

static void supCheckRead( const char* body )
{
    supCharacter* character;
    supError error = { 0 };
    if ( supReadBody( body, &character, &error ) != sup_success )
    {
        fail_msg( "%s\n  gave '%s'", body, error.text );
    }
    supDestroyCharacter( character );
}

// Nine floats, as data URIs.
#define SUP_36_ZEROS "data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define SUP_BUFFER "\"buffers\":[{\"byteLength\":36,\"uri\":\"" SUP_36_ZEROS "\"}]"
#define SUP_NAN_BUFFER                                                                                                 \
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AADAfwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]"
#define SUP_INFINITE_BUFFER                                                                                            \
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:;base64,AACAfwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}]"
#define SUP_VIEW "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}]"
#define SUP_VEC3 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}]"
#define SUP_MESH "\"meshes\":[{\"name\":\"Body\",\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]"
#define SUP_NODE "\"nodes\":[{\"mesh\":0}]"

static void supTestGoodOne( void** state )
{
    (void)state;
    supCheckRead( SUP_BUFFER "," SUP_VIEW "," SUP_VEC3 "," SUP_MESH "," SUP_NODE );
}

static void supTestLengths( void** state )
{
    (void)state;
    // 2^64 and beyond, sums and products that overflow, numbers that are none
    static const char* const views[][2] = {
        { "{\"buffer\":0,\"byteLength\":37}", "which has 36" },
        { "{\"buffer\":0,\"byteOffset\":9007199254740991,\"byteLength\":9007199254740991}", "which has 36" },
        { "{\"buffer\":0,\"byteOffset\":18446744073709551615,\"byteLength\":1}", "\"byteOffset\" is" },
        { "{\"buffer\":0,\"byteLength\":-1}", "\"byteLength\" is -1" },
        { "{\"buffer\":0,\"byteLength\":1.5}", "\"byteLength\" is 1.5" },
        { "{\"buffer\":1,\"byteLength\":36}", "the file has 1 buffers" },
        { "{\"buffer\":\"0\",\"byteLength\":36}", "is a text" },
        { "{\"byteLength\":36}", "names no buffer" },
        { "{\"buffer\":0,\"byteLength\":36,\"byteStride\":4}", "overlap" },
        { "{\"buffer\":0,\"byteLength\":36,\"byteStride\":9007199254740992}", "go beyond" },
    };
    for ( size_t i = 0; i < sizeof( views ) / sizeof( views[0] ); ++i )
    {
        char body[1024];
        snprintf(
            body, sizeof( body ), SUP_BUFFER ",\"bufferViews\":[%s]," SUP_VEC3 "," SUP_MESH "," SUP_NODE, views[i][0] );
        supCheckRefused( body, sup_errorData, views[i][1] );
    }
    static const char* const accessors[][2] = {
        { "\"bufferView\":0,\"count\":4", "go beyond" },
        { "\"bufferView\":0,\"count\":2147483647", "go beyond" },
        { "\"bufferView\":0,\"byteOffset\":9007199254740990,\"count\":3", "go beyond" },
        { "\"bufferView\":0,\"byteOffset\":1,\"count\":3", "go beyond" },
        { "\"bufferView\":7,\"count\":3", "the file has 1 bufferViews" },
        { "\"bufferView\":0,\"count\":3,\"sparse\":{\"count\":4,\"indices\":{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0}}",
            "more items than it" },
        { "\"bufferView\":0,\"count\":3,\"sparse\":{\"count\":1}", "incomplete" },
    };
    for ( size_t i = 0; i < sizeof( accessors ) / sizeof( accessors[0] ); ++i )
    {
        char body[1024];
        snprintf( body, sizeof( body ),
            SUP_BUFFER "," SUP_VIEW ",\"accessors\":[{%s,\"componentType\":5126,\"type\":\"VEC3\"}]," SUP_MESH
                       "," SUP_NODE,
            accessors[i][0] );
        supCheckRefused( body, sup_errorData, accessors[i][1] );
    }
    supCheckRefused( "\"accessors\":[{\"count\":4294967296,\"componentType\":5126,\"type\":\"VEC3\"}]," SUP_MESH
                     "," SUP_NODE,
        sup_errorLimit, "at most" );
    supCheckRefused( "\"accessors\":[{\"count\":2147483647,\"componentType\":5126,\"type\":\"VEC3\"}]," SUP_MESH
                     "," SUP_NODE,
        sup_errorLimit, "at most" );
}

static void supTestTrees( void** state )
{
    (void)state;
    supCheckRefused( "\"nodes\":[{\"name\":\"hip\",\"children\":[1]},{\"children\":[0]}]", sup_errorData, "cycle" );
    supCheckRefused(
        "\"nodes\":[{\"name\":\"hip\",\"children\":[0]}]", sup_errorData, "node 0 'hip': is its own ancestor" );
    supCheckRefused( "\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]", sup_errorData, "has one parent" );
    supCheckRefused( "\"nodes\":[{\"children\":[-1]}]", sup_errorData, "\"children\" is -1" );
    supCheckRefused( "\"nodes\":[{\"rotation\":[0,0,1]}]", sup_errorData, "has 3 numbers, it must have 4" );
    supCheckRefused( "\"nodes\":[{\"translation\":[0,0,1e39]}]", sup_errorData, "too large" );
    supCheckRefused( "\"nodes\":[{\"mesh\":3}]", sup_errorData, "the file has 0 meshes" );
    supCheckRefused( "\"nodes\":[{}],\"scenes\":[{\"nodes\":[4]}]", sup_errorData, "the file has 1 nodes" );
}

static void supTestNotFinite( void** state )
{
    (void)state;
    supCheckRefused(
        SUP_NAN_BUFFER "," SUP_VIEW "," SUP_VEC3 "," SUP_MESH "," SUP_NODE, sup_errorData, "mesh 'Body', vertex 0" );
    supCheckRefused(
        SUP_INFINITE_BUFFER "," SUP_VIEW "," SUP_VEC3 "," SUP_MESH "," SUP_NODE, sup_errorData, "not a finite number" );
    supCheckRefused( "\"nodes\":[{\"translation\":[1e400,0,0]}]", sup_errorFormat, "overflow" );
    supCheckRefused( "\"nodes\":[{\"translation\":[NaN,0,0]}]", sup_errorFormat, "JSON is broken" );
}

static void supTestSkins( void** state )
{
    (void)state;
    supCheckRefused(
        "\"nodes\":[{}],\"skins\":[{\"name\":\"Body\",\"joints\":[]}]", sup_errorData, "skin 0 'Body': has no joints" );
    supCheckRefused( "\"nodes\":[{}],\"skins\":[{}]", sup_errorData, "has no joints" );
    supCheckRefused( "\"nodes\":[{}],\"skins\":[{\"joints\":[1]}]", sup_errorData, "the file has 1 nodes" );
    // A mesh without a skin moves with its node; whoever needs flesh says so (supple inspect does).
    supCheckRead( SUP_BUFFER "," SUP_VIEW "," SUP_VEC3 "," SUP_MESH "," SUP_NODE );
    // A skin for a mesh without JOINTS_0: likewise.
    supCheckRead( SUP_BUFFER "," SUP_VIEW "," SUP_VEC3 "," SUP_MESH
                             ",\"nodes\":[{\"mesh\":0,\"skin\":0}],\"skins\":[{\"joints\":[0]}]" );
    supCheckRefused( SUP_BUFFER
        "," SUP_VIEW "," SUP_VEC3
        ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":0}}]}]," SUP_NODE,
        sup_errorData, "has JOINTS_0 and no WEIGHTS_0" );
}

/// Three vertices bound to joint 200 of a skin that has one, with and without a weight.
static void supTestJointsOutOfRange( void** state )
{
    (void)state;
    for ( int weight = 0; weight <= 1; ++weight )
    {
        char json[1400];
        unsigned char bin[96] = { 0 };
        for ( int v = 0; v < 3; ++v )
        {
            unsigned char joints[4] = { 0, 200, 0, 0 }, weights[4] = { 255, weight == 0 ? 0 : 3, 0, 0 };
            memcpy( bin + 36 + 4 * v, joints, 4 );
            memcpy( bin + 48 + 4 * v, weights, 4 );
        }
        snprintf( json, sizeof( json ),
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":96}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":96}],\"accessors\":["
            "{\"bufferView\":0,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3},{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5121,"
            "\"type\":\"VEC4\",\"count\":3},{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5121,\"normalized\":true,\"type\":\"VEC4\","
            "\"count\":3}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}]}],\"nodes\":[{\"mesh\":0,"
            "\"skin\":0},{}],\"skins\":[{\"name\":\"S\",\"joints\":[1]}]}" );
        size_t size;
        uint8_t* glb = supMakeGlb( json, bin, sizeof( bin ), &size );
        supGltf* document;
        supCharacter* character = NULL;
        supError error = { 0 };
        assert_int_equal(
            supOpenGltfMemory( glb, size, "test.glb", NULL, sup_silence, &document, &error ), sup_success );
        supResult result = supGltf_Character( document, NULL, &character, &error );
        assert_int_equal( result, weight == 0 ? sup_success : sup_errorData );
        assert_true( weight == 0 || strstr( error.text, "joint index is 200" ) != NULL );
        supDestroyCharacter( character );
        supCloseGltf( document );
        free( glb );
    }
}

static void supTestClips( void** state )
{
    (void)state;
    static const char animation[] =
        "\"nodes\":[{}],\"animations\":[{\"name\":\"Run\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}],"
        "\"samplers\":[{\"input\":0,\"output\":1}]}],\"accessors\":[";
    char body[1024];
    snprintf( body, sizeof( body ), "%s%s", animation,
        "{\"count\":0,\"componentType\":5126,\"type\":\"SCALAR\"},{\"count\":0,\"componentType\":5126,\"type\":\"VEC3\"}]" );
    supCheckRefused( body, sup_errorData, "animation 0 'Run', sampler 0: has no keys" );
    snprintf( body, sizeof( body ), "%s%s", animation,
        "{\"count\":2,\"componentType\":5126,\"type\":\"SCALAR\"},{\"count\":2,\"componentType\":5126,\"type\":\"VEC3\"}]" );
    supCheckRead( body ); // both keys at 0, of one value: one key
    snprintf( body, sizeof( body ), "%s%s", animation,
        "{\"count\":1,\"componentType\":5126,\"type\":\"SCALAR\"},{\"count\":2,\"componentType\":5126,\"type\":\"VEC3\"}]" );
    supCheckRefused( body, sup_errorData, "1 keys need 1 of 3" );
    supCheckRefused(
        "\"nodes\":[{}],\"animations\":[{\"name\":\"Run\",\"channels\":[{\"sampler\":2,\"target\":{\"node\":0,\"path\":\"scale\"}}]}]",
        sup_errorData, "sampler is missing" );
    supCheckRead(
        "\"animations\":[{\"name\":\"empty\",\"channels\":[],\"samplers\":[]}]" ); // exporters leave these behind
}

static void supTestContainers( void** state )
{
    (void)state;
    supCharacter* character;
    supError error = { 0 };
    assert_int_equal( supReadText( "", &character, &error ), sup_errorFormat );
    assert_int_equal( supReadText( "glTF", &character, &error ), sup_errorFormat );
    assert_int_equal( supReadText( "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[],\"nodes\":[]}", &character, &error ),
        sup_errorFormat );
    assert_non_null( strstr( error.text, "duplicate" ) );
    supCheckRefused(
        "\"buffers\":[{\"byteLength\":1,\"uri\":\"https://example.com/a.bin\"}]", sup_errorFile, "not a file beside" );
    supCheckRefused( "\"buffers\":[{\"byteLength\":1,\"uri\":\"/etc/hostname\"}]", sup_errorFile, "absolute path" );
    supCheckRefused( "\"buffers\":[{\"byteLength\":1,\"uri\":\"C:\\\\a.bin\"}]", sup_errorFile, "not a file beside" );
    supCheckRefused( "\"buffers\":[{\"byteLength\":1,\"uri\":\"a.bin\"}]", sup_errorFile, "no folder" );
    supCheckRefused( "\"extensionsRequired\":[\"EXT_new_geometry\"]", sup_errorUnsupported, "EXT_new_geometry" );
    supCheckRefused( "\"nodes\":[{\"name\":\"a\\nb\\u001b[31m\",\"children\":[9]}]", sup_errorData,
        "node 0 'a b [31m'" ); // one plain line
}

/// A small file cut off at every length is refused.
static void supTestEveryLength( void** state )
{
    (void)state;
    static const char* const seeds[] = { "skinned.glb", "sparse_morphs.glb", "meshopt.glb", "interleaved_look.gltf" };
    for ( size_t s = 0; s < sizeof( seeds ) / sizeof( seeds[0] ); ++s )
    {
        char path[256];
        snprintf( path, sizeof( path ), "tests/fuzz/corpus/gltf/%s", seeds[s] );
        size_t size;
        uint8_t* whole = supReadWhole( path, &size );
        for ( size_t length = 0; length < size; ++length )
        {
            supGltf* document;
            supError error = { 0 };
            uint8_t* cut = malloc( length + 1 ); // a block of its own, so that a sanitizer sees every read past the end
            memcpy( cut, whole, length );
            assert_int_not_equal(
                supOpenGltfMemory( cut, length, "cut", NULL, sup_silence, &document, &error ), sup_success );
            assert_int_equal( strncmp( error.text, "cut: ", 5 ), 0 );
            assert_null( document );
            free( cut );
        }
        free( whole );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestGoodOne ),
        cmocka_unit_test( supTestLengths ),
        cmocka_unit_test( supTestTrees ),
        cmocka_unit_test( supTestNotFinite ),
        cmocka_unit_test( supTestSkins ),
        cmocka_unit_test( supTestJointsOutOfRange ),
        cmocka_unit_test( supTestClips ),
        cmocka_unit_test( supTestContainers ),
        cmocka_unit_test( supTestEveryLength ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
