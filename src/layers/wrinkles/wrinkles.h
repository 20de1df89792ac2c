// Wrinkles: folds across a control line, that keep its length.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"
#include "layers/wrinkles/control_line.h"

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
