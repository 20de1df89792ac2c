// What a document may take in memory: one budget for JSON, buffers, views, accessors and the character made of them.
#define _DEFAULT_SOURCE // wait4

#include "io/gltf_document.h"
#include "support/gltf_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SUP_ASSET "{\"asset\":{\"version\":\"2.0\"},"
#define SUP_ZEROS( type ) "{\"componentType\":5126,\"type\":\"" type "\",\"count\":4194304}"

static const size_t supBudget = 100000000;

/// `part` as often as `count` says, with commas between, after `before` and before `after`. From malloc.
static char* supRepeat( const char* before, const char* part, int count, const char* after )
{
    size_t each = strlen( part ) + 1;
    char* text = malloc( strlen( before ) + each * (size_t)count + strlen( after ) + 1 );
    assert_non_null( text );
    char* to = text + sprintf( text, "%s", before );
    for ( int i = 0; i < count; ++i )
    {
        to += sprintf( to, "%s%s", i > 0 ? "," : "", part );
    }
    strcpy( to, after );
    return text;
}

static supResult supOpenAll( const char* json, const char* folder, size_t most, supError* error )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.mostMemory = most;
    supGltf* document = NULL;
    supCharacter* character = NULL;
    const supLook* look = NULL;
    supResult result = supOpenGltfMemoryWith( json, strlen( json ), "test.gltf", folder, &def, &document, error );
    result = result == sup_success ? supGltf_Character( document, NULL, &character, error ) : result;
    result = result == sup_success ? supGltf_Look( document, &look, error ) : result;
    supDestroyCharacter( character );
    supCloseGltf( document );
    return result;
}

/// In a process of its own, whose memory is looked at: refused as too much, within the budget but for what every
/// process takes.
static void supCheckRefused( const char* what, const char* json, const char* folder )
{
    pid_t child = fork();
    assert_true( child >= 0 );
    if ( child == 0 )
    {
        supError error = { 0 };
        supResult result = supOpenAll( json, folder, supBudget, &error );
        bool good = result == sup_errorLimit && strstr( error.text, "test.gltf: " ) == error.text &&
                    strstr( error.text, "memory budget" ) != NULL;
        if ( !good )
        {
            fprintf( stderr, "%s: %d '%s'\n", what, result, error.text );
        }
        _exit( good ? 0 : 1 );
    }
    int status = 0;
    struct rusage usage;
    assert_int_equal( wait4( child, &status, 0, &usage ), child );
    if ( !WIFEXITED( status ) || WEXITSTATUS( status ) != 0 )
    {
        fail_msg( "%s: was not refused", what );
    }
#if !defined( __SANITIZE_ADDRESS__ ) && !defined( __SANITIZE_THREAD__ )
    if ( usage.ru_maxrss > 150 * 1000 ) // kilobytes
    {
        fail_msg( "%s: took %ld kB", what, usage.ru_maxrss );
    }
#endif
}

/// Small files whose accessors have no bytes, named again and again: each of them took gigabytes.
static void supTestRepeats( void** state )
{
    (void)state;
    static const struct
    {
        const char *what, *before, *part, *after;
        int count;
    } files[] = {
        { "morph targets",
            SUP_ASSET "\"accessors\":[" SUP_ZEROS(
                "VEC3" ) "],\"nodes\":[{\"mesh\":0}],"
                         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[",
            "{\"POSITION\":0,\"NORMAL\":0}", "]}]}]}", 25 },
        { "samplers",
            SUP_ASSET "\"accessors\":[" SUP_ZEROS( "SCALAR" ) "," SUP_ZEROS( "VEC3" ) "],\"nodes\":[{}],"
                                                                                      "\"animations\":[",
            "{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
            "\"path\":\"translation\"}}]}",
            "]}", 30 },
        { "nodes that show a mesh",
            SUP_ASSET "\"accessors\":[" SUP_ZEROS( "VEC3" ) "],\"meshes\":[{\"primitives\":[{"
                                                            "\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[",
            "{\"mesh\":0}", "]}", 20 },
        { "primitives",
            SUP_ASSET "\"accessors\":[" SUP_ZEROS( "VEC3" ) "," SUP_ZEROS(
                "VEC4" ) "],"
                         "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[",
            "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":1}}", "]}]}", 60 },
        { "values of the JSON", SUP_ASSET "\"extras\":[", "{}", "]}", 1000000 },
    };
    for ( size_t i = 0; i < sizeof( files ) / sizeof( files[0] ); ++i )
    {
        char* json = supRepeat( files[i].before, files[i].part, files[i].count, files[i].after );
        supCheckRefused( files[i].what, json, NULL );
        free( json );
    }
}

