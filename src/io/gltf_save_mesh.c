// Supple io: meshes of a character as glTF.
// SPDX-License-Identifier: MIT

#include "io/gltf_save.h"

#include <string.h>

#define SUP_TARGET_VERTICES 34962
#define SUP_TARGET_INDICES 34963

static void supSetFloats(
    supGltfMaker* maker, json_t* attributes, const char* name, const float* data, int32_t count, const char* type )
{
    if ( data != NULL )
    {
        bool bounds = strcmp( name, "POSITION" ) == 0;
        int32_t accessor =
            supGltfMaker_Accessor( maker, data, count, type, sup_gltfFloat, SUP_TARGET_VERTICES, bounds );
        supGltfMaker_Set( maker, attributes, name, json_integer( accessor ) );
    }
}

// One set of four influences. glTF wants joints of weight zero to be joint 0.
static void supSetInfluences( supGltfMaker* maker, json_t* attributes, const supMeshView* mesh, int32_t set )
{
    size_t count = (size_t)mesh->vertexCount;
    size_t jointSize = count * 4 * sizeof( uint16_t ), weightSize = count * 4 * sizeof( float );
    uint16_t* joints = supAllocZeroed( NULL, 1, jointSize, 16 );
    float* weights = supAllocZeroed( NULL, 1, weightSize, 16 );
    if ( joints == NULL || weights == NULL )
    {
        maker->failed = true;
    }
    else
    {
        for ( size_t v = 0; v < count; ++v )
        {
            for ( int32_t i = 0; i < 4 && 4 * set + i < mesh->influenceCount; ++i )
            {
                size_t from = v * (size_t)mesh->influenceCount + (size_t)( 4 * set + i ), to = 4 * v + (size_t)i;
                weights[to] = mesh->weights[from];
                joints[to] = mesh->weights[from] > 0.0f ? mesh->jointIndices[from] : 0;
            }
        }
        int32_t j = supGltfMaker_Accessor(
            maker, joints, mesh->vertexCount, "VEC4", sup_gltfUnsignedShort, SUP_TARGET_VERTICES, false );
        int32_t w = supGltfMaker_Accessor(
            maker, weights, mesh->vertexCount, "VEC4", sup_gltfFloat, SUP_TARGET_VERTICES, false );
        supGltfMaker_Set( maker, attributes, set == 0 ? "JOINTS_0" : "JOINTS_1", json_integer( j ) );
        supGltfMaker_Set( maker, attributes, set == 0 ? "WEIGHTS_0" : "WEIGHTS_1", json_integer( w ) );
    }
    supFree( NULL, joints, jointSize );
    supFree( NULL, weights, weightSize );
}

static int32_t supIndexAccessor( supGltfMaker* maker, const supMeshView* mesh )
{
    if ( mesh->vertexCount > 65535 )
    {
        return supGltfMaker_Accessor(
            maker, mesh->indices, mesh->indexCount, "SCALAR", sup_gltfUnsignedInt, SUP_TARGET_INDICES, false );
    }
    size_t size = (size_t)mesh->indexCount * sizeof( uint16_t );
    uint16_t* narrow = supAlloc( NULL, size, _Alignof( uint16_t ) );
    if ( narrow == NULL )
    {
        maker->failed = true;
        return 0;
    }
    for ( int32_t i = 0; i < mesh->indexCount; ++i )
    {
        narrow[i] = (uint16_t)mesh->indices[i];
    }
    int32_t accessor = supGltfMaker_Accessor(
        maker, narrow, mesh->indexCount, "SCALAR", sup_gltfUnsignedShort, SUP_TARGET_INDICES, false );
    supFree( NULL, narrow, size );
    return accessor;
}

static json_t* supMorphTargets( supGltfMaker* maker, const supMeshView* mesh )
{
    json_t* targets = json_array();
    for ( int32_t m = 0; m < mesh->morphCount; ++m )
    {
        json_t* target = json_object();
        int32_t n = mesh->vertexCount;
        supSetFloats(
            maker, target, "POSITION", mesh->morphPositions != NULL ? mesh->morphPositions[m] : NULL, n, "VEC3" );
        supSetFloats( maker, target, "NORMAL", mesh->morphNormals != NULL ? mesh->morphNormals[m] : NULL, n, "VEC3" );
        supSetFloats(
            maker, target, "TANGENT", mesh->morphTangents != NULL ? mesh->morphTangents[m] : NULL, n, "VEC3" );
        maker->failed |= json_array_append_new( targets, target ) != 0;
    }
    return targets;
}

