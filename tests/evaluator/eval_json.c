// Reading members of JSON objects with types and ranges checked.

#include "eval_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool evalFail( evalFile* file, const char* format, ... )
{
    if ( file->message != NULL && file->messageSize > 0 )
    {
        va_list arguments;
        va_start( arguments, format );
        vsnprintf( file->message, file->messageSize, format, arguments );
        va_end( arguments );
    }
    return false;
}

void* evalAllocate( evalFile* file, size_t count, size_t size )
{
    void* block = calloc( count > 0 ? count : 1, size );
    if ( block == NULL )
    {
        evalFail( file, "out of memory for %zu elements of %zu bytes", count, size );
    }
    return block;
}

bool evalGetArray( evalFile* file, const json_t* object, const char* key, const char* where, const json_t** array )
{
    *array = json_object_get( object, key );
    if ( *array != NULL && !json_is_array( *array ) )
    {
        return evalFail( file, "%s: '%s' is not an array", where, key );
    }
    return true;
}

bool evalGetObject( evalFile* file, const json_t* object, const char* key, const char* where, const json_t** member )
{
    *member = json_object_get( object, key );
    if ( *member != NULL && !json_is_object( *member ) )
    {
        return evalFail( file, "%s: '%s' is not an object", where, key );
    }
    return true;
}

// A whole number below 2^40: far above any file here, and low enough that sums and products of a few cannot overflow.
bool evalToSize( const json_t* value, size_t* out )
{
    if ( !json_is_number( value ) )
    {
        return false;
    }
    double number = json_number_value( value );
    if ( !( number >= 0.0 && number < 1099511627776.0 ) || number != floor( number ) )
    {
        return false;
    }
    *out = (size_t)number;
    return true;
}

bool evalGetSize(
    evalFile* file, const json_t* object, const char* key, const char* where, size_t fallback, size_t* out )
{
    const json_t* value = json_object_get( object, key );
    *out = fallback;
    if ( value != NULL && !evalToSize( value, out ) )
    {
        return evalFail( file, "%s: '%s' is not a size", where, key );
    }
    return true;
}

// An index below count, or -1 where the member is absent.
bool evalGetIndex( evalFile* file, const json_t* object, const char* key, const char* where, int count, int* out )
{
    const json_t* value = json_object_get( object, key );
    size_t index = 0;
    *out = -1;
    if ( value == NULL )
    {
        return true;
    }
    if ( !evalToSize( value, &index ) )
    {
        return evalFail( file, "%s: '%s' is not an index", where, key );
    }
    if ( index >= (size_t)count )
    {
        return evalFail( file, "%s: '%s' is %zu, there are %d", where, key, index, count );
    }
    *out = (int)index;
    return true;
}

// Leaves out alone where the member is absent.
bool evalGetDoubles( evalFile* file, const json_t* object, const char* key, const char* where, int count, double* out )
{
    const json_t* array = NULL;
    if ( !evalGetArray( file, object, key, where, &array ) )
    {
        return false;
    }
    if ( array == NULL )
    {
        return true;
    }
    if ( json_array_size( array ) != (size_t)count )
    {
        return evalFail( file, "%s: '%s' has %zu numbers, not %d", where, key, json_array_size( array ), count );
    }
    for ( int i = 0; i < count; ++i )
    {
        const json_t* value = json_array_get( array, (size_t)i );
        if ( !json_is_number( value ) )
        {
            return evalFail( file, "%s: '%s' holds something that is not a number", where, key );
        }
        out[i] = json_number_value( value );
    }
    return true;
}

int evalRootCount( const evalFile* file, const char* key )
{
    size_t count = json_array_size( json_object_get( file->json, key ) );
    return count < 1000000 ? (int)count : 1000000;
}
