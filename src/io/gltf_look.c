// SPDX-License-Identifier: MIT
#include "io/gltf_accessor.h"

#include "io/gltf_parts.h"
#include "io/gltf_reader.h"

#include <stdlib.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------
// Materials.

/// OpenGL's numbers, as glTF has them.
enum
{
    sup_filterNearest = 9728,
    sup_wrapClamp = 33071,
    sup_wrapRepeat = 10497,
};

/// The image behind a texture: WebP where there is one, since it is what the author prefers; -1 where Supple can decode
/// none.
static int32_t supReadTextureImage( supReader* reader, const json_t* texture )
{
    const json_t* webp = supReader_Extension( reader, texture, "EXT_texture_webp" );
    int32_t image = supReader_Index( reader, webp, "source", "images" );
    return image >= 0 ? image : supReader_Index( reader, texture, "source", "images" );
}

static void supReadSampling( supReader* reader, const json_t* texture, supMaterial* material )
{
    int32_t index = supReader_Index( reader, texture, "sampler", "samplers" );
    const json_t* sampler = index >= 0 ? supGltf_Item( reader->document, "samplers", index ) : NULL;
    material->repeatU = supReader_Size( reader, sampler, "wrapS", sup_wrapRepeat ) != sup_wrapClamp;
    material->repeatV = supReader_Size( reader, sampler, "wrapT", sup_wrapRepeat ) != sup_wrapClamp;
    material->nearest = supReader_Size( reader, sampler, "magFilter", 0 ) == sup_filterNearest;
}

static void supReadTexture( supReader* reader, const json_t* info, supMaterial* material )
{
    int32_t index = supReader_Index( reader, info, "index", "textures" );
    if ( index < 0 )
    {
        return;
    }
    const json_t* texture = supGltf_Item( reader->document, "textures", index );
    material->image = supReadTextureImage( reader, texture );
    supReadSampling( reader, texture, material );
    const json_t* transform = supReader_Extension( reader, info, "KHR_texture_transform" );
    supReader_Numbers( reader, transform, "offset", material->uvOffset, 2 );
    supReader_Numbers( reader, transform, "scale", material->uvScale, 2 );
    material->uvRotation = supReader_Number( reader, transform, "rotation", 0.0f );
    size_t set = supReader_Size( reader, info, "texCoord", 0 );
    set = supReader_Size( reader, transform, "texCoord", set );
    if ( set > 1 )
    {
        supReader_Note( reader, "uses texture coordinates %zu; 0 and 1 are read: its picture is left out", set );
        material->image = -1;
        set = 0;
    }
    material->texcoord = (int32_t)set;
}

/// KHR_materials_pbrSpecularGlossiness: its diffuse colour is what an eye takes for the base colour.
static void supReadGlossiness( supReader* reader, const json_t* ext, supMaterial* material )
{
    supReader_Numbers( reader, ext, "diffuseFactor", material->baseColor, 4 );
    supReadTexture( reader, supReader_Object( reader, ext, "diffuseTexture" ), material );
    material->roughness = 1.0f - supReader_Number( reader, ext, "glossinessFactor", 1.0f );
    material->metallic = 0.0f;
}

static void supReadMetallic( supReader* reader, const json_t* pbr, supMaterial* material )
{
    supReader_Numbers( reader, pbr, "baseColorFactor", material->baseColor, 4 );
    supReadTexture( reader, supReader_Object( reader, pbr, "baseColorTexture" ), material );
    material->metallic = supReader_Number( reader, pbr, "metallicFactor", 1.0f );
    material->roughness = supReader_Number( reader, pbr, "roughnessFactor", 1.0f );
}

static supAlphaMode supReadAlphaMode( supReader* reader, const json_t* json )
{
    const char* mode = supReader_Text( reader, json, "alphaMode" );
    bool mask = mode != NULL && strcmp( mode, "MASK" ) == 0;
    bool blend = mode != NULL && strcmp( mode, "BLEND" ) == 0;
    return mask ? sup_alphaMask : blend ? sup_alphaBlend : sup_alphaOpaque;
}

