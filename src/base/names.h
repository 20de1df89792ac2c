// Supple: names that are nearly right.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// How many single edits (insert, drop, change a byte, swap two neighbours) lead from a to b; upper and lower case
/// count as the same letter. At most `limit` + 1: farther names are all the same.
SUP_API int32_t supEditingDistance( const char* a, const char* b, int32_t limit );

/// How many of the first `most` bytes of a UTF-8 text are whole characters: the precision for "%.*s", since a character
/// cut in two is refused by JSON writers and terminals.
SUP_API int32_t supWholeCharacters( const char* text, int32_t most );

/// Control characters become `with`: names out of files may hold anything, and a terminal would do what an escape
/// sequence says. Those are the bytes below 0x20, 0x7F, and U+0080 to U+009F, of which U+009B starts one as well.
SUP_API void supTakeControlsOut( char* text, char with );

/// Up to `most` of `names` (NULL ones are passed over) that are nearest to `name`, as "\"hips\", \"hip.L\"", nearest
/// first, equally near ones in their order. Near: a third of its letters may differ, two at least; or one begins with
/// the other. Gives `text`, empty where nothing is near. Whole names only: what does not fit in `text` is left out.
SUP_API const char* supNearest(
    const char* name, const char* const* names, int32_t count, int32_t most, char* text, size_t textSize );

// ---------------------------------------------------------------------------------------------------------------
// Floats as the shortest decimal text that reads back as the same float, and numbers out of text.

#define SUP_FLOAT_TEXT 24

/// Writes `value` ("0.1", "-9.81", "1.5e-7", "0" for both zeros; "nan", "inf", "-inf" for what has no number) and gives
/// `text`. A point whatever the locale, and valid JSON for every finite value.
SUP_API const char* supFloatText( float value, char text[SUP_FLOAT_TEXT] );

/// Reads a decimal number, "-12.5", "+.5", "1e-3", at the start of `text`: a point whatever the locale, and no words or
/// hexadecimals. Gives where it ends: `text` itself where there is none. Up to 15 digits and powers of ten up to 22 are
/// rounded right, others to two units in the last place; what is too large is infinite.
SUP_API const char* supReadDecimal( const char* text, double* value );
