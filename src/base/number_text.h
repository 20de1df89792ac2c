// Supple: floats as the shortest decimal text that reads back as the same float, and numbers out of text.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#define SUP_FLOAT_TEXT 24

/// Writes `value` ("0.1", "-9.81", "1.5e-7", "0" for both zeros; "nan", "inf", "-inf" for what has no number) and gives
/// `text`. A point whatever the locale, and valid JSON for every finite value.
SUP_API const char* supFloatText( float value, char text[SUP_FLOAT_TEXT] );

/// Reads a decimal number, "-12.5", "+.5", "1e-3", at the start of `text`: a point whatever the locale, and no words or
/// hexadecimals. Gives where it ends: `text` itself where there is none. Up to 15 digits and powers of ten up to 22 are
/// rounded right, others to two units in the last place; what is too large is infinite.
SUP_API const char* supReadDecimal( const char* text, double* value );
