// Supple io: the fields of a rig's items out of JSON, by their type.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/rig_json.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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
        return supFail( reader->error, sup_errorData, "%s: %s is wanted, not a list of %zu", place, wanted,
            json_array_size( value ) );
    }
    return supFail(
        reader->error, sup_errorData, "%s: %s is wanted, not %s", place, wanted, words[json_typeof( value )] );
}

supResult supFailMissing( supRigReader* reader, const char* place, const char* key )
{
    return supFail( reader->error, sup_errorData, "%s.%s: missing", place, key );
}

static supResult supFailMemory( supRigReader* reader, const char* place )
{
    return supFail( reader->error, sup_errorMemory, "%s: out of memory", place );
}

/// Every key of `object` is one of `known` or a note.
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
                   ? supFail( reader->error, sup_errorData, "%s: a whole number from 0 is wanted", place )
                   : supFailType( reader, place, "a whole number", value );
    }
    *out = (int32_t)number;
    return sup_success;
}

// { "name": "hips", "index": 12 } becomes "hips#12".
static supResult supReadJoint( supRigReader* reader, const char* place, const json_t* value, const char** out )
{
    static const char* const known[] = { "name", "index" };
    supResult result = supCheckKeysOf( reader, place, value, known, 2 );
    const json_t* name = json_object_get( value, "name" );
    const json_t* index = json_object_get( value, "index" );
    if ( result != sup_success || name == NULL || index == NULL )
    {
        return result != sup_success ? result : supFailMissing( reader, place, name == NULL ? "name" : "index" );
    }
    if ( !json_is_string( name ) )
    {
        return supFailType( reader, place, "a text as \"name\"", name );
    }
    int32_t number = 0;
    result = supReadInt( reader, place, index, &number );
    size_t size = json_string_length( name ) + 16;
    char* text = result == sup_success ? supBlocks_Take( &reader->blocks, size, 1 ) : NULL;
    if ( text == NULL )
    {
        return result != sup_success ? result : supFailMemory( reader, place );
    }
    snprintf( text, size, "%s#%d", json_string_value( name ), number );
    *out = text;
    return sup_success;
}

static supResult supReadName(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, const char** out )
{
    bool isJoint = strcmp( field->unit, "joint" ) == 0;
    if ( isJoint && json_is_object( value ) )
    {
        return supReadJoint( reader, place, value, out );
    }
    if ( !json_is_string( value ) )
    {
        return supFailType( reader, place, isJoint ? "a joint's name" : "a text", value );
    }
    *out = json_string_value( value );
    return sup_success;
}

/// Room for as many items as a list has. NULL, and words: it is no list, or there is no memory.
void* supTakeList( supRigReader* reader, const char* place, const json_t* value, size_t itemSize, int32_t* count )
{
    if ( !json_is_array( value ) || json_array_size( value ) > INT32_MAX / 2 )
    {
        supFailType( reader, place, "a list", value );
        return NULL;
    }
    *count = (int32_t)json_array_size( value );
    void* items = supBlocks_Take( &reader->blocks, (size_t)*count, itemSize );
    if ( items == NULL )
    {
        supFailMemory( reader, place );
    }
    return items;
}

