// Numbers out of text, against the C library's reading in the C locale.
// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/// What is a number, how far it goes, and what is none: the C library would take hexadecimals, words, and the
/// locale's comma.
static void supTestGrammar( void** state )
{
    (void)state;
    static const struct
    {
        const char* text;
        size_t length;
        double value;
    } cases[] = { { "12.5", 4, 12.5 }, { "-.5x", 3, -0.5 }, { "+7.", 3, 7.0 }, { "1,5", 1, 1.0 }, { "0x10", 1, 0.0 },
        { "1e3", 3, 1000.0 }, { "1E-2 ", 4, 0.01 }, { "1e", 1, 1.0 }, { "1e+", 1, 1.0 }, { "", 0, 0.0 },
        { ".", 0, 0.0 }, { "-", 0, 0.0 }, { "nan", 0, 0.0 }, { "inf", 0, 0.0 }, { " 1", 0, 0.0 }, { "e5", 0, 0.0 },
        { "0e999999999999", 14, 0.0 }, { "1e-999999999999", 15, 0.0 }, { "1e999999999999", 14, INFINITY },
        { "-0", 2, 0.0 }, { "1e400", 5, INFINITY }, { "123456789012345678901234567890", 30, 1.2345678901234568e29 } };
    for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
    {
        double value = 77.0;
        const char* end = supReadDecimal( cases[i].text, &value );
        assert_int_equal( end - cases[i].text, cases[i].length );
        assert_true( value == cases[i].value || fabs( value / cases[i].value - 1.0 ) < 4e-16 );
    }
}

static void supTestDigits( void** state )
{
    (void)state;
    supTestRandom random = { 5 };
    char text[64];
    for ( int i = 0; i < 50000; ++i )
    {
        uint32_t bits = supTestRandom_Next( &random );
        float value;
        memcpy( &value, &bits, sizeof( value ) );
        if ( !isfinite( value ) )
        {
            continue;
        }
        double found;
        snprintf( text, sizeof( text ), i % 2 ? "%.9g" : "%.8e", (double)value );
        supReadDecimal( text, &found );
        assert_true( (float)found == value );
        double wide = (double)value * ( 1.0 + supTestRandom_Next( &random ) * 0x1p-40 );
        snprintf( text, sizeof( text ), "%.17g", wide );
        supReadDecimal( text, &found );
        assert_true( fabs( found - wide ) <= 2.0 * fabs( nextafter( wide, INFINITY ) - wide ) );
        double usual = (double)(int32_t)bits / 1e6; // as files have them: rounded right
        snprintf( text, sizeof( text ), "%.6f", usual );
        supReadDecimal( text, &found );
        assert_true( found == strtod( text, NULL ) );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestGrammar ),
        cmocka_unit_test( supTestDigits ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
