// Supple io: values on vertices and sculpted shapes of a rig in JSON: read, written, and their schema.
// SPDX-License-Identifier: MIT
//
//     "paint": {
//         "fingerprint": "0x0123456789abcdef",
//         "meshes": [ { "mesh": "Body", "index": 0, "vertices": [3, 4, 9], "values": [0.2, 1, 0.5] } ]
//     }
//     "moves": {
//         "fingerprint": "0x0123456789abcdef",
//         "meshes": [ { "mesh": "Body", "index": 0, "vertices": [3, 4], "moves": [[0, 0.01, 0], [0, 0.02, 0]] } ]
//     }
#include "base/fields.h"
#include "io/files.h"
#include "io/rig_types.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_FINGERPRINT_PATTERN "^0x[0-9a-fA-F]{1,16}$"

// ---------------------------------------------------------------------------------------------------------------
// Read

// "0x" and 1 to 16 hexadecimal digits.
static bool supParseFingerprint( const char* text, uint64_t* out )
{
    size_t length = strlen( text );
    if ( length < 3 || length > 18 || text[0] != '0' || text[1] != 'x' ||
         strspn( text + 2, "0123456789abcdefABCDEF" ) != length - 2 )
    {
        return false;
    }
    *out = 0;
    for ( const char* at = text + 2; *at != '\0'; ++at )
    {
        uint64_t digit = *at <= '9' ? (uint64_t)( *at - '0' ) : (uint64_t)( ( *at | 0x20 ) - 'a' + 10 );
        *out = *out << 4 | digit;
    }
    return true;
}

static supResult supReadFingerprint( supRigReader* reader, const char* place, const json_t* value, uint64_t* out )
{
    if ( value == NULL )
    {
        return supFailMissing( reader, place, "fingerprint" );
    }
    if ( !json_is_string( value ) || !supParseFingerprint( json_string_value( value ), out ) )
    {
        return supFail( reader->error, sup_errorData,
            "%s.fingerprint: must be the character's fingerprint, a text such as \"0x0123456789abcdef\"; `supple rig --check` says what it is",
            place );
    }
    return sup_success;
}

/// One number, or three in a list. There may be a hundred thousand of them: places are put into words only where
/// something is wrong.
static supResult supReadVertexValue( supRigReader* reader, const char* place, const char* key, size_t index,
    const json_t* value, size_t width, float* out )
{
    char part[SUP_PATH_TEXT];
    supVec3 three = supVec3_zero;
    if ( width == 1 && json_is_number( value ) )
    {
        *out = (float)json_number_value( value );
        return sup_success;
    }
    supPathText( part, "%s.%s[%zu]", place, key, index );
    if ( width == 1 )
    {
        return supReadFloat( reader, part, value, out );
    }
    supResult result = supReadVec3( reader, part, value, false, &three );
    memcpy( out, &three, sizeof( three ) );
    return result;
}

static supResult supReadValuesOf(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, supVertexValues* out )
{
    const char* key = supVertexKey( field );
    const json_t *vertices = json_object_get( value, "vertices" ), *values = json_object_get( value, key );
    size_t count = json_array_size( vertices ), width = supVertexWidth( field );
    if ( count != json_array_size( values ) || count > INT32_MAX )
    {
        return supFail( reader->error, sup_errorData, "%s: %zu vertices and %zu %s; their numbers must be equal", place,
            count, json_array_size( values ), key );
    }
    int32_t* indices = supArena_Take( &reader->arena, count, sizeof( int32_t ) );
    float* numbers = supArena_Take( &reader->arena, count, width * sizeof( float ) );
    if ( indices == NULL || numbers == NULL )
    {
        return supFailMemory( reader, place );
    }
    out->count = (int32_t)count;
    out->vertices = indices;
    out->values = numbers;
    supResult result = sup_success;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        const json_t* vertex = json_array_get( vertices, i );
        char part[SUP_PATH_TEXT];
        indices[i] = (int32_t)json_integer_value( vertex );
        if ( !json_is_integer( vertex ) || json_integer_value( vertex ) != indices[i] || indices[i] < 0 )
        {
            return supReadInt( reader, supPathText( part, "%s.vertices[%zu]", place, i ), vertex, indices + i );
        }
        result = supReadVertexValue( reader, place, key, i, json_array_get( values, i ), width, numbers + i * width );
    }
    return result;
}

