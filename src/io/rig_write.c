// Supple io: rigs into JSON.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/file_write.h"
#include "io/rig_json.h"
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static json_t* supWriteNames( const supNameList* list, bool* failed )
{
    json_t* out = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        supJsonAppend( out, json_string( list->names[i] ), failed );
    }
    return out;
}

static json_t* supWriteKeys( const supKeyList* list, bool* failed )
{
    json_t* out = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        json_t* pair = json_array();
        supJsonAppend( pair, supJsonFloat( list->pairs[2 * (size_t)i] ), failed );
        supJsonAppend( pair, supJsonFloat( list->pairs[2 * (size_t)i + 1] ), failed );
        supJsonAppend( out, pair, failed );
    }
    return out;
}

static json_t* supWriteSpheres( const supSphereList* list, bool* failed )
{
    json_t* out = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        json_t* sphere = json_object();
        supJsonPut( sphere, "center", supJsonVec3( list->spheres[i].center ), failed );
        supJsonPut( sphere, "radius", supJsonFloat( list->spheres[i].radius ), failed );
        supJsonAppend( out, sphere, failed );
    }
    return out;
}

static json_t* supWritePoints( const supPointList* list, bool* failed )
{
    json_t* out = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        supJsonAppend( out, supJsonVec3( list->points[i] ), failed );
    }
    return out;
}

/// Which mesh, and which of its vertices; `values` stand under `key`.
static json_t* supWriteMeshEntry( const char* mesh, int32_t meshIndex, const int32_t* vertices, int32_t count,
    const char* key, json_t* values, bool* failed )
{
    json_t* out = json_object();
    json_t* list = json_array();
    for ( int32_t i = 0; i < count; ++i )
    {
        supJsonAppend( list, json_integer( vertices[i] ), failed );
    }
    supJsonPut( out, "mesh", json_string( mesh ), failed );
    if ( meshIndex != 0 )
    {
        supJsonPut( out, "index", json_integer( meshIndex ), failed );
    }
    supJsonPut( out, "vertices", list, failed );
    supJsonPut( out, key, values, failed );
    return out;
}

/// Entries of meshes, and the character they were made for.
static json_t* supWriteMeshes( uint64_t fingerprint, json_t* meshes, bool* failed )
{
    char text[24];
    snprintf( text, sizeof( text ), "0x%016" PRIx64, fingerprint );
    json_t* out = json_object();
    supJsonPut( out, "fingerprint", json_string( text ), failed );
    supJsonPut( out, "meshes", meshes, failed );
    return out;
}

static json_t* supWritePaint( const supPaintList* list, bool* failed )
{
    json_t* meshes = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        const supPaint* paint = list->paints + i;
        json_t* values = json_array();
        for ( int32_t k = 0; k < paint->count; ++k )
        {
            supJsonAppend( values, supJsonFloat( paint->values[k] ), failed );
        }
        json_t* entry =
            supWriteMeshEntry( paint->mesh, paint->meshIndex, paint->vertices, paint->count, "values", values, failed );
        supJsonAppend( meshes, entry, failed );
    }
    return supWriteMeshes( list->fingerprint, meshes, failed );
}

static json_t* supWriteMoves( const supMoveList* list, bool* failed )
{
    json_t* meshes = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        const supMoves* moved = list->meshes + i;
        json_t* moves = json_array();
        for ( int32_t k = 0; k < moved->count; ++k )
        {
            supJsonAppend( moves, supJsonVec3( moved->moves[k] ), failed );
        }
        json_t* entry =
            supWriteMeshEntry( moved->mesh, moved->meshIndex, moved->vertices, moved->count, "moves", moves, failed );
        supJsonAppend( meshes, entry, failed );
    }
    return supWriteMeshes( list->fingerprint, meshes, failed );
}

static json_t* supWriteObject( const supField* fields, int32_t count, const void* item, bool* failed );

