// SPDX-License-Identifier: MIT
#include "io/gltf_edit.h"

#include "base/memory.h"
#include "io/gltf_pack.h"
#include "io/json_text.h"
#include "io/rig_json.h"

#include <stdlib.h>
#include <string.h>

#define SUP_ADDED_ALIGNMENT 16

// ---------------------------------------------------------------------------------------------------------------
// To one buffer

/// The buffers as the merged document counts them: the BIN chunk, then those that have no bytes.
static supBuffer* supTakeMergedBuffers( const supGltf* document, const supPacking* packing, int32_t* count )
{
    supBuffer* buffers = calloc( (size_t)document->bufferCount + 1, sizeof( supBuffer ) );
    uint8_t* bytes = malloc( packing->binSize );
    if ( buffers == NULL || bytes == NULL )
    {
        free( buffers );
        free( bytes );
        return NULL;
    }
    memcpy( bytes, packing->bin, packing->binSize );
    buffers[0] = ( supBuffer ){ sup_bufferChunk, bytes, packing->binSize, packing->binSize, packing->binSize };
    *count = 1;
    for ( int32_t i = 0; i < document->bufferCount; ++i )
    {
        if ( document->buffers[i].kind == sup_bufferAbsent )
        {
            buffers[( *count )++] = document->buffers[i];
        }
        else
        {
            free( document->buffers[i].data );
        }
    }
    return buffers;
}

