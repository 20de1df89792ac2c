// Changes a glTF without breaking its container: bytes of the binary chunk, or whole values of the JSON text. Plain
// mutation of the whole, which spends most of its tries on JSON that does not parse, keeps a share.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// libFuzzer's own; absent where the corpus is only replayed.
__attribute__( ( weak ) ) size_t LLVMFuzzerMutate( uint8_t* data, size_t size, size_t maxSize );

size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t maxSize, unsigned int seed );

static uint32_t supNextRandom( uint32_t* state )
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t supGetU32( const uint8_t* at )
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void supPutU32( uint8_t* at, uint32_t value )
{
    for ( int i = 0; i < 4; ++i )
    {
        at[i] = (uint8_t)( value >> ( 8 * i ) );
    }
}

/// Where a value starts and ends in the text.
typedef struct supSpan
{
    size_t start, end;
} supSpan;

static size_t supStringEnd( const char* text, size_t at, size_t size )
{
    for ( ++at; at < size && text[at] != '"'; ++at )
    {
        at += text[at] == '\\' ? 1 : 0;
    }
    return at < size ? at + 1 : size;
}

/// The end of the value that starts at `at`: a text, a number or word, or all between two brackets.
static size_t supValueEnd( const char* text, size_t at, size_t size )
{
    int depth = 0;
    while ( at < size )
    {
        char c = text[at];
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if ( depth < 0 || ( depth == 0 && ( c == ',' || c == ':' ) ) )
        {
            return at;
        }
        at = c == '"' ? supStringEnd( text, at, size ) : at + 1;
        if ( depth == 0 && ( c == '"' || c == '}' || c == ']' ) )
        {
            return at;
        }
    }
    return size;
}

/// Some value of the text: a member's or an array's. All of the text where there is none near.
static supSpan supPickSpan( const char* text, size_t size, uint32_t* random )
{
    size_t from = supNextRandom( random ) % size;
    for ( size_t i = 0; i < size; ++i )
    {
        size_t at = ( from + i ) % size;
        if ( text[at] == ':' || text[at] == '[' || text[at] == ',' )
        {
            return ( supSpan ){ at + 1, supValueEnd( text, at + 1, size ) };
        }
    }
    return ( supSpan ){ 0, size };
}

static const char* supPickNumber( uint32_t* random )
{
    static const char* const numbers[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "12", "16", "20", "64", "255",
        "256", "1000", "5120", "5121", "5122", "5123", "5125", "5126", "-1", "65535", "65536", "2147483647",
        "2147483648", "4294967295", "4294967296", "9007199254740991", "9223372036854775807", "18446744073709551615",
        "0.5", "3.0", "-0.0", "1e-40", "3.5e38", "1e300", "true", "\"SCALAR\"", "\"VEC3\"", "\"VEC4\"", "\"MAT4\"",
        "[]", "{}", "null" };
    return numbers[supNextRandom( random ) % ( sizeof( numbers ) / sizeof( numbers[0] ) )];
}

/// Puts `length` bytes at the place of a span. The new size, or 0 where it does not fit.
static size_t supReplace( char* text, size_t size, size_t maxSize, supSpan span, const char* with, size_t length )
{
    size_t newSize = size - ( span.end - span.start ) + length;
    if ( newSize > maxSize )
    {
        return 0;
    }
    memmove( text + span.start + length, text + span.end, size - span.end );
    memcpy( text + span.start, with, length );
    return newSize;
}

/// Changes one value of the text. The new size, or 0 where it does not fit.
static size_t supMutateValue( char* text, size_t size, size_t maxSize, uint32_t* random )
{
    char copy[512];
    supSpan span = supPickSpan( text, size, random );
    supSpan other = supPickSpan( text, size, random );
    size_t length = other.end - other.start;
    switch ( supNextRandom( random ) % 8 )
    {
        case 0: // drop it, with the comma after it
            span.end += span.end < size && text[span.end] == ',' ? 1 : 0;
            return supReplace( text, size, maxSize, span, "", 0 );
        case 1: // another value of the file in its place
        case 2: // another value of the file after it
            if ( length + 1 > sizeof( copy ) )
            {
                return 0;
            }
            copy[0] = ',';
            memcpy( copy + 1, text + other.start, length );
            if ( supNextRandom( random ) % 2 == 0 )
            {
                return supReplace( text, size, maxSize, span, copy + 1, length );
            }
            span.start = span.end;
            return supReplace( text, size, maxSize, span, copy, length + 1 );
        case 3: // a number a little different
            snprintf( copy, sizeof( copy ), "%ld",
                strtol( text + span.start, NULL, 10 ) % 1000000 + (long)( supNextRandom( random ) % 5 ) - 2 );
            return supReplace( text, size, maxSize, span, copy, strlen( copy ) );
        default:
        {
            const char* number = supPickNumber( random );
            return supReplace( text, size, maxSize, span, number, strlen( number ) );
        }
    }
}

static size_t supMutateJson( uint8_t* data, size_t size, size_t maxSize, uint32_t* random )
{
    int isGlb = size >= 20 && memcmp( data, "glTF", 4 ) == 0;
    size_t start = isGlb ? 20 : 0;
    size_t length = isGlb ? supGetU32( data + 12 ) : size;
    char text[4097];
    if ( length > size - start || length == 0 || length >= sizeof( text ) || maxSize < size )
    {
        return 0;
    }
    memcpy( text, data + start, length );
    text[length] = '\0';
    size_t most = maxSize - size + length < sizeof( text ) - 4 ? maxSize - size + length : sizeof( text ) - 4;
    size_t newLength = length;
    for ( uint32_t i = 0, count = 1 + supNextRandom( random ) % 3; i < count && newLength > 0; ++i )
    {
        newLength = supMutateValue( text, newLength, most / 4 * 4, random );
        text[newLength] = '\0';
    }
    if ( newLength == 0 )
    {
        return 0;
    }
    while ( isGlb && newLength % 4 != 0 )
    {
        text[newLength++] = ' ';
    }
    size_t newSize = size - length + newLength;
    memmove( data + start + newLength, data + start + length, size - start - length );
    memcpy( data + start, text, newLength );
    if ( isGlb )
    {
        supPutU32( data + 8, (uint32_t)newSize );
        supPutU32( data + 12, (uint32_t)newLength );
    }
    return newSize;
}

static size_t supMutateBin( uint8_t* data, size_t size )
{
    if ( size < 28 || memcmp( data, "glTF", 4 ) != 0 )
    {
        return 0;
    }
    size_t start = (size_t)supGetU32( data + 12 ) + 28;
    if ( start >= size )
    {
        return 0;
    }
    size_t length = LLVMFuzzerMutate( data + start, size - start, size - start );
    memset( data + start + length, 0, size - start - length );
    return size;
}

size_t LLVMFuzzerCustomMutator( uint8_t* data, size_t size, size_t maxSize, unsigned int seed )
{
    uint32_t random = seed;
    uint32_t kind = supNextRandom( &random ) % 8;
    size_t newSize = kind < 5   ? supMutateJson( data, size, maxSize, &random )
                     : kind < 7 ? supMutateBin( data, size )
                                : 0;
    return newSize != 0 ? newSize : LLVMFuzzerMutate( data, size, maxSize );
}
