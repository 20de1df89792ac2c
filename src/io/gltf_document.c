// SPDX-License-Identifier: MIT
#include "io/gltf_document.h"

#include "base/float_settings.h"
#include "base/names.h"
#include "io/files.h"
#include "io/gltf_reader.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool supHasEnding( const char* path, const char* ending )
{
    const char* dot = strrchr( path, '.' );
    return dot != NULL && strcasecmp( dot, ending ) == 0;
}

bool supIsBinaryGltfName( const char* path )
{
    return supHasEnding( path, ".glb" ) || supHasEnding( path, ".vrm" );
}

bool supIsGltfName( const char* path )
{
    return supIsBinaryGltfName( path ) || supHasEnding( path, ".gltf" );
}

supResult supGltf_Fail( const supGltf* document, supError* error, supResult code, const char* format, ... )
{
    char text[SUP_ERROR_TEXT];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supTakeControlsOut( text, ' ' );
    return supFail( error, code, "%s: %s", document->name, text );
}

void supGltf_Note( const supGltf* document, const char* format, ... )
{
    if ( document->log.note == NULL )
    {
        return;
    }
    char text[2 * SUP_ERROR_TEXT];
    int length = snprintf( text, SUP_ERROR_TEXT, "%s: ", document->name );
    length = length < SUP_ERROR_TEXT ? length : SUP_ERROR_TEXT - 1;
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text + length, SUP_ERROR_TEXT, format, arguments );
    va_end( arguments );
    supTakeControlsOut( text, ' ' );
    document->log.note( text, document->log.user );
}

size_t supGltf_MemoryLeft( const supGltf* document )
{
    size_t used = document->charged + document->arena.used;
    return used < document->mostMemory ? document->mostMemory - used : 0;
}

/// The words for that: `what` would take `bytes`.
static supResult supGltf_FailBudget( const supGltf* document, supError* error, size_t bytes )
{
    return supGltf_Fail( document, error, sup_errorLimit,
        "asks for %.3g MB more than its memory budget of %.3g MB leaves; raise the budget (--max-memory) if you trust it",
        1e-6 * (double)bytes, 1e-6 * (double)document->mostMemory );
}

supResult supGltf_Charge( supGltf* document, size_t bytes, supError* error )
{
    if ( bytes > supGltf_MemoryLeft( document ) )
    {
        return supGltf_FailBudget( document, error, bytes );
    }
    document->charged += bytes;
    return sup_success;
}

int32_t supGltf_Count( const supGltf* document, const char* kind )
{
    return (int32_t)json_array_size( json_object_get( document->root, kind ) );
}

json_t* supGltf_Item( const supGltf* document, const char* kind, int32_t index )
{
    return json_array_get( json_object_get( document->root, kind ), (size_t)index );
}

bool supGltf_ListsExtension( const supGltf* document, const char* list, const char* name )
{
    size_t i;
    json_t* item;
    json_array_foreach( json_object_get( document->root, list ), i, item )
    {
        const char* text = json_string_value( item );
        if ( text != NULL && strcmp( text, name ) == 0 )
        {
            return true;
        }
    }
    return false;
}

/// The arrays that everything else indexes: checked once to be arrays of objects.
static supResult supCheckShape( supGltf* document, supError* error )
{
    static const char* const kinds[] = { "accessors", "animations", "bufferViews", "buffers", "cameras", "images",
        "materials", "meshes", "nodes", "samplers", "scenes", "skins", "textures" };
    supReader reader = supMakeReader( document, error );
    for ( size_t k = 0; k < sizeof( kinds ) / sizeof( kinds[0] ); ++k )
    {
        const json_t* array = supReader_Array( &reader, document->root, kinds[k] );
        if ( json_array_size( array ) > INT32_MAX )
        {
            supReader_Fail( &reader, sup_errorLimit, "more than %d %s", INT32_MAX, kinds[k] );
        }
        size_t i;
        json_t* item;
        json_array_foreach( array, i, item )
        {
            if ( json_is_object( item ) == false )
            {
                supReader_Fail( &reader, sup_errorData, "%s: number %zu is not an object", kinds[k], i );
            }
        }
    }
    supReader_Array( &reader, document->root, "extensionsUsed" );
    supReader_Array( &reader, document->root, "extensionsRequired" );
    return reader.result;
}

static supResult supCheckVersion( supGltf* document, supError* error )
{
    supReader reader = supMakeReader( document, error );
    const json_t* asset = supReader_Object( &reader, document->root, "asset" );
    const char* version = supReader_Text( &reader, asset, "version" );
    const char* least = supReader_Text( &reader, asset, "minVersion" );
    if ( version == NULL )
    {
        supReader_Fail( &reader, sup_errorFormat, "has no \"asset\" with a \"version\": not a glTF file" );
    }
    else if ( strncmp( version, "2.", 2 ) != 0 || ( least != NULL && strcmp( least, "2.0" ) != 0 ) )
    {
        supReader_Fail( &reader, sup_errorUnsupported, "glTF version %s; Supple reads 2.0: export it again as glTF 2.0",
            least != NULL ? least : version );
    }
    return reader.result;
}

