// Rigs as JSON: what is written is read back whole, what is wrong is named with its place.
#include "supple/io.h"
#include "supple/lab/items.h"
#include "support/test_allocator.h"
#include "support/test_rigs.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static supRig* supReadText( const char* text, const supCharacter* character )
{
    supRig* rig;
    supError error = { 0 };
    if ( supReadRigMemory( text, strlen( text ), "a.rig.json", character, NULL, &rig, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return rig;
}

/// From malloc.
static char* supWriteText( const supRig* rig )
{
    size_t length = supRigToJson( rig, NULL, 0 );
    assert_true( length > 0 );
    char* text = malloc( length + 1 );
    assert_int_equal( supRigToJson( rig, text, length + 1 ), length );
    assert_int_equal( strlen( text ), length );
    return text;
}

static supRig* supMakeRandomRig( supTestRandom* random, int32_t count, float share )
{
    supRig* rig;
    supError error;
    assert_int_equal( supCreateRig( NULL, &rig, &error ), sup_success );
    supTestElement* block = malloc( sizeof( supTestElement ) );
    for ( int32_t i = 0; i < count; ++i )
    {
        supTestRandom_Element( random, block, i, share );
        assert_int_equal( supRig_AddElement( rig, &block->def, &error ), sup_success );
    }
    free( block );
    return rig;
}

// ---------------------------------------------------------------------------------------------------------------
// There and back

static void supTestRoundTrip( void** state )
{
    (void)state;
    supTestRandom random = { 11 };
    for ( int32_t i = 0; i < 60; ++i )
    {
        supRig* rig = supMakeRandomRig( &random, i % 5, (float)( i % 7 ) / 6.0f );
        float down = supTestRandom_Float( &random, -20.0f, 0.0f );
        supRig_SetGravity( rig, ( supVec3 ){ 0.1f, down, 1e-7f } );
        char* text = supWriteText( rig );
        supRig* back = supReadText( text, NULL );
        char* again = supWriteText( back );
        assert_string_equal( text, again );
        assert_true( supRig_Gravity( back ).y == down && supRig_Gravity( back ).z == 1e-7f );
        assert_int_equal( supRig_ElementCount( back ), supRig_ElementCount( rig ) );
        for ( int32_t j = 0; j < supRig_ElementCount( rig ); ++j )
        {
            const char* different = supTestElementDifference( supRig_Element( rig, j ), supRig_Element( back, j ) );
            if ( different != NULL )
            {
                fail_msg( "rig %d, elements[%d].%s:\n%s", i, j, different, text );
            }
        }
        free( text );
        free( again );
        supDestroyRig( rig );
        supDestroyRig( back );
    }
}

static void supTestEmpty( void** state )
{
    (void)state;
    supRig* rig = supReadText( "{}", NULL );
    assert_int_equal( supRig_ElementCount( rig ), 0 );
    assert_true( supRig_Gravity( rig ).y == -9.81f );
    char* text = supWriteText( rig );
    assert_string_equal( text, "{\n    \"supple\": 2\n}\n" );
    free( text );
    supDestroyRig( rig );
    supDestroyRig( supReadText( "\xef\xbb\xbf{ \"elements\": [] }", NULL ) );
}

static void supTestWrittenText( void** state )
{
    (void)state;
    const char* given =
        "{ \"$schema\": \"x\", \"_note\": 1, \"extras\": [2], \"gravity\": [0, -3.7, 0], \"elements\": [ { \"driver\": \"hips\","
        "\"name\": \"belly\", \"frequency\": 2.50, \"amount\": 1, \"dampingRatio\": 0.1, \"_why\": {}, \"limit\": \"clamp\","
        "\"ends\": [\"a\\\"b\", { \"name\": \"c\", \"index\": 7 }], \"facing\": [0, 0, 1], \"spheres\": [ { \"center\": [0, "
        "0.1, 0], \"radius\": \"5%\" } ], \"attenuationKeys\": [[-1, 0], [0.5, 1]] } ] }";
    const char* expected = "{\n"
                           "    \"supple\": 2,\n"
                           "    \"gravity\": [0, -3.7, 0],\n"
                           "    \"elements\": [\n"
                           "        {\n"
                           "            \"name\": \"belly\",\n"
                           "            \"driver\": \"hips\",\n"
                           "            \"ends\": [\"a\\\"b\", \"c#7\"],\n"
                           "            \"facing\": [0, 0, 1],\n"
                           "            \"spheres\": [\n"
                           "                {\n"
                           "                    \"center\": [0, 0.1, 0],\n"
                           "                    \"radius\": 0.05\n"
                           "                }\n"
                           "            ],\n"
                           "            \"attenuationKeys\": [[-1, 0], [0.5, 1]],\n"
                           "            \"frequency\": 2.5,\n"
                           "            \"dampingRatio\": 0.1,\n"
                           "            \"limit\": \"clamp\"\n"
                           "        }\n"
                           "    ]\n"
                           "}\n";
    supRig* rig = supReadText( given, NULL );
    char* text = supWriteText( rig );
    assert_string_equal( text, expected );
    // Too small a buffer gets the beginning, and an end mark.
    char small[8];
    assert_int_equal( supRigToJson( rig, small, sizeof( small ) ), strlen( expected ) );
    assert_string_equal( small, "{\n    \"" );
    free( text );
    supDestroyRig( rig );
}

// ---------------------------------------------------------------------------------------------------------------
// Lengths

/// A cloud of two points, (0, 0, 0) and (3, 4, 0): of size 5.
static supCharacter* supMakeSizedCharacter( void )
{
    const float positions[] = { 0, 0, 0, 3, 4, 0 };
    supJointDef joint = { .name = "root", .parent = -1, .rest = supTransform_identity };
    supMeshDef mesh = {
        .name = "cloud", .skin = -1, .vertexCount = 2, .positions = positions, .sourceMesh = -1, .sourcePrimitive = -1
    };
    supCharacterDef def = supDefaultCharacterDef();
    def.name = "cloud";
    def.jointCount = 1;
    def.joints = &joint;
    def.meshCount = 1;
    def.meshes = &mesh;
    supCharacter* character;
    supError error;
    if ( supCreateCharacter( &def, &character, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    return character;
}

static void supTestLengths( void** state )
{
    (void)state;
    static const struct
    {
        const char* text;
        float share;
    } cases[] = { { "0.02", 0.02f }, { "\"2%\"", 0.02f }, { "\"2 %\"", 0.02f }, { "\"5mm\"", 0.001f },
        { "\"2.5cm\"", 0.005f }, { "\"1e-1m\"", 0.02f } };
    supCharacter* character = supMakeSizedCharacter();
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        char text[200];
        snprintf( text, sizeof( text ), "{\"elements\":[{\"driver\":\"a\",\"boneThickness\":%s,\"end\":[0,%s,0]}]}",
            cases[i].text, cases[i].text );
        supRig* rig = supReadText( text, character );
        assert_true( fabsf( supRig_Element( rig, 0 )->boneThickness - cases[i].share ) < 1e-8f );
        assert_true( fabsf( supRig_Element( rig, 0 )->end.y - cases[i].share ) < 1e-8f );
        supDestroyRig( rig );
    }
    supDestroyCharacter( character );
}

// ---------------------------------------------------------------------------------------------------------------
// Errors

typedef struct supErrorCase
{
    const char* text;
    supResult code;
    const char* words;
} supErrorCase;

static void supExpectErrors( const supErrorCase* cases, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        supRig* rig;
        supError error = { 0 };
        supResult result =
            supReadRigMemory( cases[i].text, strlen( cases[i].text ), "fox.rig.json", NULL, NULL, &rig, &error );
        assert_null( rig );
        char words[SUP_ERROR_TEXT];
        snprintf( words, sizeof( words ), "fox.rig.json%s", cases[i].words );
        assert_string_equal( error.text, words );
        assert_int_equal( result, cases[i].code );
        assert_int_equal( error.code, cases[i].code );
        assert_int_equal(
            supReadRigMemory( cases[i].text, strlen( cases[i].text ), "x", NULL, NULL, &rig, NULL ), result );
    }
}

#define SUP_COUNT( array ) ( sizeof( array ) / sizeof( array[0] ) )
#define SUP_ELEMENT( fields ) "{\"elements\":[{\"driver\":\"a\"," fields "}]}"

// Where the text stops being JSON. The words after the place are jansson's.
static void supTestSyntaxErrors( void** state )
{
    (void)state;
    static const struct
    {
        const char* text;
        const char* place;
    } cases[] = {
        { "", "fox.rig.json:1:0: " },
        { "{\n  \"gravity\": [0, 1,, 2]\n}", "fox.rig.json:2:20: " },
        { "{\"elements\": [", "fox.rig.json:1:14: " },
        { "{} x", "fox.rig.json:1:4: " },
        { "{\"gravity\": [NaN, 0, 0]}", "fox.rig.json:1:16: " },
        { "{\"gravity\": [1e999, 0, 0]}", "fox.rig.json:1:18: " },
        { "{\"supple\": 1, \"supple\": 1}", "fox.rig.json:1:22: " },
        { "{\"a\": \"\xff\"}", "fox.rig.json:1:" },
        { SUP_ELEMENT( "\"name\": \"a\\u0000b\"" ), "fox.rig.json:1:" },
    };
    for ( size_t i = 0; i < SUP_COUNT( cases ); ++i )
    {
        supRig* rig;
        supError error = { 0 };
        supResult result =
            supReadRigMemory( cases[i].text, strlen( cases[i].text ), "fox.rig.json", NULL, NULL, &rig, &error );
        assert_int_equal( result, sup_errorFormat );
        assert_null( rig );
        size_t length = strlen( cases[i].place );
        assert_true( strlen( error.text ) > length + 8 );
        error.text[length] = '\0';
        assert_string_equal( error.text, cases[i].place );
    }
}

static void supTestRootErrors( void** state )
{
    (void)state;
    static const supErrorCase cases[] = {
        { "[]", sup_errorData, ": rig: must be an object, not a list of 0" },
        { "3", sup_errorData, ": rig: must be an object, not a number" },
        { "{\"element\": []}", sup_errorData, ": element: unknown; did you mean \"elements\"?" },
        { "{\"zzzzz\\n\": []}", sup_errorData, ": zzzzz : unknown; notes of your own start with \"_\"" },
        { "{\"elements\": {}}", sup_errorData, ": elements: must be a list, not an object" },
        { "{\"elements\": [3]}", sup_errorData, ": elements[0]: must be an object, not a number" },
        { "{\"elements\": [{}]}", sup_errorData,
            ": elements[0].driver: missing: The joint that carries the flesh. The one field that every element must have." },
        { "{\"elements\": 1, \"supple\": 3}", sup_errorUnsupported,
            ": supple: version 3: made by a newer version of Supple; this one reads versions up to 2, so get a newer one" },
        { "{\"supple\": \"1\"}", sup_errorData, ": supple: must be the version of the format, a number from 1 to 2" },
        { "{\"supple\": 0}", sup_errorData, ": supple: must be the version of the format, a number from 1 to 2" },
        { "{\"supple\": 1.5}", sup_errorData, ": supple: must be the version of the format, a number from 1 to 2" },
        { "{\"gravity\": -9.81}", sup_errorData, ": gravity: must be a list of three numbers, not a number" },
        { "{\"gravity\": [0, 1]}", sup_errorData, ": gravity: must be a list of three numbers, not a list of 2" },
        { "{\"gravity\": [0, \"1\", 0]}", sup_errorData, ": gravity[1]: must be a number, not a text" },
        { "{\"gravity\": [0, 1e30, 0]}", sup_errorData, ": gravity: beyond 10000 m/s^2" },
        { "{\"elements\": [{\"driver\": \"a\", \"name\": \"x\"}, {\"driver\": \"b\", \"name\": \"x\"}]}", sup_errorData,
            ": elements[1].name: \"x\" is already the name of elements[0]; give it another" },
    };
    supExpectErrors( cases, SUP_COUNT( cases ) );
}

static void supTestFieldErrors( void** state )
{
    (void)state;
    static const supErrorCase cases[] = {
        { "{\"elements\":[{\"driver\":\"a\"},{\"driver\":\"b\"},{\"driver\":\"c\",\"frequncy\":3}]}", sup_errorData,
            ": elements[2].frequncy: unknown; did you mean \"frequency\"?" },
        { SUP_ELEMENT( "\"frequency\": -3" ), sup_errorData, ": elements[0].frequency: -3 is below 0.01 Hz" },
        { SUP_ELEMENT( "\"frequency\": 1e40" ), sup_errorData, ": elements[0].frequency: inf is above 1000 Hz" },
        { SUP_ELEMENT( "\"frequency\": \"4\"" ), sup_errorData,
            ": elements[0].frequency: must be a number, not a text" },
        { SUP_ELEMENT( "\"frequency\": null" ), sup_errorData, ": elements[0].frequency: must be a number, not null" },
        { SUP_ELEMENT( "\"frequency\": true" ), sup_errorData, ": elements[0].frequency: must be a number, not true" },
        { SUP_ELEMENT( "\"name\": 3" ), sup_errorData, ": elements[0].name: must be a text, not a number" },
        { SUP_ELEMENT( "\"name\": \"\"" ), sup_errorData, ": elements[0].name: an empty name" },
        { SUP_ELEMENT( "\"ends\": \"b\"" ), sup_errorData, ": elements[0].ends: must be a list, not a text" },
        { SUP_ELEMENT( "\"ends\": [[]]" ), sup_errorData,
            ": elements[0].ends[0]: must be a joint's name, not a list of 0" },
        { SUP_ELEMENT( "\"ends\": [{\"name\": \"b\"}]" ), sup_errorData, ": elements[0].ends[0].index: missing" },
        { SUP_ELEMENT( "\"ends\": [{\"name\": \"b\", \"index\": -1}]" ), sup_errorData,
            ": elements[0].ends[0]: must be a whole number, 0 or more" },
        { SUP_ELEMENT( "\"ends\": [{\"name\": \"b\", \"indx\": 1}]" ), sup_errorData,
            ": elements[0].ends[0].indx: unknown; did you mean \"index\"?" },
        { SUP_ELEMENT( "\"skipMeshes\": [{\"name\": \"b\", \"index\": 1}]" ), sup_errorData,
            ": elements[0].skipMeshes[0]: must be a text, not an object" },
        { SUP_ELEMENT( "\"limit\": \"sofft\"" ), sup_errorData,
            ": elements[0].limit: \"sofft\" is not one of \"soft\", \"clamp\"" },
        { SUP_ELEMENT( "\"limit\": 1" ), sup_errorData, ": elements[0].limit: must be a text, not a number" },
        { SUP_ELEMENT( "\"boneThickness\": \"2 miles\"" ), sup_errorData,
            ": elements[0].boneThickness: \"2 miles\" is not a length; write a share of the character's size (0.02 or \"2%\"), or \"2mm\", "
            "\"3cm\", \"0.1m\"" },
        { SUP_ELEMENT( "\"boneThickness\": \"2mm\"" ), sup_errorArgument,
            ": elements[0].boneThickness: \"2mm\" needs the character's size; give the character too, or write a share of its size, such as "
            "0.02 or \"2%\"" },
        { SUP_ELEMENT( "\"boneThickness\": []" ), sup_errorData,
            ": elements[0].boneThickness: must be a length, not a list of 0" },
        { SUP_ELEMENT( "\"boneThickness\": \"200%\"" ), sup_errorData,
            ": elements[0].boneThickness: 2 is above 1 of the model's size" },
        { SUP_ELEMENT( "\"end\": [1, 2]" ), sup_errorData,
            ": elements[0].end: must be a list of three lengths, not a list of 2" },
        { SUP_ELEMENT( "\"attenuationKeys\": [[0, 1], 3]" ), sup_errorData,
            ": elements[0].attenuationKeys[1]: must be a pair [position, value], not a number" },
        { SUP_ELEMENT( "\"attenuation\": \"hermite\"" ), sup_errorData,
            ": elements[0].attenuationKeys: \"hermite\" needs two keys at least, has 0" },
        { SUP_ELEMENT( "\"spheres\": [{\"center\": [0, 0, 0]}]" ), sup_errorData,
            ": elements[0].spheres[0].radius: missing" },
        { SUP_ELEMENT( "\"spheres\": [1]" ), sup_errorData,
            ": elements[0].spheres[0]: must be an object with \"center\" and \"radius\", not a number" },
    };
    supExpectErrors( cases, SUP_COUNT( cases ) );
}

#define SUP_PAINT( fields ) SUP_ELEMENT( "\"paint\": {\"fingerprint\": \"0x1f\", \"meshes\": [{" fields "}]}" )

static void supTestPaintErrors( void** state )
{
    (void)state;
    static const supErrorCase cases[] = {
        { SUP_ELEMENT( "\"paint\": []" ), sup_errorData,
            ": elements[0].paint: must be an object with \"fingerprint\" and \"meshes\", not a list of 0" },
        { SUP_ELEMENT( "\"paint\": {}" ), sup_errorData, ": elements[0].paint.fingerprint: missing" },
        { SUP_ELEMENT( "\"paint\": {\"fingerprint\": \"0xg\"}" ), sup_errorData,
            ": elements[0].paint.fingerprint: must be the character's fingerprint, a text such as \"0x0123456789abcdef\"; `supple rig --check` says what it is" },
        { SUP_ELEMENT( "\"paint\": {\"fingerprint\": \"0x1\"}" ), sup_errorData,
            ": elements[0].paint.meshes: missing" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [1]" ), sup_errorData,
            ": elements[0].paint.meshes[0].values: missing" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [1], \"values\": 3" ), sup_errorData,
            ": elements[0].paint.meshes[0].values: must be a list, not a number" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [1], \"values\": []" ), sup_errorData,
            ": elements[0].paint.meshes[0]: 1 vertices and 0 values; their numbers must be equal" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [4294967296], \"values\": [1]" ), sup_errorData,
            ": elements[0].paint.meshes[0].vertices[0]: must be a whole number, 0 or more" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [1, 1], \"values\": [1, 1]" ), sup_errorData,
            ": elements[0].paint.meshes[0].vertices[1]: 1 is out of order; vertices must be in rising order from 0, each once" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [1], \"values\": [1.5]" ), sup_errorData,
            ": elements[0].paint.meshes[0].values[0]: 1.5 is above 1" },
        { SUP_PAINT( "\"mesh\": \"B\", \"vertices\": [], \"values\": [], \"vertice\": 1" ), sup_errorData,
            ": elements[0].paint.meshes[0].vertice: unknown; did you mean \"vertices\"?" },
    };
    supExpectErrors( cases, SUP_COUNT( cases ) );
}

