// Results, their words, and names that are nearly right.
// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "supple/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void supTestFail( void** state )
{
    (void)state;
    supError error;
    memset( &error, 0x7f, sizeof( error ) );
    supResult result = supFail( &error, sup_errorData, "%s: skin '%s': joint index %d", "fox.glb", "Body", 212 );
    assert_int_equal( result, sup_errorData );
    assert_int_equal( error.code, sup_errorData );
    assert_string_equal( error.text, "fox.glb: skin 'Body': joint index 212" );
    assert_int_equal( supFail( NULL, sup_errorFile, "%s", "unheard" ), sup_errorFile );
}

// A text that is too long is cut, and never in the middle of a letter.
static void supTestLongText( void** state )
{
    (void)state;
    static const char* const letters[] = { "x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x8a" };
    for ( size_t kind = 0; kind < 4; ++kind )
    {
        for ( size_t shift = 0; shift < 4; ++shift )
        {
            char longText[1000] = "";
            memset( longText, 'a', shift );
            size_t size = strlen( letters[kind] ), length = shift;
            for ( ; length + size < 900; length += size )
            {
                memcpy( longText + length, letters[kind], size );
            }
            supError error;
            supFail( &error, sup_errorFormat, "%s", longText );
            size_t kept = strlen( error.text );
            assert_true( kept < SUP_ERROR_TEXT && kept >= SUP_ERROR_TEXT - 4 );
            assert_int_equal( ( kept - shift ) % size, 0 );
            assert_memory_equal( error.text, longText, kept );
        }
    }
}

static void supTestTexts( void** state )
{
    (void)state;
    for ( int a = 0; a <= sup_errorCanceled; ++a )
    {
        assert_true( strlen( supResultText( (supResult)a ) ) > 0 );
        for ( int b = 0; b < a; ++b )
        {
            assert_string_not_equal( supResultText( (supResult)a ), supResultText( (supResult)b ) );
        }
    }
    assert_string_equal( supResultText( sup_errorData ), "data error" );
    assert_string_equal( supResultText( (supResult)1234 ), "unknown result" );
}

static void supTestWholeCharacters( void** state )
{
    (void)state;
    const char* hips = "h\xc3\xbc\xe8\x85\xb0\xf0\x9f\xa6\xb4"; // of 1, 2, 3 and 4 bytes
    const int32_t whole[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10, 10 };
    for ( int32_t most = 0; most < 13; ++most )
    {
        assert_int_equal( supWholeCharacters( hips, most ), whole[most] );
    }
    assert_int_equal( supWholeCharacters( "", 5 ), 0 );
}

static void supTestDistance( void** state )
{
    (void)state;
    assert_int_equal( supEditingDistance( "hips", "hips", 9 ), 0 );
    assert_int_equal( supEditingDistance( "Hips", "hips", 9 ), 0 );
    assert_int_equal( supEditingDistance( "", "hips", 9 ), 4 );
    assert_int_equal( supEditingDistance( "hips", "hip", 9 ), 1 );
    assert_int_equal( supEditingDistance( "hisp", "hips", 9 ), 1 ); // swapped
    assert_int_equal( supEditingDistance( "kitten", "sitting", 9 ), 3 );
    assert_int_equal( supEditingDistance( "sitting", "kitten", 9 ), 3 );
    assert_int_equal( supEditingDistance( "inspect", "isnpetc", 9 ), 2 ); // swapped twice
    assert_int_equal( supEditingDistance( "kitten", "sitting", 1 ), 2 );  // beyond the limit
    assert_int_equal( supEditingDistance( "a", "abcdefgh", 3 ), 4 );
}

static void supTestNearest( void** state )
{
    (void)state;
    static const char* const names[] = { "Hips", "Spine", NULL, "Spine1", "LeftUpLeg", "", "RightUpLeg", "hip" };
    char text[100];
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, sizeof( text ) ), "\"Hips\", \"hip\"" );
    assert_string_equal( supNearest( "hisp", names, 8, 1, text, sizeof( text ) ), "\"Hips\"" );
    assert_string_equal( supNearest( "spin", names, 8, 3, text, sizeof( text ) ), "\"Spine\", \"Spine1\"" );
    assert_string_equal( supNearest( "LeftUp", names, 8, 3, text, sizeof( text ) ), "\"LeftUpLeg\"" );
    assert_string_equal( supNearest( "tail", names, 8, 3, text, sizeof( text ) ), "" );
    assert_string_equal( supNearest( "xy", names, 8, 3, text, sizeof( text ) ), "" );
    assert_string_equal( supNearest( "", names, 8, 3, text, sizeof( text ) ), "" );
    assert_string_equal( supNearest( "hips", names, 0, 3, text, sizeof( text ) ), "" );
    assert_string_equal( supNearest( "hips", names, 8, 0, text, sizeof( text ) ), "" );
    // Only what fits, whole.
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, 13 ), "\"Hips\"" );
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, 14 ), "\"Hips\", \"hip\"" );
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, 6 ), "\"hip\"" );
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, 5 ), "" );
    assert_string_equal( supNearest( "hisp", names, 8, 3, text, 0 ), "" );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestFail ),
        cmocka_unit_test( supTestLongText ),
        cmocka_unit_test( supTestTexts ),
        cmocka_unit_test( supTestWholeCharacters ),
        cmocka_unit_test( supTestDistance ),
        cmocka_unit_test( supTestNearest ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
