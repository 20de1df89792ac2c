// Supple: floats as text, and back.
// SPDX-License-Identifier: MIT
#include "base/names.h"

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

static bool supIsDigit( char c )
{
    return c >= '0' && c <= '9';
}

/// Digits as they are read: `digits` times ten to the `exponent`.
typedef struct supDecimal
{
    uint64_t digits;
    int64_t exponent;
    bool any;
} supDecimal;

// What does not fit into 19 digits changes nothing that a double could hold.
static const char* supReadDigits( const char* at, bool fraction, supDecimal* decimal )
{
    for ( ; supIsDigit( *at ); ++at )
    {
        bool fits = decimal->digits < UINT64_C( 1000000000000000000 );
        decimal->digits = fits ? 10 * decimal->digits + (uint64_t)( *at - '0' ) : decimal->digits;
        decimal->exponent += ( fits ? 0 : 1 ) - ( fraction ? 1 : 0 );
        decimal->any = true;
    }
    return at;
}

static const char* supReadExponent( const char* at, supDecimal* decimal )
{
    if ( *at != 'e' && *at != 'E' )
    {
        return at;
    }
    const char* digits = at + ( at[1] == '-' || at[1] == '+' ? 2 : 1 );
    if ( !supIsDigit( *digits ) )
    {
        return at;
    }
    int64_t exponent = 0;
    for ( ; supIsDigit( *digits ); ++digits )
    {
        exponent = exponent < 100000 ? 10 * exponent + ( *digits - '0' ) : exponent;
    }
    decimal->exponent += at[1] == '-' ? -exponent : exponent;
    return digits;
}

// Ten to the 22nd is the last power that a double holds exactly. Small numbers are divided last, large ones multiplied,
// so that nothing between is out of range that the result is not.
static double supScaleByTens( double value, int64_t exponent )
{
    static const double tens[23] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
        1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    for ( ; exponent > 22 && value < 1e300 && value > 0.0; exponent -= 22 )
    {
        value *= 1e22;
    }
    for ( ; exponent < -22 && value > 0.0; exponent += 22 )
    {
        value /= 1e22;
    }
    if ( value == 0.0 )
    {
        return 0.0;
    }
    return exponent > 22 ? (double)INFINITY : exponent >= 0 ? value * tens[exponent] : value / tens[-exponent];
}

const char* supReadDecimal( const char* text, double* value )
{
    supDecimal decimal = { 0, 0, false };
    const char* at = text + ( *text == '-' || *text == '+' ? 1 : 0 );
    *value = 0.0;
    at = supReadDigits( at, false, &decimal );
    at = *at == '.' ? supReadDigits( at + 1, true, &decimal ) : at;
    if ( !decimal.any )
    {
        return text;
    }
    at = supReadExponent( at, &decimal );
    double size = supScaleByTens( (double)decimal.digits, decimal.exponent );
    *value = *text == '-' ? -size : size;
    return at;
}
