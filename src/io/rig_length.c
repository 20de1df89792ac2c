// Supple io: lengths in rigs: shares of the character's size, or words.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/rig_json.h"

#include <stdio.h>
#include <string.h>

#define SUP_LONGEST_NUMBER 40

// Takes the number at the start of a text, as JSON writes numbers; gives how many bytes it has, 0 for none. jansson
// reads it: strtod would want the locale's decimal point.
static size_t supReadNumberWord( const char* text, double* out )
{
    size_t length = strspn( text, "+-.0123456789eE" );
    if ( length == 0 || length > SUP_LONGEST_NUMBER )
    {
        return 0;
    }
    json_t* number = json_loadb( text, length, JSON_DECODE_ANY, NULL );
    bool isNumber = json_is_number( number );
    *out = json_number_value( number );
    json_decref( number );
    return isNumber ? length : 0;
}

static supResult supFailLength( supRigReader* reader, const char* place, const char* text )
{
    return supFail( reader->error, sup_errorData,
        "%s: \"%.40s\" is not a length; write a share of the character's size (0.02 or \"2%%\"), or \"2mm\", \"3cm\", \"0.1m\"",
        place, text );
}

static supResult supReadLengthWords( supRigReader* reader, const char* place, const char* text, float* out )
{
    static const struct
    {
        const char* name;
        double metres; ///< 0: a share
    } units[] = { { "%", 0.0 }, { "mm", 1e-3 }, { "cm", 1e-2 }, { "m", 1.0 } };

    double number;
    size_t length = supReadNumberWord( text, &number );
    const char* word = text + length + strspn( text + length, " " );
    for ( size_t i = 0; length > 0 && i < sizeof( units ) / sizeof( units[0] ); ++i )
    {
        if ( strcmp( word, units[i].name ) != 0 )
        {
            continue;
        }
        if ( units[i].metres == 0.0 )
        {
            *out = (float)( number / 100.0 );
            return sup_success;
        }
        if ( !( reader->size > 0.0f ) )
        {
            return supFail( reader->error, sup_errorArgument,
                "%s: \"%.40s\" needs the character's size; give the character too, or write a share of its size, as 0.02 or \"2%%\"",
                place, text );
        }
        *out = (float)( number * units[i].metres / (double)reader->size );
        return sup_success;
    }
    return supFailLength( reader, place, text );
}

supResult supReadFloat( supRigReader* reader, const char* place, const json_t* value, float* out )
{
    if ( !json_is_number( value ) )
    {
        return supFailType( reader, place, "a number", value );
    }
    *out = (float)json_number_value( value );
    return sup_success;
}

supResult supReadLength( supRigReader* reader, const char* place, const json_t* value, float* out )
{
    if ( json_is_string( value ) )
    {
        return supReadLengthWords( reader, place, json_string_value( value ), out );
    }
    return json_is_number( value ) ? supReadFloat( reader, place, value, out )
                                   : supFailType( reader, place, "a length", value );
}

supResult supReadVec3( supRigReader* reader, const char* place, const json_t* value, bool isLength, supVec3* out )
{
    if ( json_array_size( value ) != 3 )
    {
        return supFailType( reader, place, isLength ? "a list of three lengths" : "a list of three numbers", value );
    }
    float numbers[3];
    for ( size_t i = 0; i < 3; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s[%d]", place, (int)i );
        supResult result = isLength ? supReadLength( reader, part, json_array_get( value, i ), numbers + i )
                                    : supReadFloat( reader, part, json_array_get( value, i ), numbers + i );
        if ( result != sup_success )
        {
            return result;
        }
    }
    *out = ( supVec3 ){ numbers[0], numbers[1], numbers[2] };
    return sup_success;
}
