// Supple io: names and lists of a rig in JSON: read, written, and their schema.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/rig_types.h"

#include <stdio.h>
#include <string.h>

/// Reads entry i of a list.
typedef supResult supReadEntry(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* entry );
/// A new value for one entry.
typedef json_t* supWriteEntry( const supField* field, const void* entry, bool* failed );

static supResult supReadList( supRigReader* reader, const supField* field, const char* place, const json_t* value,
    size_t itemSize, supReadEntry* readEntry, void* out )
{
    supItemList list;
    char* items = supTakeList( reader, place, value, itemSize, &list.count );
    if ( items == NULL )
    {
        return reader->error->code;
    }
    list.items = items;
    memcpy( out, &list, sizeof( list ) ); // every list starts so
    supResult result = sup_success;
    for ( int32_t i = 0; i < list.count && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        supPathText( part, "%s[%d]", place, i );
        result = readEntry( reader, field, part, json_array_get( value, (size_t)i ), items + (size_t)i * itemSize );
    }
    return result;
}

static json_t* supWriteList(
    const supField* field, const void* value, size_t itemSize, supWriteEntry* writeEntry, bool* failed )
{
    supItemList list = supAnyList( value );
    json_t* out = json_array();
    for ( int32_t i = 0; i < list.count; ++i )
    {
        const char* entry = (const char*)list.items + (size_t)i * itemSize;
        supJsonAppend( out, writeEntry( field, entry, failed ), failed );
    }
    return out;
}

