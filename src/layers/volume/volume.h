// Volume: flesh that keeps its volume, and bulges where it is squeezed.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_volumeLayer;

// ---------------------------------------------------------------------------------------------------------------
// Flesh elements that keep their volume.

supResult supCompileVolumes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyVolumes( void* compiled, const supAllocator* allocator );
int32_t supVolumesTouched( const void* compiled, const int32_t** vertices );
size_t supVolumesScratch( const void* compiled );
void supApplyVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawVolumes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
/// What an item's element gains from `smooth` to `living`, and its volume at rest. m^3
double supVolumes_Change(
    const void* compiled, int32_t item, const supVec3* smooth, const supVec3* living, float* volume );
