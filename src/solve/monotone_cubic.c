// A cubic that does not overshoot.
// SPDX-License-Identifier: MIT

#include "solve/monotone_cubic.h"

/// The harmonic mean of the slopes on both sides, weighed by how far the other side reaches; 0 at a turning point.
static double supInnerSlope( double before, double after, double left, double right )
{
    if ( before * after <= 0.0 )
    {
        return 0.0;
    }
    double a = 2.0 * right + left, b = right + 2.0 * left;
    return ( a + b ) / ( a / before + b / after );
}

void supMonotoneSlopes( const double* at, const double* values, int32_t count, double* slopes )
{
    double left = 0.0, before = 0.0;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        double right = at[i + 1] - at[i], after = ( values[i + 1] - values[i] ) / right;
        slopes[i] = i > 0 ? supInnerSlope( before, after, left, right ) : after;
        left = right;
        before = after;
    }
    slopes[count - 1] = before;
}

double supMonotoneValue(
    const double* at, const double* values, const double* slopes, int32_t count, double x, int32_t* knot )
{
    if ( x <= at[0] || count == 1 )
    {
        return values[0];
    }
    if ( x >= at[count - 1] )
    {
        return values[count - 1];
    }
    while ( x > at[*knot + 1] )
    {
        *knot += 1;
    }
    int32_t i = *knot;
    double h = at[i + 1] - at[i], t = ( x - at[i] ) / h, s = 1.0 - t;
    double a = s * s * ( 1.0 + 2.0 * t ), b = t * t * ( 1.0 + 2.0 * s );
    return a * values[i] + b * values[i + 1] + h * s * t * ( s * slopes[i] - t * slopes[i + 1] );
}
