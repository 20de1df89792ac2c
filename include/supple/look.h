// Supple: how a character looks: materials, images, texture coordinates, vertex colours. Plain data for whoever draws
// it; nothing that moves depends on it.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

typedef enum supAlphaMode
{
    sup_alphaOpaque = 0,
    sup_alphaMask = 1, ///< seen where alpha >= cutoff
    sup_alphaBlend = 2,
} supAlphaMode;

/// An image as the file holds it, still encoded.
typedef struct supImage
{
    const char* name; ///< for messages; never NULL
    /// PNG, JPEG or WebP bytes; NULL where the file could not be had, and `missing` says why
    const uint8_t* data;
    size_t size;
    const char* missing; ///< NULL, or what is wrong in words
} supImage;

typedef struct supMaterial
{
    const char* name;                          ///< never NULL
    float baseColor[4];                        ///< linear, straight alpha
    int32_t image;                             ///< base colour texture (sRGB), or -1
    int32_t texcoord;                          ///< which set of coordinates, 0 or 1
    float uvOffset[2], uvScale[2], uvRotation; ///< KHR_texture_transform; rotation in radians
    bool repeatU, repeatV, nearest;            ///< sampling
    supAlphaMode alpha;
    float alphaCutoff;
    bool doubleSided;
    bool unlit;
    float roughness, metallic; ///< 0 to 1
    float emissive[3];         ///< linear
} supMaterial;

/// One for each mesh of the character, in its order.
typedef struct supMeshLook
{
    int32_t material;          ///< -1: the default material
    const float* texcoords[2]; ///< 2 floats per vertex, or NULL
    const float* colors;       ///< 4 floats per vertex, linear, or NULL
} supMeshLook;

typedef struct supLook
{
    int32_t materialCount, imageCount, meshCount;
    const supMaterial* materials;
    const supImage* images;
    const supMeshLook* meshes;
    size_t mostMemory; ///< bytes that all images together may take once they are decoded; 0: 2 GB
} supLook;
