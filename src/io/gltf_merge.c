// SPDX-License-Identifier: MIT
//
// A .glb has one place for bytes: its BIN chunk, buffers[0]. All buffers go there one after the other, each at a
// multiple of 16 (so that every accessor keeps its alignment), then the pictures that stood in files or data URIs.
// Buffers without data (meshopt's fallbacks) follow it:
//
//     before   [ a.bin ] [ fallback, no data ] [ data:… ]        image "skin.png"
//     after    [ a.bin | data:… | skin.png ] [ fallback, no data ]
#include "io/files.h"
#include "io/gltf_pack.h"
#include "io/gltf_parts.h"
#include "io/json_text.h"
#include "io/rig_json.h"

#include <string.h>

#define SUP_MERGE_ALIGNMENT 16

/// Where each old buffer went.
typedef struct supMoved
{
    int32_t buffer;
    size_t offset;
} supMoved;

typedef struct supMerge
{
    supPacking* packing;
    supArray bytes;
    supMoved* moved;
    bool failed; ///< no memory for some JSON
} supMerge;

/// Puts bytes at the end, aligned; gives where they start.
static size_t supMergeBytes( supMerge* merge, const uint8_t* data, size_t size )
{
    size_t gap = ( SUP_MERGE_ALIGNMENT - merge->bytes.count % SUP_MERGE_ALIGNMENT ) % SUP_MERGE_ALIGNMENT;
    size_t start = merge->bytes.count + gap;
    uint8_t* to = gap + size == 0 ? NULL : supArray_Add( &merge->bytes, gap + size );
    if ( to != NULL && size > 0 )
    {
        memcpy( to + gap, data, size );
    }
    if ( to == NULL && gap + size > 0 )
    {
        supReader_Fail( &merge->packing->reader, sup_errorMemory, "no memory for %zu bytes more", size );
    }
    return start;
}

static bool supHasBytes( const supBuffer* buffer )
{
    return buffer->kind != sup_bufferAbsent;
}

/// The merged buffer is the first one, without what said where its bytes were.
static json_t* supMergedBuffer( const json_t* first )
{
    json_t* buffer = first != NULL ? supCopyJson( first ) : json_object();
    json_object_del( buffer, "uri" );
    json_t* extensions = json_object_get( buffer, "extensions" );
    json_object_del( extensions, "EXT_meshopt_compression" );
    json_object_del( extensions, "KHR_meshopt_compression" );
    if ( extensions != NULL && json_object_size( extensions ) == 0 )
    {
        json_object_del( buffer, "extensions" );
    }
    return buffer;
}

/// Fills in `moved` and the bytes; gives the new array of buffers.
static json_t* supMoveBuffers( supMerge* merge )
{
    const supGltf* document = merge->packing->document;
    json_t* buffers = json_array();
    const json_t* first = NULL;
    json_t* rest = json_array();
    for ( int32_t i = 0; i < document->bufferCount; ++i )
    {
        json_t* json = supGltf_Item( document, "buffers", i );
        if ( supHasBytes( document->buffers + i ) )
        {
            size_t offset = supMergeBytes( merge, document->buffers[i].data, document->buffers[i].byteLength );
            merge->moved[i] = ( supMoved ){ 0, offset };
            first = first != NULL ? first : json;
        }
        else
        {
            supJsonAppend( rest, supCopyJson( json ), &merge->failed );
            merge->moved[i] = ( supMoved ){ (int32_t)json_array_size( rest ), 0 };
        }
    }
    supJsonAppend( buffers, supMergedBuffer( first ), &merge->failed );
    merge->failed = json_array_extend( buffers, rest ) != 0 || merge->failed;
    json_decref( rest );
    return buffers;
}

/// A buffer view, or the part of its extension that names a buffer.
static void supMoveReference( supMerge* merge, json_t* object )
{
    const json_t* buffer = json_object_get( object, "buffer" );
    double index = json_number_value( buffer );
    if ( json_is_number( buffer ) == false || index < 0.0 || index >= merge->packing->document->bufferCount )
    {
        return;
    }
    supMoved to = merge->moved[(int32_t)index];
    double offset = json_number_value( json_object_get( object, "byteOffset" ) );
    supJsonPut( object, "buffer", json_integer( to.buffer ), &merge->failed );
    if ( to.offset > 0 && offset >= 0.0 && offset < 9007199254740992.0 )
    {
        json_int_t moved = (json_int_t)to.offset + (json_int_t)offset;
        supJsonPut( object, "byteOffset", json_integer( moved ), &merge->failed );
    }
}

