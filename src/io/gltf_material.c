// SPDX-License-Identifier: MIT
#include "io/gltf_parts.h"

#include <string.h>

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

supMaterial supReader_Material( supReader* reader, int32_t index )
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
