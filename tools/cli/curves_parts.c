// Parts of a surface by a list in a file.
// SPDX-License-Identifier: MIT
#include "curves_job.h"
#include "regular_file.h"
#include "supple/lab/files.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/// The joint that carries most of a vertex, of the whole character.
static int32_t supCarrierOf( const supCharacter* character, int32_t vertex )
{
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        if ( vertex < mesh.firstVertex || vertex >= mesh.firstVertex + mesh.vertexCount )
        {
            continue;
        }
        if ( mesh.skin < 0 )
        {
            return mesh.joint;
        }
        // weights fall from the first on
        size_t at = (size_t)( vertex - mesh.firstVertex ) * (size_t)mesh.influenceCount;
        return supCharacter_Info( character )->paletteJoints[mesh.firstPalette + mesh.jointIndices[at]];
    }
    return -1;
}

/// A part as it is read.
typedef struct supPartReader
{
    const char *path, *name;
    const supCharacter* character;
    int32_t* parts;
    int32_t part;
    supError* error;
} supPartReader;

static supResult supTakeVertices( const supPartReader* reader, json_int_t first, json_int_t last )
{
    int32_t count = supCharacter_Info( reader->character )->vertexCount;
    if ( first < 0 || last < first || last >= count )
    {
        return supFail( reader->error, sup_errorData, "%s: part '%.60s': vertices %lld to %lld; there are %d",
            reader->path, reader->name, (long long)first, (long long)last, (int)count );
    }
    for ( json_int_t v = first; v <= last; ++v )
    {
        reader->parts[v] = reader->part;
    }
    return sup_success;
}

static void supNearJoints( const supCharacter* character, const char* name, char* text, size_t size )
{
    int32_t count = supCharacter_Info( character )->jointCount;
    const char** names = malloc( ( (size_t)count + 1 ) * sizeof( char* ) );
    for ( int32_t j = 0; names != NULL && j < count; ++j )
    {
        names[j] = supCharacter_Joint( character, j )->name;
    }
    if ( names != NULL )
    {
        supNearestNames( name, names, count, 2, text, size );
    }
    free( (void*)names );
}

static supResult supTakeJoint( const supPartReader* reader, const char* name )
{
    int32_t joint = supCharacter_FindJoint( reader->character, name );
    if ( joint < 0 )
    {
        char near[80] = "";
        supNearJoints( reader->character, name, near, sizeof( near ) );
        return supFail( reader->error, sup_errorNotFound, "%s: part '%.60s': no joint '%.60s'%s%s", reader->path,
            reader->name, name, near[0] != '\0' ? "; near to it: " : "", near );
    }
    for ( int32_t v = 0; v < supCharacter_Info( reader->character )->vertexCount; ++v )
    {
        if ( supCarrierOf( reader->character, v ) == joint )
        {
            reader->parts[v] = reader->part;
        }
    }
    return sup_success;
}

static supResult supTakePart( const supPartReader* reader, const json_t* list )
{
    supResult result = json_is_array( list )
                           ? sup_success
                           : supFail( reader->error, sup_errorFormat,
                                 "%s: part '%.60s': a list of vertices, [first, last] and joints is expected",
                                 reader->path, reader->name );
    for ( size_t i = 0; result == sup_success && i < json_array_size( list ); ++i )
    {
        const json_t *item = json_array_get( list, i ), *first = json_array_get( item, 0 ),
                     *last = json_array_get( item, 1 );
        if ( json_is_string( item ) )
        {
            result = supTakeJoint( reader, json_string_value( item ) );
        }
        else if ( json_is_integer( item ) )
        {
            result = supTakeVertices( reader, json_integer_value( item ), json_integer_value( item ) );
        }
        else if ( json_array_size( item ) == 2 && json_is_integer( first ) && json_is_integer( last ) )
        {
            result = supTakeVertices( reader, json_integer_value( first ), json_integer_value( last ) );
        }
        else
        {
            result = supFail( reader->error, sup_errorFormat,
                "%s: part '%.60s', item %zu: a vertex, [first, last] or the name of a joint is expected", reader->path,
                reader->name, i );
        }
    }
    return result;
}

supResult supReadPartList(
    const char* path, const supCharacter* character, int32_t* parts, char*** names, int32_t* count, supError* error )
{
    json_error_t why = { .line = -1 };
    json_t* root = supLoadRegularJson( path, JSON_REJECT_DUPLICATES, &why );
    int code = errno;
    bool isFile = root != NULL || ( code != EINVAL && code != EISDIR );
    if ( !json_is_object( root ) || json_object_size( root ) == 0 )
    {
        bool parsed = root != NULL;
        json_decref( root );
        return parsed         ? supFail( error, sup_errorFormat, "%s: no parts in it: {\"ear\": [12, [40, 60]]}", path )
               : why.line < 0 ? supFail( error, sup_errorFile, "%s: %s%s", path, isFile ? "cannot be read: " : "",
                                    isFile ? strerror( code ) : "not a file" )
                              : supFail( error, sup_errorFormat, "%s:%d:%d: %s", path, why.line, why.column, why.text );
    }
    for ( int32_t v = 0; v < supCharacter_Info( character )->vertexCount; ++v )
    {
        parts[v] = -1;
    }
    *names = calloc( json_object_size( root ), sizeof( char* ) );
    supResult result = *names != NULL ? sup_success : supFail( error, sup_errorMemory, "%s: no memory", path );
    const char* name;
    json_t* list;
    json_object_foreach( root, name, list )
    {
        supPartReader reader = { path, name, character, parts, *count, error };
        if ( result == sup_success )
        {
            ( *names )[*count] = strdup( name );
            result = ( *names )[*count] != NULL ? supTakePart( &reader, list )
                                                : supFail( error, sup_errorMemory, "%s: no memory", path );
            ++*count;
        }
    }
    json_decref( root );
    return result;
}
