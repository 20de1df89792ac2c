// Supple io: how much room a glTF file takes, with what stands beside it.
// SPDX-License-Identifier: MIT
#define _GNU_SOURCE // memmem

#include "io/files.h"
#include "io/gltf_document.h"
#include "io/json_text.h"
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

typedef struct supFilesWork
{
    const char* folder;
    json_t* seen; ///< keeps one that is named twice from being counted twice
    void ( *visit )( const char* path, void* user );
    void* user;
} supFilesWork;

static void supVisitUri( const supFilesWork* work, const char* uri )
{
    char* name = supRefuseUri( uri ) == NULL ? supFindUri( work->folder, uri ) : NULL;
    char* path = name != NULL ? supJoinPath( work->folder, name ) : NULL;
    if ( path != NULL )
    {
        work->visit( path, work->user );
    }
    free( path );
    free( name );
}

static void supVisitItems( const supFilesWork* work, const json_t* items )
{
    size_t i;
    json_t* item;
    json_array_foreach( items, i, item )
    {
        const char* uri = json_string_value( json_object_get( item, "uri" ) );
        if ( uri != NULL && supIsDataUri( uri ) == false && json_object_get( work->seen, uri ) == NULL )
        {
            json_object_set_new( work->seen, uri, json_true() );
            supVisitUri( work, uri );
        }
    }
}

/// Shapes that a rig names: each "shape" is an OBJ file, wherever it stands.
static void supVisitShapes( const supFilesWork* work, const json_t* value )
{
    size_t i;
    const char* key;
    json_t* one;
    json_array_foreach( value, i, one )
    {
        supVisitShapes( work, one );
    }
    json_object_foreach( (json_t*)value, key, one )
    {
        const char* uri = strcmp( key, "shape" ) == 0 ? json_string_value( one ) : NULL;
        if ( uri != NULL && json_object_get( work->seen, uri ) == NULL )
        {
            json_object_set_new( work->seen, uri, json_true() );
            supVisitUri( work, uri );
        }
        supVisitShapes( work, one );
    }
}

/// Gives the size of the file itself. *isKnown: whether what it names is known.
static size_t supVisitFiles(
    const char* path, bool hasShapes, void ( *visit )( const char* path, void* user ), void* user, bool* isKnown )
{
    uint8_t* data = NULL;
    size_t size = 0;
    json_error_t why = { .line = 0 };
    *isKnown = true; // also of what is no glTF: it names nothing
    if ( supReadFile( path, &data, &size, NULL ) != sup_success )
    {
        return 0;
    }
    supJsonText json = supFindJson( data, size );
    // most .glb files name no other file, and then there is no need to understand them
    bool names = json.size > 0 && ( memmem( json.text, json.size, "\"uri\"", 5 ) != NULL ||
                                      ( hasShapes && memmem( json.text, json.size, "\"shape\"", 7 ) != NULL ) );
    json_t* root = names ? supLoadJson( json.text, json.size, JSON_DISABLE_EOF_CHECK, &why ) : NULL;
    char* folder = supFolderOf( path );
    *isKnown = root != NULL || why.line >= 0; // else there is no memory for it
    const supFilesWork work = { folder, json_object(), visit, user };
    if ( root != NULL && folder != NULL && work.seen != NULL )
    {
        supVisitItems( &work, json_object_get( root, "buffers" ) );
        supVisitItems( &work, json_object_get( root, "images" ) );
        const json_t* inside = json_object_get( json_object_get( root, "extensions" ), "SUPPLE_rig" );
        bool isRig = json_object_get( root, "asset" ) == NULL;
        supVisitShapes( &work, hasShapes == false ? NULL : isRig ? root : inside );
    }
    json_decref( work.seen );
    json_decref( root );
    free( folder );
    free( data );
    return size;
}

bool supEachFileBeside( const char* path, void ( *visit )( const char* path, void* user ), void* user )
{
    bool isKnown;
    supVisitFiles( path, true, visit, user, &isKnown );
    return isKnown;
}

static void supAddSize( const char* path, void* user )
{
    struct stat status;
    *(size_t*)user += stat( path, &status ) == 0 ? (size_t)status.st_size : 0;
}

size_t supGltfSize( const char* path )
{
    bool isKnown;
    size_t beside = 0, own = supVisitFiles( path, false, supAddSize, &beside, &isKnown );
    return own + beside;
}
