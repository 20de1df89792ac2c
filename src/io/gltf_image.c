// SPDX-License-Identifier: MIT
#include "io/gltf_parts.h"
#include "io/gltf_reader.h"

#include <stdlib.h>
#include <string.h>

const char* supImageType( const uint8_t* data, size_t size )
{
    static const struct
    {
        const char* type;
        size_t at;
        size_t length;
        const char* bytes;
    } types[] = { { "image/png", 0, 8, "\x89PNG\r\n\x1a\n" }, { "image/jpeg", 0, 3, "\xff\xd8\xff" },
        { "image/webp", 8, 4, "WEBP" }, { "image/ktx2", 0, 12, "\xabKTX 20\xbb\r\n\x1a\n" },
        { "image/avif", 4, 8, "ftypavif" }, { "image/vnd-ms.dds", 0, 4, "DDS " } };
    for ( size_t i = 0; i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( size >= types[i].at + types[i].length &&
             memcmp( data + types[i].at, types[i].bytes, types[i].length ) == 0 )
        {
            return types[i].type;
        }
    }
    return NULL;
}

/// A file's or a data URI's bytes, moved to memory that dies with `blocks`.
static supBytes supKeepUri( supReader* reader, supArena* arena, const json_t* uri )
{
    uint8_t* data;
    size_t size;
    supReader_LoadUri( reader, uri, &data, &size );
    char* copy = data == NULL ? NULL : supArena_TakeText( arena, (const char*)data, size );
    if ( data != NULL && copy == NULL )
    {
        supReader_Fail( reader, sup_errorMemory, "no memory for %zu bytes", size );
    }
    free( data );
    return ( supBytes ){ (const uint8_t*)copy, size };
}

supImage supGltf_ReadImage( const supGltf* document, supArena* arena, int32_t index )
{
    supError error = { 0 };
    supReader reader = supMakeBoundedReader( document, &error );
    const json_t* json = supGltf_Item( document, "images", index );
    supReader_At( &reader, "image", index, json );
    const char* name = supReader_Text( &reader, json, "name" );
    const char* uri = supReader_Text( &reader, json, "uri" );
    int32_t view = supReader_Index( &reader, json, "bufferView", "bufferViews" );
    supBytes bytes = { NULL, 0 };
    if ( uri != NULL )
    {
        bytes = supKeepUri( &reader, arena, json_object_get( json, "uri" ) );
    }
    else if ( view >= 0 )
    {
        bytes = supReader_View( &reader, view );
    }
    else
    {
        supReader_Fail( &reader, sup_errorData, "has neither a \"uri\" nor a \"bufferView\"" );
    }
    if ( supReader_Ok( &reader ) && supImageType( bytes.data, bytes.size ) == NULL )
    {
        supReader_Fail( &reader, sup_errorFormat, "is no PNG, JPEG or WebP" );
    }
    if ( supReader_Ok( &reader ) )
    {
        return ( supImage ){ name != NULL ? name : "", bytes.data, bytes.size, NULL };
    }
    const char* missing = supArena_TakeText( arena, error.text, strlen( error.text ) );
    return ( supImage ){ name != NULL ? name : "", NULL, 0, missing != NULL ? missing : "no memory" };
}
