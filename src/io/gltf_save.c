// Supple io: a glTF file from a character that never was one: built-in ones, and what hosts made themselves.
// SPDX-License-Identifier: MIT
#include "io/gltf_save.h"

#include "base/math.h"
#include "io/gltf_pack.h"
#include "io/gltf_parts.h"

#include <stdlib.h>
#include <string.h>

/// Sets a member; remembers failures. Takes over `value`.
static void supGltfMaker_Set( supGltfMaker* maker, json_t* object, const char* key, json_t* value )
{
    maker->failed |= json_object_set_new( object, key, value ) != 0;
}

/// Adds to an array that the root gets when it is first needed; gives the index. Takes over `value`.
static int32_t supGltfMaker_Add( supGltfMaker* maker, const char* array, json_t* value )
{
    json_t* list = json_object_get( maker->root, array );
    if ( list == NULL )
    {
        list = json_array();
        supGltfMaker_Set( maker, maker->root, array, list );
    }
    maker->failed |= json_array_append_new( list, value ) != 0;
    return (int32_t)json_array_size( list ) - 1;
}

/// Notes an extension as used.
static void supGltfMaker_Use( supGltfMaker* maker, const char* extension )
{
    const json_t* used = json_object_get( maker->root, "extensionsUsed" );
    for ( size_t i = 0; i < json_array_size( used ); ++i )
    {
        if ( strcmp( json_string_value( json_array_get( used, i ) ), extension ) == 0 )
        {
            return;
        }
    }
    supGltfMaker_Add( maker, "extensionsUsed", json_string( extension ) );
}

