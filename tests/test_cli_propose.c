// What a call says of the automatic rig, understood; directions and columns as they are printed. What is refused, and
// with which words, is held by tests/cli/regions.case.
#include "body_words.h"
#include "columns.h"
#include "propose_options.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const supArgument supNoArguments[] = { SUP_ARGUMENTS_END };

/// Reads words with blanks between; gives the exit code.
static int supTestRead( const char* line, supProposeChoices* choices )
{
    supProposeOptions words = { 0 };
    supOption options[sup_proposeOptionCount + 1] = { [sup_proposeOptionCount] = SUP_OPTIONS_END };
    supListProposeOptions( &words, options );
    const supUsage usage = { "try", "a test", options, supNoArguments, NULL, NULL };
    char copy[256], *args[32];
    int argc = 0;
    snprintf( copy, sizeof( copy ), "%s", line );
    args[argc++] = "try";
    for ( char* word = strtok( copy, " " ); word != NULL && argc < 31; word = strtok( NULL, " " ) )
    {
        args[argc++] = word;
    }
    args[argc] = NULL;
    supParseResult parsed = supParseWords( &usage, argc, args );
    return parsed == sup_parseOk ? supReadProposeWords( &usage, &words, choices ) : supExitCodeOf( parsed );
}

static void supTestNothingSaid( void** state )
{
    (void)state;
    supProposeChoices choices;
    const supProposeDef def = supDefaultProposeDef();
    assert_int_equal( supTestRead( "", &choices ), 0 );
    assert_null( supAsksForNewRig( &choices ) );
    assert_int_equal( choices.def.preset, def.preset );
    assert_int_equal( choices.def.kind, -1 );
    assert_memory_equal( choices.def.regions, def.regions, sizeof( def.regions ) );
    assert_true( choices.def.front.x == 0.0f && choices.def.front.y == 0.0f && choices.def.front.z == 0.0f );
}

static void supTestRegions( void** state )
{
    (void)state;
    supProposeChoices c;
    char text[100];
    assert_int_equal( supTestRead( "--region belly=1.5 --region upper-arms=0 --without Calves,thigh", &c ), 0 );
    assert_string_equal( supAsksForNewRig( &c ), "--region" );
    for ( int i = 0; i < sup_regionCount; ++i )
    {
        bool none = i == sup_regionUpperArm || i == sup_regionCalf || i == sup_regionThigh;
        assert_float_equal( c.def.regions[i], none ? 0.0f : i == sup_regionBelly ? 1.5f : 1.0f, 0.0f );
        assert_int_equal( c.named[sup_sideMiddle][i], none || i == sup_regionBelly );
    }
    assert_string_equal( supPickText( &c, text, sizeof( text ) ), "belly x 1.5, no thigh, no calf, no upperArm" );

    // the last word about a region counts, lists may be repeated
    assert_int_equal( supTestRead( "--only belly --only bottom,breasts --region belly=3 --region belly=0.5", &c ), 0 );
    for ( int i = sup_regionBelly; i <= sup_regionBody; ++i )
    {
        bool kept = i == sup_regionBottom || i == sup_regionBreast;
        assert_float_equal( c.def.regions[i], i == sup_regionBelly ? 0.5f : kept ? 1.0f : 0.0f, 0.0f );
    }
    assert_string_equal( supPickText( &c, text, sizeof( text ) ), "only belly x 0.5, breast, bottom" );
    // one side: before or after, the other keeps what was said of both
    assert_int_equal( supTestRead( "--region left-thigh=2 --region thigh=0.5 --without calf.right", &c ), 0 );
    assert_float_equal( c.def.regions[sup_regionThigh] * c.def.sides[sup_sideLeft][sup_regionThigh], 2.0f, 0.0f );
    assert_float_equal( c.def.regions[sup_regionThigh] * c.def.sides[sup_sideRight][sup_regionThigh], 0.5f, 0.0f );
    assert_float_equal( c.def.regions[sup_regionCalf] * c.def.sides[sup_sideLeft][sup_regionCalf], 1.0f, 0.0f );
    assert_float_equal( c.def.regions[sup_regionCalf] * c.def.sides[sup_sideRight][sup_regionCalf], 0.0f, 0.0f );
    assert_string_equal( supPickText( &c, text, sizeof( text ) ), "thigh x 0.5, thigh left x 2, no calf right" );
    assert_int_equal( supTestRead( "--only belly --only bottom,breasts --region belly=0.5", &c ), 0 );
    // text that does not fit is cut
    assert_string_equal( supPickText( &c, text, 12 ), "only belly " );
}