/// Forty buffers of one file, each of them read.
static void supTestBuffers( void** state )
{
    (void)state;
    char folder[256], path[300];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( path, sizeof( path ), "%s/a.bin", folder );
    supWriteWhole( path, "", 0 );
    assert_int_equal( truncate( path, 20000000 ), 0 );
    char* json = supRepeat( SUP_ASSET "\"buffers\":[", "{\"byteLength\":4,\"uri\":\"a.bin\"}", 40, "]}" );
    supCheckRefused( "buffers", json, folder );
    free( json );
    supRemoveTestFolder( folder );
}

/// Skins take as many matrices as they have joints, and what repeats is read once: this is no longer much.
static void supTestShared( void** state )
{
    (void)state;
    supError error = { 0 };
    char* skins = supRepeat( SUP_ASSET "\"nodes\":[{}],\"accessors\":[{\"componentType\":5126,\"type\":\"MAT4\","
                                       "\"count\":16777216}],\"skins\":[",
        "{\"joints\":[0],\"inverseBindMatrices\":0}", 40, "]}" );
    assert_int_equal( supOpenAll( skins, NULL, supBudget, &error ), sup_success );
    free( skins );
    // a sparse item beyond those that are wanted must not be written
    const char* sparse =
        SUP_ASSET "\"nodes\":[{}],\"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}],"
                  "\"buffers\":[{\"byteLength\":68,\"uri\":\"data:;base64,"
                  "BwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\"}],"
                  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":4},{\"buffer\":0,\"byteOffset\":4,\"byteLength\":64}],"
                  "\"accessors\":[{\"componentType\":5126,\"type\":\"MAT4\",\"count\":8,\"sparse\":{\"count\":1,"
                  "\"indices\":{\"bufferView\":0,\"componentType\":5125},\"values\":{\"bufferView\":1}}}]}";
    if ( supOpenAll( sparse, NULL, supBudget, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The cost of JSON is from above: what jansson takes is never more

static size_t sup_jsonLive, sup_jsonMost;

static void* supCountedMalloc( size_t size )
{
    size_t* block = malloc( size + 16 );
    *block = size + 16; // what malloc itself needs beside it
    sup_jsonLive += *block;
    sup_jsonMost = sup_jsonLive > sup_jsonMost ? sup_jsonLive : sup_jsonMost;
    return (char*)block + 16;
}

static void supCountedFree( void* block )
{
    if ( block != NULL )
    {
        size_t* start = (size_t*)( (char*)block - 16 );
        sup_jsonLive -= *start;
        free( start );
    }
}

static void supTestJsonCost( void** state )
{
    (void)state;
    static const char* const parts[] = { "{}", "[]", "1", "1.5", "\"\"", "{\"a\":{}}", "[[]]", "[1]", "{\"a\":1}",
        "true", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}", "[1,2,3,4,5,6,7,8,9]" };
    json_malloc_t oldMalloc;
    json_free_t oldFree;
    json_get_alloc_funcs( &oldMalloc, &oldFree );
    json_set_alloc_funcs( supCountedMalloc, supCountedFree );
    for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
    {
        char* json = supRepeat( SUP_ASSET "\"extras\":[", parts[i], 20000, "]}" );
        supGltf* document = NULL;
        supError error = { 0 };
        const supLog silence = { NULL, NULL };
        sup_jsonMost = sup_jsonLive;
        size_t before = sup_jsonLive;
        assert_int_equal(
            supOpenGltfMemory( json, strlen( json ), "test.gltf", NULL, silence, &document, &error ), sup_success );
        size_t took = sup_jsonMost - before;
        if ( took > document->charged || document->charged > 6 * took )
        {
            fail_msg( "%s: jansson took %zu bytes, %zu were charged", parts[i], took, document->charged );
        }
        supCloseGltf( document );
        free( json );
    }
    json_set_alloc_funcs( oldMalloc, oldFree );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestRepeats ), cmocka_unit_test( supTestBuffers ),
        cmocka_unit_test( supTestShared ), cmocka_unit_test( supTestJsonCost ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