/// `meshes[i]`: its four keys are there and of the right type.
static supResult supReadMeshEntry(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, supVertexValues* out )
{
    const char *key = supVertexKey( field ), *known[] = { "mesh", "index", "vertices", key };
    char part[SUP_PATH_TEXT];
    if ( !json_is_object( value ) )
    {
        supPathText( part, "an object with \"mesh\", \"vertices\" and \"%s\"", key );
        return supFailType( reader, place, part, value );
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 4 );
    for ( int i = 0; i < 4 && result == sup_success; ++i )
    {
        const json_t* given = json_object_get( value, known[i] );
        bool isRight = i == 0   ? json_is_string( given )
                       : i == 1 ? given == NULL || json_is_number( given )
                                : json_is_array( given );
        supPathText( part, "%s.%s", place, known[i] );
        if ( !isRight )
        {
            return given == NULL ? supFailMissing( reader, place, known[i] )
                                 : supFailType( reader, part,
                                       i == 0   ? "a text"
                                       : i == 1 ? "a whole number"
                                                : "a list",
                                       given );
        }
        if ( i == 1 && given != NULL )
        {
            result = supReadInt( reader, part, given, &out->meshIndex );
        }
    }
    out->mesh = json_string_value( json_object_get( value, "mesh" ) );
    return result == sup_success ? supReadValuesOf( reader, field, place, value, out ) : result;
}

static supResult supReadVertexValues(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* to )
{
    static const char* const known[] = { "fingerprint", "meshes" };
    supVertexValueList* out = to;
    if ( !json_is_object( value ) )
    {
        return supFailType( reader, place, "an object with \"fingerprint\" and \"meshes\"", value );
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 2 );
    result = result == sup_success
                 ? supReadFingerprint( reader, place, json_object_get( value, "fingerprint" ), &out->fingerprint )
                 : result;
    const json_t* entries = json_object_get( value, "meshes" );
    if ( result != sup_success || entries == NULL )
    {
        return result != sup_success ? result : supFailMissing( reader, place, "meshes" );
    }
    char part[SUP_PATH_TEXT];
    supPathText( part, "%s.meshes", place );
    supVertexValues* meshes = supTakeList( reader, part, entries, sizeof( supVertexValues ), &out->count );
    if ( meshes == NULL )
    {
        return reader->error->code;
    }
    out->meshes = meshes;
    for ( int32_t i = 0; i < out->count && result == sup_success; ++i )
    {
        supPathText( part, "%s.meshes[%d]", place, i );
        result = supReadMeshEntry( reader, field, part, json_array_get( entries, (size_t)i ), meshes + i );
    }
    return result;
}

/// The vertices and triangles of an OBJ file's first mesh.
static supResult supTakeSculpt( supRigReader* reader, const supCharacter* sculpt, supSculpt* out, supError* error )
{
    supMeshView mesh = supCharacter_Mesh( sculpt, 0 );
    supVec3* points = supArena_Take( &reader->arena, (size_t)mesh.vertexCount, sizeof( supVec3 ) );
    int32_t* corners = supArena_Take( &reader->arena, (size_t)mesh.indexCount, sizeof( int32_t ) );
    if ( points == NULL || corners == NULL )
    {
        return supFail( error, sup_errorMemory, "out of memory" );
    }
    memcpy( points, mesh.positions, (size_t)mesh.vertexCount * sizeof( supVec3 ) );
    for ( int32_t i = 0; i < mesh.indexCount; ++i )
    {
        corners[i] = (int32_t)mesh.indices[i];
    }
    *out = ( supSculpt ){ out->file, mesh.vertexCount, points, mesh.indexCount / 3, corners };
    return sup_success;
}

