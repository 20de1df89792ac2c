// Supple io: painted vertices out of JSON.
// SPDX-License-Identifier: MIT
//
//     "paint": {
//         "fingerprint": "0x0123456789abcdef",
//         "meshes": [ { "mesh": "Body", "index": 0, "vertices": [3, 4, 9], "values": [0.2, 1, 0.5] } ]
//     }
#include "base/fields.h"
#include "io/rig_json.h"

#include <stdio.h>
#include <string.h>

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

static supResult supReadPaintValues(
    supRigReader* reader, const char* place, const json_t* vertices, const json_t* values, supPaint* out )
{
    char part[SUP_PLACE_TEXT];
    size_t count = json_array_size( vertices );
    if ( count != json_array_size( values ) || count > INT32_MAX )
    {
        return supFail( reader->error, sup_errorData, "%s: %zu vertices and %zu values; there must be as many", place,
            count, json_array_size( values ) );
    }
    int32_t* indices = supBlocks_Take( &reader->blocks, count, sizeof( int32_t ) );
    float* numbers = supBlocks_Take( &reader->blocks, count, sizeof( float ) );
    if ( indices == NULL || numbers == NULL )
    {
        return supFail( reader->error, sup_errorMemory, "%s: out of memory", place );
    }
    out->count = (int32_t)count;
    out->vertices = indices;
    out->values = numbers;
    for ( size_t i = 0; i < count; ++i )
    {
        const json_t *vertex = json_array_get( vertices, i ), *value = json_array_get( values, i );
        // There may be a hundred thousand of them: places are put into words only where something is wrong.
        if ( !json_is_integer( vertex ) || json_integer_value( vertex ) < 0 ||
             json_integer_value( vertex ) > INT32_MAX )
        {
            return supReadInt( reader, supPlaceText( part, "%s.vertices[%zu]", place, i ), vertex, indices + i );
        }
        if ( !json_is_number( value ) )
        {
            return supReadFloat( reader, supPlaceText( part, "%s.values[%zu]", place, i ), value, numbers + i );
        }
        indices[i] = (int32_t)json_integer_value( vertex );
        numbers[i] = (float)json_number_value( value );
    }
    return sup_success;
}

supResult supReadMeshEntry( supRigReader* reader, const char* place, const json_t* value, const char* values,
    const char** mesh, int32_t* index )
{
    const char* known[] = { "mesh", "index", "vertices", values };
    char part[SUP_PLACE_TEXT];
    if ( !json_is_object( value ) )
    {
        supPlaceText( part, "an object with \"mesh\", \"vertices\" and \"%s\"", values );
        return supFailType( reader, place, part, value );
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 4 );
    for ( int i = 0; i < 4 && result == sup_success; ++i )
    {
        const json_t* given = json_object_get( value, known[i] );
        bool isRight = i == 0   ? json_is_string( given )
                       : i == 1 ? given == NULL || json_is_number( given )
                                : json_is_array( given );
        supPlaceText( part, "%s.%s", place, known[i] );
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
            result = supReadInt( reader, part, given, index );
        }
    }
    *mesh = json_string_value( json_object_get( value, "mesh" ) );
    return result;
}

static supResult supReadPaintedMesh( supRigReader* reader, const char* place, const json_t* value, supPaint* out )
{
    supResult result = supReadMeshEntry( reader, place, value, "values", &out->mesh, &out->meshIndex );
    return result == sup_success ? supReadPaintValues( reader, place, json_object_get( value, "vertices" ),
                                       json_object_get( value, "values" ), out )
                                 : result;
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
            "%s.fingerprint: a text such as \"0x0123456789abcdef\" is wanted: the character's; with another one `supple rig --check` says what it is",
            place );
    }
    return sup_success;
}

void* supTakeMeshes( supRigReader* reader, const char* place, const json_t* value, size_t itemSize,
    uint64_t* fingerprint, int32_t* count )
{
    static const char* const known[] = { "fingerprint", "meshes" };
    if ( !json_is_object( value ) )
    {
        supFailType( reader, place, "an object with \"fingerprint\" and \"meshes\"", value );
        return NULL;
    }
    supResult result = supCheckKeysOf( reader, place, value, known, 2 );
    result = result == sup_success
                 ? supReadFingerprint( reader, place, json_object_get( value, "fingerprint" ), fingerprint )
                 : result;
    const json_t* meshes = json_object_get( value, "meshes" );
    if ( result == sup_success && meshes == NULL )
    {
        supFailMissing( reader, place, "meshes" );
    }
    char part[SUP_PLACE_TEXT];
    supPlaceText( part, "%s.meshes", place );
    return result == sup_success && meshes != NULL ? supTakeList( reader, part, meshes, itemSize, count ) : NULL;
}

supResult supReadPaint( supRigReader* reader, const char* place, const json_t* value, supPaintList* out )
{
    supPaint* paints = supTakeMeshes( reader, place, value, sizeof( supPaint ), &out->fingerprint, &out->count );
    if ( paints == NULL )
    {
        return reader->error->code;
    }
    out->paints = paints;
    supResult result = sup_success;
    for ( int32_t i = 0; i < out->count && result == sup_success; ++i )
    {
        char part[SUP_PLACE_TEXT];
        supPlaceText( part, "%s.meshes[%d]", place, i );
        const json_t* meshes = json_object_get( value, "meshes" );
        result = supReadPaintedMesh( reader, part, json_array_get( meshes, (size_t)i ), paints + i );
    }
    return result;
}
