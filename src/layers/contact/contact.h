// Contact: flesh that presses against the body's other parts and does not pass through them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_contactLayer;

// ---------------------------------------------------------------------------------------------------------------
// Flesh elements pressed against the skin of other parts.

supResult supCompileContacts(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyContacts( void* compiled, const supAllocator* allocator );
int32_t supContactsTouched( const void* compiled, const int32_t** vertices );
size_t supContactsScratch( const void* compiled );
void supApplyContacts( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawContacts( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
