// Drawings of curves by themselves: the second paper's figures 4, 5 and 6.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/lab/curves.h"

#ifdef SUP_HAS_SUPPLE_PICTURE
/// Figure 4: a closed and an open space curve, and their series. Figure 5: three shapes in a row and those between.
supResult supPlotSpaceCurves( const char* folder, supError* error );
/// Figure 6: a point between two curves, found by halving the quadrilateral around it, and where it is when they move.
supResult supDrawQuadrilateral( const char* folder, supError* error );
#endif
