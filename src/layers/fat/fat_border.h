// The borders of fat at rest: the skin outside, the écorché or the bones' own shape inside.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"

/// Triangles at rest.
typedef struct supFatBorder
{
    int32_t pointCount, triangleCount;
    supVec3* points;
    int32_t* corners; ///< three a triangle, wound as seen from outside
} supFatBorder;

typedef struct supFatRegion
{
    const supCharacter* character;
    const supAllocator* allocator;
    supFatBorder outer;   ///< its points: the character's vertices
    supFatBorder inner;   ///< its points: the layer's rays, or the character's vertices
    float* members;       ///< of each vertex: how much of it carries fat, 0 to 1
    float* thicknesses;   ///< of each vertex: how far the inner border lies below it. Metres
    float thickest;       ///< of all. Metres
    int32_t thickestAt;   ///< the vertex
    int32_t rayCount;     ///< points of another layer's border where there is fat
    int32_t outsideCount; ///< those of them that lie outside the skin: no fat there
    int32_t outside;      ///< the ray of the one farthest outside, or -1
    float outsideBy;      ///< how far it lies outside. Metres
    supVec3 low, high;    ///< the box around what carries fat
    int32_t jointCount;
    int32_t joints[supMostFatJoints]; ///< that carry the vertices
    float* weights;                   ///< of each vertex, jointCount each
    const supInnerBorder* border;     ///< of a layer before this one, or NULL
    int32_t sizeCount;
    void* blocks[8];
    size_t sizes[8];
} supFatRegion;

/// `place`: "fat[0]". sup_errorData: nothing to put fat on.
supResult supReadFatRegion( const supLayerContext* context, const supFatDef* def, const supInnerBorder* border,
    const char* place, supFatRegion* region, supError* error );
void supDropFatRegion( supFatRegion* region );