/// A buffer view of these bytes, at a multiple of four. `target`: what it is for (34962 vertices, 34963 indices), or 0.
/// Gives its index.
static int32_t supGltfMaker_View( supGltfMaker* maker, const void* data, size_t size, int32_t target )
{
    size_t offset = maker->bytes.count;
    uint8_t* to = supArray_Add( &maker->bytes, ( size + 3 ) / 4 * 4 );
    if ( to == NULL )
    {
        maker->failed = true;
        return 0;
    }
    memcpy( to, data, size );
    json_t* view =
        json_pack( "{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)offset, "byteLength", (json_int_t)size );
    if ( target != 0 )
    {
        supGltfMaker_Set( maker, view, "target", json_integer( target ) );
    }
    return supGltfMaker_Add( maker, "bufferViews", view );
}

static int32_t supTypeWidth( const char* type )
{
    static const char* const names[] = { "SCALAR", "VEC2", "VEC3", "VEC4", "MAT4" };
    static const int32_t widths[] = { 1, 2, 3, 4, 16 };
    int32_t i = 0;
    while ( strcmp( names[i], type ) != 0 )
    {
        ++i;
    }
    return widths[i];
}

static void supSetBounds( supGltfMaker* maker, json_t* accessor, const float* data, int32_t count, int32_t width )
{
    json_t *lower = json_array(), *upper = json_array();
    for ( int32_t k = 0; k < width; ++k )
    {
        float least = data[k], most = data[k];
        for ( size_t i = 1; i < (size_t)count; ++i )
        {
            float value = data[i * (size_t)width + (size_t)k];
            least = supMinF( least, value );
            most = supMaxF( most, value );
        }
        maker->failed |= json_array_append_new( lower, json_real( least ) ) != 0;
        maker->failed |= json_array_append_new( upper, json_real( most ) ) != 0;
    }
    supGltfMaker_Set( maker, accessor, "min", lower );
    supGltfMaker_Set( maker, accessor, "max", upper );
}

/// An accessor with a view of its own. `target`: as above; `bounds`: with min and max (floats alone). Gives its index.
static int32_t supGltfMaker_Accessor( supGltfMaker* maker, const void* data, int32_t count, const char* type,
    int32_t componentType, int32_t target, bool bounds )
{
    size_t width = (size_t)supTypeWidth( type );
    size_t size = componentType == sup_gltfUnsignedByte ? 1 : componentType == sup_gltfUnsignedShort ? 2 : 4;
    int32_t view = supGltfMaker_View( maker, data, (size_t)count * width * size, target );
    json_t* accessor = json_pack(
        "{s:i,s:i,s:i,s:s}", "bufferView", view, "componentType", componentType, "count", count, "type", type );
    if ( bounds && count > 0 )
    {
        supSetBounds( maker, accessor, data, count, (int32_t)width );
    }
    return supGltfMaker_Add( maker, "accessors", accessor );
}

static json_t* supPackVec3( supVec3 v )
{
    return json_pack( "[f,f,f]", (double)v.x, (double)v.y, (double)v.z );
}

// Translation, rotation and scale, which animation needs; a matrix where these do not make it up again (shear).
static void supSetTransform( supGltfMaker* maker, json_t* node, supMat34 m )
{
    supTransform a = { m.t, supQuat_identity, { supLength( m.x ), supLength( m.y ), supLength( m.z ) } };
    if ( supDeterminant( m ) < 0.0f )
    {
        a.scale.x = -a.scale.x;
    }
    a.rotation = supNearestRotation( ( supMat34 ){ supScale( m.x, a.scale.x < 0.0f ? -1.0f : 1.0f ), m.y, m.z, m.t } );
    supMat34 again = supMatFromTransform( a );
    float off = supDistance( again.x, m.x ) + supDistance( again.y, m.y ) + supDistance( again.z, m.z );
    if ( off > 1e-4f * ( supLength( m.x ) + supLength( m.y ) + supLength( m.z ) ) )
    {
        supGltfMaker_Set( maker, node, "matrix",
            json_pack( "[f,f,f,i,f,f,f,i,f,f,f,i,f,f,f,i]", (double)m.x.x, (double)m.x.y, (double)m.x.z, 0,
                (double)m.y.x, (double)m.y.y, (double)m.y.z, 0, (double)m.z.x, (double)m.z.y, (double)m.z.z, 0,
                (double)m.t.x, (double)m.t.y, (double)m.t.z, 1 ) );
        return;
    }
    if ( a.translation.x != 0.0f || a.translation.y != 0.0f || a.translation.z != 0.0f )
    {
        supGltfMaker_Set( maker, node, "translation", supPackVec3( a.translation ) );
    }
    supQuat q = a.rotation;
    if ( q.x != 0.0f || q.y != 0.0f || q.z != 0.0f )
    {
        supGltfMaker_Set(
            maker, node, "rotation", json_pack( "[f,f,f,f]", (double)q.x, (double)q.y, (double)q.z, (double)q.w ) );
    }
    if ( a.scale.x != 1.0f || a.scale.y != 1.0f || a.scale.z != 1.0f )
    {
        supGltfMaker_Set( maker, node, "scale", supPackVec3( a.scale ) );
    }
}

static void supSaveNodes( supGltfMaker* maker )
{
    const supCharacter* character = maker->character;
    json_t* roots = json_array();
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        json_t* node = json_object();
        if ( supCharacter_Joint( character, j )->name[0] != 0 )
        {
            supGltfMaker_Set( maker, node, "name", json_string( supCharacter_Joint( character, j )->name ) );
        }
        supSetTransform( maker, node, supCharacter_Joint( character, j )->local );
        supGltfMaker_Add( maker, "nodes", node );
    }
    const json_t* nodes = json_object_get( maker->root, "nodes" );
    for ( int32_t j = 0; j < supCharacter_Info( character )->jointCount; ++j )
    {
        int32_t parent = supCharacter_Joint( character, j )->parent;
        json_t* list = roots;
        if ( parent >= 0 )
        {
            json_t* node = json_array_get( nodes, (size_t)parent );
            list = json_object_get( node, "children" );
            if ( list == NULL )
            {
                list = json_array();
                supGltfMaker_Set( maker, node, "children", list );
            }
        }
        maker->failed |= json_array_append_new( list, json_integer( j ) ) != 0;
    }
    supGltfMaker_Add( maker, "scenes", json_pack( "{s:o}", "nodes", roots ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Materials and images

/// By its first bytes; one that is none of glTF's kinds goes as a JPEG, which readers look into anyway.
static const char* supTypeOf( const supImage* image )
{
    const char* type = supImageType( image->data, image->size );
    return type != NULL ? type : "image/jpeg";
}

// Every image becomes one of glTF's, in the same order; one that the look does not have becomes a name alone and is
// never referred to.
static void supSaveImages( supGltfMaker* maker )
{
    for ( int32_t i = 0; i < maker->look->imageCount; ++i )
    {
        const supImage* image = &maker->look->images[i];
        json_t* object = json_object();
        if ( image->name[0] != 0 )
        {
            supGltfMaker_Set( maker, object, "name", json_string( image->name ) );
        }
        if ( image->data != NULL )
        {
            int32_t view = supGltfMaker_View( maker, image->data, image->size, 0 );
            supGltfMaker_Set( maker, object, "bufferView", json_integer( view ) );
            supGltfMaker_Set( maker, object, "mimeType", json_string( supTypeOf( image ) ) );
        }
        supGltfMaker_Add( maker, "images", object );
    }
}

static json_t* supTextureOf( supGltfMaker* maker, const supMaterial* material )
{
    json_t* sampler = json_pack( "{s:i,s:i,s:i,s:i}", "magFilter", material->nearest ? 9728 : 9729, "minFilter",
        material->nearest ? 9728 : 9987, "wrapS", material->repeatU ? 10497 : 33071, "wrapT",
        material->repeatV ? 10497 : 33071 );
    json_t* texture = json_object();
    supGltfMaker_Set( maker, texture, "sampler", json_integer( supGltfMaker_Add( maker, "samplers", sampler ) ) );
    if ( strcmp( supTypeOf( &maker->look->images[material->image] ), "image/webp" ) == 0 )
    {
        supGltfMaker_Use( maker, "EXT_texture_webp" );
        supGltfMaker_Set(
            maker, texture, "extensions", json_pack( "{s:{s:i}}", "EXT_texture_webp", "source", material->image ) );
    }
    else
    {
        supGltfMaker_Set( maker, texture, "source", json_integer( material->image ) );
    }
    json_t* info = json_object();
    supGltfMaker_Set( maker, info, "index", json_integer( supGltfMaker_Add( maker, "textures", texture ) ) );
    if ( material->texcoord != 0 )
    {
        supGltfMaker_Set( maker, info, "texCoord", json_integer( material->texcoord ) );
    }
    if ( material->uvOffset[0] != 0.0f || material->uvOffset[1] != 0.0f || material->uvScale[0] != 1.0f ||
         material->uvScale[1] != 1.0f || material->uvRotation != 0.0f )
    {
        supGltfMaker_Use( maker, "KHR_texture_transform" );
        supGltfMaker_Set( maker, info, "extensions",
            json_pack( "{s:{s:[f,f],s:[f,f],s:f}}", "KHR_texture_transform", "offset", (double)material->uvOffset[0],
                (double)material->uvOffset[1], "scale", (double)material->uvScale[0], (double)material->uvScale[1],
                "rotation", (double)material->uvRotation ) );
    }
    return info;
}

static void supSaveMaterial( supGltfMaker* maker, const supMaterial* material )
{
    json_t* object = json_object();
    if ( material->name[0] != 0 )
    {
        supGltfMaker_Set( maker, object, "name", json_string( material->name ) );
    }
    const float* c = material->baseColor;
    json_t* surface = json_pack( "{s:[f,f,f,f],s:f,s:f}", "baseColorFactor", (double)c[0], (double)c[1], (double)c[2],
        (double)c[3], "metallicFactor", (double)material->metallic, "roughnessFactor", (double)material->roughness );
    const supLook* look = maker->look;
    if ( material->image >= 0 && material->image < look->imageCount && look->images[material->image].data != NULL )
    {
        supGltfMaker_Set( maker, surface, "baseColorTexture", supTextureOf( maker, material ) );
    }
    supGltfMaker_Set( maker, object, "pbrMetallicRoughness", surface );
    if ( material->alpha != sup_alphaOpaque )
    {
        bool mask = material->alpha == sup_alphaMask;
        supGltfMaker_Set( maker, object, "alphaMode", json_string( mask ? "MASK" : "BLEND" ) );
        if ( mask )
        {
            supGltfMaker_Set( maker, object, "alphaCutoff", json_real( material->alphaCutoff ) );
        }
    }
    if ( material->doubleSided )
    {
        supGltfMaker_Set( maker, object, "doubleSided", json_true() );
    }
    const float* e = material->emissive;
    if ( e[0] > 0.0f || e[1] > 0.0f || e[2] > 0.0f )
    {
        supGltfMaker_Set(
            maker, object, "emissiveFactor", json_pack( "[f,f,f]", (double)e[0], (double)e[1], (double)e[2] ) );
    }
    if ( material->unlit )
    {
        supGltfMaker_Use( maker, "KHR_materials_unlit" );
        supGltfMaker_Set( maker, object, "extensions", json_pack( "{s:{}}", "KHR_materials_unlit" ) );
    }
    supGltfMaker_Add( maker, "materials", object );
}

static void supGltfMaker_Materials( supGltfMaker* maker )
{
    if ( maker->look == NULL )
    {
        return;
    }
    supSaveImages( maker );
    for ( int32_t i = 0; i < maker->look->materialCount; ++i )
    {
        supSaveMaterial( maker, &maker->look->materials[i] );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

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

/// The mesh of glTF that a row of the character's meshes (same joint, same skin) makes; gives its index.
static int32_t supGltfMaker_Mesh( supGltfMaker* maker, int32_t first, int32_t count )
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

// ---------------------------------------------------------------------------------------------------------------
// The whole file

static supResult supSaveMeshes( supGltfMaker* maker, supError* error )
{
    const supCharacter* character = maker->character;
    json_t* nodes = json_object_get( maker->root, "nodes" );
    int32_t count = supCharacter_Info( character )->meshCount;
    for ( int32_t first = 0; first < count; )
    {
        supMeshView view = supCharacter_Mesh( character, first );
        int32_t end = first + 1;
        while ( end < count && supCharacter_Mesh( character, end ).joint == view.joint &&
                supCharacter_Mesh( character, end ).skin == view.skin &&
                supCharacter_Mesh( character, end ).morphCount == view.morphCount )
        {
            ++end;
        }
        json_t* node = json_array_get( nodes, (size_t)view.joint );
        if ( json_object_get( node, "mesh" ) != NULL )
        {
            return supFail( error, sup_errorUnsupported,
                "%s: mesh '%s': its node shows another mesh with another skin or other morph targets; a glTF node has only one mesh",
                supCharacter_Info( character )->name, view.name );
        }
        supGltfMaker_Set( maker, node, "mesh", json_integer( supGltfMaker_Mesh( maker, first, end - first ) ) );
        if ( view.skin >= 0 )
        {
            supGltfMaker_Set( maker, node, "skin", json_integer( view.skin ) );
        }
        first = end;
    }
    return sup_success;
}

static void supSaveSkins( supGltfMaker* maker )
{
    const supCharacter* character = maker->character;
    for ( int32_t s = 0; s < supCharacter_Info( character )->skinCount; ++s )
    {
        supSkinView view = supCharacter_Skin( character, s );
        const int32_t* joints = view.joints;
        int32_t count = view.jointCount;
        const supMat34* bind = view.inverseBind;
        size_t size = (size_t)count * 16 * sizeof( float );
        float* matrices = supAllocZeroed( NULL, 1, size, _Alignof( float ) );
        json_t* list = json_array();
        for ( int32_t j = 0; j < count; ++j )
        {
            maker->failed |= json_array_append_new( list, json_integer( joints[j] ) ) != 0;
            for ( int32_t c = 0; c < 4 && matrices != NULL; ++c )
            {
                const supVec3* column = &( &bind[j].x )[c];
                float four[4] = { column->x, column->y, column->z, c == 3 ? 1.0f : 0.0f };
                memcpy( matrices + 16 * j + 4 * c, four, sizeof( four ) );
            }
        }
        json_t* skin = json_object();
        if ( supCharacter_Skin( character, s ).name[0] != 0 )
        {
            supGltfMaker_Set( maker, skin, "name", json_string( supCharacter_Skin( character, s ).name ) );
        }
        supGltfMaker_Set( maker, skin, "joints", list );
        if ( matrices != NULL )
        {
            int32_t accessor = supGltfMaker_Accessor( maker, matrices, count, "MAT4", sup_gltfFloat, 0, false );
            supGltfMaker_Set( maker, skin, "inverseBindMatrices", json_integer( accessor ) );
        }
        maker->failed |= matrices == NULL;
        supFree( NULL, matrices, size );
        supGltfMaker_Add( maker, "skins", skin );
    }
}

// The accessor of a track's times: that of an earlier track of the clip where they are the same.
static int32_t supTimesAccessor( supGltfMaker* maker, int32_t clip, int32_t track, const json_t* samplers )
{
    supTrackDef own = supCharacter_Clip( maker->character, clip ).tracks[track];
    for ( int32_t t = 0; t < track; ++t )
    {
        supTrackDef other = supCharacter_Clip( maker->character, clip ).tracks[t];
        if ( other.keyCount == own.keyCount &&
             memcmp( other.times, own.times, (size_t)own.keyCount * sizeof( float ) ) == 0 )
        {
            return (int32_t)json_integer_value( json_object_get( json_array_get( samplers, (size_t)t ), "input" ) );
        }
    }
    return supGltfMaker_Accessor( maker, own.times, own.keyCount, "SCALAR", sup_gltfFloat, 0, true );
}

static void supSaveClip( supGltfMaker* maker, int32_t clip )
{
    static const char* const paths[] = { "translation", "rotation", "scale", "weights" };
    static const char* const types[] = { "VEC3", "VEC4", "VEC3", "SCALAR" };
    static const char* const ways[] = { "STEP", "LINEAR", "CUBICSPLINE" };
    supClipView view = supCharacter_Clip( maker->character, clip );
    json_t *samplers = json_array(), *channels = json_array();
    for ( int32_t t = 0; t < view.trackCount; ++t )
    {
        supTrackDef track = supCharacter_Clip( maker->character, clip ).tracks[t];
        int32_t values = track.keyCount * ( track.interpolation == sup_interpolationCubic ? 3 : 1 );
        values *= track.path == sup_pathWeights ? track.width : 1;
        int32_t input = supTimesAccessor( maker, clip, t, samplers );
        int32_t output =
            supGltfMaker_Accessor( maker, track.values, values, types[track.path], sup_gltfFloat, 0, false );
        maker->failed |= json_array_append_new( samplers, json_pack( "{s:i,s:i,s:s}", "input", input, "output", output,
                                                              "interpolation", ways[track.interpolation] ) ) != 0;
        maker->failed |= json_array_append_new( channels, json_pack( "{s:i,s:{s:i,s:s}}", "sampler", t, "target",
                                                              "node", track.joint, "path", paths[track.path] ) ) != 0;
    }
    json_t* animation = json_object();
    if ( view.name[0] != 0 )
    {
        supGltfMaker_Set( maker, animation, "name", json_string( view.name ) );
    }
    supGltfMaker_Set( maker, animation, "samplers", samplers );
    supGltfMaker_Set( maker, animation, "channels", channels );
    supGltfMaker_Add( maker, "animations", animation );
}

static supResult supFillMaker( supGltfMaker* maker, supError* error )
{
    supGltfMaker_Set( maker, maker->root, "asset",
        json_pack( "{s:s,s:s+}", "version", "2.0", "generator", "Supple ", supVersion() ) );
    supGltfMaker_Set( maker, maker->root, "scene", json_integer( 0 ) );
    supSaveNodes( maker );
    supResult result = supSaveMeshes( maker, error );
    if ( result != sup_success )
    {
        return result;
    }
    supSaveSkins( maker );
    for ( int32_t clip = 0; clip < supCharacter_Info( maker->character )->clipCount; ++clip )
    {
        // glTF has no empty animations.
        if ( supCharacter_Clip( maker->character, clip ).trackCount > 0 )
        {
            supSaveClip( maker, clip );
        }
    }
    supGltfMaker_Materials( maker );
    if ( maker->bytes.count > 0 )
    {
        supGltfMaker_Add( maker, "buffers", json_pack( "{s:I}", "byteLength", (json_int_t)maker->bytes.count ) );
    }
    return sup_success;
}

// Header, JSON padded with spaces, BIN.
static supResult supPackGlb( supGltfMaker* maker, supArray* out, supError* error )
{
    char* text = maker->failed ? NULL : json_dumps( maker->root, JSON_COMPACT );
    size_t textSize = text != NULL ? strlen( text ) : 0, binary = maker->bytes.count;
    size_t size = 12 + supChunkSize( textSize ) + ( binary > 0 ? supChunkSize( binary ) : 0 );
    supResult result = sup_success;
    uint8_t* to = text == NULL || size > UINT32_MAX ? NULL : supArray_Add( out, size );
    if ( to != NULL )
    {
        to = supPutGlbHeader( to, (uint32_t)size );
        to = supPutChunk( to, SUP_GLB_JSON, text, textSize, ' ' );
        to = binary > 0 ? supPutChunk( to, SUP_GLB_BIN, maker->bytes.data, binary, 0 ) : to;
    }
    else if ( size > UINT32_MAX )
    {
        result = supFail( error, sup_errorLimit, "%s: %zu bytes are more than a .glb can hold (4 GB)",
            supCharacter_Info( maker->character )->name, size );
    }
    else
    {
        result =
            supFail( error, sup_errorMemory, "%s: no memory to write it", supCharacter_Info( maker->character )->name );
    }
    free( text );
    return result;
}

supResult supMakeGltf( const supCharacter* character, const supLook* look, supGltf** out, supError* error )
{
    *out = NULL;
    supGltfMaker maker = { .character = character, .look = look, .root = json_object() };
    maker.bytes = supMakeArray( 1, NULL );
    supArray file = supMakeArray( 1, NULL );
    supResult result = supFillMaker( &maker, error );
    if ( result == sup_success )
    {
        result = supPackGlb( &maker, &file, error );
    }
    if ( result == sup_success )
    {
        supLog silent = { 0 };
        result =
            supOpenGltfMemory( file.data, file.count, supCharacter_Info( character )->name, NULL, silent, out, error );
    }
    json_decref( maker.root );
    supArray_Destroy( &maker.bytes );
    supArray_Destroy( &file );
    return result;
}

supResult supSaveGltf( const supCharacter* character, const supLook* look, const char* path, supError* error )
{
    supGltf* document;
    supResult result = supMakeGltf( character, look, &document, error );
    if ( result == sup_success )
    {
        result = supGltf_Write( document, path, error );
        supCloseGltf( document );
    }
    return result;
}
