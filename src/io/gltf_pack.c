// SPDX-License-Identifier: MIT
#include "io/gltf_pack.h"

#include "io/files.h"
#include "io/gltf_parts.h"
#include "io/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t* supPacking_OwnArray( supPacking* packing, const char* kind )
{
    json_t* array = json_object_get( packing->root, kind );
    if ( array != NULL && array == json_object_get( packing->document->root, kind ) )
    {
        array = supCopyJson( array );
        if ( array == NULL || json_object_set_new( packing->root, kind, array ) != 0 )
        {
            supReader_Fail( &packing->reader, sup_errorMemory, "no memory for a copy of its %s", kind );
            return NULL;
        }
    }
    return array;
}

void supPacking_AddFile( supPacking* packing, const char* path, const uint8_t* data, size_t size )
{
    supOutFile* file = supReader_Ok( &packing->reader ) ? supArray_Add( &packing->files, 1 ) : NULL;
    if ( file == NULL )
    {
        supReader_Fail( &packing->reader, sup_errorMemory, "no memory" );
        return;
    }
    *file = ( supOutFile ){ path, data, size };
}

void supPacking_SetText( supPacking* packing, json_t* object, const char* key, const char* text )
{
    if ( supReader_Ok( &packing->reader ) && json_object_set_new( object, key, json_string( text ) ) != 0 )
    {
        supReader_Fail( &packing->reader, sup_errorMemory, "no memory for a name, or it is not UTF-8: %s", text );
    }
}

/// Whether a buffer of a document has its data in a file of that name.
static bool supHasBufferNamed( const json_t* root, const char* name )
{
    bool found = false;
    size_t i;
    json_t* buffer;
    json_array_foreach( json_object_get( root, "buffers" ), i, buffer )
    {
        const char* uri = json_string_value( json_object_get( buffer, "uri" ) );
        char* file = uri == NULL || supIsDataUri( uri ) ? NULL : supDecodeUri( uri );
        found = found || ( file != NULL && strcmp( file, name ) == 0 );
        free( file );
    }
    return found;
}

typedef enum supNameUse
{
    sup_nameFree,
    sup_nameSame, ///< of the document that is replaced, with the very same bytes
    sup_nameTaken,
} supNameUse;

static supNameUse supLookAtName(
    const supPacking* packing, const json_t* replaced, const char* name, const uint8_t* data, size_t size )
{
    if ( supHasBufferNamed( packing->root, name ) )
    {
        return sup_nameTaken;
    }
    char* found = supFindUri( packing->folder, name );
    char* path = found != NULL ? supJoinPath( packing->folder, found ) : NULL;
    uint8_t* old = NULL;
    size_t oldSize = 0;
    supNameUse use = sup_nameFree;
    if ( found != NULL )
    {
        use = sup_nameTaken;
        if ( supHasBufferNamed( replaced, name ) )
        {
            bool same = path != NULL && supReadFile( path, &old, &oldSize, NULL ) == sup_success && oldSize == size &&
                        memcmp( old, data, size ) == 0;
            use = same ? sup_nameSame : sup_nameTaken;
        }
    }
    free( old );
    free( path );
    free( found );
    return use;
}

/// A name beside the document, "NAME.bin", "NAME_1.bin", …, that nobody else has; also one of the document that is
/// replaced, where the very same bytes stand there.
static const char* supPacking_FreeName( supPacking* packing, const uint8_t* data, size_t size, bool* isThere )
{
    size_t length = strlen( packing->stem ) + 32;
    char* name = supReader_Take( &packing->reader, &packing->arena, length, 1 );
    json_t* replaced = supReadJsonFile( packing->path, 0, NULL );
    *isThere = false;
    for ( int32_t i = 0; name != NULL; ++i )
    {
        snprintf( name, length, i == 0 ? "%s.bin" : "%s_%d.bin", packing->stem, i );
        supNameUse use = supLookAtName( packing, replaced, name, data, size );
        if ( use == sup_nameFree || use == sup_nameSame )
        {
            *isThere = use == sup_nameSame;
            break;
        }
    }
    json_decref( replaced );
    return name;
}

/// "NAME.bin", "NAME_1.bin": of those that documents of this name get.
static bool supIsOwnBufferName( const supPacking* packing, const char* name )
{
    size_t stem = strlen( packing->stem );
    if ( strncmp( name, packing->stem, stem ) != 0 )
    {
        return false;
    }
    const char* at = name + stem;
    at += *at == '_' ? 1 + strspn( at + 1, "0123456789" ) : 0;
    return strcmp( at, ".bin" ) == 0;
}

