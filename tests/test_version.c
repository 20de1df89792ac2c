// The version that the library tells is the one its header promises.
#include "supple/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void supTestVersion( void** state )
{
    (void)state;
    char text[32];
    snprintf( text, sizeof( text ), "%d.%d.%d", SUP_VERSION_MAJOR, SUP_VERSION_MINOR, SUP_VERSION_PATCH );
    assert_string_equal( supVersion(), text );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestVersion ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
