// What a command is doing: a bar that is silent for a second, at most ten times a second after it, and gone at the end;
// or lines, the same in every run.
#include "progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/// What stands in the file since the last call.
static const char* supTestTake( FILE* file )
{
    static char text[1024];
    rewind( file );
    size_t length = fread( text, 1, sizeof( text ) - 1, file );
    text[length] = '\0';
    rewind( file );
    assert_int_equal( ftruncate( fileno( file ), 0 ), 0 );
    return text;
}

/// One that writes to a file in place of the terminal, and is drawn by the test alone.
static supProgress supTestProgress( FILE* file, supProgressForm form )
{
    supProgress progress = { .command = "bake",
        .out = file,
        .form = form,
        .share = -1.0,
        .startSeconds = 100.0,
        .stageSeconds = 100.0,
        .ticks = form == sup_progressBar,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .wake = PTHREAD_COND_INITIALIZER };
    snprintf( progress.stage, sizeof( progress.stage ), "baking" );
    return progress;
}

static void supTestBar( void** state )
{
    (void)state;
    FILE* file = tmpfile();
    assert_non_null( file );
    supProgress progress = supTestProgress( file, sup_progressBar );
    supProgress_Update( &progress, 0.4 );
    supProgress_DrawAt( &progress, 100.99 );
    assert_string_equal( supTestTake( file ), "" );
    supProgress_Update( &progress, 0.5 );
    progress.grownSeconds = 102.0;
    supProgress_DrawAt( &progress, 102.0 );
    assert_string_equal(
        supTestTake( file ), "\rbaking          [################................]  50%, 2 s left\033[K" );
    supProgress_Add( &progress, 0.1 );
    supProgress_DrawAt( &progress, 102.05 );
    assert_string_equal( supTestTake( file ), "" );
    progress.grownSeconds = 102.0; // 60% in 2 s: 1.3 s for the rest, less the time since
    supProgress_DrawAt( &progress, 102.2 );
    assert_string_equal(
        supTestTake( file ), "\rbaking          [###################.............]  60%, 1 s left\033[K" );
    supProgress_DrawAt( &progress, 102.9 );
    assert_string_equal( supTestTake( file ), "\rbaking          [###################.............]  60%\033[K" );
    supProgress_Update( &progress, 7.0 );
    progress.grownSeconds = 103.5;
    supProgress_DrawAt( &progress, 103.5 );
    assert_string_equal( supTestTake( file ), "\rbaking          [################################] 100%\033[K" );
    supProgress_Wipe( &progress );
    assert_string_equal( supTestTake( file ), "\r\033[K" );
    supProgress_Wipe( &progress );
    assert_string_equal( supTestTake( file ), "" );
    fclose( file );
}

/// What cannot be measured is named, and how long it has taken.
static void supTestStage( void** state )
{
    (void)state;
    FILE* file = tmpfile();
    assert_non_null( file );
    supProgress progress = supTestProgress( file, sup_progressBar );
    progress.stageSeconds = 101.5;
    supProgress_DrawAt( &progress, 102.0 );
    assert_string_equal( supTestTake( file ), "\rbaking\033[K" );
    supProgress_DrawAt( &progress, 104.6 );
    assert_string_equal( supTestTake( file ), "\rbaking, 3 s\033[K" );
    fclose( file );
}

/// A line a stage, and one for every tenth, however often it is told.
static void supTestLines( void** state )
{
    (void)state;
    FILE* file = tmpfile();
    assert_non_null( file );
    supProgress progress = supTestProgress( file, sup_progressLines );
    supProgress_Stage( &progress, "reading %s", "fox.glb" );
    supWatch watch = supProgress_Watch( &progress );
    for ( int i = 0; i <= 25; ++i )
    {
        assert_true( watch.tell( i < 13 ? "fat: voxels" : "fat: skin", (float)i / 100.0f, watch.user ) );
    }
    supProgress_Stage( &progress, "writing" );
    watch = supProgress_WatchShare( &progress );
    watch.tell( "not said", 0.5f, watch.user );
    assert_string_equal( supTestTake( file ), "supple bake: reading fox.glb\n"
                                              "supple bake: fat: voxels\n"
                                              "supple bake: fat: voxels, 10%\n"
                                              "supple bake: fat: skin, 13%\n"
                                              "supple bake: fat: skin, 20%\n"
                                              "supple bake: writing\n"
                                              "supple bake: writing, 50%\n" );
    supProgress_End( &progress );
    assert_string_equal( supTestTake( file ), "" );
    fclose( file );
}

/// The thread that renews the bar ends with it; a second end, and words after it, do nothing.
static void supTestEnds( void** state )
{
    (void)state;
    supProgress progress;
    supStartProgress( &progress, "bake", sup_progressBar );
    supProgress_Stage( &progress, "reading" );
    supProgress_End( &progress );
    supProgress_End( &progress );
    supProgress_Update( &progress, 0.5 );
    assert_false( progress.shown );
}

static void supTestSilent( void** state )
{
    (void)state;
    supProgress progress = { 0 };
    supProgress_Stage( &progress, "baking" );
    supProgress_Update( &progress, 0.5 );
    supProgress_Add( &progress, 0.5 );
    supProgress_Wipe( &progress );
    supProgress_End( &progress );
    assert_false( progress.shown );
    supProgress_Stage( NULL, "baking" );
    supProgress_Wipe( NULL );
    supProgress_End( NULL );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestBar ), cmocka_unit_test( supTestStage ),
        cmocka_unit_test( supTestLines ), cmocka_unit_test( supTestEnds ), cmocka_unit_test( supTestSilent ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
