// How much volume moving skin sweeps.
// SPDX-License-Identifier: MIT
//
// While the corners of a triangle go from a to a + d on straight ways, it sweeps the integral over time of the mean of
// d over its area, times its normal. A triangle is flat and d linear on it, so the mean is ( d0 + d1 + d2 ) / 3 at
// every time, and with the edges E at first and D for what they change by
//
//     swept = ( d0 + d1 + d2 ) / 3 . G,    G = 1/2 ( E1 x E2 + 1/2 ( E1 x D2 + D1 x E2 ) + 1/3 D1 x D2 )
//
// This knows of no point to look from, and summed over a closed surface it is the change of its volume exactly. It is
// linear in d beside G, so where flesh of several elements lies on one vertex, its part can be shared out among them
// and the parts still sum to the whole.

#include "layers/region_volume.h"

#include "base/math.h"

void supSweptCubic( const supSweptTriangle* t, double k[4] )
{
    supVec3d e1 = supSubD( t->smooth[1], t->smooth[0] ), e2 = supSubD( t->smooth[2], t->smooth[0] );
    supVec3d d1 = supSubD( t->way[1], t->way[0] ), d2 = supSubD( t->way[2], t->way[0] );
    supVec3d m1 = supSubD( t->more[1], t->more[0] ), m2 = supSubD( t->more[2], t->more[0] );
    supVec3d g0 = supCrossD( e1, e2 );
    g0 = supMulAddD( g0, 0.5, supAddD( supCrossD( e1, d2 ), supCrossD( d1, e2 ) ) );
    g0 = supMulAddD( g0, 1.0 / 3.0, supCrossD( d1, d2 ) );
    supVec3d g1 = supScaleD( supAddD( supCrossD( e1, m2 ), supCrossD( m1, e2 ) ), 0.5 );
    g1 = supMulAddD( g1, 1.0 / 3.0, supAddD( supCrossD( d1, m2 ), supCrossD( m1, d2 ) ) );
    supVec3d g2 = supScaleD( supCrossD( m1, m2 ), 1.0 / 3.0 );
    supVec3d h0 = { 0.0, 0.0, 0.0 }, h1 = { 0.0, 0.0, 0.0 };
    for ( int c = 0; c < 3; ++c )
    {
        h0 = supMulAddD( h0, t->part[c] / 6.0, t->way[c] );
        h1 = supMulAddD( h1, t->part[c] / 6.0, t->more[c] );
    }
    k[0] += supDotD( h0, g0 );
    k[1] += supDotD( h1, g0 ) + supDotD( h0, g1 );
    k[2] += supDotD( h1, g1 ) + supDotD( h0, g2 );
    k[3] += supDotD( h1, g2 );
}
