// SPDX-License-Identifier: MIT
#include "io/files.h"
#include "io/gltf_pack.h"

#include <stdlib.h>
#include <string.h>

/// Whether a relative path goes up somewhere.
static bool supGoesUp( const char* path )
{
    for ( const char* at = path; at != NULL; at = strchr( at, '/' ), at += at != NULL ? 1 : 0 )
    {
        if ( strncmp( at, "../", 3 ) == 0 || strcmp( at, ".." ) == 0 )
        {
            return true;
        }
    }
    return false;
}

typedef enum supStands
{
    sup_standsNothing,
    sup_standsSame,
    sup_standsOther,
} supStands;

/// What stands at a path already.
static supStands supLookAt( const char* path, const uint8_t* data, size_t size )
{
    uint8_t* old;
    size_t oldSize;
    if ( supReadFile( path, &old, &oldSize, NULL ) != sup_success )
    {
        return sup_standsNothing;
    }
    bool same = oldSize == size && memcmp( old, data, size ) == 0;
    free( old );
    return same ? sup_standsSame : sup_standsOther;
}

static void supSetUri( supPacking* packing, json_t* json, const char* path )
{
    char* uri = supEncodeUri( path );
    if ( uri != NULL )
    {
        supPacking_SetText( packing, json, "uri", uri );
    }
    free( uri );
}

/// The file stays where it is; the URI leads there.
static void supPointAt( supPacking* packing, json_t* json, const char* name )
{
    char* file = supJoinPath( packing->document->folder, name );
    char* way = file == NULL ? NULL : supRelativePath( packing->folder, file );
    if ( way == NULL )
    {
        supReader_Fail(
            &packing->reader, sup_errorFile, "%s cannot be reached from the folder of %s", name, packing->path );
    }
    else
    {
        supSetUri( packing, json, way );
    }
    free( file );
    free( way );
}

/// "textures/fur.png" beside "fox.gltf" becomes "fox_textures_fur.png". NULL: no memory.
static char* supOwnName( const supPacking* packing, const char* name )
{
    size_t stem = strlen( packing->stem ), length = strlen( name );
    char* own = malloc( stem + length + 2 );
    if ( own == NULL )
    {
        return NULL;
    }
    memcpy( own, packing->stem, stem );
    own[stem] = '_';
    memcpy( own + stem + 1, name, length + 1 );
    for ( char* at = own + stem; *at != '\0'; ++at )
    {
        *at = *at == '/' ? '_' : *at;
    }
    return own;
}

static void supCopyTo( supPacking* packing, json_t* json, const char* name, const uint8_t* data, size_t size )
{
    char* path = supJoinPath( packing->folder, name );
    supStands stands = path == NULL ? sup_standsNothing : supLookAt( path, data, size );
    if ( stands == sup_standsOther )
    {
        char* own = supOwnName( packing, name );
        free( path );
        path = own == NULL ? NULL : supJoinPath( packing->folder, own );
        if ( own != NULL )
        {
            supSetUri( packing, json, own );
        }
        free( own );
    }
    char* kept = path == NULL ? NULL : supArena_TakeText( &packing->arena, path, strlen( path ) );
    if ( kept == NULL )
    {
        supReader_Fail( &packing->reader, sup_errorMemory, "no memory for a path" );
    }
    else if ( stands != sup_standsSame )
    {
        supPacking_AddFile( packing, kept, data, size );
    }
    free( path );
}

void supPacking_CarryFile( supPacking* packing, json_t* json, const uint8_t* data, size_t size )
{
    char* name = supFindUri( packing->document->folder, json_string_value( json_object_get( json, "uri" ) ) );
    if ( name == NULL )
    {
        supReader_Fail( &packing->reader, sup_errorFile, "a file that it names is gone" );
    }
    else if ( supGoesUp( name ) )
    {
        supPointAt( packing, json, name );
    }
    else
    {
        supCopyTo( packing, json, name, data, size );
    }
    free( name );
}
