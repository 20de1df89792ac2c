// Supple: sine and cosine with the same bits everywhere.
// SPDX-License-Identifier: MIT
//
// x = k pi/2 + r with |r| <= pi/4, r as a sum of two doubles; then the Taylor series of sine or cosine at r, long
// enough that what is left out (r^19/19! and r^18/18!) is below a twentieth of a unit in the last place. Small x: Cody
// and Waite, "Software manual for the elementary functions", 1980, with pi/2 in three parts. Large x: Payne and Hanek,
// "Radian reduction for trigonometric functions", 1983: only those bits of 2/pi are multiplied that matter modulo 4, in
// integers.
#include "base/scalar_math.h"

#include <string.h>

// 2/pi in binary, 64 bits a word behind the point; the first word is 0 so that a window may begin before it.
static const uint64_t sup_twoOverPi[21] = { 0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u,
    0xdb6295993c439041u, 0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu, 0x1ff897ffde05980fu,
    0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du, 0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau,
    0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu, 0xf0cfbc209af4361du };

/// x = quadrant * pi/2 + high + low, quadrant modulo 4
typedef struct supReduced
{
    double high, low;
    uint32_t quadrant;
} supReduced;

// a + b = sum + error, exactly (Knuth).
static double supTwoSum( double a, double b, double* error )
{
    double sum = a + b;
    double partB = sum - a;
    double partA = sum - partB;
    *error = ( a - partA ) + ( b - partB );
    return sum;
}

// a * b = product + error, exactly (Dekker 1971, with Veltkamp's split in 26 and 27 bits).
static double supTwoProduct( double a, double b, double* error )
{
    const double split = 134217729.0; // 2^27 + 1
    double scaledA = split * a, scaledB = split * b;
    double highA = scaledA - ( scaledA - a ), lowA = a - highA;
    double highB = scaledB - ( scaledB - b ), lowB = b - highB;
    double product = a * b;
    *error = ( ( highA * highB - product ) + highA * lowB + lowA * highB ) + lowA * lowB;
    return product;
}

// |x| < 2^20: k has 20 bits and the first two parts 33 each, so their products are exact.
static supReduced supReduceSmall( double x )
{
    const double twoOverPi = 0x1.45f306dc9c883p-1;
    const double part1 = 0x1.921fb544p+0, part2 = 0x1.0b4611a6p-34, part3 = 0x1.3198a2e037073p-69;
    double scaled = x * twoOverPi;
    int32_t k = (int32_t)( scaled + ( scaled < 0.0 ? -0.5 : 0.5 ) );
    double error;
    double rest = supTwoSum( x - k * part1, -( k * part2 ), &error );
    double low = error - k * part3;
    supReduced out;
    out.high = rest + low;
    out.low = ( rest - out.high ) + low;
    out.quadrant = (uint32_t)k & 3u;
    return out;
}

// a * b modulo 2^128 as two words; by halves, since not every compiler has 128-bit integers.
static void supMulWords( uint64_t a, uint64_t b, uint64_t* high, uint64_t* low )
{
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    uint64_t middle = ( p00 >> 32 ) + ( p01 & 0xffffffffu ) + ( p10 & 0xffffffffu );
    *low = ( middle << 32 ) | ( p00 & 0xffffffffu );
    *high = p11 + ( p01 >> 32 ) + ( p10 >> 32 ) + ( middle >> 32 );
}

// words[0] is the highest of three
static void supShiftLeft( uint64_t words[3], int count )
{
    for ( ; count >= 64; count -= 64 )
    {
        words[0] = words[1];
        words[1] = words[2];
        words[2] = 0;
    }
    if ( count > 0 )
    {
        words[0] = ( words[0] << count ) | ( words[1] >> ( 64 - count ) );
        words[1] = ( words[1] << count ) | ( words[2] >> ( 64 - count ) );
        words[2] <<= count;
    }
}

static int supLeadingZeros( const uint64_t words[3] )
{
    int count = 0;
    for ( int i = 0; i < 3; ++i )
    {
        for ( uint64_t bit = (uint64_t)1 << 63; bit != 0; bit >>= 1, ++count )
        {
            if ( ( words[i] & bit ) != 0 )
            {
                return count;
            }
        }
    }
    return count;
}

// The product of a 53-bit integer with 192 bits of 2/pi, modulo 2^192, so that the two highest bits are x * 2/pi modulo
// 4 in whole quadrants and 190 bits of fraction follow. What the window leaves out is below 2^-137 of a quadrant; no
// double comes nearer to a multiple of pi/2 than about 2^-62.
static void supQuadrantBits( uint64_t mantissa, int exponent, uint64_t product[3] )
{
    // Bits of 2/pi above weight 2^-(exponent - 2) contribute multiples of 4. +64 for the word of zeros.
    int start = exponent - 2 + 64;
    int word = start / 64, shift = start % 64;
    uint64_t window[3];
    for ( int i = 0; i < 3; ++i )
    {
        uint64_t next = shift > 0 ? sup_twoOverPi[word + i + 1] >> ( 64 - shift ) : 0;
        window[i] = ( sup_twoOverPi[word + i] << shift ) | next;
    }
    uint64_t high1, low1, high2, low2;
    supMulWords( mantissa, window[2], &high2, &low2 );
    supMulWords( mantissa, window[1], &high1, &low1 );
    product[2] = low2;
    product[1] = low1 + high2;
    product[0] = mantissa * window[0] + high1 + ( product[1] < low1 ? 1u : 0u );
}

