// Loading a file and asking what is in it.

#include "eval_internal.h"

#include <stdlib.h>
#include <string.h>

// Extensions that a file may require: those this evaluator follows, and those that only change how things look.
static bool evalKnowsExtension( const char* name )
{
    static const char* followed[] = { "KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression" };
    static const char* looks[] = { "KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_" };
    for ( size_t i = 0; i < sizeof( followed ) / sizeof( followed[0] ); ++i )
    {
        if ( strcmp( name, followed[i] ) == 0 )
        {
            return true;
        }
    }
    for ( size_t i = 0; i < sizeof( looks ) / sizeof( looks[0] ); ++i )
    {
        if ( strncmp( name, looks[i], strlen( looks[i] ) ) == 0 )
        {
            return true;
        }
    }
    return false;
}

static bool evalCheckHeader( evalFile* file )
{
    const json_t *asset = NULL, *required = NULL;
    if ( !evalGetObject( file, file->json, "asset", "glTF", &asset ) ||
         !evalGetArray( file, file->json, "extensionsRequired", "glTF", &required ) )
    {
        return false;
    }
    const char* version = json_string_value( json_object_get( asset, "version" ) );
    const char* minimum = json_string_value( json_object_get( asset, "minVersion" ) );
    if ( version == NULL || strncmp( version, "2.", 2 ) != 0 )
    {
        return evalFail( file, "asset: version is '%.20s', not 2", version != NULL ? version : "" );
    }
    if ( minimum != NULL && strcmp( minimum, "2.0" ) != 0 )
    {
        return evalFail( file, "asset: minVersion is '%.20s'", minimum );
    }
    for ( size_t i = 0; i < json_array_size( required ); ++i )
    {
        const char* name = json_string_value( json_array_get( required, i ) );
        if ( name == NULL || !evalKnowsExtension( name ) )
        {
            return evalFail( file, "the file requires the extension '%.60s'", name != NULL ? name : "" );
        }
    }
    return true;
}

static bool evalCheckRoot( evalFile* file )
{
    static const char* keys[] = { "accessors", "animations", "buffers", "bufferViews", "meshes", "nodes", "scenes",
        "skins" };
    for ( size_t i = 0; i < sizeof( keys ) / sizeof( keys[0] ); ++i )
    {
        const json_t* array = NULL;
        if ( !evalGetArray( file, file->json, keys[i], "glTF", &array ) )
        {
            return false;
        }
    }
    file->bufferCount = evalRootCount( file, "buffers" );
    file->viewCount = evalRootCount( file, "bufferViews" );
    file->buffers = evalAllocate( file, (size_t)file->bufferCount, sizeof( evalBuffer ) );
    file->views = evalAllocate( file, (size_t)file->viewCount, sizeof( evalView ) );
    return file->buffers != NULL && file->views != NULL;
}

evalFile* evalLoad( const char* path, char* message, size_t messageSize )
{
    evalFile* file = calloc( 1, sizeof( evalFile ) );
    if ( file == NULL )
    {
        return NULL;
    }
    file->message = message;
    file->messageSize = messageSize;
    bool ok = evalReadContainer( file, path ) && evalCheckHeader( file ) && evalCheckRoot( file ) &&
              evalReadNodes( file ) && evalReadMeshes( file ) && evalReadSkins( file ) && evalReadDraws( file ) &&
              evalReadClips( file );
    if ( !ok )
    {
        evalFree( file );
        return NULL;
    }
    file->message = NULL;
    evalPose( file, -1, 0.0 );
    return file;
}

void evalFree( evalFile* file )
{
    if ( file == NULL )
    {
        return;
    }
    evalFreeClips( file );
    evalFreeScene( file );
    for ( int i = 0; i < file->viewCount && file->views != NULL; ++i )
    {
        free( file->views[i].owned );
    }
    for ( int i = 0; i < file->bufferCount && file->buffers != NULL; ++i )
    {
        free( file->buffers[i].bytes.data );
    }
    free( file->views );
    free( file->buffers );
    json_decref( file->json );
    free( file->container.data );
    free( file->folder );
    free( file );
}

evalInfo evalGetInfo( const evalFile* file )
{
    return file->info;
}

const evalDraw* evalGetDraw( const evalFile* file, int draw )
{
    return file->draws + draw;
}

const char* evalNodeName( const evalFile* file, int node )
{
    return file->nodes[node].name;
}

const char* evalClipName( const evalFile* file, int clip )
{
    return file->clips[clip].name;
}

int evalFindClip( const evalFile* file, const char* name )
{
    for ( int i = 0; i < file->info.clipCount; ++i )
    {
        if ( file->clips[i].name != NULL && strcmp( file->clips[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

void evalClipTimes( const evalFile* file, int clip, double* start, double* end )
{
    *start = file->clips[clip].start;
    *end = file->clips[clip].end;
}