static supMaterial supReader_Material( supReader* reader, int32_t index )
{
    const json_t* json = supGltf_Item( reader->document, "materials", index );
    supReader_At( reader, "material", index, json );
    supMaterial material = { .baseColor = { 1.0f, 1.0f, 1.0f, 1.0f },
        .image = -1,
        .uvScale = { 1.0f, 1.0f },
        .repeatU = true,
        .repeatV = true,
        .alphaCutoff = 0.5f,
        .roughness = 1.0f,
        .metallic = 1.0f };
    const char* name = supReader_Text( reader, json, "name" );
    material.name = name != NULL ? name : "";
    const json_t* glossiness = supReader_Extension( reader, json, "KHR_materials_pbrSpecularGlossiness" );
    if ( glossiness != NULL )
    {
        supReadGlossiness( reader, glossiness, &material );
    }
    else
    {
        supReadMetallic( reader, supReader_Object( reader, json, "pbrMetallicRoughness" ), &material );
    }
    supReader_Numbers( reader, json, "emissiveFactor", material.emissive, 3 );
    const json_t* emissive = supReader_Extension( reader, json, "KHR_materials_emissive_strength" );
    float strength = supReader_Number( reader, emissive, "emissiveStrength", 1.0f );
    for ( int i = 0; i < 3; ++i )
    {
        material.emissive[i] *= strength;
    }
    material.alpha = supReadAlphaMode( reader, json );
    material.alphaCutoff = supReader_Number( reader, json, "alphaCutoff", 0.5f );
    material.doubleSided = supReader_Bool( reader, json, "doubleSided", false );
    material.unlit = supReader_Extension( reader, json, "KHR_materials_unlit" ) != NULL;
    return material;
}

// ---------------------------------------------------------------------------------------------------------------
// The look as a whole

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

// ---------------------------------------------------------------------------------------------------------------
// Images.

const char* supImageType( const uint8_t* data, size_t size )
{
    static const struct
    {
        const char* type;
        size_t at;
        size_t length;
        const char* bytes;
    } types[] = { { "image/png", 0, 8, "\x89PNG\r\n\x1a\n" }, { "image/jpeg", 0, 3, "\xff\xd8\xff" },
        { "image/webp", 8, 4, "WEBP" }, { "image/ktx2", 0, 12, "\xabKTX 20\xbb\r\n\x1a\n" },
        { "image/avif", 4, 8, "ftypavif" }, { "image/vnd-ms.dds", 0, 4, "DDS " } };
    for ( size_t i = 0; i < sizeof( types ) / sizeof( types[0] ); ++i )
    {
        if ( size >= types[i].at + types[i].length &&
             memcmp( data + types[i].at, types[i].bytes, types[i].length ) == 0 )
        {
            return types[i].type;
        }
    }
    return NULL;
}

/// A file's or a data URI's bytes, moved to memory that dies with `blocks`.
static supBytes supKeepUri( supReader* reader, supArena* arena, const json_t* uri )
{
    uint8_t* data;
    size_t size;
    supReader_LoadUri( reader, uri, &data, &size );
    char* copy = data == NULL ? NULL : supArena_TakeText( arena, (const char*)data, size );
    if ( data != NULL && copy == NULL )
    {
        supReader_Fail( reader, sup_errorMemory, "no memory for %zu bytes", size );
    }
    free( data );
    return ( supBytes ){ (const uint8_t*)copy, size };
}

supImage supGltf_ReadImage( const supGltf* document, supArena* arena, int32_t index )
{
    supError error = { 0 };
    supReader reader = supMakeBoundedReader( document, &error );
    const json_t* json = supGltf_Item( document, "images", index );
    supReader_At( &reader, "image", index, json );
    const char* name = supReader_Text( &reader, json, "name" );
    const char* uri = supReader_Text( &reader, json, "uri" );
    int32_t view = supReader_Index( &reader, json, "bufferView", "bufferViews" );
    supBytes bytes = { NULL, 0 };
    if ( uri != NULL )
    {
        bytes = supKeepUri( &reader, arena, json_object_get( json, "uri" ) );
    }
    else if ( view >= 0 )
    {
        bytes = supReader_View( &reader, view );
    }
    else
    {
        supReader_Fail( &reader, sup_errorData, "has neither a \"uri\" nor a \"bufferView\"" );
    }
    if ( supReader_Ok( &reader ) && supImageType( bytes.data, bytes.size ) == NULL )
    {
        supReader_Fail( &reader, sup_errorFormat, "is no PNG, JPEG or WebP" );
    }
    if ( supReader_Ok( &reader ) )
    {
        return ( supImage ){ name != NULL ? name : "", bytes.data, bytes.size, NULL };
    }
    const char* missing = supArena_TakeText( arena, error.text, strlen( error.text ) );
    return ( supImage ){ name != NULL ? name : "", NULL, 0, missing != NULL ? missing : "no memory" };
}
