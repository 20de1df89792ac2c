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
