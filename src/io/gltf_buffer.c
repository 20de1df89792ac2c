// SPDX-License-Identifier: MIT
#include "io/files.h"

#include "base/memory.h"
#include "io/gltf_accessor.h"
#include "io/gltf_reader.h"
#include "supple/lab/files.h"

#include <stdlib.h>
#include <string.h>

/// The BIN chunk belongs to buffers[0] where that has no URI.
static bool supClaimBinChunk( supGltf* document, supBuffer* buffer )
{
    if ( document->chunkCount == 0 || document->chunks[0].type != SUP_GLB_BIN )
    {
        return false;
    }
    supChunk chunk = document->chunks[0];
    document->chunkCount -= 1;
    memmove( document->chunks, document->chunks + 1, (size_t)document->chunkCount * sizeof( supChunk ) );
    *buffer = ( supBuffer ){ sup_bufferChunk, chunk.data, chunk.size, 0, chunk.size };
    return true;
}

static supResult supReadUri( const supGltf* document, const char* uri, uint8_t** data, size_t* size, supError* error )
{
    char* found = supFindUri( document->folder, uri );
    char* path = supJoinPath( document->folder, found != NULL ? found : uri );
    supResult result;
    if ( path == NULL )
    {
        result = supGltf_Fail( document, error, sup_errorMemory, "no memory for a path" );
    }
    else if ( document->isUntrusted && !supIsBelow( document->folder, path ) )
    {
        result = supFail( error, sup_errorFile,
            "'%.120s' is not in the document's own folder, and nothing else is read from a file that is not trusted",
            uri );
    }
    else
    {
        result = supReadFileUpTo( path, supGltf_MemoryLeft( document ), data, size, error );
    }
    free( found );
    free( path );
    return result;
}

void supReader_LoadUri( supReader* reader, const json_t* uri, uint8_t** data, size_t* size )
{
    const char* text = json_string_value( uri );
    *data = NULL;
    *size = 0;
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    if ( supIsDataUri( text ) )
    {
        size_t length = json_string_length( uri );
        if ( length / 4 * 3 > supGltf_MemoryLeft( reader->document ) )
        {
            supReader_Fail( reader, sup_errorLimit,
                "a data URI of %zu bytes exceeds the memory budget of %.3g MB; raise the budget (--max-memory) if you trust it",
                length, 1e-6 * (double)reader->document->mostMemory );
            return;
        }
        const char* wrong = supDecodeDataUri( text, length, data, size );
        if ( wrong != NULL )
        {
            supReader_Fail( reader, sup_errorFormat, "%s", wrong );
        }
        return;
    }
    const char* refusal = supRefuseUri( text );
    if ( refusal != NULL || reader->document->folder == NULL )
    {
        supReader_Fail( reader, sup_errorFile, "'%.120s' %s", text,
            refusal != NULL ? refusal : "is another file, and there is no folder to look for it in" );
        return;
    }
    supError error = { 0 };
    if ( supReadUri( reader->document, text, data, size, &error ) != sup_success )
    {
        supReader_Fail( reader, error.code, "%s", error.text );
    }
}

static void supLoadBuffer( supReader* reader, supGltf* document, int32_t index )
{
    const json_t* json = supGltf_Item( document, "buffers", index );
    supReader_At( reader, "buffer", index, json );
    supBuffer* buffer = document->buffers + index;
    const char* uri = supReader_Text( reader, json, "uri" );
    size_t byteLength = supReader_Size( reader, json, "byteLength", 0 );
    if ( uri != NULL )
    {
        buffer->kind = supIsDataUri( uri ) ? sup_bufferInline : sup_bufferFile;
        supReader_LoadUri( reader, json_object_get( json, "uri" ), &buffer->data, &buffer->dataSize );
        document->charged += buffer->dataSize;
    }
    else if ( index > 0 || supClaimBinChunk( document, buffer ) == false )
    {
        buffer->kind = sup_bufferAbsent;
        return;
    }
    if ( supReader_Ok( reader ) && byteLength > buffer->dataSize )
    {
        supReader_Fail( reader, sup_errorFormat, "\"byteLength\" is %zu, there are %zu bytes: the data are cut off",
            byteLength, buffer->dataSize );
    }
    buffer->byteLength = byteLength;
}

