// SPDX-License-Identifier: MIT
#include "io/gltf_json_text.h"

#include "base/float_settings.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Text that grows. An array without memory stays as it was, and says so at the end.
typedef struct supText
{
    supArray bytes;
    bool failed;
    bool pretty;
} supText;

static void supPutBytes( supText* text, const char* bytes, size_t count )
{
    char* to = count > 0 && text->failed == false ? supArray_Add( &text->bytes, count ) : NULL;
    if ( to != NULL )
    {
        memcpy( to, bytes, count );
    }
    text->failed = text->failed || ( count > 0 && to == NULL );
}

static void supPutText( supText* text, const char* words )
{
    supPutBytes( text, words, strlen( words ) );
}

static void supPutLine( supText* text, int depth )
{
    if ( text->pretty )
    {
        supPutText( text, "\n" );
        for ( int i = 0; i < depth; ++i )
        {
            supPutText( text, "  " );
        }
    }
}

/// The fewest digits that give the same double back. The C library's decimal sign may be the locale's: JSON's is a
/// point.
static void supPutReal( supText* text, double value )
{
    char digits[40];
    for ( int precision = 15; precision <= 17; ++precision )
    {
        snprintf( digits, sizeof( digits ) - 3, "%.*g", precision, value );
        if ( strtod( digits, NULL ) == value )
        {
            break;
        }
    }
    size_t sign = strspn( digits, "+-0123456789e" );
    if ( digits[sign] != '\0' )
    {
        digits[sign] = '.';
    }
    else if ( strchr( digits, 'e' ) == NULL )
    {
        strcat( digits, ".0" );
    }
    supPutText( text, digits );
}

/// Runs of plain bytes at once: a data URI may have megabytes.
static void supPutString( supText* text, const char* string, size_t length )
{
    supPutText( text, "\"" );
    size_t start = 0;
    for ( size_t i = 0; i <= length; ++i )
    {
        unsigned char c = i < length ? (unsigned char)string[i] : '"';
        if ( c >= 0x20 && c != '"' && c != '\\' )
        {
            continue;
        }
        supPutBytes( text, string + start, i - start );
        start = i + 1;
        if ( i < length )
        {
            char escape[8];
            snprintf( escape, sizeof( escape ), c >= 0x20 ? "\\%c" : "\\u%04x", c );
            supPutText( text, escape );
        }
    }
    supPutText( text, "\"" );
}

static void supPutValue( supText* text, const json_t* value, int depth );

static void supPutArray( supText* text, const json_t* array, int depth )
{
    size_t i;
    json_t* item;
    bool plain = true; // numbers and names stay on one line
    json_array_foreach( array, i, item )
    {
        plain = plain && json_is_object( item ) == 0 && json_is_array( item ) == 0;
    }
    supPutText( text, "[" );
    json_array_foreach( array, i, item )
    {
        supPutText( text, i == 0 ? "" : plain && text->pretty ? ", " : "," );
        if ( plain == false )
        {
            supPutLine( text, depth + 1 );
        }
        supPutValue( text, item, depth + 1 );
    }
    if ( plain == false )
    {
        supPutLine( text, depth );
    }
    supPutText( text, "]" );
}

static void supPutObject( supText* text, const json_t* object, int depth )
{
    supPutText( text, "{" );
    bool first = true;
    for ( void* at = json_object_iter( (json_t*)object ); at != NULL;
          at = json_object_iter_next( (json_t*)object, at ) )
    {
        supPutText( text, first ? "" : "," );
        supPutLine( text, depth + 1 );
        const char* key = json_object_iter_key( at );
        supPutString( text, key, strlen( key ) );
        supPutText( text, text->pretty ? ": " : ":" );
        supPutValue( text, json_object_iter_value( at ), depth + 1 );
        first = false;
    }
    if ( first == false )
    {
        supPutLine( text, depth );
    }
    supPutText( text, "}" );
}

static void supPutValue( supText* text, const json_t* value, int depth )
{
    char digits[32];
    switch ( json_typeof( value ) )
    {
        case JSON_OBJECT:
            supPutObject( text, value, depth );
            break;
        case JSON_ARRAY:
            supPutArray( text, value, depth );
            break;
        case JSON_STRING:
            supPutString( text, json_string_value( value ), json_string_length( value ) );
            break;
        case JSON_INTEGER:
            snprintf( digits, sizeof( digits ), "%" JSON_INTEGER_FORMAT, json_integer_value( value ) );
            supPutText( text, digits );
            break;
        case JSON_REAL:
            supPutReal( text, json_real_value( value ) );
            break;
        default:
            supPutText( text, json_is_true( value ) ? "true" : json_is_false( value ) ? "false" : "null" );
            break;
    }
}

char* supGltfJsonText( const json_t* value, bool pretty, size_t* size )
{
    supText text = { supMakeArray( 1, NULL ), false, pretty };
    supFloatSettings host = supEnterFloatSettings(); // printf and strtod round as the thread does
    supPutValue( &text, value, 0 );
    supLeaveFloatSettings( host );
    supPutText( &text, pretty ? "\n" : "" );
    *size = text.bytes.count;
    char* copy = text.failed ? NULL : malloc( text.bytes.count + 1 );
    if ( copy != NULL )
    {
        memcpy( copy, text.bytes.data, text.bytes.count );
        copy[text.bytes.count] = '\0';
    }
    supArray_Destroy( &text.bytes );
    return copy;
}
