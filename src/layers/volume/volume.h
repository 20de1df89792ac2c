// Volume: flesh that keeps its volume, and bulges where it is squeezed.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

extern const supLayer sup_volumeLayer;

/// What an item's element gains from `smooth` to `living`, and its volume at rest. m^3
double supVolumes_Change(
    const void* compiled, int32_t item, const supVec3* smooth, const supVec3* living, float* volume );
