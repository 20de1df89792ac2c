#include "support/draco_file.h"

#include "supple/creatures.h"
#include "supple/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

void supSaveCreature( const char* name, const char* path )
{
    supCreature* creature = NULL;
    supError error = { 0 };
    assert_int_equal( supCreateCreature( name, NULL, &creature, &error ), sup_success );
    assert_int_equal( supSaveGltf( supCreature_Character( creature ), NULL, path, &error ), sup_success );
    supDestroyCreature( creature );
}

#if SUP_HAS_DRACO

/// The first primitive of a file, ready to be compressed. All arrays are the file's own.
static supDracoInput supInputOf( const supGlb* glb, uint16_t** joints )
{
    int count;
    supDracoInput input = { .bits = 14 };
    input.positions = supGlb_Accessor( glb, supGlb_Attribute( glb, 0, 0, "POSITION" ), 5126, &count );
    input.vertexCount = count / 3;
    input.normals = supGlb_Accessor( glb, supGlb_Attribute( glb, 0, 0, "NORMAL" ), 5126, &count );
    input.weights = supGlb_Accessor( glb, supGlb_Attribute( glb, 0, 0, "WEIGHTS_0" ), 5126, &count );
    int accessor = supGlb_Attribute( glb, 0, 0, "JOINTS_0" );
    *joints = malloc( 4 * (size_t)input.vertexCount * sizeof( uint16_t ) );
    bool isByte =
        json_integer_value( json_object_get( supGlb_Item( glb, "accessors", accessor ), "componentType" ) ) == 5121;
    const uint8_t* from = supGlb_Accessor( glb, accessor, isByte ? 5121 : 5123, &count );
    for ( int i = 0; i < count; ++i )
    {
        ( *joints )[i] = isByte ? from[i] : (uint16_t)( from[2 * i] | from[2 * i + 1] << 8 );
    }
    input.joints = *joints;
    return input;
}

json_t* supFirstPrimitive( const supGlb* glb )
{
    return json_array_get( json_object_get( supGlb_Item( glb, "meshes", 0 ), "primitives" ), 0 );
}

static uint32_t* supIndicesOf( const supGlb* glb, int* count )
{
    int accessor = (int)json_integer_value( json_object_get( supFirstPrimitive( glb ), "indices" ) );
    int type = (int)json_integer_value( json_object_get( supGlb_Item( glb, "accessors", accessor ), "componentType" ) );
    const uint8_t* from = supGlb_Accessor( glb, accessor, type, count );
    size_t size = type == 5125 ? 4 : 2;
    uint32_t* indices = calloc( (size_t)*count + 1, sizeof( uint32_t ) );
    for ( int i = 0; i < *count; ++i )
    {
        memcpy( indices + i, from + (size_t)i * size, size );
    }
    return indices;
}

static void supSetAccessor( const supGlb* glb, int index, int count, int componentType )
{
    json_t* accessor = supGlb_Item( glb, "accessors", index );
    json_object_del( accessor, "bufferView" );
    json_object_del( accessor, "byteOffset" );
    json_object_set_new( accessor, "count", json_integer( count ) );
    json_object_set_new( accessor, "componentType", json_integer( componentType ) );
}

supCompressed supCompress( const char* path, bool isSequential, int bits )
{
    supCompressed made = { .glb = supOpenGlb( path ) };
    supGlb* glb = &made.glb;
    uint16_t* joints;
    supDracoInput input = supInputOf( glb, &joints );
    uint32_t* indices = supIndicesOf( glb, &input.indexCount );
    input.indices = indices;
    input.isSequential = isSequential;
    input.bits = bits;
    size_t size;
    int32_t points;
    uint8_t* stream = supEncodeDraco( &input, &size, &points );
    assert_non_null( stream );
    made.view = supGlb_AddView( glb, stream, size );
    free( stream );
    free( indices );
    free( joints );
    static const char* const names[4] = { "POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0" };
    const int ids[4] = { SUP_DRACO_POSITION, SUP_DRACO_NORMAL, SUP_DRACO_JOINTS, SUP_DRACO_WEIGHTS };
    json_t *primitive = supFirstPrimitive( glb ), *listed = json_object(), *attributes = json_object();
    for ( int i = 0; i < 4; ++i )
    {
        int accessor = supGlb_Attribute( glb, 0, 0, names[i] );
        supSetAccessor( glb, accessor, points, i == 2 ? 5123 : 5126 );
        json_object_set_new( listed, names[i], json_integer( ids[i] ) );
        json_object_set_new( attributes, names[i], json_integer( accessor ) );
    }
    json_object_set_new( primitive, "attributes", attributes );
    supSetAccessor( glb, (int)json_integer_value( json_object_get( primitive, "indices" ) ), input.indexCount, 5125 );
    json_object_set_new( primitive, "extensions",
        json_pack( "{s:{s:i, s:o}}", "KHR_draco_mesh_compression", "bufferView", made.view, "attributes", listed ) );
    json_object_set_new( glb->json, "extensionsUsed", json_pack( "[s]", "KHR_draco_mesh_compression" ) );
    json_object_set_new( glb->json, "extensionsRequired", json_pack( "[s]", "KHR_draco_mesh_compression" ) );
    return made;
}

#endif
