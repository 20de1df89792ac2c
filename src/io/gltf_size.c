// Supple io: how much room a glTF file takes, with what stands beside it.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memmem

#include "io/files.h"
#include "io/gltf_document.h"
#include "supple/lab/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// The JSON of a file: a chunk of a .glb, or all of it.
typedef struct supJsonText
{
    const char* text;
    size_t size;
} supJsonText;

static supJsonText supFindJson( const uint8_t* data, size_t size )
{
    const size_t head = 20; // the container's header, then the first chunk's
    if ( size < head || supReadU32( data ) != SUP_GLB_MAGIC )
    {
        return ( supJsonText ){ (const char*)data, size };
    }
    size_t length = supReadU32( data + 12 );
    return ( supJsonText ){ (const char*)data + head, length < size - head ? length : size - head };
}

static size_t supSizeOfUri( const char* folder, const char* uri )
{
    struct stat status;
    char* name = supRefuseUri( uri ) == NULL ? supFindUri( folder, uri ) : NULL;
    char* path = name != NULL ? supJoinPath( folder, name ) : NULL;
    size_t size = path != NULL && stat( path, &status ) == 0 ? (size_t)status.st_size : 0;
    free( path );
    free( name );
    return size;
}

/// Files that the buffers and images name; `seen` keeps one that is named twice from being counted twice.
static size_t supSizeOfFiles( const json_t* items, const char* folder, json_t* seen )
{
    size_t total = 0, i;
    json_t* item;
    json_array_foreach( items, i, item )
    {
        const char* uri = json_string_value( json_object_get( item, "uri" ) );
        if ( uri != NULL && supIsDataUri( uri ) == false && json_object_get( seen, uri ) == NULL )
        {
            json_object_set_new( seen, uri, json_true() );
            total += supSizeOfUri( folder, uri );
        }
    }
    return total;
}

size_t supGltfSize( const char* path )
{
    uint8_t* data = NULL;
    size_t total = 0;
    if ( supReadFile( path, &data, &total, NULL ) != sup_success )
    {
        return 0;
    }
    supJsonText json = supFindJson( data, total );
    // most .glb files name no other file, and then there is no need to understand them
    bool names = json.size > 0 && memmem( json.text, json.size, "\"uri\"", 5 ) != NULL;
    json_t* root = names ? json_loadb( json.text, json.size, JSON_DISABLE_EOF_CHECK, NULL ) : NULL;
    char* folder = supFolderOf( path );
    json_t* seen = json_object();
    if ( root != NULL && folder != NULL && seen != NULL )
    {
        total += supSizeOfFiles( json_object_get( root, "buffers" ), folder, seen );
        total += supSizeOfFiles( json_object_get( root, "images" ), folder, seen );
    }
    json_decref( seen );
    json_decref( root );
    free( folder );
    free( data );
    return total;
}
