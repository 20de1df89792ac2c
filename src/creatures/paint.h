// Supple: small words for paint. Edges are soft over about a millimetre, so that they neither stair nor blur.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/formula.h"

/// How much of a shape covers a place that is `inside` metres within its edge (negative: outside), soft over `soft` to
/// either side.
static inline double supCover( double inside, double soft )
{
    return supRamp( -soft, soft, inside );
}

/// How far (x, y) is within an ellipse, nearly in metres.
static inline double supInEllipse( double x, double y, double a, double b )
{
    double k0 = supSqrt( x * x / ( a * a ) + y * y / ( b * b ) );
    double k1 = supSqrt( x * x / ( a * a * a * a ) + y * y / ( b * b * b * b ) );
    return k1 > 0.0 ? k0 * ( 1.0 - k0 ) / k1 : supMin( a, b );
}

/// Lays a colour over another.
static inline supVec3d supOver( supVec3d under, supVec3d color, double cover )
{
    return supLerpD( under, color, cover );
}
