// Supple: a character's paint as a picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "creatures/surface.h"

/// Texture coordinates of every vertex, and the picture as PNG bytes appended to `png`. Left and right share their half
/// of the paint.
supResult supPaintTexture( const supDraft* draft, const supSurface* surface, float* texcoords, supArray* png,
    const supAllocator* allocator, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Pictures painted by formulas, as PNG bytes.

/// Appends a PNG of width x height pixels, three bytes each, sRGB, to an array of bytes. False: no memory.
bool supAppendPng( const uint8_t* pixels, int32_t width, int32_t height, supArray* out );