/// What only the document that is replaced has leaves with it.
static void supListStale( supPacking* packing )
{
    json_t* replaced = supReadJsonFile( packing->path, 0, NULL );
    size_t i;
    json_t* buffer;
    json_array_foreach( json_object_get( replaced, "buffers" ), i, buffer )
    {
        const char* uri = json_string_value( json_object_get( buffer, "uri" ) );
        char* name = uri == NULL || supIsDataUri( uri ) ? NULL : supDecodeUri( uri );
        if ( name != NULL && supIsOwnBufferName( packing, name ) && !supHasBufferNamed( packing->root, name ) )
        {
            char* path = supJoinPath( packing->folder, name );
            char** stale = path != NULL ? supArray_Add( &packing->stale, 1 ) : NULL;
            if ( stale != NULL )
            {
                *stale = supArena_TakeText( &packing->arena, path, strlen( path ) );
            }
            free( path );
        }
        free( name );
    }
    json_decref( replaced );
}

/// Bytes that are in no file of their own yet become one beside the document.
static void supMakeBufferFile( supPacking* packing, json_t* json, const supBuffer* buffer )
{
    bool isThere = false;
    const char* name = supPacking_FreeName( packing, buffer->data, buffer->byteLength, &isThere );
    char* uri = name == NULL ? NULL : supEncodeUri( name );
    char* path = name == NULL ? NULL : supJoinPath( packing->folder, name );
    if ( uri != NULL && path != NULL )
    {
        supPacking_SetText( packing, json, "uri", uri );
        if ( !isThere )
        {
            supPacking_AddFile(
                packing, supArena_TakeText( &packing->arena, path, strlen( path ) ), buffer->data, buffer->byteLength );
        }
    }
    free( uri );
    free( path );
}

static void supPackBuffers( supPacking* packing )
{
    const supGltf* document = packing->document;
    for ( int32_t i = 0; i < document->bufferCount && supReader_Ok( &packing->reader ); ++i )
    {
        const supBuffer* buffer = document->buffers + i;
        bool carried = buffer->kind == sup_bufferFile && packing->isElsewhere;
        bool made =
            packing->isBinary == false && ( buffer->kind == sup_bufferChunk || buffer->kind == sup_bufferAdded );
        json_t* json = carried || made ? json_array_get( supPacking_OwnArray( packing, "buffers" ), (size_t)i ) : NULL;
        if ( json != NULL && carried )
        {
            supPacking_CarryFile( packing, json, buffer->data, buffer->dataSize );
        }
        else if ( json != NULL )
        {
            supMakeBufferFile( packing, json, buffer );
        }
    }
}

/// Pictures beside a .gltf that becomes a .glb were merged before this; those of a .glb, or of a .gltf that stays one,
/// are files as before.
static void supPackImages( supPacking* packing )
{
    int32_t count = (int32_t)json_array_size( json_object_get( packing->root, "images" ) );
    for ( int32_t i = 0; packing->isElsewhere && i < count && supReader_Ok( &packing->reader ); ++i )
    {
        const char* uri = json_string_value(
            json_object_get( json_array_get( json_object_get( packing->root, "images" ), (size_t)i ), "uri" ) );
        if ( uri == NULL || supIsDataUri( uri ) || supRefuseUri( uri ) != NULL )
        {
            continue;
        }
        supImage image = supGltf_ReadImage( packing->document, &packing->arena, i );
        json_t* json = json_array_get( supPacking_OwnArray( packing, "images" ), (size_t)i );
        if ( image.data != NULL && json != NULL )
        {
            supPacking_CarryFile( packing, json, image.data, image.size );
        }
        else if ( image.missing != NULL )
        {
            supGltf_Note( packing->document, "image %d stays as it is: %s", i, image.missing );
        }
    }
}

/// One buffer in the BIN chunk is what a .glb wants; others are left alone where a .glb came with them and nothing was
/// added.
static bool supMustMerge( const supGltf* document )
{
    bool added = false;
    for ( int32_t i = 0; i < document->bufferCount; ++i )
    {
        added = added || document->buffers[i].kind == sup_bufferAdded;
    }
    return document->isBinary == false || added;
}

static uint8_t* supPutU32( uint8_t* to, uint32_t value )
{
    for ( int i = 0; i < 4; ++i )
    {
        to[i] = (uint8_t)( value >> ( 8 * i ) );
    }
    return to + 4;
}

uint8_t* supPutGlbHeader( uint8_t* to, uint32_t fileSize )
{
    const uint32_t version = 2;
    return supPutU32( supPutU32( supPutU32( to, SUP_GLB_MAGIC ), version ), fileSize );
}

