// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"
#include "io/gltf_parts.h"

#include <limits.h>

const float* supReader_Attribute(
    supReader* reader, supArena* arena, const json_t* attributes, const char* name, int32_t rows, int32_t vertexCount )
{
    int32_t index = supReader_Index( reader, attributes, name, "accessors" );
    if ( index < 0 )
    {
        return NULL;
    }
    supAccessor accessor = supReader_Accessor( reader, index, name, rows, 1, sup_componentsQuantized );
    if ( supReader_Ok( reader ) && accessor.count != vertexCount )
    {
        supReader_Fail( reader, sup_errorData, "%s has %d items, the primitive has %d vertices", name, accessor.count,
            vertexCount );
    }
    return supReader_SharedFloats( reader, arena, &accessor );
}

static void supReadTargets( supReader* reader, supArena* arena, const json_t* primitive, supMeshDef* mesh )
{
    const json_t* targets = supReader_Array( reader, primitive, "targets" );
    size_t count = json_array_size( targets );
    if ( count == 0 )
    {
        return;
    }
    const float** positions = supReader_Take( reader, arena, count, sizeof( float* ) );
    const float** normals = supReader_Take( reader, arena, count, sizeof( float* ) );
    const float** tangents = supReader_Take( reader, arena, count, sizeof( float* ) );
    for ( size_t i = 0; i < count && supReader_Ok( reader ); ++i )
    {
        const json_t* target = json_array_get( targets, i );
        if ( json_is_object( target ) == false )
        {
            supReader_Fail( reader, sup_errorData, "morph target %zu is not an object", i );
        }
        positions[i] = supReader_Attribute( reader, arena, target, "POSITION", 3, mesh->vertexCount );
        normals[i] = supReader_Attribute( reader, arena, target, "NORMAL", 3, mesh->vertexCount );
        tangents[i] = supReader_Attribute( reader, arena, target, "TANGENT", 3, mesh->vertexCount );
    }
    mesh->morphCount = (int32_t)count;
    mesh->morphPositions = positions;
    mesh->morphNormals = normals;
    mesh->morphTangents = tangents;
}

/// Draco's data stand behind the extension; without it the accessors have counts and no bytes.
static void supRefuseDraco( supReader* reader, const json_t* primitive, int32_t positions )
{
    const json_t* accessor = supGltf_Item( reader->document, "accessors", positions );
    bool compressed = supReader_Extension( reader, primitive, "KHR_draco_mesh_compression" ) != NULL;
    if ( compressed && json_object_get( accessor, "bufferView" ) == NULL &&
         supGltf_IsUnpacked( reader->document, positions ) == false )
    {
        supReader_Fail( reader, sup_errorUnsupported,
            "is compressed with Draco, which this build of Supple leaves out (SUPPLE_DRACO); decompress the file with: "
            "npx @gltf-transform/cli copy IN OUT" );
    }
}

/// Everything of a primitive that does not depend on the node that shows it.
static void supReadPrimitive( supReader* reader, supArena* arena, const json_t* json, supMeshDef* mesh )
{
    const json_t* attributes = supReader_Object( reader, json, "attributes" );
    int32_t positions = supReader_Index( reader, attributes, "POSITION", "accessors" );
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    supRefuseDraco( reader, json, positions );
    mesh->vertexCount = supReader_AccessorCount( reader, positions );
    mesh->positions = supReader_Attribute( reader, arena, attributes, "POSITION", 3, mesh->vertexCount );
    mesh->normals = supReader_Attribute( reader, arena, attributes, "NORMAL", 3, mesh->vertexCount );
    mesh->tangents = supReader_Attribute( reader, arena, attributes, "TANGENT", 4, mesh->vertexCount );
    supReader_Influences( reader, arena, attributes, mesh );
    supReader_Triangles( reader, arena, json, mesh );
    supReadTargets( reader, arena, json, mesh );
    int32_t material = supReader_Index( reader, json, "material", "materials" );
    if ( material >= 0 )
    {
        mesh->material =
            json_string_value( json_object_get( supGltf_Item( reader->document, "materials", material ), "name" ) );
    }
}

/// Default weights stand at the node, else at the mesh.
static void supReadMorphWeights(
    supReader* reader, supArena* arena, const json_t* node, const json_t* meshJson, supMeshDef* mesh )
{
    const json_t* holder = json_object_get( node, "weights" ) != NULL ? node : meshJson;
    if ( mesh->morphCount > 0 && json_object_get( holder, "weights" ) != NULL )
    {
        float* weights = supReader_Take( reader, arena, (size_t)mesh->morphCount, sizeof( float ) );
        if ( weights != NULL && supReader_Numbers( reader, holder, "weights", weights, mesh->morphCount ) )
        {
            mesh->morphWeights = weights;
        }
    }
}