supResult supGltf_LoadBuffers( supGltf* document, supError* error )
{
    supReader reader = supMakeReader( document, error );
    int32_t count = supGltf_Count( document, "buffers" );
    document->buffers = calloc( (size_t)count + 1, sizeof( supBuffer ) );
    if ( document->buffers == NULL )
    {
        return supGltf_Fail( document, error, sup_errorMemory, "no memory for %d buffers", count );
    }
    document->bufferCount = count;
    for ( int32_t i = 0; i < count && supReader_Ok( &reader ); ++i )
    {
        supLoadBuffer( &reader, document, i );
    }
    return reader.result;
}

supBytes supReader_Bytes( supReader* reader, const json_t* json )
{
    const supGltf* document = reader->document;
    int32_t index = supReader_Index( reader, json, "buffer", "buffers" );
    size_t offset = supReader_Size( reader, json, "byteOffset", 0 );
    size_t length = supReader_Size( reader, json, "byteLength", 0 );
    if ( index < 0 )
    {
        supReader_Fail( reader, sup_errorData, "names no buffer" );
    }
    if ( supReader_Ok( reader ) == false )
    {
        return ( supBytes ){ NULL, 0 };
    }
    const supBuffer* buffer = document->buffers + index;
    if ( buffer->kind == sup_bufferAbsent )
    {
        supReader_Fail(
            reader, sup_errorData, "buffer %d has neither a \"uri\" nor a BIN chunk: its data are missing", index );
        return ( supBytes ){ NULL, 0 };
    }
    if ( supStridedFits( offset, 1, length, length, buffer->byteLength ) == false )
    {
        supReader_Fail( reader, sup_errorData, "takes %zu bytes from %zu of buffer %d, which has %zu", length, offset,
            index, buffer->byteLength );
        return ( supBytes ){ NULL, 0 };
    }
    return ( supBytes ){ buffer->data + offset, length };
}

supBytes supReader_View( supReader* reader, int32_t index )
{
    const supGltf* document = reader->document;
    if ( index < document->decodedCount && document->decoded[index].data != NULL )
    {
        return ( supBytes ){ document->decoded[index].data, document->decoded[index].size };
    }
    supWhere where = reader->where;
    const json_t* json = supGltf_Item( document, "bufferViews", index );
    supReader_At( reader, "bufferView", index, json );
    supBytes bytes = supReader_Bytes( reader, json );
    reader->where = where;
    return bytes;
}

// ---------------------------------------------------------------------------------------------------------------
// What the bytes of a document are for.

const char* supGltfBytesName( supGltfBytesKind kind )
{
    static const char* const names[sup_gltfBytesCount] = { "vertices", "influences", "morphs", "indices", "skins",
        "keys", "images", "json" };
    return kind >= 0 && kind < sup_gltfBytesCount ? names[kind] : "";
}

typedef struct supByteCount
{
    const supGltf* document;
    bool* counted; ///< accessors; then buffer views
    int32_t accessorCount, viewCount;
    supGltfBytes bytes;
} supByteCount;

static size_t supTypeRows( const char* type )
{
    static const struct
    {
        const char* name;
        size_t rows;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT2", 4 }, { "MAT3", 9 },
        { "MAT4", 16 } };
    for ( size_t i = 0; type != NULL && i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( type, types[i].name ) == 0 )
        {
            return types[i].rows;
        }
    }
    return 0;
}

static size_t supComponentBytes( const json_t* json )
{
    json_int_t number = json_integer_value( json_object_get( json, "componentType" ) );
    return number == 5125 || number == 5126 ? 4 : number == 5122 || number == 5123 ? 2 : number != 0 ? 1 : 0;
}

static size_t supCountOf( const json_t* json )
{
    json_int_t count = json_integer_value( json_object_get( json, "count" ) );
    return count > 0 && count <= INT32_MAX ? (size_t)count : 0;
}

