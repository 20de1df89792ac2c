// SPDX-License-Identifier: MIT
#include "io/gltf_reader.h"

#include "base/memory.h"

#include "base/names.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

supReader supMakeReader( const supGltf* document, supError* error )
{
    return ( supReader ){ .document = document, .error = error, .result = sup_success };
}

supReader supMakeBoundedReader( const supGltf* document, supError* error )
{
    supReader reader = supMakeReader( document, error );
    reader.isBounded = true;
    return reader;
}

void supReader_At( supReader* reader, const char* kind, int32_t index, const json_t* json )
{
    reader->where = ( supWhere ){ kind, index, json_string_value( json_object_get( json, "name" ) ), NULL, 0 };
}

void supReader_AtPart( supReader* reader, const char* part, int32_t index )
{
    reader->where.part = part;
    reader->where.partIndex = index;
}

static void supWriteWhere( const supWhere* where, char* text, size_t size )
{
    text[0] = '\0';
    if ( where->kind == NULL )
    {
        return;
    }
    bool named = where->name != NULL && where->name[0] != '\0';
    int length = named ? snprintf( text, size, "%s %d '%.*s'", where->kind, where->index,
                             (int)supWholeCharacters( where->name, 60 ), where->name )
                       : snprintf( text, size, "%s %d", where->kind, where->index );
    if ( where->part != NULL )
    {
        length += snprintf( text + length, size - (size_t)length, ", %s %d", where->part, where->partIndex );
    }
    snprintf( text + length, size - (size_t)length, ": " );
}

enum
{
    sup_whereSize = 160,
    sup_textSize = 320
};

void supReader_Fail( supReader* reader, supResult code, const char* format, ... )
{
    if ( reader->result != sup_success )
    {
        return;
    }
    char where[sup_whereSize], text[sup_textSize];
    supWriteWhere( &reader->where, where, sizeof( where ) );
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    reader->result = supGltf_Fail( reader->document, reader->error, code, "%s%s", where, text );
}

void supReader_Note( const supReader* reader, const char* format, ... )
{
    if ( reader->quiet )
    {
        return;
    }
    char where[sup_whereSize], text[sup_textSize];
    supWriteWhere( &reader->where, where, sizeof( where ) );
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supGltf_Note( reader->document, "%s%s", where, text );
}

bool supReader_Ok( const supReader* reader )
{
    return reader->result == sup_success;
}

/// Whether as much may be taken. The document's own blocks stand in what is left already.
static bool supIsWithinBudget( const supReader* reader, const supArena* arena, size_t count, size_t itemSize )
{
    size_t left = supGltf_MemoryLeft( reader->document ), size;
    size_t used = arena != &reader->document->arena ? arena->used : 0;
    return supMulSize( count, itemSize, &size ) && used <= left && size <= left - used;
}

void* supReader_Take( supReader* reader, supArena* arena, size_t count, size_t itemSize )
{
    if ( supReader_Ok( reader ) && reader->isBounded && !supIsWithinBudget( reader, arena, count, itemSize ) )
    {
        supReader_Fail( reader, sup_errorLimit,
            "%zu items of %zu bytes exceed the memory budget of %.3g MB; raise the budget (--max-memory) if you trust it",
            count, itemSize, 1e-6 * (double)reader->document->mostMemory );
        return NULL;
    }
    void* memory = supReader_Ok( reader ) ? supArena_Take( arena, count, itemSize ) : NULL;
    if ( memory == NULL )
    {
        supReader_Fail( reader, sup_errorMemory, "no memory for %zu items of %zu bytes", count, itemSize );
    }
    return memory;
}

static const char* supJsonTypeName( const json_t* value )
{
    switch ( json_typeof( value ) )
    {
        case JSON_OBJECT:
            return "an object";
        case JSON_ARRAY:
            return "an array";
        case JSON_STRING:
            return "a text";
        case JSON_INTEGER:
        case JSON_REAL:
            return "a number";
        case JSON_TRUE:
        case JSON_FALSE:
            return "true or false";
        default:
            return "null";
    }
}

static void supFailType( supReader* reader, const char* key, const json_t* value, const char* wanted )
{
    supReader_Fail( reader, sup_errorData, "\"%s\" is %s, it must be %s", key, supJsonTypeName( value ), wanted );
}

static json_t* supMember( const supReader* reader, const json_t* object, const char* key )
{
    return supReader_Ok( reader ) ? json_object_get( object, key ) : NULL;
}

