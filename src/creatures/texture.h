// Supple: a character's paint as a picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/surface.h"

/// Texture coordinates of every vertex, and the picture as PNG bytes appended to `png`. Left and right share their half
/// of the paint.
supResult supPaintTexture( const supDraft* draft, const supSurface* surface, float* texcoords, supArray* png,
    const supAllocator* allocator, supError* error );
