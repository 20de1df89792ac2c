// A control line where the surface shortens most over the clips.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/wrinkles/control_line.h"

enum
{
    supSearchSteps = 32, ///< of a found line; it has one point more
};

/// At most supSearchSteps + 1 points; `count` 0: no clip shortens the surface by 2% anywhere. `joint`: whose skin is
/// searched; -1: all. Fails where there is no memory.
supResult supSearchLine( const supLayerContext* context, const supWrinkleDef* def, int32_t item, int32_t joint,
    const supLineSkin* skin, supVec3* points, int32_t* count, supError* error );
