// Supple: a cubic through given values that rises and falls only where they do.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Slopes at the knots, so that the cubic between two of them stays between their values: Fritsch, Butland, "A method
/// for constructing local monotone piecewise cubic interpolants", 1984. `at` rises strictly; count >= 1.
void supMonotoneSlopes( const double* at, const double* values, int32_t count, double* slopes );
/// The cubic at x; level before the first knot and after the last. *knot: where the last search ended, for calls with
/// rising x; 0 to begin.
double supMonotoneValue(
    const double* at, const double* values, const double* slopes, int32_t count, double x, int32_t* knot );
