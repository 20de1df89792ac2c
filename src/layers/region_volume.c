// How much volume a moving patch of skin gains or loses.
// SPDX-License-Identifier: MIT
//
// The cone from a point o over a triangle (a, b, c) has the volume ( a - o ) . ( b - o ) x ( c - o ) / 6. Summed over a
// patch whose border stands still, the difference between two states does not depend on o: the cones over the border's
// edges are the same.

#include "layers/region_volume.h"

#include "base/math.h"

static double supCone( supVec3d o, const int32_t* c, const supVec3* points )
{
    supVec3d a = supSubD( supToDouble( points[c[0]] ), o ), b = supSubD( supToDouble( points[c[1]] ), o ),
             d = supSubD( supToDouble( points[c[2]] ), o );
    return supDotD( a, supCrossD( b, d ) ) / 6.0;
}

double supVolumeChange( const int32_t* corners, int32_t count, const supVec3* smooth, const supVec3* living )
{
    supVec3d middle = { 0.0, 0.0, 0.0 };
    for ( int32_t i = 0; i < 3 * count; ++i )
    {
        middle = supMulAddD( middle, 1.0 / ( 3.0 * count ), supToDouble( smooth[corners[i]] ) );
    }
    double sum = 0.0;
    for ( int32_t t = 0; t < count; ++t )
    {
        const int32_t* c = corners + 3 * (size_t)t;
        sum += supCone( middle, c, living ) - supCone( middle, c, smooth );
    }
    return sum;
}