static supResult supReadNames(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, supNameList* out )
{
    const char** names = supTakeList( reader, place, value, sizeof( const char* ), &out->count );
    if ( names == NULL )
    {
        return reader->error->code;
    }
    out->names = names;
    for ( int32_t i = 0; i < out->count; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s[%d]", place, i );
        supResult result = supReadName( reader, field, part, json_array_get( value, (size_t)i ), names + i );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supReadKeys( supRigReader* reader, const char* place, const json_t* value, supKeyList* out )
{
    float* pairs = supTakeList( reader, place, value, 2 * sizeof( float ), &out->count );
    if ( pairs == NULL )
    {
        return reader->error->code;
    }
    out->pairs = pairs;
    for ( int32_t i = 0; i < 2 * out->count; ++i )
    {
        char part[SUP_PLACE_TEXT];
        const json_t* pair = json_array_get( value, (size_t)i / 2 );
        supPlaceText( part, "%s[%d]", place, i / 2 );
        if ( json_array_size( pair ) != 2 )
        {
            return supFailType( reader, part, "a pair [position, value]", pair );
        }
        supPlaceText( part, "%s[%d][%d]", place, i / 2, i % 2 );
        supResult result = supReadFloat( reader, part, json_array_get( pair, (size_t)i % 2 ), pairs + i );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supReadSphere( supRigReader* reader, const char* place, const json_t* value, supSphere* out )
{
    static const char* const known[] = { "center", "radius" };
    if ( !json_is_object( value ) )
    {
        return supFailType( reader, place, "an object with \"center\" and \"radius\"", value );
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 2 );
    for ( int i = 0; i < 2 && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        const json_t* given = json_object_get( value, known[i] );
        supPlaceText( part, "%s.%s", place, known[i] );
        if ( given == NULL )
        {
            return supFailMissing( reader, place, known[i] );
        }
        result = i == 0 ? supReadVec3( reader, part, given, true, &out->center )
                        : supReadLength( reader, part, given, &out->radius );
    }
    return result;
}

static supResult supReadSpheres( supRigReader* reader, const char* place, const json_t* value, supSphereList* out )
{
    supSphere* spheres = supTakeList( reader, place, value, sizeof( supSphere ), &out->count );
    if ( spheres == NULL )
    {
        return reader->error->code;
    }
    out->spheres = spheres;
    for ( int32_t i = 0; i < out->count; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s[%d]", place, i );
        supResult result = supReadSphere( reader, part, json_array_get( value, (size_t)i ), spheres + i );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supReadPoints(
    supRigReader* reader, const char* place, const json_t* value, bool isShare, supPointList* out )
{
    supVec3* points = supTakeList( reader, place, value, sizeof( supVec3 ), &out->count );
    if ( points == NULL )
    {
        return reader->error->code;
    }
    out->points = points;
    for ( int32_t i = 0; i < out->count; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s[%d]", place, i );
        supResult result = supReadVec3( reader, part, json_array_get( value, (size_t)i ), isShare, points + i );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}

static supResult supReadEnum(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, int32_t* out )
{
    char list[160] = "";
    size_t length = 0;
    for ( int32_t i = 0; field->choices[i] != NULL; ++i )
    {
        if ( json_is_string( value ) && strcmp( json_string_value( value ), field->choices[i] ) == 0 )
        {
            *out = i;
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
        reader->error, sup_errorData, "%s: \"%.40s\" is none of %s", place, json_string_value( value ), list );
}

static supResult supReadObjects(
    supRigReader* reader, const supFieldTable* table, const char* place, const json_t* value, supItemList* out )
{
    char* items = supTakeList( reader, place, value, table->itemSize, &out->count );
    if ( items == NULL )
    {
        return reader->error->code;
    }
    out->items = items;
    supResult result = sup_success;
    for ( int32_t i = 0; i < out->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s[%d]", place, i );
        result = supReadObject( reader, table->fields, table->count, part, json_array_get( value, (size_t)i ),
            items + (size_t)i * table->itemSize );
    }
    return result;
}

/// One number for all three coordinates.
static supResult supReadEven( supRigReader* reader, const char* place, const json_t* value, supVec3* out )
{
    supResult result = supReadFloat( reader, place, value, &out->x );
    out->y = out->z = out->x;
    return result;
}

supResult supReadField(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* item )
{
    void* at = (char*)item + field->offset;
    switch ( field->type )
    {
        case sup_fieldBool:
            *(bool*)at = json_is_true( value );
            return json_is_boolean( value ) ? sup_success : supFailType( reader, place, "true or false", value );
        case sup_fieldFloat:
            return supReadFloat( reader, place, value, at );
        case sup_fieldLength:
            return supReadLength( reader, place, value, at );
        case sup_fieldVec3:
            return field->even && json_is_number( value )
                       ? supReadEven( reader, place, value, at )
                       : supReadVec3( reader, place, value, strcmp( field->unit, "size" ) == 0, at );
        case sup_fieldEnum:
            return supReadEnum( reader, field, place, value, at );
        case sup_fieldName:
            return supReadName( reader, field, place, value, at );
        case sup_fieldNames:
            return supReadNames( reader, field, place, value, at );
        case sup_fieldKeys:
            return supReadKeys( reader, place, value, at );
        case sup_fieldPaint:
            return supReadPaint( reader, place, value, at );
        case sup_fieldSpheres:
            return supReadSpheres( reader, place, value, at );
        case sup_fieldPoints:
            return supReadPoints( reader, place, value, strcmp( field->unit, "size" ) == 0, at );
        case sup_fieldMoves:
            return supReadMoves( reader, place, value, at );
        case sup_fieldShape:
            return supReadShape( reader, place, value, at );
        case sup_fieldItems:
            return supReadObjects( reader, field->items, place, value, at );
    }
    return sup_success;
}

static supResult supFailUnknownField(
    const supField* fields, int32_t fieldCount, const char* place, const char* key, supError* error )
{
    const char* names[128];
    int32_t count = fieldCount < 128 ? fieldCount : 128;
    for ( int32_t i = 0; i < count; ++i )
    {
        names[i] = fields[i].name;
    }
    return supFailUnknown( place, key, names, count, error );
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
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%.60s.%.40s", place, key );
        supResult result = field != NULL ? supReadField( reader, field, part, given, item )
                                         : supFailUnknownField( fields, count, place, key, reader->error );
        if ( result != sup_success )
        {
            return result;
        }
    }
    return sup_success;
}
