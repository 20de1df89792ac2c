// Supple io: materials and images of a look as glTF.
// SPDX-License-Identifier: MIT

#include "io/gltf_save.h"

#include "io/gltf_parts.h"

#include <string.h>

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

void supGltfMaker_Materials( supGltfMaker* maker )
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
