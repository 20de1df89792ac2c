// Supple io: JSON for people.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"

#include "base/memory.h"
#include "base/names.h"
#include "io/arena.h"
#include "io/json_text.h"
#include "io/rig_json.h"
#include "supple/lab/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void supWriteValue( supTextSink* sink, const json_t* value, int depth );

static void supWriteString( supTextSink* sink, const char* text )
{
    supTextSink_Text( sink, "\"" );
    for ( ; *text != '\0'; ++text )
    {
        unsigned char letter = (unsigned char)*text;
        if ( letter == '"' || letter == '\\' )
        {
            supTextSink_Bytes( sink, "\\", 1 );
            supTextSink_Bytes( sink, text, 1 );
        }
        else if ( letter == '\n' || letter == '\t' )
        {
            supTextSink_Text( sink, letter == '\n' ? "\\n" : "\\t" );
        }
        else if ( letter < 0x20 || letter == 0x7f )
        {
            supTextSink_Format( sink, "\\u%04x", letter );
        }
        else
        {
            supTextSink_Bytes( sink, text, 1 );
        }
    }
    supTextSink_Text( sink, "\"" );
}

static void supWriteNewLine( supTextSink* sink, int depth )
{
    supTextSink_Text( sink, "\n" );
    for ( int i = 0; i < depth; ++i )
    {
        supTextSink_Text( sink, "    " );
    }
}

static bool supIsPlainList( const json_t* list )
{
    size_t index;
    json_t* item;
    json_array_foreach( (json_t*)list, index, item )
    {
        bool isPair = json_is_array( item ) && json_array_size( item ) <= 2 && supIsPlainList( item );
        if ( json_is_object( item ) || ( json_is_array( item ) && !isPair ) )
        {
            return false;
        }
    }
    return true;
}

static void supWriteList( supTextSink* sink, const json_t* list, int depth )
{
    bool oneLine = supIsPlainList( list );
    size_t index;
    json_t* item;
    supTextSink_Text( sink, "[" );
    json_array_foreach( (json_t*)list, index, item )
    {
        supTextSink_Text( sink, index == 0 ? "" : oneLine ? ", " : "," );
        if ( !oneLine )
        {
            supWriteNewLine( sink, depth + 1 );
        }
        supWriteValue( sink, item, depth + 1 );
    }
    if ( !oneLine )
    {
        supWriteNewLine( sink, depth );
    }
    supTextSink_Text( sink, "]" );
}

static void supWriteObject( supTextSink* sink, const json_t* object, int depth )
{
    bool first = true;
    const char* key;
    json_t* value;
    supTextSink_Text( sink, "{" );
    json_object_foreach( (json_t*)object, key, value )
    {
        supTextSink_Text( sink, first ? "" : "," );
        supWriteNewLine( sink, depth + 1 );
        supWriteString( sink, key );
        supTextSink_Text( sink, ": " );
        supWriteValue( sink, value, depth + 1 );
        first = false;
    }
    if ( !first )
    {
        supWriteNewLine( sink, depth );
    }
    supTextSink_Text( sink, "}" );
}

static void supWriteValue( supTextSink* sink, const json_t* value, int depth )
{
    char number[SUP_FLOAT_TEXT];
    switch ( json_typeof( value ) )
    {
        case JSON_OBJECT:
            supWriteObject( sink, value, depth );
            break;
        case JSON_ARRAY:
            supWriteList( sink, value, depth );
            break;
        case JSON_STRING:
            supWriteString( sink, json_string_value( value ) );
            break;
        case JSON_INTEGER:
            supTextSink_Format( sink, "%lld", (long long)json_integer_value( value ) );
            break;
        case JSON_REAL:
            supTextSink_Text( sink, supFloatText( (float)json_real_value( value ), number ) );
            break;
        case JSON_TRUE:
            supTextSink_Text( sink, "true" );
            break;
        case JSON_FALSE:
            supTextSink_Text( sink, "false" );
            break;
        case JSON_NULL:
            supTextSink_Text( sink, "null" );
            break;
    }
}

size_t supJsonText( const json_t* value, char* text, size_t size )
{
    supTextSink sink = { text, size, 0 };
    supFloatSettings host = supEnterFloatSettings();
    supWriteValue( &sink, value, 0 );
    supLeaveFloatSettings( host );
    supTextSink_Text( &sink, "\n" );
    return supTextSink_End( &sink );
}

