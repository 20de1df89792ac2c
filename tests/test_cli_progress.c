// What a command is doing: a bar that is silent for a second, at most ten times a second after it, and gone at the end;
// or lines.
#define _XOPEN_SOURCE 700 // pseudo terminals
#include "progress.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/// Names of clips can be long, and of any script: the line stays within 80 columns, and no character is cut.
static void supTestLongStage( void** state )
{
    (void)state;
    FILE* file = tmpfile();
    assert_non_null( file );
    supProgress progress = supTestProgress( file, sup_progressBar );
    snprintf( progress.stage, sizeof( progress.stage ), "moving \"%s\"", "Armature|mixamo.com|Layer0" );
    supProgress_Update( &progress, 0.5 );
    progress.grownSeconds = 1099.0;
    supProgress_DrawAt( &progress, 1099.0 );
    assert_string_equal(
        supTestTake( file ), "\rmoving \"Armature|mixamo. [################................]  50%, 999 s left\033[K" );
    snprintf( progress.stage, sizeof( progress.stage ), "%s",
        "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
        "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9x\xc3" );
    progress.share = -1.0;
    supProgress_DrawAt( &progress, 1100.0 );
    assert_string_equal( supTestTake( file ),
        "\r\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
        "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9x, 1000 s\033[K" );
    fclose( file );
}

/// A terminal of our own in place of stderr. Gives the end that sees what is written; `before` takes stderr.
static int supOpenTerminal( int* before )
{
    int seen = posix_openpt( O_RDWR | O_NOCTTY );
    assert_true( seen >= 0 && grantpt( seen ) == 0 && unlockpt( seen ) == 0 );
    int end = open( ptsname( seen ), O_RDWR | O_NOCTTY );
    assert_true( end >= 0 );
    *before = dup( STDERR_FILENO );
    assert_int_equal( dup2( end, STDERR_FILENO ), STDERR_FILENO );
    close( end );
    return seen;
}

/// All that was written to it. Nobody may hold its other end any more: reading then ends by itself.
static const char* supReadTerminal( int seen )
{
    static char text[256];
    size_t length = 0;
    ssize_t more = 1;
    while ( more > 0 && length + 1 < sizeof( text ) )
    {
        more = read( seen, text + length, sizeof( text ) - 1 - length );
        length += more > 0 ? (size_t)more : 0;
    }
    text[length] = '\0';
    return text;
}

/// The thread that renews the bar ends with it, and the line is wiped; a second end, and words after it, do nothing.
static void supTestEnds( void** state )
{
    (void)state;
    supProgress progress;
    int before, seen = supOpenTerminal( &before );
    supStartProgress( &progress, "bake", sup_progressBar );
    bool ticks = progress.ticks, catches = progress.catches;
    supProgress_Stage( &progress, "reading" );
    supProgress_DrawAt( &progress, progress.stageSeconds + 10.0 );
    supProgress_End( &progress );
    supProgress_End( &progress );
    supProgress_Update( &progress, 0.5 );
    dup2( before, STDERR_FILENO );
    close( before );
    assert_true( ticks && catches );
    assert_false( progress.shown );
    // on a slow day the thread has drawn before us
    const char *text = supReadTerminal( seen ), *wanted = "\rreading, 10 s\033[K\r\033[K";
    assert_true( strlen( text ) >= strlen( wanted ) );
    assert_string_equal( text + strlen( text ) - strlen( wanted ), wanted );
    close( seen );
}

/// Whoever is told to end does so by that signal, with the line wiped.
static void supTestSignal( void** state )
{
    (void)state;
    int before, seen = supOpenTerminal( &before );
    pid_t child = fork();
    if ( child == 0 )
    {
        supProgress progress;
        supStartProgress( &progress, "bake", sup_progressBar );
        raise( SIGTERM );
        _exit( 0 );
    }
    int status = 0;
    assert_int_equal( waitpid( child, &status, 0 ), child );
    dup2( before, STDERR_FILENO );
    close( before );
    assert_true( WIFSIGNALED( status ) && WTERMSIG( status ) == SIGTERM );
    assert_string_equal( supReadTerminal( seen ), "\r\033[K" );
    close( seen );
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
        cmocka_unit_test( supTestLines ), cmocka_unit_test( supTestLongStage ), cmocka_unit_test( supTestEnds ),
        cmocka_unit_test( supTestSignal ), cmocka_unit_test( supTestSilent ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
