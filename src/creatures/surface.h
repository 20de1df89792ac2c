// Supple: a character's skin as it is made: both halves, with normals, colours and influences.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "creatures/draft.h"

#define SUP_SKIN_INFLUENCES 4

typedef struct supSurface
{
    int32_t vertexCount, triangleCount;
    int32_t halfCount; ///< vertices with x >= 0: they come first
    supVec3d* points;
    supVec3d* normals;
    int32_t* twins;    ///< each vertex's mirror image; itself in the plane x = 0
    uint32_t* indices; ///< 3 a triangle
    float* colors;     ///< 4 a vertex, linear: the shade in creases
    uint16_t* joints;  ///< SUP_SKIN_INFLUENCES a vertex, of the draft
    float* weights;    ///< likewise, falling, sum 1
    void* block;
    size_t blockSize;
    supAllocator allocator;
} supSurface;

/// Meshes the draft's field, mirrors it, paints it and binds it to its bones.
supResult supCreateSurface( const supDraft* draft, const supAllocator* allocator, supSurface* out, supError* error );
void supSurface_Destroy( supSurface* surface );

/// Fills in joints and weights. Left and right are mirror images to the last bit.
supResult supBindSurface( supSurface* surface, const supDraft* draft, const supAllocator* allocator, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// A character's paint as a picture.

/// Texture coordinates of every vertex, and the picture as PNG bytes appended to `png`. Left and right share their half
/// of the paint.
supResult supPaintTexture( const supDraft* draft, const supSurface* surface, float* texcoords, supArray* png,
    const supAllocator* allocator, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Pictures painted by formulas, as PNG bytes.

/// Appends a PNG of width x height pixels, three bytes each, sRGB, to an array of bytes. False: no memory.
bool supAppendPng( const uint8_t* pixels, int32_t width, int32_t height, supArray* out );
