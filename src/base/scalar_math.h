// Supple: elementary functions of our own, so that a state has the same bits everywhere.
// SPDX-License-Identifier: MIT
//
// C libraries differ in the last bits of sin, exp and the rest, from one version to the next. These use only + - * /
// and sqrt, which IEEE 754 fixes to the last bit, and integer operations; no fused multiply-add (compile with
// -ffp-contract=off). Double precision, within 1 unit in the last place of the true value over the whole range (expm1
// and atan2 1.5, acos and asin 2.5; the tests hold this); the float ones round that once. NaN gives NaN. Which NaN is
// the machine's choice; hashes take all of them as one.
#pragma once

#include "supple/base.h"

#include <float.h>
#include <string.h>
#if defined( __SSE2__ )
#    include <emmintrin.h>
#else
#    include <math.h>
#endif

#if defined( FLT_EVAL_METHOD ) && FLT_EVAL_METHOD != 0
#    error                                                                                                             \
        "Supple needs float and double arithmetic without extra precision: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#define SUP_PI 3.14159265358979323846

SUP_API double supSin( double x ); ///< NaN at infinity
SUP_API double supCos( double x ); ///< NaN at infinity
SUP_API void supSinCos( double x, double* sine, double* cosine );
SUP_API double supExp( double x );   ///< 0 below -745.13, infinity above 709.78
SUP_API double supExp2( double x );  ///< 2 to the x; exact for whole x
SUP_API double supExpm1( double x ); ///< exp( x ) - 1 without loss near 0
SUP_API double supLn( double x );    ///< -infinity at 0, NaN below
/// The angle of the point (x, y), in [-pi, pi]; signs of zeros and infinities as in C's atan2.
SUP_API double supAtan2( double y, double x );
SUP_API double supAcos( double x ); ///< arguments outside [-1, 1] are taken as the nearer end
SUP_API double supAsin( double x ); ///< likewise

SUP_API float supSinF( float x );
SUP_API float supCosF( float x );
SUP_API void supSinCosF( float x, float* sine, float* cosine );
SUP_API float supExpF( float x );
SUP_API float supAtan2F( float y, float x );
SUP_API float supAcosF( float x );

/// 2 to a whole power from -1022 to 1023.
static inline double supPowerOfTwo( int exponent )
{
    uint64_t bits = (uint64_t)( exponent + 1023 ) << 52;
    double value;
    memcpy( &value, &bits, sizeof( value ) );
    return value;
}

static inline double supInfinity( void )
{
    uint64_t bits = 0x7ff0000000000000u;
    double value;
    memcpy( &value, &bits, sizeof( value ) );
    return value;
}

/// Correctly rounded, as the processor does it; without the C library's errno, so the core needs no libm.
static inline double supSqrt( double x )
{
#if defined( __SSE2__ )
    __m128d wide = _mm_set_sd( x );
    return _mm_cvtsd_f64( _mm_sqrt_sd( wide, wide ) );
#else
    return sqrt( x );
#endif
}

static inline float supSqrtF( float x )
{
#if defined( __SSE2__ )
    return _mm_cvtss_f32( _mm_sqrt_ss( _mm_set_ss( x ) ) );
#else
    return sqrtf( x );
#endif
}

/// a < b ? a : b and a > b ? a : b. With a NaN, or with 0 and -0, the second one comes out: the same on every path of
/// wide.h.
static inline float supMinF( float a, float b )
{
    return a < b ? a : b;
}

static inline float supMaxF( float a, float b )
{
    return a > b ? a : b;
}

static inline float supClampF( float x, float lower, float upper )
{
    return supMinF( supMaxF( x, lower ), upper );
}

static inline double supMin( double a, double b )
{
    return a < b ? a : b;
}

static inline double supMax( double a, double b )
{
    return a > b ? a : b;
}

static inline double supClamp( double x, double lower, double upper )
{
    return supMin( supMax( x, lower ), upper );
}

static inline double supAbs( double x )
{
    return x < 0.0 ? -x : x + 0.0;
}

static inline float supAbsF( float x )
{
    return x < 0.0f ? -x : x + 0.0f;
}

/// Neither NaN nor infinite.
static inline bool supIsFinite( double x )
{
    return x - x == 0.0;
}

/// The largest whole number that is not above x. Exact.
static inline double supFloor( double x )
{
    if ( !( x > -4503599627370496.0 && x < 4503599627370496.0 ) )
    {
        return x; // whole already, infinite or NaN
    }
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1.0 : whole;
}
