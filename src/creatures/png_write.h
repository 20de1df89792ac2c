// Supple: pictures painted by formulas, as PNG bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"

/// Appends a PNG of width x height pixels, three bytes each, sRGB, to an array of bytes. False: no memory.
bool supAppendPng( const uint8_t* pixels, int32_t width, int32_t height, supArray* out );
