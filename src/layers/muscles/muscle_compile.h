// Muscles: from the rig's items to what a body needs.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_data.h"

supResult supCompileMuscles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