// A message is one line of UTF-8 whatever the keys hold, and however long they are.
static void supTestMessagesAreLines( void** state )
{
    (void)state;
    char text[2000] = "{\"elements\":[{\"driver\":\"a\",\"";
    size_t length = strlen( text );
    for ( int i = 0; i < 300; ++i )
    {
        memcpy( text + length, "\xe8\x85\xb9", 3 );
        length += 3;
    }
    strcpy( text + length, "\\n\": 1}]}" );
    supRig* rig;
    supError error;
    assert_int_equal( supReadRigMemory( text, strlen( text ), "a", NULL, NULL, &rig, &error ), sup_errorData );
    json_t* line = json_string( error.text ); // NULL where it is not UTF-8
    assert_non_null( line );
    json_decref( line );
    assert_null( strchr( error.text, '\n' ) );
    assert_non_null( strstr( error.text, "elements[0]." ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Files

static bool supFileIs( const char* path, const char* text )
{
    char content[4096];
    FILE* file = fopen( path, "rb" );
    size_t length = file != NULL ? fread( content, 1, sizeof( content ) - 1, file ) : 0;
    content[length] = '\0';
    if ( file != NULL )
    {
        fclose( file );
    }
    return file != NULL && strcmp( content, text ) == 0;
}

static void supTestFiles( void** state )
{
    (void)state;
    char folder[] = "/tmp/supple-rig-XXXXXX", path[64], link[64];
    assert_non_null( mkdtemp( folder ) );
    snprintf( path, sizeof( path ), "%s/a.rig.json", folder );
    snprintf( link, sizeof( link ), "%s/b.rig.json", folder );

    supRig* rig = supReadText( "{\"elements\":[{\"driver\":\"hips\",\"sag\":0.3}]}", NULL );
    char* text = supWriteText( rig );
    supError error;
    assert_int_equal( supWriteRig( rig, path, &error ), sup_success );
    assert_true( supFileIs( path, text ) );
    supRig* back;
    assert_int_equal( supReadRig( path, NULL, NULL, &back, &error ), sup_success );
    assert_null( supTestElementDifference( supRig_Element( rig, 0 ), supRig_Element( back, 0 ) ) );
    supDestroyRig( back );

    // Through a link: the file behind it changes, the link and the file's mode stay.
    assert_int_equal( chmod( path, 0640 ), 0 );
    assert_int_equal( symlink( "a.rig.json", link ), 0 );
    supRig* empty = supReadText( "{}", NULL );
    assert_int_equal( supWriteRig( empty, link, &error ), sup_success );
    struct stat status;
    assert_int_equal( lstat( link, &status ), 0 );
    assert_true( S_ISLNK( status.st_mode ) );
    assert_int_equal( stat( path, &status ), 0 );
    assert_int_equal( status.st_mode & 0777, 0640 );
    assert_true( supFileIs( path, "{\n    \"supple\": 2\n}\n" ) );

    // What cannot be written says so; folders and devices are not replaced.
    assert_int_equal( supWriteRig( rig, folder, &error ), sup_errorFile );
    assert_non_null( strstr( error.text, "not a regular file" ) );
    assert_int_equal( supWriteRig( rig, "/dev/null", &error ), sup_errorFile );
    assert_int_equal( supWriteRig( rig, "/nowhere/at/all.rig.json", &error ), sup_errorFile );
    assert_string_equal( error.text, "/nowhere/at/all.rig.json: cannot be written: No such file or directory" );
    assert_int_equal( supReadRig( "/nowhere/at/all.rig.json", NULL, NULL, &back, &error ), sup_errorFile );
    assert_null( back );

    // Nothing is left beside the two: rmdir would refuse.
    assert_int_equal( unlink( link ), 0 );
    assert_int_equal( unlink( path ), 0 );
    assert_int_equal( rmdir( folder ), 0 );
    free( text );
    supDestroyRig( rig );
    supDestroyRig( empty );
}

// ---------------------------------------------------------------------------------------------------------------
// Memory and locale

static int sup_jsonCalls, sup_jsonFailAt = -1; // jansson's hooks take no user pointer

static void* supFailingMalloc( size_t size )
{
    return sup_jsonFailAt >= 0 && sup_jsonCalls++ >= sup_jsonFailAt ? NULL : malloc( size );
}

static const char* const sup_fullText =
    "{\"gravity\":[0,0.5,0],\"elements\":[{\"driver\":{\"name\":\"a\",\"index\":1},\"ends\":[\"b\"],\"paint\":{\"fingerprint\":\"0x1\",\"meshes\":[{"
    "\"mesh\":\"m\",\"vertices\":[1],\"values\":[0.5]}]},\"spheres\":[{\"center\":[0,0,0],\"radius\":0.5}],\"attenuationKeys\":[[0,1]]},"
    "{\"driver\":\"c\",\"limit\":\"clamp\",\"end\":[\"1%\",0,0]}]}";

static void supTestMemoryRunsOut( void** state )
{
    (void)state;
    supRig* whole = supReadText( sup_fullText, NULL );
    json_set_alloc_funcs( supFailingMalloc, free );
    int32_t readFailures = 0, writeFailures = 0;
    for ( int failAt = 0;; ++failAt )
    {
        supRig* rig;
        supError error = { 0 };
        sup_jsonCalls = 0;
        sup_jsonFailAt = failAt;
        supResult result = supReadRigMemory( sup_fullText, strlen( sup_fullText ), "a", NULL, NULL, &rig, &error );
        supDestroyRig( rig );
        if ( result == sup_success )
        {
            break;
        }
        assert_true( strlen( error.text ) > 0 );
        readFailures += 1;
    }
    for ( int failAt = 0;; ++failAt )
    {
        sup_jsonCalls = 0;
        sup_jsonFailAt = failAt;
        if ( supRigToJson( whole, NULL, 0 ) > 0 )
        {
            break;
        }
        writeFailures += 1;
    }
    sup_jsonFailAt = -1;
    json_set_alloc_funcs( malloc, free );
    assert_true( readFailures > 20 && writeFailures > 20 );

    for ( int32_t failAt = 0;; ++failAt )
    {
        supTestAllocator test = { .failAt = failAt };
        supAllocator allocator = supMakeTestAllocator( &test );
        supRig* rig;
        supError error;
        supMakeDef make = supDefaultMakeDef();
        make.allocator = &allocator;
        supResult result = supReadRigMemory( sup_fullText, strlen( sup_fullText ), "a", NULL, &make, &rig, &error );
        supDestroyRig( rig );
        assert_true( test.live == 0 );
        if ( result == sup_success )
        {
            assert_true( failAt >= 3 );
            break;
        }
        assert_int_equal( result, sup_errorMemory );
    }
    supDestroyRig( whole );
}

// With a comma as the C library's decimal point, the text is the same.
static void supTestLocale( void** state )
{
    (void)state;
    static const char* const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "nl_NL.UTF-8" };
    const char* found = NULL;
    for ( size_t i = 0; i < SUP_COUNT( names ) && found == NULL; ++i )
    {
        found = setlocale( LC_NUMERIC, names[i] );
    }
    if ( found == NULL )
    {
        print_message( "skipped: no locale with a decimal comma is installed\n" );
        skip();
    }
    supRig* rig = supReadText( SUP_ELEMENT( "\"sag\": 0.25, \"boneThickness\": \"1.5%\"" ), NULL );
    char* text = supWriteText( rig );
    setlocale( LC_NUMERIC, "C" );
    assert_true( supRig_Element( rig, 0 )->boneThickness == 0.015f );
    assert_non_null( strstr( text, "\"sag\": 0.25" ) );
    free( text );
    supDestroyRig( rig );
}

/// Random rigs as a JSON list, for check_rig_schema.mjs.
static int supPrintRigs( int32_t count )
{
    supTestRandom random = { 23 };
    for ( int32_t i = 0; i < count; ++i )
    {
        supRig* rig = supMakeRandomRig( &random, i % 4, (float)( i % 11 ) / 10.0f );
        char* text = supWriteText( rig );
        printf( "%s%s", i == 0 ? "[" : ",", text );
        free( text );
        supDestroyRig( rig );
    }
    puts( "]" );
    return 0;
}

int main( int argc, char** argv )
{
    if ( argc == 3 && strcmp( argv[1], "--print" ) == 0 )
    {
        return supPrintRigs( (int32_t)strtol( argv[2], NULL, 10 ) );
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestRoundTrip ),
        cmocka_unit_test( supTestEmpty ),
        cmocka_unit_test( supTestWrittenText ),
        cmocka_unit_test( supTestLengths ),
        cmocka_unit_test( supTestSyntaxErrors ),
        cmocka_unit_test( supTestRootErrors ),
        cmocka_unit_test( supTestFieldErrors ),
        cmocka_unit_test( supTestPaintErrors ),
        cmocka_unit_test( supTestMessagesAreLines ),
        cmocka_unit_test( supTestFiles ),
        cmocka_unit_test( supTestMemoryRunsOut ),
        cmocka_unit_test( supTestLocale ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