static supResult supReadDocument( supGltf* document, const uint8_t* data, size_t size, supError* error )
{
    supResult result = supGltf_ReadContainer( document, data, size, error );
    result = result == sup_success ? supCheckVersion( document, error ) : result;
    result = result == sup_success ? supCheckShape( document, error ) : result;
    result = result == sup_success ? supGltf_LoadBuffers( document, error ) : result;
    supFloatSettings host = supEnterFloatSettings();
    result = result == sup_success ? supGltf_DecodeViews( document, error ) : result;
    result = result == sup_success ? supGltf_UnpackPrimitives( document, error ) : result;
    supLeaveFloatSettings( host );
    return result;
}

#define SUP_GLTF_OPEN_COOKIE 0x6f70656e

supGltfOpenDef supDefaultGltfOpenDef( void )
{
    return ( supGltfOpenDef ){ .mostMemory = 2000000000u, .cookie = SUP_GLTF_OPEN_COOKIE };
}

/// `held`: bytes that the caller holds for the while, on the same budget.
static supResult supOpenHeld( const void* data, size_t size, size_t held, const char* name, const char* folder,
    const supGltfOpenDef* def, supGltf** out, supError* error )
{
    *out = NULL;
    if ( def->cookie != SUP_GLTF_OPEN_COOKIE )
    {
        return supFail( error, sup_errorArgument, "%s: the def was not made by supDefaultGltfOpenDef", name );
    }
    supGltf* document = calloc( 1, sizeof( supGltf ) );
    if ( document != NULL )
    {
        document->log = def->log;
        document->mostMemory = def->mostMemory > 0 ? def->mostMemory : SIZE_MAX / 2;
        document->isUntrusted = def->isUntrusted;
        document->charged = held;
        document->name = supArena_TakeText( &document->arena, name, strlen( name ) );
        document->folder = folder == NULL ? NULL : supArena_TakeText( &document->arena, folder, strlen( folder ) );
    }
    if ( document == NULL || document->name == NULL || ( folder != NULL && document->folder == NULL ) )
    {
        supCloseGltf( document );
        return supFail( error, sup_errorMemory, "%s: no memory for a document", name );
    }
    supResult result = supReadDocument( document, data, size, error );
    if ( result != sup_success )
    {
        supCloseGltf( document );
        return result;
    }
    document->charged -= held;
    *out = document;
    return sup_success;
}

supResult supOpenGltfMemoryWith( const void* data, size_t size, const char* name, const char* folder,
    const supGltfOpenDef* def, supGltf** out, supError* error )
{
    return supOpenHeld( data, size, 0, name, folder, def, out, error );
}

supResult supOpenGltfMemory(
    const void* data, size_t size, const char* name, const char* folder, supLog log, supGltf** out, supError* error )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = log;
    return supOpenGltfMemoryWith( data, size, name, folder, &def, out, error );
}

supResult supOpenGltf( const char* path, supLog log, supGltf** out, supError* error )
{
    supGltfOpenDef def = supDefaultGltfOpenDef();
    def.log = log;
    return supOpenGltfWith( path, &def, out, error );
}

supResult supOpenGltfWith( const char* path, const supGltfOpenDef* def, supGltf** out, supError* error )
{
    *out = NULL;
    uint8_t* data;
    size_t size;
    size_t most = def->mostMemory > 0 ? def->mostMemory : SIZE_MAX;
    supResult result = supReadFileUpTo( path, most, &data, &size, error );
    if ( result != sup_success )
    {
        return result;
    }
    char* folder = supFolderOf( path );
    result = folder == NULL ? supFail( error, sup_errorMemory, "%s: no memory for its folder's name", path )
                            : supOpenHeld( data, size, size, path, folder, def, out, error );
    free( folder );
    free( data );
    return result;
}

void supCloseGltf( supGltf* document )
{
    if ( document == NULL )
    {
        return;
    }
    for ( int32_t i = 0; i < document->bufferCount; ++i )
    {
        free( document->buffers[i].data );
    }
    for ( int32_t i = 0; i < document->decodedCount; ++i )
    {
        free( document->decoded[i].data );
    }
    for ( int32_t i = 0; i < document->unpackedCount; ++i )
    {
        free( document->unpacked[i].data );
    }
    for ( int32_t i = 0; i < document->chunkCount; ++i )
    {
        free( document->chunks[i].data );
    }
    free( document->buffers );
    free( document->decoded );
    free( document->unpacked );
    free( document->chunks );
    json_decref( document->root );
    supArena_Free( &document->arena );
    free( document );
}
