// Supple: the wide float in SSE2, four lanes. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <emmintrin.h>

#define SUP_WIDE_PATH Sse2
#define SUP_WIDTH 4

typedef __m128 supW;
typedef __m128 supMaskW;

SUP_OPERATION( supW, supSplatW, ( float s ), _mm_set1_ps( s ) )
SUP_OPERATION( supW, supLoadW, ( const float* p ), _mm_loadu_ps( p ) )

static inline void supStoreW( float* p, supW a )
{
    _mm_storeu_ps( p, a );
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), _mm_add_ps( a, b ) )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), _mm_sub_ps( a, b ) )
SUP_OPERATION( supW, supMulW, ( supW a, supW b ), _mm_mul_ps( a, b ) )
SUP_OPERATION( supW, supDivW, ( supW a, supW b ), _mm_div_ps( a, b ) )

// minps and maxps are a < b ? a : b and a > b ? a : b by definition.
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), _mm_min_ps( a, b ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), _mm_max_ps( a, b ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), _mm_sqrt_ps( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), _mm_andnot_ps( _mm_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supNegW, ( supW a ), _mm_xor_ps( _mm_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supFmaW, ( supW a, supW b, supW c ), _mm_add_ps( _mm_mul_ps( a, b ), c ) )

/// a b - c, rounded once where there is an instruction for it
SUP_OPERATION( supW, supFmsW, ( supW a, supW b, supW c ), _mm_sub_ps( _mm_mul_ps( a, b ), c ) )

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
static inline supW supInverseSqrtW( supW a )
{
    supW guess = _mm_rsqrt_ps( a );
    // one step of Newton's: 12 bits become 23
    supW half = supMulW( supMulW( supSplatW( 0.5f ), a ), guess );
    return supMulW( guess, supSubW( supSplatW( 1.5f ), supMulW( half, guess ) ) );
}

SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), _mm_cmplt_ps( a, b ) )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), _mm_cmple_ps( a, b ) )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), _mm_cmpeq_ps( a, b ) )
SUP_OPERATION( supMaskW, supAndW, ( supMaskW m, supMaskW n ), _mm_and_ps( m, n ) )
SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), _mm_or_ps( m, n ) )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), _mm_xor_ps( m, _mm_castsi128_ps( _mm_set1_epi32( -1 ) ) ) )
SUP_OPERATION( uint32_t, supBitsW, ( supMaskW m ), (uint32_t)_mm_movemask_ps( m ) )

static inline supW supBlendW( supMaskW m, supW yes, supW no )
{
    return _mm_or_ps( _mm_and_ps( m, yes ), _mm_andnot_ps( m, no ) );
}

// a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3
static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    __m128 a = _mm_loadu_ps( p ), b = _mm_loadu_ps( p + 4 ), c = _mm_loadu_ps( p + 8 );
    __m128 early = _mm_shuffle_ps( a, b, _MM_SHUFFLE( 1, 0, 2, 1 ) ); // y0 z0 y1 z1
    __m128 late = _mm_shuffle_ps( b, c, _MM_SHUFFLE( 2, 1, 3, 2 ) );  // x2 y2 x3 y3
    *x = _mm_shuffle_ps( a, late, _MM_SHUFFLE( 2, 0, 3, 0 ) );
    *y = _mm_shuffle_ps( early, late, _MM_SHUFFLE( 3, 1, 2, 0 ) );
    *z = _mm_shuffle_ps( early, c, _MM_SHUFFLE( 3, 0, 3, 1 ) );
}

static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    __m128 early = _mm_unpacklo_ps( x, y );                            // x0 y0 x1 y1
    __m128 late = _mm_unpackhi_ps( x, y );                             // x2 y2 x3 y3
    __m128 zx = _mm_shuffle_ps( z, x, _MM_SHUFFLE( 1, 1, 0, 0 ) );     // z0 z0 x1 x1
    __m128 yz = _mm_shuffle_ps( y, z, _MM_SHUFFLE( 1, 1, 1, 1 ) );     // y1 y1 z1 z1
    __m128 zxy = _mm_shuffle_ps( z, late, _MM_SHUFFLE( 3, 2, 3, 2 ) ); // z2 z3 x3 y3
    _mm_storeu_ps( p, _mm_shuffle_ps( early, zx, _MM_SHUFFLE( 2, 0, 1, 0 ) ) );
    _mm_storeu_ps( p + 4, _mm_shuffle_ps( yz, late, _MM_SHUFFLE( 1, 0, 2, 0 ) ) );
    _mm_storeu_ps( p + 8, _mm_shuffle_ps( zxy, zxy, _MM_SHUFFLE( 1, 3, 2, 0 ) ) );
}

static inline float supSumW( const supW parts[4] )
{
    __m128 four = _mm_add_ps( _mm_add_ps( parts[0], parts[2] ), _mm_add_ps( parts[1], parts[3] ) );
    __m128 two = _mm_add_ps( four, _mm_movehl_ps( four, four ) );
    return _mm_cvtss_f32( _mm_add_ss( two, _mm_shuffle_ps( two, two, _MM_SHUFFLE( 1, 1, 1, 1 ) ) ) );
}

// Each vector goes out as two overlapping pairs, x y and y z, straight from registers. Stored as a whole and read again
// in pieces that cross the stores, every piece would wait for memory; z by itself costs an extractps, which is slow.
static inline void supScatter3W( float* data, const int32_t* offsets, supW x, supW y, supW z )
{
    float *p0 = data + offsets[0], *p1 = data + offsets[1], *p2 = data + offsets[2], *p3 = data + offsets[3];
    __m128 early = _mm_unpacklo_ps( x, y ), late = _mm_unpackhi_ps( x, y );
    _mm_storel_pi( (__m64*)p0, early );
    _mm_storeh_pi( (__m64*)p1, early );
    _mm_storel_pi( (__m64*)p2, late );
    _mm_storeh_pi( (__m64*)p3, late );
    early = _mm_unpacklo_ps( y, z );
    late = _mm_unpackhi_ps( y, z );
    _mm_storel_pi( (__m64*)( p0 + 1 ), early );
    _mm_storeh_pi( (__m64*)( p1 + 1 ), early );
    _mm_storel_pi( (__m64*)( p2 + 1 ), late );
    _mm_storeh_pi( (__m64*)( p3 + 1 ), late );
}

static inline void supGather4W( const float* base, const int32_t* offsets, supW out[4] )
{
    __m128 r0 = _mm_loadu_ps( base + offsets[0] ), r1 = _mm_loadu_ps( base + offsets[1] );
    __m128 r2 = _mm_loadu_ps( base + offsets[2] ), r3 = _mm_loadu_ps( base + offsets[3] );
    __m128 early = _mm_unpacklo_ps( r0, r1 ), late = _mm_unpackhi_ps( r0, r1 ); // a0 a1 b0 b1, c0 c1 d0 d1
    __m128 early2 = _mm_unpacklo_ps( r2, r3 ), late2 = _mm_unpackhi_ps( r2, r3 );
    out[0] = _mm_movelh_ps( early, early2 );
    out[1] = _mm_movehl_ps( early2, early );
    out[2] = _mm_movelh_ps( late, late2 );
    out[3] = _mm_movehl_ps( late2, late );
}
