// Supple io: rigs into JSON.
// SPDX-License-Identifier: MIT
#include "base/fields.h"
#include "io/file_write.h"
#include "io/rig_types.h"
#include "supple/io.h"
#include "supple/lab/files.h"
#include "supple/lab/items.h"

#include <stdlib.h>

json_t* supWriteObject( const supField* fields, int32_t count, const void* item, bool* failed )
{
    json_t* out = json_object();
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( !supFieldIsDefault( fields + i, item ) )
        {
            const void* value = (const char*)item + fields[i].offset;
            supJsonPut( out, fields[i].name, supFieldJsonOf( fields + i )->write( fields + i, value, failed ), failed );
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
