// Supple io: what each type of field is in JSON: the table, and objects read by it.
// SPDX-License-Identifier: MIT

#include "io/rig_types.h"

#include "base/fields.h"
#include "base/names.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <limits.h>

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