/// An accessor by its number: its own bytes, and those of its sparse part.
static void supCountAccessor( supByteCount* count, const json_t* value, supGltfBytesKind kind )
{
    json_int_t index = json_is_integer( value ) ? json_integer_value( value ) : -1;
    if ( index < 0 || index >= count->accessorCount || count->counted[index] )
    {
        return;
    }
    count->counted[index] = true;
    const json_t* json = supGltf_Item( count->document, "accessors", (int32_t)index );
    const json_t* sparse = json_object_get( json, "sparse" );
    size_t item = supTypeRows( json_string_value( json_object_get( json, "type" ) ) ) * supComponentBytes( json );
    bool hasBytes =
        json_object_get( json, "bufferView" ) != NULL || supGltf_IsUnpacked( count->document, (int32_t)index );
    count->bytes.of[kind] += hasBytes ? supCountOf( json ) * item : 0;
    count->bytes.of[kind] +=
        supCountOf( sparse ) * ( item + supComponentBytes( json_object_get( sparse, "indices" ) ) );
}

static void supCountAttributes( supByteCount* count, const json_t* attributes, bool isTarget )
{
    const char* name;
    json_t* value;
    json_object_foreach( (json_t*)attributes, name, value )
    {
        bool influences = strncmp( name, "JOINTS_", 7 ) == 0 || strncmp( name, "WEIGHTS_", 8 ) == 0;
        supCountAccessor( count, value,
            isTarget     ? sup_gltfBytesMorphs
            : influences ? sup_gltfBytesInfluences
                         : sup_gltfBytesVertices );
    }
}

static void supCountMeshes( supByteCount* count )
{
    for ( int32_t m = 0; m < supGltf_Count( count->document, "meshes" ); ++m )
    {
        size_t p, t;
        json_t *primitive, *target;
        json_array_foreach(
            json_object_get( supGltf_Item( count->document, "meshes", m ), "primitives" ), p, primitive )
        {
            supCountAttributes( count, json_object_get( primitive, "attributes" ), false );
            supCountAccessor( count, json_object_get( primitive, "indices" ), sup_gltfBytesIndices );
            json_array_foreach( json_object_get( primitive, "targets" ), t, target )
            {
                supCountAttributes( count, target, true );
            }
        }
    }
}

static void supCountMotion( supByteCount* count )
{
    for ( int32_t s = 0; s < supGltf_Count( count->document, "skins" ); ++s )
    {
        const json_t* skin = supGltf_Item( count->document, "skins", s );
        supCountAccessor( count, json_object_get( skin, "inverseBindMatrices" ), sup_gltfBytesSkins );
    }
    for ( int32_t a = 0; a < supGltf_Count( count->document, "animations" ); ++a )
    {
        size_t i;
        json_t* sampler;
        json_array_foreach(
            json_object_get( supGltf_Item( count->document, "animations", a ), "samplers" ), i, sampler )
        {
            supCountAccessor( count, json_object_get( sampler, "input" ), sup_gltfBytesKeys );
            supCountAccessor( count, json_object_get( sampler, "output" ), sup_gltfBytesKeys );
        }
    }
}

static void supCountImages( supByteCount* count )
{
    for ( int32_t i = 0; i < supGltf_Count( count->document, "images" ); ++i )
    {
        const json_t* view = json_object_get( supGltf_Item( count->document, "images", i ), "bufferView" );
        json_int_t index = json_is_integer( view ) ? json_integer_value( view ) : -1;
        bool* counted = count->counted + count->accessorCount;
        if ( index >= 0 && index < count->viewCount && counted[index] == false )
        {
            const json_t* json = supGltf_Item( count->document, "bufferViews", (int32_t)index );
            json_int_t length = json_integer_value( json_object_get( json, "byteLength" ) );
            count->bytes.of[sup_gltfBytesImages] += length > 0 ? (size_t)length : 0;
            counted[index] = true;
        }
    }
}

supGltfBytes supGltf_Bytes( const supGltf* document )
{
    supByteCount count = { .document = document,
        .accessorCount = supGltf_Count( document, "accessors" ),
        .viewCount = supGltf_Count( document, "bufferViews" ) };
    count.counted = calloc( (size_t)count.accessorCount + (size_t)count.viewCount + 1, sizeof( bool ) );
    if ( count.counted != NULL )
    {
        supCountMeshes( &count );
        supCountMotion( &count );
        supCountImages( &count );
        count.bytes.of[sup_gltfBytesJson] = json_dumpb( document->root, NULL, 0, JSON_COMPACT );
    }
    free( count.counted );
    return count.bytes;
}