static void supMoveViews( supMerge* merge )
{
    size_t i;
    json_t* view;
    json_array_foreach( supPacking_OwnArray( merge->packing, "bufferViews" ), i, view )
    {
        json_t* extensions = json_object_get( view, "extensions" );
        supMoveReference( merge, view );
        supMoveReference( merge, json_object_get( extensions, "EXT_meshopt_compression" ) );
        supMoveReference( merge, json_object_get( extensions, "KHR_meshopt_compression" ) );
    }
}

static json_t* supOwnOrNewArray( supPacking* packing, const char* kind )
{
    if ( json_object_get( packing->root, kind ) == NULL )
    {
        json_object_set_new( packing->root, kind, json_array() );
    }
    return supPacking_OwnArray( packing, kind );
}

/// A picture's file comes along as a buffer view, under the name that it had.
static void supMergeImage( supMerge* merge, int32_t index )
{
    supPacking* packing = merge->packing;
    supImage image = supGltf_ReadImage( packing->document, &packing->arena, index );
    if ( image.data == NULL )
    {
        supGltf_Note( packing->document, "image %d stays as it is: %s", index, image.missing );
        return;
    }
    size_t start = supMergeBytes( merge, image.data, image.size );
    json_t* views = supOwnOrNewArray( packing, "bufferViews" );
    json_t* json = json_array_get( supPacking_OwnArray( packing, "images" ), (size_t)index );
    const char* type = supImageType( image.data, image.size );
    json_t* view = json_pack(
        "{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)start, "byteLength", (json_int_t)image.size );
    supJsonAppend( views, view, &merge->failed );
    supJsonPut( json, "bufferView", json_integer( (json_int_t)json_array_size( views ) - 1 ), &merge->failed );
    if ( type != NULL )
    {
        supJsonPut( json, "mimeType", json_string( type ), &merge->failed );
    }
    json_t* uri = json_object_get( json, "uri" );
    if ( json_object_get( json, "name" ) == NULL && supIsDataUri( json_string_value( uri ) ) == false )
    {
        supJsonPut( json, "name", json_incref( uri ), &merge->failed );
    }
    json_object_del( json, "uri" );
}

static void supMergeImages( supMerge* merge )
{
    const supGltf* document = merge->packing->document;
    for ( int32_t i = 0; i < supGltf_Count( document, "images" ) && supReader_Ok( &merge->packing->reader ); ++i )
    {
        const char* uri = json_string_value( json_object_get( supGltf_Item( document, "images", i ), "uri" ) );
        if ( uri != NULL && document->isBinary == false )
        {
            supMergeImage( merge, i );
        }
    }
}

void supPacking_MergeBuffers( supPacking* packing )
{
    int32_t count = packing->document->bufferCount;
    supMerge merge = { .packing = packing, .bytes = supMakeArray( 1, NULL ) };
    merge.moved = supReader_Take( &packing->reader, &packing->arena, (size_t)count, sizeof( supMoved ) );
    if ( merge.moved == NULL )
    {
        return;
    }
    json_t* buffers = supMoveBuffers( &merge );
    if ( merge.bytes.count > 0 )
    {
        supMoveViews( &merge );
    }
    supMergeImages( &merge );
    if ( merge.bytes.count > 0 )
    {
        char* bytes = supArena_TakeText( &packing->arena, merge.bytes.data, merge.bytes.count );
        json_t* length = json_integer( (json_int_t)merge.bytes.count );
        if ( merge.failed || bytes == NULL ||
             json_object_set_new( json_array_get( buffers, 0 ), "byteLength", length ) != 0 ||
             json_object_set( packing->root, "buffers", buffers ) != 0 )
        {
            supReader_Fail( &packing->reader, sup_errorMemory, "no memory for the merged buffer" );
        }
        packing->bin = (const uint8_t*)bytes;
        packing->binSize = merge.bytes.count;
    }
    json_decref( buffers );
    supArray_Destroy( &merge.bytes );
}