supResult supGltf_MakeBinary( supGltf* document, supError* error )
{
    bool isOne = document->isBinary && document->bufferCount > 0 && document->buffers[0].kind == sup_bufferChunk;
    if ( isOne || document->bufferCount == 0 )
    {
        return sup_success;
    }
    supPacking packing = supStartPacking( document, document->name, error );
    if ( supReader_Ok( &packing.reader ) )
    {
        supPacking_MergeBuffers( &packing );
    }
    int32_t count = 0;
    supBuffer* buffers = NULL;
    if ( supReader_Ok( &packing.reader ) && packing.bin != NULL )
    {
        buffers = supTakeMergedBuffers( document, &packing, &count );
        if ( buffers == NULL )
        {
            supReader_Fail(
                &packing.reader, sup_errorMemory, "no memory for one buffer of %zu bytes", packing.binSize );
        }
    }
    if ( buffers != NULL )
    {
        free( document->buffers );
        document->buffers = buffers;
        document->bufferCount = count;
        document->isBinary = true;
        json_decref( document->root );
        document->root = json_incref( packing.root );
    }
    supResult result = packing.reader.result;
    supPacking_End( &packing );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

supGltfEdit supStartEdit( supGltf* document, bool isBinary, supError* error )
{
    return ( supGltfEdit ){
        .document = document, .reader = supMakeReader( document, error ), .isBinary = isBinary, .buffer = -1
    };
}

bool supEdit_Ok( const supGltfEdit* edit )
{
    return supReader_Ok( &edit->reader );
}

static void supNoteFailure( supGltfEdit* edit )
{
    if ( edit->failed )
    {
        supReader_Fail( &edit->reader, sup_errorMemory, "no memory for what is added" );
    }
}

void supEdit_Put( supGltfEdit* edit, json_t* object, const char* key, json_t* value )
{
    supJsonPut( object, key, value, &edit->failed );
    supNoteFailure( edit );
}

void supEdit_Push( supGltfEdit* edit, json_t* array, json_t* value )
{
    supJsonAppend( array, value, &edit->failed );
    supNoteFailure( edit );
}

json_t* supEdit_Copy( supGltfEdit* edit, const json_t* value )
{
    json_t* copy = supCopyJson( value );
    edit->failed = edit->failed || copy == NULL;
    supNoteFailure( edit );
    return copy;
}

json_t* supEdit_Array( supGltfEdit* edit, const char* kind )
{
    json_t* array = json_object_get( edit->document->root, kind );
    if ( array == NULL )
    {
        array = json_array();
        supEdit_Put( edit, edit->document->root, kind, array );
    }
    return supEdit_Ok( edit ) ? array : NULL;
}

int32_t supEdit_Append( supGltfEdit* edit, const char* kind, json_t* item )
{
    json_t* array = supEdit_Array( edit, kind );
    if ( array == NULL || json_array_size( array ) >= INT32_MAX )
    {
        json_decref( item );
        supReader_Fail( &edit->reader, sup_errorLimit, "too many %s", kind );
        return -1;
    }
    supEdit_Push( edit, array, item );
    return supEdit_Ok( edit ) ? (int32_t)json_array_size( array ) - 1 : -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes

/// The buffer that takes what is added.
static supBuffer* supGrowingBuffer( supGltfEdit* edit )
{
    supGltf* document = edit->document;
    if ( edit->buffer < 0 && edit->isBinary && document->bufferCount > 0 &&
         document->buffers[0].kind == sup_bufferChunk )
    {
        edit->buffer = 0;
        document->buffers[0].dataSize = document->buffers[0].byteLength;
    }
    if ( edit->buffer < 0 )
    {
        size_t count = (size_t)document->bufferCount + 1;
        supBuffer* buffers = realloc( document->buffers, count * sizeof( supBuffer ) );
        if ( buffers == NULL )
        {
            supReader_Fail( &edit->reader, sup_errorMemory, "no memory for a buffer" );
            return NULL;
        }
        document->buffers = buffers;
        buffers[document->bufferCount] = ( supBuffer ){ .kind = sup_bufferAdded };
        edit->buffer = document->bufferCount++;
        supEdit_Append( edit, "buffers", json_object() );
    }
    return supEdit_Ok( edit ) ? document->buffers + edit->buffer : NULL;
}

static bool supReserve( supBuffer* buffer, size_t size )
{
    if ( size <= buffer->capacity )
    {
        return true;
    }
    size_t capacity = buffer->capacity + buffer->capacity / 2;
    capacity = capacity > size ? capacity : size;
    uint8_t* data = realloc( buffer->data, capacity );
    if ( data != NULL )
    {
        buffer->data = data;
        buffer->capacity = capacity;
    }
    return data != NULL;
}

int32_t supEdit_AddView( supGltfEdit* edit, const void* data, size_t size, int32_t target )
{
    supBuffer* buffer = supEdit_Ok( edit ) ? supGrowingBuffer( edit ) : NULL;
    if ( buffer == NULL )
    {
        return -1;
    }
    size_t start, end;
    if ( !supAddSize( buffer->byteLength, SUP_ADDED_ALIGNMENT - 1, &start ) || !supAddSize( start, size, &end ) ||
         !supReserve( buffer, end ) )
    {
        supReader_Fail( &edit->reader, sup_errorMemory, "no memory for %zu bytes more", size );
        return -1;
    }
    start -= start % SUP_ADDED_ALIGNMENT;
    end = start + size;
    memset( buffer->data + buffer->byteLength, 0, start - buffer->byteLength );
    memcpy( buffer->data + start, data, size );
    buffer->byteLength = buffer->dataSize = end;
    supEdit_Put(
        edit, supGltf_Item( edit->document, "buffers", edit->buffer ), "byteLength", json_integer( (json_int_t)end ) );
    json_t* view = json_pack(
        "{s:i, s:I, s:I}", "buffer", edit->buffer, "byteOffset", (json_int_t)start, "byteLength", (json_int_t)size );
    if ( target != 0 )
    {
        supEdit_Put( edit, view, "target", json_integer( target ) );
    }
    return supEdit_Append( edit, "bufferViews", view );
}

/// "min" and "max", to the bit what the floats are.
static void supPutBounds( supGltfEdit* edit, json_t* json, const supNewAccessor* accessor )
{
    json_t* lowest = json_array();
    json_t* highest = json_array();
    for ( int32_t row = 0; row < accessor->rows; ++row )
    {
        float lower = accessor->bounds[row], upper = lower;
        for ( size_t i = 1; i < (size_t)accessor->count; ++i )
        {
            float value = accessor->bounds[i * (size_t)accessor->rows + (size_t)row];
            lower = value < lower ? value : lower;
            upper = value > upper ? value : upper;
        }
        supEdit_Push( edit, lowest, json_real( (double)lower ) );
        supEdit_Push( edit, highest, json_real( (double)upper ) );
    }
    supEdit_Put( edit, json, "min", lowest );
    supEdit_Put( edit, json, "max", highest );
}

/// 5120 and the number of the bit.
int32_t supComponentNumber( supComponents component )
{
    int32_t number = 5120;
    while ( (uint32_t)component > 1u << ( number - 5120 ) )
    {
        number += 1;
    }
    return number;
}

int32_t supEdit_AddAccessor( supGltfEdit* edit, const supNewAccessor* accessor )
{
    if ( supEdit_Ok( edit ) == false )
    {
        return -1;
    }
    json_t* json = json_pack( "{s:i}", "bufferView", accessor->view );
    if ( accessor->offset > 0 )
    {
        supEdit_Put( edit, json, "byteOffset", json_integer( (json_int_t)accessor->offset ) );
    }
    supEdit_Put( edit, json, "componentType", json_integer( supComponentNumber( accessor->component ) ) );
    supEdit_Put( edit, json, "count", json_integer( accessor->count ) );
    supEdit_Put( edit, json, "type", json_string( accessor->type ) );
    if ( accessor->bounds != NULL && accessor->count > 0 )
    {
        supPutBounds( edit, json, accessor );
    }
    return supEdit_Append( edit, "accessors", json );
}
