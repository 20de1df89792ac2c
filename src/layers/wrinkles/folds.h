// Folds that keep the length of a control line.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/wrinkles/control_line.h"
#include "layers/wrinkles/wrinkles.h"

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
