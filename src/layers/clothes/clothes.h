// Clothes: garments that go with the skin beneath them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_clothesLayer;

// ---------------------------------------------------------------------------------------------------------------
// Garments bound to the skin beneath them.

supResult supCompileClothes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyClothes( void* compiled, const supAllocator* allocator );
int32_t supClothesTouched( const void* compiled, const int32_t** vertices );
size_t supClothesScratch( const void* compiled );
void supApplyClothes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawClothes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