/// The name of an OBJ file, and its vertices where there is a folder to look in.
static supResult supReadShape(
    supRigReader* reader, const supField* field, const char* place, const json_t* value, void* to )
{
    (void)field;
    supSculpt* out = to;
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
    result = result == sup_success ? supTakeSculpt( reader, sculpt, out, &inner ) : result;
    supDestroyCharacter( sculpt );
    free( path );
    return result == sup_success ? sup_success : supFail( reader->error, result, "%s: %s", place, inner.text );
}

// ---------------------------------------------------------------------------------------------------------------
// Written

static json_t* supWriteMesh( const supField* field, const supVertexValues* mesh, bool* failed )
{
    json_t *out = json_object(), *vertices = json_array(), *values = json_array();
    size_t width = supVertexWidth( field );
    for ( size_t i = 0; i < (size_t)mesh->count; ++i )
    {
        const float* at = mesh->values + i * width;
        supJsonAppend( vertices, json_integer( mesh->vertices[i] ), failed );
        supJsonAppend(
            values, width == 1 ? supJsonFloat( *at ) : supJsonVec3( ( supVec3 ){ at[0], at[1], at[2] } ), failed );
    }
    supJsonPut( out, "mesh", json_string( mesh->mesh ), failed );
    if ( mesh->meshIndex != 0 )
    {
        supJsonPut( out, "index", json_integer( mesh->meshIndex ), failed );
    }
    supJsonPut( out, "vertices", vertices, failed );
    supJsonPut( out, supVertexKey( field ), values, failed );
    return out;
}

static json_t* supWriteVertexValues( const supField* field, const void* value, bool* failed )
{
    const supVertexValueList* list = value;
    char text[24];
    snprintf( text, sizeof( text ), "0x%016" PRIx64, list->fingerprint );
    json_t *out = json_object(), *meshes = json_array();
    for ( int32_t i = 0; i < list->count; ++i )
    {
        supJsonAppend( meshes, supWriteMesh( field, list->meshes + i, failed ), failed );
    }
    supJsonPut( out, "fingerprint", json_string( text ), failed );
    supJsonPut( out, "meshes", meshes, failed );
    return out;
}

static json_t* supWriteShape( const supField* field, const void* value, bool* failed )
{
    (void)field, (void)failed;
    return json_string( ( (const supSculpt*)value )->file );
}

// ---------------------------------------------------------------------------------------------------------------
// Schema

static json_t* supSchemaVertexValues( const supField* field, bool* failed )
{
    const char *key = supVertexKey( field ), *inMesh[] = { "mesh", "vertices", key, NULL };
    static const char* const inList[] = { "fingerprint", "meshes", NULL };
    json_t *mesh = json_object(), *properties = json_object();
    supJsonPut( mesh, "mesh", supSchemaText( failed ), failed );
    supJsonPut( mesh, "index", supSchemaInt( failed ), failed );
    supJsonPut( mesh, "vertices", supSchemaList( supSchemaInt( failed ), 0, 0, failed ), failed );
    json_t* value = supVertexWidth( field ) == 1 ? supSchemaNumber( field->minimum, field->maximum, failed )
                                                 : supSchemaVec3( field->minimum, field->maximum, false, failed );
    supJsonPut( mesh, key, supSchemaList( value, 0, 0, failed ), failed );
    supJsonPut( properties, "fingerprint", supSchemaPattern( SUP_FINGERPRINT_PATTERN, failed ), failed );
    supJsonPut( properties, "meshes", supSchemaList( supSchemaObject( mesh, inMesh, failed ), 0, 0, failed ), failed );
    return supSchemaObject( properties, inList, failed );
}

static json_t* supSchemaShape( const supField* field, bool* failed )
{
    (void)field;
    return supSchemaText( failed );
}

const supFieldJson sup_jsonVertexValues = { supReadVertexValues, supWriteVertexValues, supSchemaVertexValues };
const supFieldJson sup_jsonShape = { supReadShape, supWriteShape, supSchemaShape };
