// Supple: floats as the shortest decimal text that reads back as the same float.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#define SUP_FLOAT_TEXT 24

/// Writes `value` ("0.1", "-9.81", "1.5e-7", "0" for both zeros; "nan", "inf", "-inf" for what has no number) and gives
/// `text`. A point whatever the locale, and valid JSON for every finite value.
SUP_API const char* supFloatText( float value, char text[SUP_FLOAT_TEXT] );
