// Pictures of muscles: their forms, their lines, the fields that pull on these.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

/// "muscles", "lines" or "fields".
void supDrawMuscles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
