// Supple io: what each type of field is in JSON: the table, and objects read by it.
// SPDX-License-Identifier: MIT
#include "io/rig_types.h"

#include "base/fields.h"
#include "base/names.h"
#include "io/json_text.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct
{
    const supFieldJson* json;
    const char* words;     ///< what the reference calls it
    const char* unitWords; ///< where its unit is the model's size, or joints
} sup_fieldTypes[] = {
    [sup_fieldBool] = { &sup_jsonBool, "true or false", NULL },
    [sup_fieldFloat] = { &sup_jsonFloat, "number", NULL },
    [sup_fieldLength] = { &sup_jsonFloat, "length", NULL },
    [sup_fieldVec3] = { &sup_jsonVec3, "three numbers", "three lengths" },
    [sup_fieldEnum] = { &sup_jsonEnum, "choice", NULL },
    [sup_fieldName] = { &sup_jsonName, "text", "joint" },
    [sup_fieldNames] = { &sup_jsonNames, "list of names", "list of joints" },
    [sup_fieldKeys] = { &sup_jsonKeys, "list of pairs", NULL },
    [sup_fieldPaint] = { &sup_jsonVertexValues, "paint", NULL },
    [sup_fieldSpheres] = { &sup_jsonSpheres, "list of balls", NULL },
    [sup_fieldPoints] = { &sup_jsonPoints, "list of points", NULL },
    [sup_fieldMoves] = { &sup_jsonVertexValues, "moves", NULL },
    [sup_fieldShape] = { &sup_jsonShape, "file", NULL },
    [sup_fieldItems] = { &sup_jsonItems, "list of objects", NULL },
};

const supFieldJson* supFieldJsonOf( const supField* field )
{
    return sup_fieldTypes[field->type].json;
}

const char* supFieldTypeWords( const supField* field )
{
    bool isOfUnit = supIsShare( field ) || strcmp( field->unit, "joint" ) == 0;
    const char* ofUnit = isOfUnit ? sup_fieldTypes[field->type].unitWords : NULL;
    return field->even ? "number, or three" : ofUnit != NULL ? ofUnit : sup_fieldTypes[field->type].words;
}

bool supIsNoteKey( const char* key )
{
    return key[0] == '_' || strcmp( key, "extras" ) == 0;
}

supResult supFailType( supRigReader* reader, const char* place, const char* wanted, const json_t* value )
{
    static const char* const words[] = { "an object", "a list", "a text", "a number", "a number", "true", "false",
        "null" };
    if ( json_is_array( value ) )
    {
        return supFail( reader->error, sup_errorData, "%s: must be %s, not a list of %zu", place, wanted,
            json_array_size( value ) );
    }
    return supFail(
        reader->error, sup_errorData, "%s: must be %s, not %s", place, wanted, words[json_typeof( value )] );
}

supResult supFailMissing( supRigReader* reader, const char* place, const char* key )
{
    return supFail( reader->error, sup_errorData, "%s.%s: missing", place, key );
}

supResult supFailMemory( supRigReader* reader, const char* place )
{
    return supFail( reader->error, sup_errorMemory, "%s: out of memory", place );
}

supResult supCheckKeysOf(
    supRigReader* reader, const char* place, const json_t* object, const char* const* known, int32_t count )
{
    const char* key;
    json_t* value;
    json_object_foreach( (json_t*)object, key, value )
    {
        bool isKnown = supIsNoteKey( key );
        for ( int32_t i = 0; i < count && !isKnown; ++i )
        {
            isKnown = strcmp( known[i], key ) == 0;
        }
        if ( !isKnown )
        {
            return supFailUnknown( place, key, known, count, reader->error );
        }
    }
    return sup_success;
}

supResult supReadInt( supRigReader* reader, const char* place, const json_t* value, int32_t* out )
{
    json_int_t number = json_integer_value( value );
    if ( !json_is_integer( value ) || number < 0 || number > INT32_MAX )
    {
        return json_is_number( value )
                   ? supFail( reader->error, sup_errorData, "%s: must be a whole number, 0 or more", place )
                   : supFailType( reader, place, "a whole number", value );
    }
    *out = (int32_t)number;
    return sup_success;
}

void* supTakeList( supRigReader* reader, const char* place, const json_t* value, size_t itemSize, int32_t* count )
{
    if ( !json_is_array( value ) || json_array_size( value ) > INT32_MAX / 2 )
    {
        supFailType( reader, place, "a list", value );
        return NULL;
    }
    *count = (int32_t)json_array_size( value );
    void* items = supArena_Take( &reader->arena, (size_t)*count, itemSize );
    if ( items == NULL )
    {
        supFailMemory( reader, place );
    }
    return items;
}

