// Supple: floats as text.
// SPDX-License-Identifier: MIT
#include "base/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// The fewest digits, 9 at most, that name the float: read as a double and rounded, as JSON readers do. Gives how many;
// `exponent`: of the first digit. Only digits and the exponent are taken from the C library's text, since its decimal
// point is the locale's.
static int supShortestDigits( float value, char digits[10], int* exponent )
{
    char text[40];
    for ( int precision = 0; precision <= 8; ++precision )
    {
        snprintf( text, sizeof( text ), "%.*e", precision, (double)value );
        if ( (float)strtod( text, NULL ) == value )
        {
            break;
        }
    }
    int count = 0;
    const char* at = text;
    for ( ; *at != 'e' && *at != '\0'; ++at )
    {
        if ( *at >= '0' && *at <= '9' && count < 9 )
        {
            digits[count++] = *at;
        }
    }
    *exponent = *at == 'e' ? (int)strtol( at + 1, NULL, 10 ) : 0;
    while ( count > 1 && digits[count - 1] == '0' )
    {
        count -= 1;
    }
    digits[count] = '\0';
    return count;
}

// 0.00012, 12.5, 1200
static void supPlainText( char* at, const char* digits, int count, int exponent )
{
    if ( exponent < 0 )
    {
        *at++ = '0';
        *at++ = '.';
        for ( int i = -1; i > exponent; --i )
        {
            *at++ = '0';
        }
    }
    for ( int i = 0; i < count || i <= exponent; ++i )
    {
        if ( i > 0 && i == exponent + 1 )
        {
            *at++ = '.';
        }
        *at++ = i < count ? digits[i] : '0';
    }
    *at = '\0';
}

const char* supFloatText( float value, char text[SUP_FLOAT_TEXT] )
{
    if ( isnan( value ) || isinf( value ) || value == 0.0f )
    {
        const char* word = isnan( value ) ? "nan" : value == 0.0f ? "0" : value > 0.0f ? "inf" : "-inf";
        snprintf( text, SUP_FLOAT_TEXT, "%s", word );
        return text;
    }
    char digits[10];
    int exponent;
    int count = supShortestDigits( fabsf( value ), digits, &exponent );
    char* at = text;
    if ( value < 0.0f )
    {
        *at++ = '-';
    }
    if ( exponent >= -5 && exponent < 9 )
    {
        supPlainText( at, digits, count, exponent );
    }
    else
    {
        const char* point = count > 1 ? "." : "";
        snprintf( at, SUP_FLOAT_TEXT - 1, "%c%s%se%d", digits[0], point, digits + 1, exponent );
    }
    return text;
}
