// The progress bar: silent for a second, at most ten times a second after it, and gone at the end.
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
    static char text[256];
    rewind( file );
    size_t length = fread( text, 1, sizeof( text ) - 1, file );
    text[length] = '\0';
    rewind( file );
    assert_int_equal( ftruncate( fileno( file ), 0 ), 0 );
    return text;
}

static void supTestBar( void** state )
{
    (void)state;
    FILE* file = tmpfile();
    assert_non_null( file );
    supProgress progress = { .label = "baking", .out = file, .startSeconds = 100.0 };
    supProgress_UpdateAt( &progress, 0.4, 100.99 );
    assert_string_equal( supTestTake( file ), "" );
    supProgress_UpdateAt( &progress, 0.5, 102.0 );
    assert_string_equal( supTestTake( file ), "\rbaking [################................]  50%, 2 s left\033[K" );
    supProgress_UpdateAt( &progress, 0.6, 102.05 );
    assert_string_equal( supTestTake( file ), "" );
    supProgress_UpdateAt( &progress, 7.0, 103.0 );
    assert_string_equal( supTestTake( file ), "\rbaking [################################] 100%\033[K" );
    supProgress_End( &progress );
    assert_string_equal( supTestTake( file ), "\r\033[K" );
    fclose( file );
}

static void supTestSilent( void** state )
{
    (void)state;
    supProgress progress = { .label = "baking", .out = NULL };
    supProgress_UpdateAt( &progress, 0.5, 50.0 );
    supProgress_End( &progress );
    assert_false( progress.shown );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestBar ), cmocka_unit_test( supTestSilent ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