supResult supReadObject(
    supRigReader* reader, const supField* fields, int32_t count, const char* place, const json_t* value, void* item )
{
    if ( !json_is_object( value ) )
    {
        return supFailType( reader, place, "an object", value );
    }
    supFillDefaults( fields, count, item );
    const char* key;
    json_t* given;
    json_object_foreach( (json_t*)value, key, given )
    {
        const supField* field = supFindField( fields, count, key );
        if ( field == NULL && supIsNoteKey( key ) )
        {
            continue;
        }
        char part[SUP_PATH_TEXT];
        supPathText( part, "%.60s.%.40s", place, key );
        supResult result =
            field != NULL ? supFieldJsonOf( field )->read( reader, field, part, given, (char*)item + field->offset )
                          : supFailNoField( place, key, fields, count, reader->error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

// ---------------------------------------------------------------------------------------------------------------

const char* supNearestNames(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize )
{
    return supNearest( name, names, count, most, text, textSize );
}

// ---------------------------------------------------------------------------------------------------------------
// Supple io: numbers, lengths, vectors and choices of a rig in JSON: read, written, and their schema.
//
// Lengths are shares of the character's size, or words: "2mm".

#define SUP_LONGEST_NUMBER 40
// "2mm", "2.5 cm", "5%"
#define SUP_LENGTH_PATTERN "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)? *(%|mm|cm|m)$"

// ---------------------------------------------------------------------------------------------------------------
// Read

// Takes the number at the start of a text, as JSON writes numbers; gives how many bytes it has, 0 for none. jansson
// reads it: strtod would want the locale's decimal point.
static size_t supReadNumberWord( const char* text, double* out )
{
    size_t length = strspn( text, "+-.0123456789eE" );
    if ( length == 0 || length > SUP_LONGEST_NUMBER )
    {
        return 0;
    }
    json_error_t error;
    json_t* number = supLoadJson( text, length, JSON_DECODE_ANY, &error );
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
                "%s: \"%.40s\" needs the character's size; give the character too, or write a share of its size, such as 0.02 or \"2%%\"",
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
        char part[SUP_PATH_TEXT];
        supPathText( part, "%s[%d]", place, (int)i );
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

static supResult supReadBoolField(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    (void)field;
    *(bool*)out = json_is_true( value );
    return json_is_boolean( value ) ? sup_success : supFailType( reader, place, "true or false", value );
}

static supResult supReadFloatField(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    return field->type == sup_fieldLength ? supReadLength( reader, place, value, out )
                                          : supReadFloat( reader, place, value, out );
}

/// Three numbers, or one for all of them.
static supResult supReadVec3Field(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    if ( !field->even || !json_is_number( value ) )
    {
        return supReadVec3( reader, place, value, supIsShare( field ), out );
    }
    supVec3* all = out;
    supResult result = supReadFloat( reader, place, value, &all->x );
    all->y = all->z = all->x;
    return result;
}

static supResult supReadEnumField(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    char list[160] = "";
    size_t length = 0;
    for ( int32_t i = 0; field->choices[i] != NULL; ++i )
    {
        if ( json_is_string( value ) && strcmp( json_string_value( value ), field->choices[i] ) == 0 )
        {
            *(int32_t*)out = i;
            return sup_success;
        }
        int more = snprintf( list + length, sizeof( list ) - length, "%s\"%s\"", i > 0 ? ", " : "", field->choices[i] );
        length += more > 0 && (size_t)more < sizeof( list ) - length ? (size_t)more : 0;
    }
    if ( !json_is_string( value ) )
    {
        return supFailType( reader, place, "a text", value );
    }
    return supFail(
        reader->error, sup_errorData, "%s: \"%.40s\" is not one of %s", place, json_string_value( value ), list );
}

// ---------------------------------------------------------------------------------------------------------------
// Written

static json_t* supWriteBoolField( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return json_boolean( *(const bool*)value );
}

static json_t* supWriteFloatField( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return supJsonFloat( *(const float*)value );
}

static json_t* supWriteVec3Field( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return supJsonVec3( *(const supVec3*)value );
}

static json_t* supWriteEnumField( const supField* field, const void* value, bool* failed )
{
    (void)failed;
    return json_string( field->choices[*(const int32_t*)value] );
}

// ---------------------------------------------------------------------------------------------------------------
// Schema

static json_t* supSchemaBoolField( const supField* field, bool* failed )
{
    (void)field;
    return supSchemaOf( "boolean", NULL, failed );
}

json_t* supSchemaNumber( float minimum, float maximum, bool* failed )
{
    json_t* out = supSchemaOf( "number", NULL, failed );
    supJsonPut( out, "minimum", supJsonFloat( minimum ), failed );
    supJsonPut( out, "maximum", supJsonFloat( maximum ), failed );
    return out;
}

json_t* supSchemaLength( float minimum, float maximum, bool* failed )
{
    json_t* number = supSchemaNumber( minimum, maximum, failed );
    return supSchemaAnyOf( number, supSchemaPattern( SUP_LENGTH_PATTERN, failed ), failed );
}

json_t* supSchemaVec3( float minimum, float maximum, bool isLength, bool* failed )
{
    json_t* number =
        isLength ? supSchemaLength( minimum, maximum, failed ) : supSchemaNumber( minimum, maximum, failed );
    return supSchemaList( number, 3, 3, failed );
}

static json_t* supSchemaFloatField( const supField* field, bool* failed )
{
    return field->type == sup_fieldLength ? supSchemaLength( field->minimum, field->maximum, failed )
                                          : supSchemaNumber( field->minimum, field->maximum, failed );
}

static json_t* supSchemaVec3Field( const supField* field, bool* failed )
{
    json_t* three = supSchemaVec3( field->minimum, field->maximum, supIsShare( field ), failed );
    return field->even ? supSchemaAnyOf( supSchemaNumber( field->minimum, field->maximum, failed ), three, failed )
                       : three;
}

static json_t* supSchemaEnumField( const supField* field, bool* failed )
{
    json_t* choices = json_array();
    for ( const char* const* at = field->choices; *at != NULL; ++at )
    {
        supJsonAppend( choices, json_string( *at ), failed );
    }
    json_t* out = json_object();
    supJsonPut( out, "enum", choices, failed );
    return out;
}

const supFieldJson sup_jsonBool = { supReadBoolField, supWriteBoolField, supSchemaBoolField };
const supFieldJson sup_jsonFloat = { supReadFloatField, supWriteFloatField, supSchemaFloatField };
const supFieldJson sup_jsonVec3 = { supReadVec3Field, supWriteVec3Field, supSchemaVec3Field };
const supFieldJson sup_jsonEnum = { supReadEnumField, supWriteEnumField, supSchemaEnumField };
