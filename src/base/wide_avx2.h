// Supple: the wide float in AVX2 with FMA, eight lanes. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <immintrin.h>

#define SUP_WIDE_PATH Avx2
#define SUP_WIDTH 8

typedef __m256 supW;
typedef __m256 supMaskW;

SUP_OPERATION( supW, supSplatW, ( float s ), _mm256_set1_ps( s ) )
SUP_OPERATION( supW, supLoadW, ( const float* p ), _mm256_loadu_ps( p ) )

static inline void supStoreW( float* p, supW a )
{
    _mm256_storeu_ps( p, a );
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), _mm256_add_ps( a, b ) )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), _mm256_sub_ps( a, b ) )
SUP_OPERATION( supW, supMulW, ( supW a, supW b ), _mm256_mul_ps( a, b ) )
SUP_OPERATION( supW, supDivW, ( supW a, supW b ), _mm256_div_ps( a, b ) )

// vminps and vmaxps are a < b ? a : b and a > b ? a : b by definition.
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), _mm256_min_ps( a, b ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), _mm256_max_ps( a, b ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), _mm256_sqrt_ps( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), _mm256_andnot_ps( _mm256_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supNegW, ( supW a ), _mm256_xor_ps( _mm256_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supFmaW, ( supW a, supW b, supW c ), _mm256_fmadd_ps( a, b, c ) )

/// a b - c, rounded once where there is an instruction for it
SUP_OPERATION( supW, supFmsW, ( supW a, supW b, supW c ), _mm256_fmsub_ps( a, b, c ) )

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
static inline supW supInverseSqrtW( supW a )
{
    supW guess = _mm256_rsqrt_ps( a );
    // one step of Newton's, guess + guess / 2 ( 1 - a guess^2 ): 12 bits become 23
    supW left = _mm256_fnmadd_ps( supMulW( a, guess ), guess, supSplatW( 1.0f ) );
    return supFmaW( supMulW( supSplatW( 0.5f ), guess ), left, guess );
}

SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), _mm256_cmp_ps( a, b, _CMP_LT_OQ ) )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), _mm256_cmp_ps( a, b, _CMP_LE_OQ ) )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), _mm256_cmp_ps( a, b, _CMP_EQ_OQ ) )
SUP_OPERATION( supMaskW, supAndW, ( supMaskW m, supMaskW n ), _mm256_and_ps( m, n ) )
SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), _mm256_or_ps( m, n ) )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), _mm256_xor_ps( m, _mm256_castsi256_ps( _mm256_set1_epi32( -1 ) ) ) )
SUP_OPERATION( uint32_t, supBitsW, ( supMaskW m ), (uint32_t)_mm256_movemask_ps( m ) )
SUP_OPERATION( supW, supBlendW, ( supMaskW m, supW yes, supW no ), _mm256_blendv_ps( no, yes, m ) )

// 12 floats for each half: a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3 in it, then SSE2's shuffles in both halves
// at once
static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    __m256 a = _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( p ) ), _mm_loadu_ps( p + 12 ), 1 );
    __m256 b = _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( p + 4 ) ), _mm_loadu_ps( p + 16 ), 1 );
    __m256 c = _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( p + 8 ) ), _mm_loadu_ps( p + 20 ), 1 );
    __m256 early = _mm256_shuffle_ps( a, b, _MM_SHUFFLE( 1, 0, 2, 1 ) );
    __m256 late = _mm256_shuffle_ps( b, c, _MM_SHUFFLE( 2, 1, 3, 2 ) );
    *x = _mm256_shuffle_ps( a, late, _MM_SHUFFLE( 2, 0, 3, 0 ) );
    *y = _mm256_shuffle_ps( early, late, _MM_SHUFFLE( 3, 1, 2, 0 ) );
    *z = _mm256_shuffle_ps( early, c, _MM_SHUFFLE( 3, 0, 3, 1 ) );
}

