// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"

#include "io/gltf_parts.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------
// Influences.

/// How many pairs JOINTS_n, WEIGHTS_n there are, from 0 on. Fails where one of a pair is missing.
static int32_t supCountSets( supReader* reader, const json_t* attributes )
{
    for ( int32_t set = 0;; ++set )
    {
        char joints[24], weights[24];
        snprintf( joints, sizeof( joints ), "JOINTS_%d", set );
        snprintf( weights, sizeof( weights ), "WEIGHTS_%d", set );
        bool hasJoints = json_object_get( attributes, joints ) != NULL;
        bool hasWeights = json_object_get( attributes, weights ) != NULL;
        if ( hasJoints != hasWeights )
        {
            supReader_Fail(
                reader, sup_errorData, "has %s and no %s", hasJoints ? joints : weights, hasJoints ? weights : joints );
        }
        if ( hasJoints == false || hasWeights == false )
        {
            return set;
        }
    }
}

/// One set into columns 4 * set of `joints` and `weights`, which are `width` wide.
static void supReadSet( supReader* reader, const supArena* outer, const json_t* attributes, int32_t set,
    int32_t vertexCount, size_t width, uint16_t* joints, float* weights )
{
    char jointKey[24], weightKey[24];
    snprintf( jointKey, sizeof( jointKey ), "JOINTS_%d", set );
    snprintf( weightKey, sizeof( weightKey ), "WEIGHTS_%d", set );
    supAccessor jointAccessor = supReader_Accessor(
        reader, supReader_Index( reader, attributes, jointKey, "accessors" ), jointKey, 4, 1, sup_componentsUnsigned );
    supAccessor weightAccessor =
        supReader_Accessor( reader, supReader_Index( reader, attributes, weightKey, "accessors" ), weightKey, 4, 1,
            sup_componentsUnsigned | sup_componentFloat );
    weightAccessor.normalized = true; // the only reading the format has for whole numbers there
    if ( supReader_Ok( reader ) && ( jointAccessor.count != vertexCount || weightAccessor.count != vertexCount ) )
    {
        supReader_Fail( reader, sup_errorData, "%s has %d items, %s has %d, the primitive has %d vertices", jointKey,
            jointAccessor.count, weightKey, weightAccessor.count, vertexCount );
    }
    supArena arena = { .used = outer->used }; // on the same budget
    uint32_t* indices = supReader_Take( reader, &arena, (size_t)vertexCount, 4 * sizeof( uint32_t ) );
    float* values = supReader_Take( reader, &arena, (size_t)vertexCount, 4 * sizeof( float ) );
    if ( supReader_Ok( reader ) )
    {
        supAccessor_ReadIntegers( &jointAccessor, indices );
        supAccessor_ReadFloats( &weightAccessor, values );
        for ( size_t i = 0; i < 4 * (size_t)vertexCount; ++i )
        {
            size_t to = i / 4 * width + 4 * (size_t)set + i % 4;
            joints[to] = (uint16_t)indices[i];
            weights[to] = values[i];
        }
    }
    supArena_Free( &arena );
}

/// NaN is less than anything, since it will count as nothing.
static bool supIsLarger( float a, float b )
{
    return a > b || ( b != b && a == a );
}

/// Moves the SUP_MAX_INFLUENCES largest of `width` weights to the front, in falling order, equal ones in theirs. True
/// where one that is left behind counts.
static bool supKeepLargest( uint16_t* joints, float* weights, size_t width )
{
    for ( size_t k = 0; k < SUP_MAX_INFLUENCES; ++k )
    {
        size_t best = k;
        for ( size_t i = k + 1; i < width; ++i )
        {
            best = supIsLarger( weights[i], weights[best] ) ? i : best;
        }
        float weight = weights[best];
        uint16_t joint = joints[best];
        memmove( weights + k + 1, weights + k, ( best - k ) * sizeof( float ) );
        memmove( joints + k + 1, joints + k, ( best - k ) * sizeof( uint16_t ) );
        weights[k] = weight;
        joints[k] = joint;
    }
    for ( size_t i = SUP_MAX_INFLUENCES; i < width; ++i )
    {
        if ( weights[i] > 0.0f )
        {
            return true;
        }
    }
    return false;
}

static void supReduceInfluences( supReader* reader, supMeshDef* mesh, uint16_t* joints, float* weights, size_t width )
{
    int32_t reduced = 0;
    for ( size_t v = 0; v < (size_t)mesh->vertexCount; ++v )
    {
        reduced += supKeepLargest( joints + v * width, weights + v * width, width ) ? 1 : 0;
        memmove( joints + v * SUP_MAX_INFLUENCES, joints + v * width, SUP_MAX_INFLUENCES * sizeof( uint16_t ) );
        memmove( weights + v * SUP_MAX_INFLUENCES, weights + v * width, SUP_MAX_INFLUENCES * sizeof( float ) );
    }
    mesh->influenceCount = SUP_MAX_INFLUENCES;
    if ( reduced > 0 )
    {
        supReader_Note( reader, "%d vertices have more than %d influences: the largest %d are used", reduced,
            SUP_MAX_INFLUENCES, SUP_MAX_INFLUENCES );
    }
}

/// JOINTS_n and WEIGHTS_n of a primitive, at most 8 a vertex: the largest ones. Leaves influenceCount at 0 where there
/// are none.
static void supReader_Influences( supReader* reader, supArena* arena, const json_t* attributes, supMeshDef* mesh )
{
    int32_t sets = supCountSets( reader, attributes );
    if ( sets == 0 || supReader_Ok( reader ) == false )
    {
        return;
    }
    size_t width = 4 * (size_t)sets;
    uint16_t* joints = supReader_Take( reader, arena, (size_t)mesh->vertexCount, width * sizeof( uint16_t ) );
    float* weights = supReader_Take( reader, arena, (size_t)mesh->vertexCount, width * sizeof( float ) );
    for ( int32_t set = 0; set < sets && supReader_Ok( reader ); ++set )
    {
        supReadSet( reader, arena, attributes, set, mesh->vertexCount, width, joints, weights );
    }
    if ( supReader_Ok( reader ) == false )
    {
        return;
    }
    mesh->jointIndices = joints;
    mesh->weights = weights;
    mesh->influenceCount = (int32_t)width;
    if ( width > SUP_MAX_INFLUENCES )
    {
        supReduceInfluences( reader, mesh, joints, weights, width );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles.

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

/// Triangles of a primitive, whatever its mode. None for points and lines.
static void supReader_Triangles( supReader* reader, supArena* arena, const json_t* primitive, supMeshDef* mesh )
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

// ---------------------------------------------------------------------------------------------------------------
// Meshes

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
