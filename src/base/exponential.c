// Supple: exponentials and the logarithm with the same bits everywhere.
// SPDX-License-Identifier: MIT
#include "base/scalar_math.h"

#include <string.h>

static const double sup_ln2High = 0x1.62e42feep-1; // 32 bits, so that its product with an exponent is exact
static const double sup_ln2Low = 0x1.a39ef35793c76p-33;

// value * 2^k in two steps, so that only the last one rounds where the result is subnormal.
static double supScalePower( double value, int k )
{
    if ( k < -1022 )
    {
        return value * supPowerOfTwo( k + 200 ) * supPowerOfTwo( -200 );
    }
    if ( k > 1023 )
    {
        return value * supPowerOfTwo( k - 1 ) * 2.0;
    }
    return value * supPowerOfTwo( k );
}

// exp( high + low ) - 1 for |high| <= ln2 / 2 and a tiny low: Taylor to the 14th power (the next term is below 1e-19),
// with the linear term added last.
static double supExpm1Series( double high, double low )
{
    double p = 1.0 / 87178291200.0; // 14!
    p = p * high + 1.0 / 6227020800.0;
    p = p * high + 1.0 / 479001600.0;
    p = p * high + 1.0 / 39916800.0;
    p = p * high + 1.0 / 3628800.0;
    p = p * high + 1.0 / 362880.0;
    p = p * high + 1.0 / 40320.0;
    p = p * high + 1.0 / 5040.0;
    p = p * high + 1.0 / 720.0;
    p = p * high + 1.0 / 120.0;
    p = p * high + 1.0 / 24.0;
    p = p * high + 1.0 / 6.0;
    p = p * high + 0.5;
    return high + ( high * high * p + low * ( 1.0 + high ) );
}

// x = k ln2 + high + low
static int supReduceExponent( double x, double* high, double* low )
{
    double scaled = x * 0x1.71547652b82fep+0; // 1/ln2
    int k = (int)( scaled + ( scaled < 0.0 ? -0.5 : 0.5 ) );
    double rest = x - k * sup_ln2High;
    double small = k * sup_ln2Low;
    *high = rest - small;
    *low = ( rest - *high ) - small;
    return k;
}

double supExp( double x )
{
    if ( x != x )
    {
        return x;
    }
    if ( x > 709.782712893384 )
    {
        return supInfinity();
    }
    if ( x < -745.1332191019412 )
    {
        return 0.0;
    }
    double high, low;
    int k = supReduceExponent( x, &high, &low );
    return supScalePower( 1.0 + supExpm1Series( high, low ), k );
}

double supExp2( double x )
{
    if ( x != x )
    {
        return x;
    }
    if ( x >= 1024.0 )
    {
        return supInfinity();
    }
    if ( x < -1075.0 )
    {
        return 0.0;
    }
    int k = (int)( x + ( x < 0.0 ? -0.5 : 0.5 ) );
    double fraction = x - k; // exact
    // fraction * ln2 in two parts: the fraction cut to 20 bits times the 32 of ln2's first part is exact.
    double head = (double)(int32_t)( fraction * 1048576.0 ) * ( 1.0 / 1048576.0 );
    double first = head * sup_ln2High;
    double second = ( fraction - head ) * ( sup_ln2High + sup_ln2Low ) + head * sup_ln2Low;
    double high = first + second;
    double low = ( first - high ) + second;
    return supScalePower( 1.0 + supExpm1Series( high, low ), k );
}

double supExpm1( double x )
{
    if ( x != x || x == 0.0 )
    {
        return x;
    }
    if ( x > 40.0 )
    {
        return supExp( x ); // the 1 is below its last bit
    }
    if ( x < -40.0 )
    {
        return -1.0;
    }
    double high, low;
    int k = supReduceExponent( x, &high, &low );
    double series = supExpm1Series( high, low );
    if ( k == 0 )
    {
        return series;
    }
    // 2^k (1 + s) - 1 = (2^k - 1) + 2^k s; 2^k - 1 is exact up to 2^53 and beyond that the series hides what it lost
    double power = supPowerOfTwo( k );
    return ( power - 1.0 ) + power * series;
}

// x = 2^k m, m in [sqrt(1/2), sqrt 2), f = m - 1 (exact), s = f / (2 + f):
//   log m = 2 atanh s = 2s + s T,  T = 2 (s^2/3 + s^4/5 + ...),  and 2s = f - s f,
//   so log m = f - s (f - T): f is exact and the rest small. |s| <= 0.1716; the series ends where s^24/25 < 2e-20.
double supLn( double x )
{
    if ( x != x || x == supInfinity() )
    {
        return x;
    }
    if ( x <= 0.0 )
    {
        return x == 0.0 ? -supInfinity() : ( x - x ) / 0.0 * 0.0;
    }
    int k = 0;
    if ( x < DBL_MIN )
    {
        x *= 0x1p54;
        k = -54;
    }
    uint64_t bits;
    memcpy( &bits, &x, sizeof( bits ) );
    k += (int)( bits >> 52 ) - 1023;
    bits = ( bits & 0xfffffffffffffu ) | 0x3ff0000000000000u;
    double m;
    memcpy( &m, &bits, sizeof( m ) );
    if ( m >= 0x1.6a09e667f3bcdp+0 )
    {
        m *= 0.5;
        k += 1;
    }
    double f = m - 1.0;
    double s = f / ( 2.0 + f );
    double z = s * s;
    double p = 2.0 / 25.0;
    for ( int odd = 23; odd >= 3; odd -= 2 )
    {
        p = p * z + 2.0 / odd;
    }
    double rest = s * ( f - z * p );
    return k * sup_ln2High + ( f - ( rest - k * sup_ln2Low ) );
}

float supExpF( float x )
{
    return (float)supExp( x );
}
