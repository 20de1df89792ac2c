// The option parser of the program: what it accepts, what it refuses, what it leaves alone. What it prints is held by
// the cases in tests/cli.
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct supWords
{
    const char* in;
    supTextList rest;
    bool json;
    int jobs;
    float fps;
    const char* rig;
    int preset;
    supTextList motions;
    bool hasFps;
} supWords;

/// Reads `line`, words parted by single blanks, into *words.
static supParseResult supTestParse( supWords* words, const char* line )
{
    static const char* const presets[] = { "subtle", "natural", "heavy", NULL };
    *words = ( supWords ){ .jobs = 1, .fps = 30.0f, .preset = 1 };
    const supOption options[] = {
        { .name = "json", .type = sup_optionFlag, .target = &words->json, .help = "" },
        { .name = "jobs",
            .letter = 'j',
            .type = sup_optionInt,
            .target = &words->jobs,
            .min = 1,
            .max = 64,
            .help = "" },
        { .name = "fps", .type = sup_optionFloat, .target = &words->fps, .given = &words->hasFps, .help = "" },
        { .name = "rig", .type = sup_optionText, .target = &words->rig, .help = "" },
        { .name = "preset", .type = sup_optionChoice, .target = &words->preset, .choices = presets, .help = "" },
        { .name = "motion", .type = sup_optionList, .target = &words->motions, .help = "" },
        SUP_OPTIONS_END,
    };
    const supArgument arguments[] = {
        { .name = "IN", .target = &words->in, .required = true, .help = "" },
        { .name = "MORE", .list = &words->rest, .help = "" },
        SUP_ARGUMENTS_END,
    };
    const supUsage usage = { "try", "a test", options, arguments, NULL, NULL };
    static char copy[512];
    static char* args[64];
    strncpy( copy, line, sizeof( copy ) - 1 );
    int argc = 0;
    args[argc++] = "try";
    for ( char* word = strtok( copy, " " ); word != NULL && argc < 63; word = strtok( NULL, " " ) )
    {
        args[argc++] = word;
    }
    args[argc] = NULL;
    return supParseWords( &usage, argc, args );
}

static void supTestAccepted( void** state )
{
    (void)state;
    supWords w;
    assert_int_equal( supTestParse( &w, "a.glb" ), sup_parseOk );
    assert_string_equal( w.in, "a.glb" );
    assert_true( w.jobs == 1 && w.fps == 30.0f && w.preset == 1 && w.json == false && w.hasFps == false );

    assert_int_equal( supTestParse( &w, "--jobs=3 a.glb --fps 12.5 --json --preset heavy b c" ), sup_parseOk );
    assert_true( w.jobs == 3 && w.fps == 12.5f && w.json && w.preset == 2 && w.hasFps );
    assert_int_equal( w.rest.count, 2 );
    assert_string_equal( w.rest.items[1], "c" );

    assert_int_equal( supTestParse( &w, "-j4 a" ), sup_parseOk );
    assert_int_equal( w.jobs, 4 );
    assert_int_equal( supTestParse( &w, "-j 5 --fps -2e-1 -" ), sup_parseOk );
    assert_true( w.jobs == 5 && w.fps == -2e-1f );
    assert_string_equal( w.in, "-" );

    assert_int_equal( supTestParse( &w, "--motion a --motion=b -- --rig" ), sup_parseOk );
    assert_int_equal( w.motions.count, 2 );
    assert_string_equal( w.motions.items[1], "b" );
    assert_string_equal( w.in, "--rig" );
}

static void supTestRefused( void** state )
{
    (void)state;
    const char* lines[] = { "", "--json", "a --jobs", "a --jobs --json", "a --jobs 0", "a --jobs 65", "a --jobs 2x",
        "a --jobs 99999999999999999999", "a --fps nan", "a --fps inf", "a --fps 1e99", "a --fps=", "a --fps 3,5",
        "a --preset soft", "a --preset", "a --json=1", "a --job 3", "a -x", "a --rig" };
    for ( size_t i = 0; i < sizeof( lines ) / sizeof( lines[0] ); ++i )
    {
        supWords w;
        if ( supTestParse( &w, lines[i] ) != sup_parseWrong )
        {
            fail_msg( "accepted: '%s'", lines[i] );
        }
    }
    supWords w;
    assert_int_equal( supExitCodeOf( sup_parseWrong ), 2 );
    assert_int_equal( supTestParse( &w, "--jobs 99 -h" ), sup_parseHelp ); // whoever asks for help gets help
    assert_int_equal( supExitCodeOf( sup_parseHelp ), 0 );
}

static void supTestNearestWord( void** state )
{
    (void)state;
    const char* const names[] = { "bake", "bench", "inspect", NULL };
    assert_string_equal( supNearestWord( "inspekt", names ), "inspect" );
    assert_string_equal( supNearestWord( "bak", names ), "bake" );
    assert_null( supNearestWord( "studio", names ) );
    assert_null( supNearestWord( "x", names ) );
    assert_null( supNearestWord( "", names ) );
    assert_string_equal( supNearestWord( "Isnpetc", names ), "inspect" );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestAccepted ),
        cmocka_unit_test( supTestRefused ),
        cmocka_unit_test( supTestNearestWord ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
