// What the bytes of a document are for.
// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "supple/lab/files.h"

#include <stdlib.h>
#include <string.h>

const char* supGltfBytesName( supGltfBytesKind kind )
{
    static const char* const names[sup_gltfBytesCount] = { "vertices", "influences", "morphs", "indices", "skins",
        "keys", "images", "json" };
    return kind >= 0 && kind < sup_gltfBytesCount ? names[kind] : "";
}

typedef struct supByteCount
{
    const supGltf* document;
    bool* counted; ///< accessors; then buffer views
    int32_t accessorCount, viewCount;
    supGltfBytes bytes;
} supByteCount;

static size_t supTypeRows( const char* type )
{
    static const struct
    {
        const char* name;
        size_t rows;
    } types[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT2", 4 }, { "MAT3", 9 },
        { "MAT4", 16 } };
    for ( size_t i = 0; type != NULL && i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( strcmp( type, types[i].name ) == 0 )
        {
            return types[i].rows;
        }
    }
    return 0;
}

static size_t supComponentBytes( const json_t* json )
{
    json_int_t number = json_integer_value( json_object_get( json, "componentType" ) );
    return number == 5125 || number == 5126 ? 4 : number == 5122 || number == 5123 ? 2 : number != 0 ? 1 : 0;
}

static size_t supCountOf( const json_t* json )
{
    json_int_t count = json_integer_value( json_object_get( json, "count" ) );
    return count > 0 && count <= INT32_MAX ? (size_t)count : 0;
}

/// An accessor by its number: its own bytes, and those of its sparse part.
static void supCountAccessor( supByteCount* count, const json_t* value, supGltfBytesKind kind )
{
    json_int_t index = json_is_integer( value ) ? json_integer_value( value ) : -1;
    if ( index < 0 || index >= count->accessorCount || count->counted[index] )
    {
        return;
    }
    count->counted[index] = true;
    const json_t* json = supGltf_Item( count->document, "accessors", (int32_t)index );
    const json_t* sparse = json_object_get( json, "sparse" );
    size_t item = supTypeRows( json_string_value( json_object_get( json, "type" ) ) ) * supComponentBytes( json );
    bool hasBytes =
        json_object_get( json, "bufferView" ) != NULL || supGltf_IsUnpacked( count->document, (int32_t)index );
    count->bytes.of[kind] += hasBytes ? supCountOf( json ) * item : 0;
    count->bytes.of[kind] +=
        supCountOf( sparse ) * ( item + supComponentBytes( json_object_get( sparse, "indices" ) ) );
}

static void supCountAttributes( supByteCount* count, const json_t* attributes, bool isTarget )
{
    const char* name;
    json_t* value;
    json_object_foreach( (json_t*)attributes, name, value )
    {
        bool influences = strncmp( name, "JOINTS_", 7 ) == 0 || strncmp( name, "WEIGHTS_", 8 ) == 0;
        supCountAccessor( count, value,
            isTarget     ? sup_gltfBytesMorphs
            : influences ? sup_gltfBytesInfluences
                         : sup_gltfBytesVertices );
    }
}

static void supCountMeshes( supByteCount* count )
{
    for ( int32_t m = 0; m < supGltf_Count( count->document, "meshes" ); ++m )
    {
        size_t p, t;
        json_t *primitive, *target;
        json_array_foreach(
            json_object_get( supGltf_Item( count->document, "meshes", m ), "primitives" ), p, primitive )
        {
            supCountAttributes( count, json_object_get( primitive, "attributes" ), false );
            supCountAccessor( count, json_object_get( primitive, "indices" ), sup_gltfBytesIndices );
            json_array_foreach( json_object_get( primitive, "targets" ), t, target )
            {
                supCountAttributes( count, target, true );
            }
        }
    }
}

static void supCountMotion( supByteCount* count )
{
    for ( int32_t s = 0; s < supGltf_Count( count->document, "skins" ); ++s )
    {
        const json_t* skin = supGltf_Item( count->document, "skins", s );
        supCountAccessor( count, json_object_get( skin, "inverseBindMatrices" ), sup_gltfBytesSkins );
    }
    for ( int32_t a = 0; a < supGltf_Count( count->document, "animations" ); ++a )
    {
        size_t i;
        json_t* sampler;
        json_array_foreach(
            json_object_get( supGltf_Item( count->document, "animations", a ), "samplers" ), i, sampler )
        {
            supCountAccessor( count, json_object_get( sampler, "input" ), sup_gltfBytesKeys );
            supCountAccessor( count, json_object_get( sampler, "output" ), sup_gltfBytesKeys );
        }
    }
}

static void supCountImages( supByteCount* count )
{
    for ( int32_t i = 0; i < supGltf_Count( count->document, "images" ); ++i )
    {
        const json_t* view = json_object_get( supGltf_Item( count->document, "images", i ), "bufferView" );
        json_int_t index = json_is_integer( view ) ? json_integer_value( view ) : -1;
        bool* counted = count->counted + count->accessorCount;
        if ( index >= 0 && index < count->viewCount && counted[index] == false )
        {
            const json_t* json = supGltf_Item( count->document, "bufferViews", (int32_t)index );
            json_int_t length = json_integer_value( json_object_get( json, "byteLength" ) );
            count->bytes.of[sup_gltfBytesImages] += length > 0 ? (size_t)length : 0;
            counted[index] = true;
        }
    }
}

supGltfBytes supGltf_Bytes( const supGltf* document )
{
    supByteCount count = { .document = document,
        .accessorCount = supGltf_Count( document, "accessors" ),
        .viewCount = supGltf_Count( document, "bufferViews" ) };
    count.counted = calloc( (size_t)count.accessorCount + (size_t)count.viewCount + 1, sizeof( bool ) );
    if ( count.counted != NULL )
    {
        supCountMeshes( &count );
        supCountMotion( &count );
        supCountImages( &count );
        count.bytes.of[sup_gltfBytesJson] = json_dumpb( document->root, NULL, 0, JSON_COMPACT );
    }
    free( count.counted );
    return count.bytes;
}