static json_t* supPrimitive( supGltfMaker* maker, int32_t index )
{
    supMeshView mesh = supCharacter_Mesh( maker->character, index );
    int32_t n = mesh.vertexCount;
    json_t* attributes = json_object();
    supSetFloats( maker, attributes, "POSITION", mesh.positions, n, "VEC3" );
    supSetFloats( maker, attributes, "NORMAL", mesh.normals, n, "VEC3" );
    supSetFloats( maker, attributes, "TANGENT", mesh.tangents, n, "VEC4" );
    json_t* primitive = json_object();
    if ( maker->look != NULL && index < maker->look->meshCount )
    {
        const supMeshLook* look = &maker->look->meshes[index];
        supSetFloats( maker, attributes, "TEXCOORD_0", look->texcoords[0], n, "VEC2" );
        supSetFloats( maker, attributes, "TEXCOORD_1", look->texcoords[1], n, "VEC2" );
        supSetFloats( maker, attributes, "COLOR_0", look->colors, n, "VEC4" );
        if ( look->material >= 0 )
        {
            supGltfMaker_Set( maker, primitive, "material", json_integer( look->material ) );
        }
    }
    for ( int32_t set = 0; mesh.skin >= 0 && 4 * set < mesh.influenceCount; ++set )
    {
        supSetInfluences( maker, attributes, &mesh, set );
    }
    supGltfMaker_Set( maker, primitive, "attributes", attributes );
    if ( mesh.indexCount > 0 )
    {
        supGltfMaker_Set( maker, primitive, "indices", json_integer( supIndexAccessor( maker, &mesh ) ) );
    }
    else
    {
        supGltfMaker_Set( maker, primitive, "mode", json_integer( 0 ) ); // points
    }
    if ( mesh.morphCount > 0 )
    {
        supGltfMaker_Set( maker, primitive, "targets", supMorphTargets( maker, &mesh ) );
    }
    return primitive;
}

/// What programs by custom call morph targets by; only where one has a name.
static void supSetTargetNames( supGltfMaker* maker, json_t* mesh, const supMeshView* view )
{
    bool any = false;
    json_t *names = json_array(), *extras = json_object();
    for ( int32_t m = 0; m < view->morphCount; ++m )
    {
        any = any || view->morphNames[m][0] != 0;
        maker->failed |= json_array_append_new( names, json_string( view->morphNames[m] ) ) != 0;
    }
    supGltfMaker_Set( maker, extras, "targetNames", names );
    if ( any )
    {
        supGltfMaker_Set( maker, mesh, "extras", json_incref( extras ) );
    }
    json_decref( extras );
}

int32_t supGltfMaker_Mesh( supGltfMaker* maker, int32_t first, int32_t count )
{
    supMeshView view = supCharacter_Mesh( maker->character, first );
    json_t* mesh = json_object();
    if ( view.name[0] != 0 )
    {
        supGltfMaker_Set( maker, mesh, "name", json_string( view.name ) );
    }
    json_t* primitives = json_array();
    for ( int32_t i = 0; i < count; ++i )
    {
        maker->failed |= json_array_append_new( primitives, supPrimitive( maker, first + i ) ) != 0;
    }
    supGltfMaker_Set( maker, mesh, "primitives", primitives );
    if ( view.morphCount > 0 && view.morphWeights != NULL )
    {
        json_t* weights = json_array();
        for ( int32_t m = 0; m < view.morphCount; ++m )
        {
            maker->failed |= json_array_append_new( weights, json_real( view.morphWeights[m] ) ) != 0;
        }
        supGltfMaker_Set( maker, mesh, "weights", weights );
    }
    supSetTargetNames( maker, mesh, &view );
    return supGltfMaker_Add( maker, "meshes", mesh );
}