json_t* supJsonFloat( float value )
{
    if ( value == floorf( value ) && fabsf( value ) < 1e9f )
    {
        return json_integer( (json_int_t)value );
    }
    // The double nearest to the float's shortest text, so that any writer finds few digits: 0.1, not
    // 0.10000000149011612. The text is taken apart by jansson, since strtod reads the locale's decimal point.
    char text[SUP_FLOAT_TEXT];
    supFloatText( value, text );
    json_error_t error;
    return supLoadJson( text, strlen( text ), JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error );
}

json_t* supJsonVec3( supVec3 value )
{
    json_t* list = json_array();
    bool failed = list == NULL;
    supJsonAppend( list, supJsonFloat( value.x ), &failed );
    supJsonAppend( list, supJsonFloat( value.y ), &failed );
    supJsonAppend( list, supJsonFloat( value.z ), &failed );
    if ( failed )
    {
        json_decref( list );
        return NULL;
    }
    return list;
}

bool supJsonPut( json_t* object, const char* key, json_t* value, bool* failed )
{
    if ( json_object_set_new( object, key, value ) != 0 )
    {
        *failed = true;
    }
    return !*failed;
}

bool supJsonAppend( json_t* array, json_t* value, bool* failed )
{
    if ( json_array_append_new( array, value ) != 0 )
    {
        *failed = true;
    }
    return !*failed;
}

// ---------------------------------------------------------------------------------------------------------------
// JSON that is held to a budget.

/// Its own characters, and for each value, member and list what an object of jansson 2.14 takes in memory from malloc,
/// measured.
size_t supJsonMemory( const char* text, size_t size )
{
    enum
    {
        object = 240,
        list = 128,
        member = 96,
        value = 72,
        quote = 40
    };
    uint64_t cost = size;
    bool quoted = false;
    for ( size_t i = 0; i < size; ++i )
    {
        char c = text[i];
        if ( quoted )
        {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        cost += c == '{' ? object : c == '[' ? list : c == ':' ? member : c == ',' ? value : quoted ? quote : 0;
    }
    return cost < SIZE_MAX ? (size_t)cost : SIZE_MAX - 1; // one byte more is asked for
}

/// Whether that much memory is there now. Not asked in WebAssembly, whose memory would never shrink again.
static bool supHasMemory( size_t bytes )
{
#ifdef __wasm__
    (void)bytes;
    return true;
#else
    void* volatile block = malloc( bytes + 1 ); // else clang leaves both calls out
    bool has = block != NULL;
    free( block );
    return has;
#endif
}

json_t* supLoadJsonUpTo( size_t most, const char* text, size_t size, size_t flags, json_error_t* error )
{
    size_t wanted = supJsonMemory( text, size );
    if ( wanted > most || !supHasMemory( wanted ) )
    {
        memset( error, 0, sizeof( *error ) );
        error->line = wanted > most ? SUP_JSON_TOO_LARGE : -1;
        error->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_out_of_memory;
        return NULL;
    }
    supFloatSettings host = supEnterFloatSettings(); // strtod rounds as the thread does
    json_t* root = json_loadb( text, size, flags, error );
    supLeaveFloatSettings( host );
    return root;
}

json_t* supLoadJson( const char* text, size_t size, size_t flags, json_error_t* error )
{
    return supLoadJsonUpTo( SUP_MOST_JSON_MEMORY, text, size, flags, error );
}

json_t* supCopyJson( const json_t* value )
{
    json_t* copy = value != NULL ? json_deep_copy( value ) : NULL;
    if ( copy != NULL && json_equal( copy, value ) == 0 )
    {
        json_decref( copy );
        copy = NULL;
    }
    return copy;
}

json_t* supCopyJsonObject( const json_t* object )
{
    json_t* copy = json_copy( (json_t*)object );
    if ( copy != NULL && json_object_size( copy ) != json_object_size( object ) )
    {
        json_decref( copy );
        copy = NULL;
    }
    return copy;
}

// ---------------------------------------------------------------------------------------------------------------
// A glTF's JSON as text.

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
