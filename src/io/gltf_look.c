// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "io/gltf_parts.h"

/// COLOR_0 has three or four numbers a vertex; alpha is 1 where it is not given.
static const float* supReadColors( supReader* reader, supArena* arena, const json_t* attributes, int32_t vertexCount )
{
    int32_t index = supReader_Index( reader, attributes, "COLOR_0", "accessors" );
    if ( index < 0 )
    {
        return NULL;
    }
    supAccessor accessor =
        supReader_AccessorOfAnyWidth( reader, index, "COLOR_0", sup_componentsUnsigned | sup_componentFloat );
    accessor.normalized = true;
    if ( supReader_Ok( reader ) && ( accessor.rows < 3 || accessor.columns != 1 || accessor.count != vertexCount ) )
    {
        supReader_Fail( reader, sup_errorData, "COLOR_0: accessor %d has not 3 or 4 numbers for each of %d vertices",
            index, vertexCount );
    }
    float* colors = supReader_Take( reader, arena, (size_t)vertexCount, 4 * sizeof( float ) );
    if ( colors == NULL )
    {
        return NULL;
    }
    supAccessor_ReadFloats( &accessor, colors );
    for ( size_t i = (size_t)vertexCount; accessor.rows == 3 && i-- > 0; ) // spread from the end, in place
    {
        for ( size_t c = 3; c-- > 0; )
        {
            colors[4 * i + c] = colors[3 * i + c];
        }
        colors[4 * i + 3] = 1.0f;
    }
    return colors;
}

static supMeshLook supReadMeshLook( supReader* reader, supArena* arena, const supInstance* instance )
{
    supMeshLook look = { .material = supReader_Index( reader, instance->json, "material", "materials" ) };
    const json_t* attributes = supReader_Object( reader, instance->json, "attributes" );
    int32_t positions = supReader_Index( reader, attributes, "POSITION", "accessors" );
    int32_t vertexCount = positions >= 0 ? supReader_AccessorCount( reader, positions ) : 0;
    look.texcoords[0] = supReader_Attribute( reader, arena, attributes, "TEXCOORD_0", 2, vertexCount );
    look.texcoords[1] = supReader_Attribute( reader, arena, attributes, "TEXCOORD_1", 2, vertexCount );
    look.colors = supReadColors( reader, arena, attributes, vertexCount );
    return look;
}

/// In the order of the character's meshes.
static void supReadMeshLooks( supReader* reader, supArena* arena, supLook* look )
{
    supArena scratch = { 0 };
    reader->quiet = true;
    supScene scene = supReader_Scene( reader, &scratch );
    supMeshLook* meshes = supReader_Take( reader, arena, (size_t)scene.instanceCount, sizeof( supMeshLook ) );
    for ( int32_t i = 0; i < scene.instanceCount && supReader_Ok( reader ); ++i )
    {
        const supInstance* instance = scene.instances + i;
        supReader_At( reader, "mesh", instance->mesh, supGltf_Item( reader->document, "meshes", instance->mesh ) );
        supReader_AtPart( reader, "primitive", instance->primitive );
        meshes[i] = supReadMeshLook( reader, arena, instance );
    }
    look->meshes = meshes;
    look->meshCount = scene.instanceCount;
    supArena_Free( &scratch );
}

supResult supGltf_Look( supGltf* document, const supLook** out, supError* error )
{
    *out = document->look;
    if ( document->look != NULL )
    {
        return sup_success;
    }
    supReader reader = supMakeBoundedReader( document, error );
    supArena* arena = &document->arena;
    int32_t materialCount = supGltf_Count( document, "materials" );
    int32_t imageCount = supGltf_Count( document, "images" );
    supLook* look = supReader_Take( &reader, arena, 1, sizeof( supLook ) );
    supMaterial* materials = supReader_Take( &reader, arena, (size_t)materialCount, sizeof( supMaterial ) );
    supImage* images = supReader_Take( &reader, arena, (size_t)imageCount, sizeof( supImage ) );
    if ( supReader_Ok( &reader ) == false )
    {
        return reader.result;
    }
    for ( int32_t i = 0; i < materialCount && supReader_Ok( &reader ); ++i )
    {
        materials[i] = supReader_Material( &reader, i );
    }
    for ( int32_t i = 0; i < imageCount; ++i )
    {
        images[i] = supGltf_ReadImage( document, arena, i );
    }
    *look = ( supLook ){
        .materialCount = materialCount, .imageCount = imageCount, .materials = materials, .images = images
    };
    supReadMeshLooks( &reader, arena, look );
    look->mostMemory = supGltf_MemoryLeft( document );
    if ( supReader_Ok( &reader ) )
    {
        document->look = look;
        *out = look;
    }
    return reader.result;
}