/// Names of morph targets: Blender and others leave them in the mesh's extras.
static void supReadMorphNames( supReader* reader, supArena* arena, const json_t* meshJson, supMeshDef* mesh )
{
    const json_t* names = json_object_get( json_object_get( meshJson, "extras" ), "targetNames" );
    if ( mesh->morphCount == 0 || !json_is_array( names ) )
    {
        return;
    }
    const char** out = supReader_Take( reader, arena, (size_t)mesh->morphCount, sizeof( const char* ) );
    for ( int32_t i = 0; out != NULL && i < mesh->morphCount; ++i )
    {
        out[i] = json_string_value( json_array_get( names, (size_t)i ) );
    }
    mesh->morphNames = out;
}

static void supPlaceMesh( supReader* reader, supArena* arena, const supInstance* instance, supMeshDef* mesh )
{
    const json_t* node = supGltf_Item( reader->document, "nodes", instance->node );
    const json_t* meshJson = supGltf_Item( reader->document, "meshes", instance->mesh );
    const char* meshName = supReader_Text( reader, meshJson, "name" );
    mesh->name = meshName != NULL ? meshName : supReader_Text( reader, node, "name" );
    mesh->joint = instance->node;
    mesh->sourceMesh = instance->mesh;
    mesh->sourcePrimitive = instance->primitive;
    supReadMorphWeights( reader, arena, node, meshJson, mesh );
    supReadMorphNames( reader, arena, meshJson, mesh );
    mesh->skin = supReader_Index( reader, node, "skin", "skins" );
    if ( mesh->skin >= 0 && mesh->influenceCount == 0 && supReader_Ok( reader ) )
    {
        supReader_Note( reader, "node %d gives it a skin, but it has no JOINTS_0 and WEIGHTS_0: it moves with its node",
            instance->node );
        mesh->skin = -1;
    }
}

/// Which instance showed a primitive first: its arrays are used again by those after it.
typedef struct supShownFirst
{
    int32_t* starts; ///< of each mesh: where its primitives stand in `shown`
    int32_t* shown;  ///< of each primitive: 1 + the instance; 0: none yet
} supShownFirst;

static supShownFirst supMakeShownFirst( supReader* reader, supArena* arena )
{
    int32_t meshCount = supGltf_Count( reader->document, "meshes" ), total = 0;
    supShownFirst first = { supReader_Take( reader, arena, (size_t)meshCount + 1, sizeof( int32_t ) ), NULL };
    for ( int32_t m = 0; m < meshCount && supReader_Ok( reader ); ++m )
    {
        const json_t* primitives = json_object_get( supGltf_Item( reader->document, "meshes", m ), "primitives" );
        first.starts[m] = total;
        total += (int32_t)json_array_size( primitives );
    }
    first.shown = supReader_Take( reader, arena, (size_t)total + 1, sizeof( int32_t ) );
    return first;
}

void supReader_Meshes( supReader* reader, supArena* arena, const supScene* scene, supCharacterDef* def )
{
    supMeshDef* meshes = supReader_Take( reader, arena, (size_t)scene->instanceCount, sizeof( supMeshDef ) );
    supShownFirst first = supMakeShownFirst( reader, arena );
    int64_t vertexCount = 0;
    for ( int32_t i = 0; i < scene->instanceCount && supReader_Ok( reader ); ++i )
    {
        const supInstance* instance = scene->instances + i;
        supReader_At( reader, "mesh", instance->mesh, supGltf_Item( reader->document, "meshes", instance->mesh ) );
        supReader_AtPart( reader, "primitive", instance->primitive );
        int32_t* shown = first.shown + first.starts[instance->mesh] + instance->primitive;
        if ( *shown > 0 )
        {
            meshes[i] = meshes[*shown - 1];
            meshes[i].morphWeights = NULL;
        }
        else
        {
            *shown = i + 1;
            supReadPrimitive( reader, arena, instance->json, meshes + i );
        }
        supPlaceMesh( reader, arena, instance, meshes + i );
        vertexCount += meshes[i].vertexCount;
        if ( vertexCount > INT32_MAX / 16 )
        {
            supReader_Fail( reader, sup_errorLimit, "more than %d vertices in all", INT32_MAX / 16 );
        }
    }
    def->meshes = meshes;
    def->meshCount = scene->instanceCount;
}

int32_t supReader_MorphCount( supReader* reader, int32_t node )
{
    const json_t* json = supGltf_Item( reader->document, "nodes", node );
    int32_t mesh = supReader_Index( reader, json, "mesh", "meshes" );
    if ( mesh < 0 )
    {
        return 0;
    }
    const json_t* primitives = json_object_get( supGltf_Item( reader->document, "meshes", mesh ), "primitives" );
    return (int32_t)json_array_size( json_object_get( json_array_get( primitives, 0 ), "targets" ) );
}