// six shuffles in both halves at once, then whole stores: of 12 floats for each half to 8 for each store
static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    __m256 xy = _mm256_shuffle_ps( x, y, _MM_SHUFFLE( 2, 0, 2, 0 ) );       // x0 x2 y0 y2
    __m256 yz = _mm256_shuffle_ps( y, z, _MM_SHUFFLE( 3, 1, 3, 1 ) );       // y1 y3 z1 z3
    __m256 zx = _mm256_shuffle_ps( z, x, _MM_SHUFFLE( 3, 1, 2, 0 ) );       // z0 z2 x1 x3
    __m256 early = _mm256_shuffle_ps( xy, zx, _MM_SHUFFLE( 2, 0, 2, 0 ) );  // x0 y0 z0 x1
    __m256 middle = _mm256_shuffle_ps( yz, xy, _MM_SHUFFLE( 3, 1, 2, 0 ) ); // y1 z1 x2 y2
    __m256 late = _mm256_shuffle_ps( zx, yz, _MM_SHUFFLE( 3, 1, 3, 1 ) );   // z2 x3 y3 z3
    _mm256_storeu_ps( p, _mm256_insertf128_ps( early, _mm256_castps256_ps128( middle ), 1 ) );
    _mm256_storeu_ps( p + 8, _mm256_blend_ps( late, early, 0xf0 ) );
    _mm256_storeu_ps( p + 16, _mm256_permute2f128_ps( middle, late, 0x31 ) );
}

static inline float supSumW( const supW parts[2] )
{
    __m256 eight = _mm256_add_ps( parts[0], parts[1] );
    __m128 four = _mm_add_ps( _mm256_castps256_ps128( eight ), _mm256_extractf128_ps( eight, 1 ) );
    __m128 two = _mm_add_ps( four, _mm_movehl_ps( four, four ) );
    return _mm_cvtss_f32( _mm_add_ss( two, _mm_shuffle_ps( two, two, _MM_SHUFFLE( 1, 1, 1, 1 ) ) ) );
}

// Each vector goes out as two overlapping pairs, x y and y z, straight from registers. Stored as a whole and read again
// in pieces that cross the stores, every piece would wait for memory; z by itself costs an extractps, which is slow.
static inline void supScatterFour( float* data, const int32_t* offsets, __m128 x, __m128 y, __m128 z )
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

static inline void supScatter3W( float* data, const int32_t* offsets, supW x, supW y, supW z )
{
    supScatterFour(
        data, offsets, _mm256_castps256_ps128( x ), _mm256_castps256_ps128( y ), _mm256_castps256_ps128( z ) );
    supScatterFour( data, offsets + 4, _mm256_extractf128_ps( x, 1 ), _mm256_extractf128_ps( y, 1 ),
        _mm256_extractf128_ps( z, 1 ) );
}

static inline __m256 supLoadPair( const float* low, const float* high )
{
    return _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( low ) ), _mm_loadu_ps( high ), 1 );
}

// rows i and i + 4 side by side, then SSE2's transpose in both halves at once
static inline void supGather4W( const float* base, const int32_t* offsets, supW out[4] )
{
    __m256 r0 = supLoadPair( base + offsets[0], base + offsets[4] );
    __m256 r1 = supLoadPair( base + offsets[1], base + offsets[5] );
    __m256 r2 = supLoadPair( base + offsets[2], base + offsets[6] );
    __m256 r3 = supLoadPair( base + offsets[3], base + offsets[7] );
    __m256 early = _mm256_unpacklo_ps( r0, r1 ), late = _mm256_unpackhi_ps( r0, r1 );
    __m256 early2 = _mm256_unpacklo_ps( r2, r3 ), late2 = _mm256_unpackhi_ps( r2, r3 );
    out[0] = _mm256_shuffle_ps( early, early2, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    out[1] = _mm256_shuffle_ps( early, early2, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    out[2] = _mm256_shuffle_ps( late, late2, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    out[3] = _mm256_shuffle_ps( late, late2, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}
