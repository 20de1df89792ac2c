// Where a surface shortens over a character's clips, and in which direction.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/wrinkles/control_line.h"

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
