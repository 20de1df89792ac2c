// Supple: arcs from their tangents, sines and cosines, with the same bits everywhere.
// SPDX-License-Identifier: MIT
#include "base/scalar_math.h"

#include <string.h>

// atan( k/4 ), as the nearest double and what is left over
static const double sup_arcHigh[5] = { 0.0, 0x1.f5b75f92c80ddp-3, 0x1.dac670561bb4fp-2, 0x1.4978fa3269ee1p-1,
    0x1.921fb54442d18p-1 };
static const double sup_arcLow[5] = { 0.0, 0x1.8ab6e3cf7afbdp-57, 0x1.a2b7f222f65e2p-56, 0x1.2419a87f2a458p-56,
    0x1.1a62633145c07p-55 };

static bool supSignBit( double x )
{
    uint64_t bits;
    memcpy( &bits, &x, sizeof( bits ) );
    return bits >> 63 != 0;
}

/// An angle as a sum of two doubles
typedef struct supArc
{
    double high, low;
} supArc;

// atan( t ) for 0 <= t <= 1: with c = k/4 a near quarter, atan t = atan c + atan r, r = (t - c) / (1 + t c); then the
// Taylor series of r to r^25 (the next term is below 2e-21). k is 0 up to 3/16, so that nothing cancels: with the
// nearest quarter the error at t = 1/8 was 2.3 units in the last place, now it is 1.4 at most.
static supArc supArcOf( double t )
{
    int k = t < 0.1875 ? 0 : t < 0.375 ? 1 : (int)( 4.0 * t + 0.5 );
    double c = 0.25 * k;
    double r = k == 0 ? t : ( t - c ) / ( 1.0 + t * c );
    double z = r * r;
    double p = 1.0 / 25.0;
    p = 1.0 / 23.0 - p * z;
    p = 1.0 / 21.0 - p * z;
    p = 1.0 / 19.0 - p * z;
    p = 1.0 / 17.0 - p * z;
    p = 1.0 / 15.0 - p * z;
    p = 1.0 / 13.0 - p * z;
    p = 1.0 / 11.0 - p * z;
    p = 1.0 / 9.0 - p * z;
    p = 1.0 / 7.0 - p * z;
    p = 1.0 / 5.0 - p * z;
    p = 1.0 / 3.0 - p * z;
    double tail = sup_arcLow[k] - r * z * p;
    if ( k == 0 )
    {
        return ( supArc ){ r, tail };
    }
    double high = sup_arcHigh[k] + r;
    return ( supArc ){ high, ( ( sup_arcHigh[k] - high ) + r ) + tail };
}

// In the first quadrant, not both infinite and not both zero.
static supArc supFirstQuadrant( double y, double x )
{
    const double halfPiHigh = 0x1.921fb54442d18p+0, halfPiLow = 0x1.1a62633145c07p-54;
    if ( y <= x )
    {
        return supArcOf( y / x );
    }
    supArc arc = supArcOf( x / y );
    double high = halfPiHigh - arc.high;
    return ( supArc ){ high, ( ( halfPiHigh - high ) - arc.high ) + ( halfPiLow - arc.low ) };
}

double supAtan2( double y, double x )
{
    if ( x != x || y != y )
    {
        return x + y;
    }
    bool negativeY = supSignBit( y ), negativeX = supSignBit( x );
    double up = negativeY ? -y : y, along = negativeX ? -x : x;
    bool bothInfinite = !supIsFinite( up ) && !supIsFinite( along );
    supArc arc = { 0.0, 0.0 };
    if ( bothInfinite )
    {
        arc = supFirstQuadrant( 1.0, 1.0 );
    }
    else if ( up != 0.0 || along != 0.0 )
    {
        arc = supFirstQuadrant( up, along );
    }
    double angle = arc.high + arc.low;
    if ( negativeX )
    {
        const double piHigh = 0x1.921fb54442d18p+1, piLow = 0x1.1a62633145c07p-53;
        double high = piHigh - arc.high;
        angle = high + ( ( ( piHigh - high ) - arc.high ) + ( piLow - arc.low ) );
    }
    return negativeY ? -angle : angle;
}

double supAcos( double x )
{
    x = x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x;
    return supAtan2( supSqrt( ( 1.0 - x ) * ( 1.0 + x ) ), x );
}

double supAsin( double x )
{
    x = x > 1.0 ? 1.0 : x < -1.0 ? -1.0 : x;
    return supAtan2( x, supSqrt( ( 1.0 - x ) * ( 1.0 + x ) ) );
}

float supAtan2F( float y, float x )
{
    return (float)supAtan2( y, x );
}

float supAcosF( float x )
{
    return (float)supAcos( x );
}
