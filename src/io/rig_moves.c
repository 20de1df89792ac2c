// Supple io: moved vertices out of JSON, and sculpted shapes out of OBJ files.
// SPDX-License-Identifier: MIT
//
//     "moves": {
//         "fingerprint": "0x0123456789abcdef",
//         "meshes": [ { "mesh": "Body", "index": 0, "vertices": [3, 4], "moves": [[0, 0.01, 0], [0, 0.02, 0]] } ]
//     }
#include "base/fields.h"
#include "io/files.h"
#include "io/rig_json.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <stdlib.h>
#include <string.h>

static supResult supReadMovedMesh( supRigReader* reader, const char* place, const json_t* value, supMoves* out )
{
    supResult result = supReadMeshEntry( reader, place, value, "moves", &out->mesh, &out->meshIndex );
    if ( result != sup_success )
    {
        return result;
    }
    const json_t *vertices = json_object_get( value, "vertices" ), *moves = json_object_get( value, "moves" );
    size_t count = json_array_size( vertices );
    if ( count != json_array_size( moves ) || count > INT32_MAX )
    {
        return supFail( reader->error, sup_errorData, "%s: %zu vertices and %zu moves; there must be as many", place,
            count, json_array_size( moves ) );
    }
    int32_t* indices = supBlocks_Take( &reader->blocks, count, sizeof( int32_t ) );
    supVec3* vectors = supBlocks_Take( &reader->blocks, count, sizeof( supVec3 ) );
    if ( indices == NULL || vectors == NULL )
    {
        return supFail( reader->error, sup_errorMemory, "%s: out of memory", place );
    }
    out->count = (int32_t)count;
    out->vertices = indices;
    out->moves = vectors;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s.vertices[%zu]", place, i );
        result = supReadInt( reader, part, json_array_get( vertices, i ), indices + i );
        supPlaceText( part, "%s.moves[%zu]", place, i );
        result = result == sup_success ? supReadVec3( reader, part, json_array_get( moves, i ), false, vectors + i )
                                       : result;
    }
    return result;
}

supResult supReadMoves( supRigReader* reader, const char* place, const json_t* value, supMoveList* out )
{
    supMoves* meshes = supTakeMeshes( reader, place, value, sizeof( supMoves ), &out->fingerprint, &out->count );
    if ( meshes == NULL )
    {
        return reader->error->code;
    }
    out->meshes = meshes;
    supResult result = sup_success;
    for ( int32_t i = 0; i < out->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s.meshes[%d]", place, i );
        const json_t* entries = json_object_get( value, "meshes" );
        result = supReadMovedMesh( reader, part, json_array_get( entries, (size_t)i ), meshes + i );
    }
    return result;
}

supResult supReadShape( supRigReader* reader, const char* place, const json_t* value, supSculpt* out )
{
    if ( !json_is_string( value ) )
    {
        return supFailType( reader, place, "the name of an OBJ file", value );
    }
    out->file = json_string_value( value );
    const char* refused = supRefuseUri( out->file );
    if ( refused != NULL )
    {
        return supFail( reader->error, sup_errorData, "%s: \"%s\": %s", place, out->file, refused );
    }
    if ( reader->folder == NULL )
    {
        return sup_success; // from memory: whoever compiles it is told
    }
    char* path = supJoinPath( reader->folder, out->file );
    supCharacter* sculpt = NULL;
    supError inner = { 0 };
    bool isOutside = path != NULL && reader->isUntrusted && !supIsBelow( reader->folder, path );
    supResult result = path == NULL ? supFail( &inner, sup_errorMemory, "out of memory" )
                       : isOutside  ? supFail( &inner, sup_errorFile,
                                          "\"%s\" is not in the document's own folder, and nothing else is read from a "
                                           "file that is not trusted",
                                          out->file )
                                    : supReadObj( path, &sculpt, &inner );
    if ( result == sup_success )
    {
        supMeshView mesh = supCharacter_Mesh( sculpt, 0 );
        supVec3* points = supBlocks_Take( &reader->blocks, (size_t)mesh.vertexCount, sizeof( supVec3 ) );
        int32_t* corners = supBlocks_Take( &reader->blocks, (size_t)mesh.indexCount, sizeof( int32_t ) );
        bool room = points != NULL && corners != NULL;
        if ( room )
        {
            memcpy( points, mesh.positions, (size_t)mesh.vertexCount * sizeof( supVec3 ) );
        }
        for ( int32_t i = 0; room && i < mesh.indexCount; ++i )
        {
            corners[i] = (int32_t)mesh.indices[i];
        }
        result = room ? sup_success : supFail( &inner, sup_errorMemory, "out of memory" );
        *out = ( supSculpt ){ out->file, mesh.vertexCount, points, mesh.indexCount / 3, corners };
    }
    supDestroyCharacter( sculpt );
    free( path );
    return result == sup_success ? sup_success : supFail( reader->error, result, "%s: %s", place, inner.text );
}