// 2^20 <= x, finite and positive
static supReduced supReduceLarge( double x )
{
    uint64_t bits;
    memcpy( &bits, &x, sizeof( bits ) );
    uint64_t words[3];
    int exponent = (int)( bits >> 52 ) - 1075;
    supQuadrantBits( ( bits & 0xfffffffffffffu ) | 0x10000000000000u, exponent, words );

    // To the nearest quadrant; what is left, in [-1/2, 1/2), as sign and magnitude.
    uint64_t rounded = words[0] + ( (uint64_t)1 << 61 );
    uint32_t quadrant = (uint32_t)( rounded >> 62 );
    words[0] -= (uint64_t)quadrant << 62;
    bool negative = words[0] >> 63 != 0;
    if ( negative )
    {
        words[2] = ~words[2] + 1;
        words[1] = ~words[1] + ( words[2] == 0 ? 1 : 0 );
        words[0] = ~words[0] + ( words[2] == 0 && words[1] == 0 ? 1 : 0 );
    }
    int zeros = supLeadingZeros( words );
    supShiftLeft( words, zeros );
    double first = (double)(int64_t)( words[0] >> 11 ) * supPowerOfTwo( -51 - zeros );
    double second =
        (double)(int64_t)( ( ( words[0] & 0x7ffu ) << 42 ) | ( words[1] >> 22 ) ) * supPowerOfTwo( -104 - zeros );

    const double halfPiHigh = 0x1.921fb54442d18p+0, halfPiLow = 0x1.1a62633145c07p-54;
    double error;
    double high = supTwoProduct( first, halfPiHigh, &error );
    double low = error + ( first * halfPiLow + second * halfPiHigh );
    supReduced out;
    out.high = high + low;
    out.low = ( high - out.high ) + low;
    out.quadrant = quadrant;
    if ( negative )
    {
        out.high = -out.high;
        out.low = -out.low;
    }
    return out;
}

static supReduced supReduce( double x )
{
    if ( x > -1048576.0 && x < 1048576.0 )
    {
        return supReduceSmall( x );
    }
    if ( x > 0.0 )
    {
        return supReduceLarge( x );
    }
    supReduced out = supReduceLarge( -x );
    out.high = -out.high;
    out.low = -out.low;
    out.quadrant = ( 4u - out.quadrant ) & 3u;
    return out;
}

// sin( high + low ) = sin high + low cos high, |high| <= pi/4
static double supSineSeries( double high, double low )
{
    double z = high * high;
    double p = 1.0 / 355687428096000.0; // 17!
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return high + ( high * z * p + low * ( 1.0 - 0.5 * z ) );
}

// cos( high + low ) = cos high - low sin high. 1 - z/2 is rounded; its error is put back.
static double supCosineSeries( double high, double low )
{
    double z = high * high;
    double p = -1.0 / 6402373705728000.0; // 18!
    p = p * z + 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    double half = 0.5 * z;
    double sum = 1.0 - half;
    return sum + ( ( ( 1.0 - sum ) - half ) + ( z * z * p - high * low ) );
}

void supSinCos( double x, double* sine, double* cosine )
{
    if ( !supIsFinite( x ) )
    {
        *sine = x - x;
        *cosine = x - x;
        return;
    }
    supReduced r = supReduce( x );
    double s = supSineSeries( r.high, r.low );
    double c = supCosineSeries( r.high, r.low );
    double first = r.quadrant % 2 == 0 ? s : c;
    double second = r.quadrant % 2 == 0 ? c : s;
    *sine = r.quadrant >= 2 ? -first : first;
    *cosine = r.quadrant == 1 || r.quadrant == 2 ? -second : second;
}

double supSin( double x )
{
    double sine, cosine;
    supSinCos( x, &sine, &cosine );
    return x == 0.0 ? x : sine; // keeps the sign of -0
}

double supCos( double x )
{
    double sine, cosine;
    supSinCos( x, &sine, &cosine );
    return cosine;
}

float supSinF( float x )
{
    return (float)supSin( x );
}

float supCosF( float x )
{
    return (float)supCos( x );
}

void supSinCosF( float x, float* sine, float* cosine )
{
    double s, c;
    supSinCos( x, &s, &c );
    *sine = (float)s;
    *cosine = (float)c;
}

// ---------------------------------------------------------------------------------------------------------------
// Arcs from their tangents, sines and cosines, with the same bits everywhere.

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

// ---------------------------------------------------------------------------------------------------------------
// Exponentials and the logarithm with the same bits everywhere.

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