// A list's field by its entry's functions: supReadNames, supWriteNames and supSchemaNames from supReadName, …
#define SUP_LIST_OF( lists, one, itemSize )                                                                            \
    static supResult supRead##lists(                                                                                   \
        supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )               \
    {                                                                                                                  \
        return supReadList( reader, field, place, value, itemSize, supRead##one, out );                                \
    }                                                                                                                  \
    static json_t* supWrite##lists( const supField* field, const void* value, bool* failed )                           \
    {                                                                                                                  \
        return supWriteList( field, value, itemSize, supWrite##one, failed );                                          \
    }                                                                                                                  \
    static json_t* supSchema##lists( const supField* field, bool* failed )                                             \
    {                                                                                                                  \
        return supSchemaList( supSchema##one( field, failed ), 0, 0, failed );                                         \
    }                                                                                                                  \
    const supFieldJson sup_json##lists = { supRead##lists, supWrite##lists, supSchema##lists }

// ---------------------------------------------------------------------------------------------------------------
// Names

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
    char* text = result == sup_success ? supArena_Take( &reader->arena, size, 1 ) : NULL;
    if ( text == NULL )
    {
        return result != sup_success ? result : supFailMemory( reader, place );
    }
    snprintf( text, size, "%s#%d", json_string_value( name ), number );
    *out = text;
    return sup_success;
}

static supResult supReadName(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
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
    *(const char**)out = json_string_value( value );
    return sup_success;
}

static json_t* supWriteName( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return json_string( *(const char* const*)value );
}

static json_t* supSchemaName( const supField* field, bool* failed )
{
    if ( strcmp( field->unit, "joint" ) != 0 )
    {
        return supSchemaText( failed );
    }
    static const char* const required[] = { "name", "index", NULL };
    json_t* properties = json_object();
    supJsonPut( properties, "name", supSchemaText( failed ), failed );
    supJsonPut( properties, "index", supSchemaInt( failed ), failed );
    return supSchemaAnyOf( supSchemaText( failed ), supSchemaObject( properties, required, failed ), failed );
}

const supFieldJson sup_jsonName = { supReadName, supWriteName, supSchemaName };
SUP_LIST_OF( Names, Name, sizeof( const char* ) );

// ---------------------------------------------------------------------------------------------------------------
// Pairs, balls, points

static supResult supReadKey(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    (void)field;
    if ( json_array_size( value ) != 2 )
    {
        return supFailType( reader, place, "a pair [position, value]", value );
    }
    supResult result = sup_success;
    for ( int i = 0; i < 2 && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        supPathText( part, "%s[%d]", place, i );
        result = supReadFloat( reader, part, json_array_get( value, (size_t)i ), (float*)out + i );
    }
    return result;
}

static json_t* supWriteKey( const supField* field, const void* value, bool* failed )
{
    (void)field;
    json_t* pair = json_array();
    supJsonAppend( pair, supJsonFloat( ( (const float*)value )[0] ), failed );
    supJsonAppend( pair, supJsonFloat( ( (const float*)value )[1] ), failed );
    return pair;
}

static json_t* supSchemaKey( const supField* field, bool* failed )
{
    json_t* parts = json_array();
    supJsonAppend( parts, supSchemaOf( "number", "position", failed ), failed );
    supJsonAppend( parts, supSchemaNumber( field->minimum, field->maximum, failed ), failed );
    json_t* pair = supSchemaList( parts, 2, 2, failed );
    supJsonPut( pair, "additionalItems", json_false(), failed );
    return pair;
}

SUP_LIST_OF( Keys, Key, 2 * sizeof( float ) );

static supResult supReadSphere(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    (void)field;
    supSphere* sphere = out;
    static const char* const known[] = { "center", "radius" };
    if ( !json_is_object( value ) )
    {
        return supFailType( reader, place, "an object with \"center\" and \"radius\"", value );
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 2 );
    for ( int i = 0; i < 2 && result == sup_success; ++i )
    {
        char part[SUP_PATH_TEXT];
        const json_t* given = json_object_get( value, known[i] );
        supPathText( part, "%s.%s", place, known[i] );
        if ( given == NULL )
        {
            return supFailMissing( reader, place, known[i] );
        }
        result = i == 0 ? supReadVec3( reader, part, given, true, &sphere->center )
                        : supReadLength( reader, part, given, &sphere->radius );
    }
    return result;
}

static json_t* supWriteSphere( const supField* field, const void* value, bool* failed )
{
    (void)field;
    const supSphere* sphere = value;
    json_t* out = json_object();
    supJsonPut( out, "center", supJsonVec3( sphere->center ), failed );
    supJsonPut( out, "radius", supJsonFloat( sphere->radius ), failed );
    return out;
}

static json_t* supSchemaSphere( const supField* field, bool* failed )
{
    static const char* const required[] = { "center", "radius", NULL };
    json_t* properties = json_object();
    supJsonPut( properties, "center", supSchemaVec3( -10.0f, 10.0f, true, failed ), failed );
    supJsonPut( properties, "radius", supSchemaLength( field->minimum, field->maximum, failed ), failed );
    return supSchemaObject( properties, required, failed );
}

SUP_LIST_OF( Spheres, Sphere, sizeof( supSphere ) );

static supResult supReadPoint(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    return supReadVec3( reader, place, value, supIsShare( field ), out );
}

static json_t* supWritePoint( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return supJsonVec3( *(const supVec3*)value );
}

static json_t* supSchemaPoint( const supField* field, bool* failed )
{
    return supSchemaVec3( field->minimum, field->maximum, supIsShare( field ), failed );
}

SUP_LIST_OF( Points, Point, sizeof( supVec3 ) );

// ---------------------------------------------------------------------------------------------------------------
// Objects with a table of their own

static supResult supReadItem(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* out )
{
    return supReadObject( reader, field->items->fields, field->items->count, place, value, out );
}

static json_t* supWriteItem( const supField* field, const void* value, bool* failed )
{
    return supWriteObject( field->items->fields, field->items->count, value, failed );
}

static json_t* supSchemaItem( const supField* field, bool* failed )
{
    return supSchemaFields( field->items->fields, field->items->count, failed );
}

SUP_LIST_OF( Items, Item, field->items->itemSize );