static void supTestDirections( void** state )
{
    (void)state;
    static const struct
    {
        const char* word;
        supVec3 direction;
    } words[] = { { "+X", { 1, 0, 0 } }, { "x", { 1, 0, 0 } }, { "-x", { -1, 0, 0 } }, { "+y", { 0, 1, 0 } },
        { "-Y", { 0, -1, 0 } }, { "Z", { 0, 0, 1 } }, { "-Z", { 0, 0, -1 } }, { "0,0,-5", { 0, 0, -1 } },
        { "3,0,4", { 0.6f, 0, 0.8f } }, { "-1e-3,+0,0", { -1, 0, 0 } } };
    for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
    {
        supProposeChoices c;
        char line[64];
        snprintf( line, sizeof( line ), "--front %s", words[i].word );
        assert_int_equal( supTestRead( line, &c ), 0 );
        assert_float_equal( c.def.front.x, words[i].direction.x, 1e-6f );
        assert_float_equal( c.def.front.y, words[i].direction.y, 1e-6f );
        assert_float_equal( c.def.front.z, words[i].direction.z, 1e-6f );
        assert_float_equal( c.def.up.x + c.def.up.y + c.def.up.z, 0.0f, 0.0f );
        assert_string_equal( c.body, "--front" );
    }
    // both: at right angles, the front in the plane that up leaves it
    supProposeChoices c;
    assert_int_equal( supTestRead( "--up y --front 1,1,0 --kind many-legged", &c ), 0 );
    assert_float_equal( c.def.front.x, 1.0f, 1e-6f );
    assert_float_equal( c.def.front.y, 0.0f, 1e-6f );
    assert_int_equal( c.def.kind, sup_bodyManyLegged );
    assert_string_equal( supAsksForNewRig( &c ), "--kind" );
}

static void supTestDirectionText( void** state )
{
    (void)state;
    char text[sup_directionText];
    assert_string_equal( supDirectionText( ( supVec3 ){ 0, 0, 1 }, text ), "+Z" );
    assert_string_equal( supDirectionText( ( supVec3 ){ -1, 0, 0 }, text ), "-X" );
    assert_string_equal( supDirectionText( ( supVec3 ){ 0.04f, 0.9992f, 0 }, text ), "+Y" );
    float half = sqrtf( 0.5f );
    assert_string_equal( supDirectionText( ( supVec3 ){ half, -0.001f, -half }, text ), "(0.71, 0, -0.71)" );
    assert_string_equal( supDirectionText( ( supVec3 ){ 0.2f, 0.98f, 0 }, text ), "(0.2, 0.98, 0)" );
}

static void supTestColumns( void** state )
{
    (void)state;
    static const struct
    {
        const char* text;
        int width;
        const char* printed;
    } columns[] = { { "belly", 7, "belly  " }, { "belly", 5, "belly" }, { "upperArm", 5, "uppe\xe2\x80\xa6" },
        { "\xc3\xa9paule", 7, "\xc3\xa9paule " }, { "\xc3\xa9paule", 2, "\xc3\xa9\xe2\x80\xa6" },
        { "a\nb", 4, "a?b " } };
    for ( size_t i = 0; i < sizeof( columns ) / sizeof( columns[0] ); ++i )
    {
        char* text = NULL;
        size_t size = 0;
        FILE* out = open_memstream( &text, &size );
        supPrintColumn( out, columns[i].text, columns[i].width );
        fclose( out );
        assert_string_equal( text, columns[i].printed );
        free( text );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestNothingSaid ),
        cmocka_unit_test( supTestRegions ),
        cmocka_unit_test( supTestDirections ),
        cmocka_unit_test( supTestDirectionText ),
        cmocka_unit_test( supTestColumns ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