uint8_t* supPutChunk( uint8_t* to, uint32_t type, const void* data, size_t size, char padding )
{
    size_t padded = ( size + 3 ) / 4 * 4;
    to = supPutU32( supPutU32( to, (uint32_t)padded ), type );
    memcpy( to, data, size );
    memset( to + size, padding, padded - size );
    return to + padded;
}

static void supPackGlb( supPacking* packing, const char* text, size_t textSize )
{
    const supGltf* document = packing->document;
    bool hasBin = packing->bin != NULL;
    uint64_t size = 12 + (uint64_t)supChunkSize( textSize ) + ( hasBin ? supChunkSize( packing->binSize ) : 0 );
    for ( int32_t i = 0; i < document->chunkCount; ++i )
    {
        size += supChunkSize( document->chunks[i].size );
    }
    if ( size > UINT32_MAX )
    {
        supReader_Fail( &packing->reader, sup_errorLimit,
            "would have %llu bytes, a .glb has at most 4 GB: write a .gltf", (unsigned long long)size );
        return;
    }
    uint8_t* file = supReader_Take( &packing->reader, &packing->arena, (size_t)size, 1 );
    if ( file == NULL )
    {
        return;
    }
    uint8_t* to = supPutGlbHeader( file, (uint32_t)size );
    to = supPutChunk( to, SUP_GLB_JSON, text, textSize, ' ' );
    to = hasBin ? supPutChunk( to, SUP_GLB_BIN, packing->bin, packing->binSize, 0 ) : to;
    for ( int32_t i = 0; i < document->chunkCount; ++i )
    {
        to = supPutChunk( to, document->chunks[i].type, document->chunks[i].data, document->chunks[i].size, 0 );
    }
    supPacking_AddFile( packing, packing->path, file, (size_t)size );
}

static void supPackDocument( supPacking* packing )
{
    size_t size;
    char* text =
        supReader_Ok( &packing->reader ) ? supGltfJsonText( packing->root, packing->isBinary == false, &size ) : NULL;
    if ( text == NULL )
    {
        supReader_Fail( &packing->reader, sup_errorMemory, "no memory for its JSON" );
    }
    else if ( packing->isBinary )
    {
        supPackGlb( packing, text, size );
    }
    else
    {
        char* copy = supArena_TakeText( &packing->arena, text, size );
        supPacking_AddFile( packing, packing->path, (const uint8_t*)copy, size );
        if ( copy == NULL )
        {
            supReader_Fail( &packing->reader, sup_errorMemory, "no memory for its JSON" );
        }
    }
    free( text );
}

void supPacking_Run( supPacking* packing )
{
    const supGltf* document = packing->document;
    if ( supReader_Ok( &packing->reader ) == false )
    {
        return;
    }
    if ( packing->isBinary && supMustMerge( document ) )
    {
        supPacking_MergeBuffers( packing );
    }
    else
    {
        supPackBuffers( packing );
        if ( packing->isBinary && document->bufferCount > 0 && document->buffers[0].kind == sup_bufferChunk )
        {
            packing->bin = document->buffers[0].data;
            packing->binSize = document->buffers[0].dataSize;
        }
    }
    supPackImages( packing );
    if ( packing->isBinary == false && document->chunkCount > 0 )
    {
        supGltf_Note( document, "%d chunks of the .glb have no place in a .gltf: left out", document->chunkCount );
    }
    if ( packing->isBinary == false && supReader_Ok( &packing->reader ) )
    {
        supListStale( packing );
    }
    supPackDocument( packing );
}

supPacking supStartPacking( const supGltf* document, const char* path, supError* error )
{
    supPacking packing = { .document = document, .reader = supMakeReader( document, error ), .path = path };
    const char* slash = strrchr( path, '/' );
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr( name, '.' );
    packing.files = supMakeArray( sizeof( supOutFile ), NULL );
    packing.stale = supMakeArray( sizeof( char* ), NULL );
    packing.isBinary = supIsBinaryGltfName( path );
    packing.folder = supFolderOf( path );
    packing.stem = supArena_TakeText( &packing.arena, name, dot != NULL ? (size_t)( dot - name ) : strlen( name ) );
    packing.root = supCopyJsonObject( document->root );
    if ( packing.folder == NULL || packing.stem == NULL || packing.root == NULL )
    {
        supReader_Fail( &packing.reader, sup_errorMemory, "no memory for writing" );
    }
    else
    {
        packing.isElsewhere = document->folder != NULL && supIsSameFolder( document->folder, packing.folder ) == false;
    }
    return packing;
}

void supPacking_End( supPacking* packing )
{
    supArray_Destroy( &packing->files );
    supArray_Destroy( &packing->stale );
    supArena_Free( &packing->arena );
    free( packing->folder );
    json_decref( packing->root );
}
