// Wrinkles: folds across a control line, that keep its length.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"
#include "layers/triangle_tree.h"

// ---------------------------------------------------------------------------------------------------------------
// Control lines on a surface: given by points, or found.

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
    supTriangleTree* tree; ///< at rest
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

// ---------------------------------------------------------------------------------------------------------------
// The layer.

extern const supLayer sup_wrinklesLayer;

// ---------------------------------------------------------------------------------------------------------------
// Folds that keep the length of a control line.

supResult supCompileWrinkles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyWrinkles( void* compiled, const supAllocator* allocator );
int32_t supWrinklesTouched( const void* compiled, const int32_t** vertices );
size_t supWrinklesScratch( const void* compiled );
void supApplyWrinkles( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawWrinkles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

/// Length of a line over some positions, and at rest: of all its folds together, or of one. Metres
float supWrinkleLength( const void* compiled, int32_t item, int32_t fold, const supVec3* positions, float* rest );
int32_t supWrinkleFolds( const void* compiled, int32_t item );

// ---------------------------------------------------------------------------------------------------------------
// Where a surface shortens over a character's clips, and in which direction.

/// A symmetric tensor of the surface at rest: the sum of s d d^T, with s how much is lost along the direction d.
typedef struct supShrink
{
    float xx, xy, xz, yy, yz, zz;
} supShrink;

/// One tensor a vertex; vertices at one place share theirs.
typedef struct supShrinkField
{
    supShrink* places; ///< of supCharacter_Welds
    const int32_t* welds;
    size_t blockSize;
} supShrinkField;

/// Looks at the clips, and evens out over about `reach` (metres). False: no memory.
bool supMakeShrinkField( const supLayerContext* context, const supLineSkin* skin, float reach, supShrinkField* out );
void supDropShrinkField( supShrinkField* field, const supAllocator* allocator );

/// How much the surface loses most at a point of it, 0 to 1, and along which way: of unit length, either sign.
float supShrinkField_At( const supShrinkField* field, const supLinePoint* point, supVec3* along );
