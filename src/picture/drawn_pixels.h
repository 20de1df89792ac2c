// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// sRGB's curve, IEC 61966-2-1: byte to linear light, 256 values.
void supFillSrgbTable( float* linear );
/// Linear light (cut to [0, 1]) to the nearest sRGB byte.
uint8_t supEncodeSrgb( float linear );

// ---------------------------------------------------------------------------------------------------------------
// Letters.

enum
{
    sup_glyphHeight = 12, ///< of a capital letter, in the font's units; small letters reach 8, descenders -4
    sup_glyphGap = 4,     ///< between two letters
};

/// A letter as strokes. Words of the text are strokes; two characters are a point: x as 0-9a-e, y as A-Q for -4 to 12.
/// A stroke that starts with ~ is a smooth curve through its points.
const char* supGlyphStrokes( uint32_t codepoint );
/// Units from the left edge of a letter to its right one.
int32_t supGlyphWidth( uint32_t codepoint );

/// The next code point of a UTF-8 text, which is moved on; 0 at the end. Broken bytes become U+FFFD.
uint32_t supNextCodepoint( const char** text );
