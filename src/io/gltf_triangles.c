// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "io/gltf_parts.h"

#include <limits.h>

typedef enum supPrimitiveMode
{
    sup_modePoints = 0,
    sup_modeLineStrip = 3,
    sup_modeTriangles = 4,
    sup_modeStrip = 5,
    sup_modeFan = 6,
} supPrimitiveMode;

/// The corners in the order of the file: the index accessor, or 0, 1, 2, … where there is none.
static uint32_t* supReadCorners(
    supReader* reader, supArena* arena, const json_t* primitive, int32_t vertexCount, int32_t* count )
{
    int32_t index = supReader_Index( reader, primitive, "indices", "accessors" );
    if ( supReader_Ok( reader ) == false )
    {
        return NULL;
    }
    if ( index < 0 )
    {
        uint32_t* corners = supReader_Take( reader, arena, (size_t)vertexCount, sizeof( uint32_t ) );
        for ( int32_t i = 0; corners != NULL && i < vertexCount; ++i )
        {
            corners[i] = (uint32_t)i;
        }
        *count = vertexCount;
        return corners;
    }
    supAccessor accessor = supReader_Accessor( reader, index, "indices", 1, 1, sup_componentsIndex );
    uint32_t* corners = supReader_Take( reader, arena, (size_t)accessor.count, sizeof( uint32_t ) );
    if ( corners == NULL )
    {
        return NULL;
    }
    supAccessor_ReadIntegers( &accessor, corners );
    for ( int32_t i = 0; i < accessor.count; ++i )
    {
        if ( corners[i] >= (uint32_t)vertexCount )
        {
            supReader_Fail(
                reader, sup_errorData, "index %u at corner %d, it has %d vertices", corners[i], i, vertexCount );
            return NULL;
        }
    }
    *count = accessor.count;
    return corners;
}

/// Strips turn every second triangle round; fans share their first corner. Strips are sewn together with triangles of
/// no area: dropped.
static int32_t supUnroll( supPrimitiveMode mode, const uint32_t* corners, int32_t count, uint32_t* out )
{
    int32_t written = 0;
    for ( int32_t i = 2; i < count; ++i )
    {
        bool odd = mode == sup_modeStrip && i % 2 == 1;
        uint32_t a = mode == sup_modeFan ? corners[0] : corners[odd ? i - 1 : i - 2];
        uint32_t b = mode == sup_modeFan ? corners[i - 1] : corners[odd ? i - 2 : i - 1];
        uint32_t c = corners[i];
        if ( a != b && b != c && c != a )
        {
            out[written] = a;
            out[written + 1] = b;
            out[written + 2] = c;
            written += 3;
        }
    }
    return written;
}

void supReader_Triangles( supReader* reader, supArena* arena, const json_t* primitive, supMeshDef* mesh )
{
    size_t mode = supReader_Size( reader, primitive, "mode", sup_modeTriangles );
    if ( mode > sup_modeFan )
    {
        supReader_Fail( reader, sup_errorData, "\"mode\" is %zu, it must be 0 to 6", mode );
    }
    int32_t count = 0;
    uint32_t* corners = supReadCorners( reader, arena, primitive, mesh->vertexCount, &count );
    if ( corners == NULL || mode <= sup_modeLineStrip )
    {
        return;
    }
    if ( mode == sup_modeTriangles )
    {
        if ( count % 3 != 0 )
        {
            supReader_Note(
                reader, "%d corners are no whole number of triangles: the last %d are left out", count, count % 3 );
        }
        mesh->indices = corners;
        mesh->indexCount = count - count % 3;
        return;
    }
    if ( count > INT32_MAX / 3 )
    {
        supReader_Fail( reader, sup_errorLimit, "a strip or fan of %d corners", count );
        return;
    }
    uint32_t* triangles = supReader_Take( reader, arena, 3 * (size_t)count, sizeof( uint32_t ) );
    if ( triangles != NULL )
    {
        mesh->indices = triangles;
        mesh->indexCount = supUnroll( (supPrimitiveMode)mode, corners, count, triangles );
    }
}