json_t* supReader_Object( supReader* reader, const json_t* object, const char* key )
{
    json_t* value = supMember( reader, object, key );
    if ( value != NULL && json_is_object( value ) == false )
    {
        supFailType( reader, key, value, "an object" );
        return NULL;
    }
    return value;
}

json_t* supReader_Array( supReader* reader, const json_t* object, const char* key )
{
    json_t* value = supMember( reader, object, key );
    if ( value != NULL && json_is_array( value ) == false )
    {
        supFailType( reader, key, value, "an array" );
        return NULL;
    }
    return value;
}

json_t* supReader_Extension( supReader* reader, const json_t* object, const char* name )
{
    return supReader_Object( reader, supReader_Object( reader, object, "extensions" ), name );
}

/// Whole numbers up to 2^53 are exact in every JSON reader; beyond, files do not mean what they say.
static size_t supSizeValue( supReader* reader, const json_t* value, const char* key )
{
    const double most = 9007199254740992.0;
    double number = json_number_value( value );
    if ( json_is_number( value ) == false )
    {
        supFailType( reader, key, value, "a whole number" );
        return 0;
    }
    if ( ( number >= 0.0 && number <= most && floor( number ) == number ) == false )
    {
        supReader_Fail( reader, sup_errorData, "\"%s\" is %.17g, it must be a whole number from 0", key, number );
        return 0;
    }
    return (size_t)number;
}

size_t supReader_Size( supReader* reader, const json_t* object, const char* key, size_t fallback )
{
    const json_t* value = supMember( reader, object, key );
    return value != NULL ? supSizeValue( reader, value, key ) : fallback;
}

int32_t supReader_IndexValue( supReader* reader, const json_t* value, const char* what, const char* kind )
{
    if ( supReader_Ok( reader ) == false )
    {
        return -1;
    }
    size_t index = supSizeValue( reader, value, what );
    int32_t count = supGltf_Count( reader->document, kind );
    if ( index >= (size_t)count )
    {
        supReader_Fail( reader, sup_errorData, "\"%s\" is %zu, the file has %d %s", what, index, count, kind );
    }
    return supReader_Ok( reader ) ? (int32_t)index : -1;
}

int32_t supReader_Index( supReader* reader, const json_t* object, const char* key, const char* kind )
{
    const json_t* value = supMember( reader, object, key );
    return value != NULL ? supReader_IndexValue( reader, value, key, kind ) : -1;
}

static float supNumberValue( supReader* reader, const json_t* value, const char* key )
{
    double number = json_number_value( value );
    if ( json_is_number( value ) == false )
    {
        supFailType( reader, key, value, "a number" );
        return 0.0f;
    }
    if ( fabs( number ) > FLT_MAX )
    {
        supReader_Fail( reader, sup_errorData, "\"%s\" is %g, too large for a float", key, number );
        return 0.0f;
    }
    return (float)number;
}

float supReader_Number( supReader* reader, const json_t* object, const char* key, float fallback )
{
    const json_t* value = supMember( reader, object, key );
    return value != NULL ? supNumberValue( reader, value, key ) : fallback;
}

bool supReader_Numbers( supReader* reader, const json_t* object, const char* key, float* out, int32_t count )
{
    const json_t* array = supReader_Array( reader, object, key );
    if ( array == NULL )
    {
        return false;
    }
    if ( json_array_size( array ) != (size_t)count )
    {
        supReader_Fail(
            reader, sup_errorData, "\"%s\" has %zu numbers, it must have %d", key, json_array_size( array ), count );
        return false;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        out[i] = supNumberValue( reader, json_array_get( array, (size_t)i ), key );
    }
    return supReader_Ok( reader );
}

bool supReader_Bool( supReader* reader, const json_t* object, const char* key, bool fallback )
{
    const json_t* value = supMember( reader, object, key );
    if ( value == NULL )
    {
        return fallback;
    }
    if ( json_is_boolean( value ) == false )
    {
        supFailType( reader, key, value, "true or false" );
    }
    return json_is_true( value );
}

const char* supReader_Text( supReader* reader, const json_t* object, const char* key )
{
    const json_t* value = supMember( reader, object, key );
    if ( value != NULL && json_is_string( value ) == false )
    {
        supFailType( reader, key, value, "a text" );
    }
    return json_string_value( value );
}
