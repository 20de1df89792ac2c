// Supple: a character's skin as it is made: both halves, with normals, colours and influences.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "creatures/draft.h"
#include "creatures/formula.h"

#define SUP_SKIN_INFLUENCES 4

typedef struct supCreatureSurface
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
} supCreatureSurface;

/// Meshes the draft's field, mirrors it, paints it and binds it to its bones.
supResult supCreateSurface(
    const supDraft* draft, const supAllocator* allocator, supCreatureSurface* out, supError* error );
void supCreatureSurface_Destroy( supCreatureSurface* surface );

/// Fills in joints and weights. Left and right are mirror images to the last bit.
supResult supBindSurface(
    supCreatureSurface* surface, const supDraft* draft, const supAllocator* allocator, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// A character's paint as a picture.

/// Texture coordinates of every vertex, and the picture as PNG bytes appended to `png`. Left and right share their half
/// of the paint.
supResult supPaintTexture( const supDraft* draft, const supCreatureSurface* surface, float* texcoords, supArray* png,
    const supAllocator* allocator, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Pictures painted by formulas, as PNG bytes.

/// Appends a PNG of width x height pixels, three bytes each, sRGB, to an array of bytes. False: no memory.
bool supAppendPng( const uint8_t* pixels, int32_t width, int32_t height, supArray* out );

// ---------------------------------------------------------------------------------------------------------------
// Small words for paint. Edges are soft over about a millimetre, so that they neither stair nor blur.

/// How much of a shape covers a place that is `inside` metres within its edge (negative: outside), soft over `soft` to
/// either side.
static inline double supCover( double inside, double soft )
{
    return supRamp( -soft, soft, inside );
}

/// How far (x, y) is within an ellipse, nearly in metres.
static inline double supInEllipse( double x, double y, double a, double b )
{
    double k0 = supSqrt( x * x / ( a * a ) + y * y / ( b * b ) );
    double k1 = supSqrt( x * x / ( a * a * a * a ) + y * y / ( b * b * b * b ) );
    return k1 > 0.0 ? k0 * ( 1.0 - k0 ) / k1 : supMin( a, b );
}

/// Lays a colour over another.
static inline supVec3d supOver( supVec3d under, supVec3d color, double cover )
{
    return supLerpD( under, color, cover );
}
