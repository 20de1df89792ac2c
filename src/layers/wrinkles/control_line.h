// Control lines on a surface: given by points, or found.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/closest_point.h"
#include "layers/layer.h"

enum
{
    supFoldSamples = 12, ///< of a control line, a fold
    supMostFolds = 64,
    supLineSamples = supMostFolds * supFoldSamples + 1,
};

/// Points of a surface that a control line runs over.
typedef struct supLinePoint
{
    int32_t corners[3];
    float shares[3];
} supLinePoint;

/// Triangles that lines may lie on: those of the item's meshes and (where given) of its joint's skin.
typedef struct supLineSkin
{
    int32_t triangleCount;
    int32_t* corners;
    supTriangleIndex* index; ///< at rest
    size_t cornersSize;
} supLineSkin;

supResult supMakeLineSkin(
    const supLayerContext* context, const supWrinkleDef* def, int32_t item, supLineSkin* skin, supError* error );
void supDropLineSkin( supLineSkin* skin, const supAllocator* allocator );

/// The line's points in model space at rest, at most `most`: given ones, or a line across the place where the surface
/// shortens most over the clips. `count`: how many; 0: there is no such place. Fails for vertices that are not there.
supResult supFindLine( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t joint,
    const supLineSkin* skin, int32_t most, supVec3* points, int32_t* count, supError* error );
/// `count` places at even steps along these points, put on the surface.
void supLayLine(
    const supLineSkin* skin, const supVec3* points, int32_t pointCount, int32_t count, supLinePoint* line );
supVec3 supLinePlace( const supLinePoint* point, const supVec3* positions );

enum
{
    supSearchSteps = 32, ///< of a found line; it has one point more
};

/// At most supSearchSteps + 1 points; `count` 0: no clip shortens the surface by 2% anywhere. `joint`: whose skin is
/// searched; -1: all. Fails where there is no memory.
supResult supSearchLine( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t joint,
    const supLineSkin* skin, supVec3* points, int32_t* count, supError* error );