static json_t* supWriteObjects( const supFieldTable* table, const supItemList* list, bool* failed )
{
    json_t* out = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        const char* item = (const char*)list->items + (size_t)i * table->itemSize;
        supJsonAppend( out, supWriteObject( table->fields, table->count, item, failed ), failed );
    }
    return out;
}

static json_t* supWriteField( const supField* field, const void* item, bool* failed )
{
    const void* at = (const char*)item + field->offset;
    switch ( field->type )
    {
        case sup_fieldBool:
            return json_boolean( *(const bool*)at );
        case sup_fieldFloat:
        case sup_fieldLength:
            return supJsonFloat( *(const float*)at );
        case sup_fieldVec3:
            return supJsonVec3( *(const supVec3*)at );
        case sup_fieldEnum:
            return json_string( field->choices[*(const int32_t*)at] );
        case sup_fieldName:
            return json_string( *(const char* const*)at );
        case sup_fieldNames:
            return supWriteNames( at, failed );
        case sup_fieldKeys:
            return supWriteKeys( at, failed );
        case sup_fieldPaint:
            return supWritePaint( at, failed );
        case sup_fieldSpheres:
            return supWriteSpheres( at, failed );
        case sup_fieldPoints:
            return supWritePoints( at, failed );
        case sup_fieldMoves:
            return supWriteMoves( at, failed );
        case sup_fieldShape:
            return json_string( ( (const supSculpt*)at )->file );
        case sup_fieldItems:
            return supWriteObjects( field->items, at, failed );
    }
    return NULL;
}

static json_t* supWriteObject( const supField* fields, int32_t count, const void* item, bool* failed )
{
    json_t* out = json_object();
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( !supFieldIsDefault( fields + i, item ) )
        {
            supJsonPut( out, fields[i].name, supWriteField( fields + i, item, failed ), failed );
        }
    }
    return out;
}

json_t* supRigToJsonValue( const supRig* rig )
{
    bool failed = false;
    json_t* root = json_object();
    supJsonPut( root, "supple", json_integer( SUP_RIG_VERSION ), &failed );
    supVec3 gravity = supRig_Gravity( rig );
    if ( gravity.x != 0.0f || gravity.y != -9.81f || gravity.z != 0.0f )
    {
        supJsonPut( root, "gravity", supJsonVec3( gravity ), &failed );
    }
    for ( int32_t layer = 0; layer < supLayerCount(); ++layer )
    {
        const supLayerInfo* info = supGetLayerInfo( layer );
        int32_t count = supRig_ItemCount( rig, layer );
        json_t* items = count > 0 ? json_array() : NULL;
        for ( int32_t i = 0; i < count; ++i )
        {
            const void* item = supRig_Item( rig, layer, i );
            supJsonAppend( items, supWriteObject( info->fields, info->fieldCount, item, &failed ), &failed );
        }
        if ( count > 0 )
        {
            supJsonPut( root, info->key, items, &failed );
        }
    }
    if ( failed )
    {
        json_decref( root );
        return NULL;
    }
    return root;
}

size_t supRigToJson( const supRig* rig, char* text, size_t size )
{
    json_t* root = supRigToJsonValue( rig );
    size_t length = root != NULL ? supJsonText( root, text, size ) : 0;
    json_decref( root );
    return length;
}

supResult supWriteRig( const supRig* rig, const char* path, supError* error )
{
    json_t* root = supRigToJsonValue( rig );
    size_t length = root != NULL ? supJsonText( root, NULL, 0 ) : 0;
    char* text = length > 0 ? malloc( length + 1 ) : NULL;
    if ( text == NULL )
    {
        json_decref( root );
        return supFail( error, sup_errorMemory, "%s: out of memory", path );
    }
    supJsonText( root, text, length + 1 );
    json_decref( root );
    supResult result = supWriteFile( path, text, length, error );
    free( text );
    return result;
}
