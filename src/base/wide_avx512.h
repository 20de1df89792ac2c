// Supple: the wide float in AVX-512 (F, DQ, BW, VL), sixteen lanes. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <immintrin.h>

#define SUP_WIDE_PATH Avx512
#define SUP_WIDTH 16

typedef __m512 supW;
typedef __mmask16 supMaskW;

SUP_OPERATION( supW, supSplatW, ( float s ), _mm512_set1_ps( s ) )
SUP_OPERATION( supW, supLoadW, ( const float* p ), _mm512_loadu_ps( p ) )

static inline void supStoreW( float* p, supW a )
{
    _mm512_storeu_ps( p, a );
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), _mm512_add_ps( a, b ) )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), _mm512_sub_ps( a, b ) )
SUP_OPERATION( supW, supMulW, ( supW a, supW b ), _mm512_mul_ps( a, b ) )
SUP_OPERATION( supW, supDivW, ( supW a, supW b ), _mm512_div_ps( a, b ) )

// vminps and vmaxps are a < b ? a : b and a > b ? a : b by definition.
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), _mm512_min_ps( a, b ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), _mm512_max_ps( a, b ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), _mm512_sqrt_ps( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), _mm512_andnot_ps( _mm512_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supNegW, ( supW a ), _mm512_xor_ps( _mm512_set1_ps( -0.0f ), a ) )
SUP_OPERATION( supW, supFmaW, ( supW a, supW b, supW c ), _mm512_fmadd_ps( a, b, c ) )

/// a b - c, rounded once where there is an instruction for it
SUP_OPERATION( supW, supFmsW, ( supW a, supW b, supW c ), _mm512_fmsub_ps( a, b, c ) )

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
static inline supW supInverseSqrtW( supW a )
{
    supW guess = _mm512_rsqrt14_ps( a );
    // one step of Newton's: 14 bits become all 24, but for rounding
    supW half = supMulW( supMulW( supSplatW( 0.5f ), a ), guess );
    return supMulW( guess, supSubW( supSplatW( 1.5f ), supMulW( half, guess ) ) );
}

SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), _mm512_cmp_ps_mask( a, b, _CMP_LT_OQ ) )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), _mm512_cmp_ps_mask( a, b, _CMP_LE_OQ ) )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), _mm512_cmp_ps_mask( a, b, _CMP_EQ_OQ ) )
SUP_OPERATION( supMaskW, supAndW, ( supMaskW m, supMaskW n ), (supMaskW)( m& n ) )
SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), (supMaskW)( m | n ) )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), (supMaskW)~m )
SUP_OPERATION( uint32_t, supBitsW, ( supMaskW m ), (uint32_t)m )
SUP_OPERATION( supW, supBlendW, ( supMaskW m, supW yes, supW no ), _mm512_mask_blend_ps( m, no, yes ) )

// Four quarters, 12 floats apart
static inline __m512 supLoadQuarters( const float* p )
{
    __m512 a = _mm512_castps128_ps512( _mm_loadu_ps( p ) );
    a = _mm512_insertf32x4( a, _mm_loadu_ps( p + 12 ), 1 );
    a = _mm512_insertf32x4( a, _mm_loadu_ps( p + 24 ), 2 );
    return _mm512_insertf32x4( a, _mm_loadu_ps( p + 36 ), 3 );
}

static inline void supStoreQuarters( float* p, __m512 a )
{
    _mm_storeu_ps( p, _mm512_castps512_ps128( a ) );
    _mm_storeu_ps( p + 12, _mm512_extractf32x4_ps( a, 1 ) );
    _mm_storeu_ps( p + 24, _mm512_extractf32x4_ps( a, 2 ) );
    _mm_storeu_ps( p + 36, _mm512_extractf32x4_ps( a, 3 ) );
}

// a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3 in each quarter, then SSE2's shuffles in all of them at once
static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    __m512 a = supLoadQuarters( p ), b = supLoadQuarters( p + 4 ), c = supLoadQuarters( p + 8 );
    __m512 early = _mm512_shuffle_ps( a, b, _MM_SHUFFLE( 1, 0, 2, 1 ) );
    __m512 late = _mm512_shuffle_ps( b, c, _MM_SHUFFLE( 2, 1, 3, 2 ) );
    *x = _mm512_shuffle_ps( a, late, _MM_SHUFFLE( 2, 0, 3, 0 ) );
    *y = _mm512_shuffle_ps( early, late, _MM_SHUFFLE( 3, 1, 2, 0 ) );
    *z = _mm512_shuffle_ps( early, c, _MM_SHUFFLE( 3, 0, 3, 1 ) );
}

// Each store takes its 16 floats from two registers by their numbers: x and y first, then z into what is left.
static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    const __m512i xy0 = _mm512_setr_epi32( 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5 );
    const __m512i xy1 = _mm512_setr_epi32( 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26 );
    const __m512i xy2 = _mm512_setr_epi32( 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0 );
    const __m512i z0 = _mm512_setr_epi32( 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0 );
    const __m512i z1 = _mm512_setr_epi32( 0, 5, 0, 0, 6, 0, 0, 7, 0, 0, 8, 0, 0, 9, 0, 0 );
    const __m512i z2 = _mm512_setr_epi32( 10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0, 0, 15 );
    _mm512_storeu_ps( p, _mm512_mask_permutexvar_ps( _mm512_permutex2var_ps( x, xy0, y ), 0x4924, z0, z ) );
    _mm512_storeu_ps( p + 16, _mm512_mask_permutexvar_ps( _mm512_permutex2var_ps( x, xy1, y ), 0x2492, z1, z ) );
    _mm512_storeu_ps( p + 32, _mm512_mask_permutexvar_ps( _mm512_permutex2var_ps( x, xy2, y ), 0x9249, z2, z ) );
}

static inline float supSumW( const supW parts[1] )
{
    __m256 eight = _mm256_add_ps( _mm512_castps512_ps256( parts[0] ), _mm512_extractf32x8_ps( parts[0], 1 ) );
    __m128 four = _mm_add_ps( _mm256_castps256_ps128( eight ), _mm256_extractf128_ps( eight, 1 ) );
    __m128 two = _mm_add_ps( four, _mm_movehl_ps( four, four ) );
    return _mm_cvtss_f32( _mm_add_ss( two, _mm_shuffle_ps( two, two, _MM_SHUFFLE( 1, 1, 1, 1 ) ) ) );
}

/// Vectors i, i + 4, i + 8 and i + 12 of a register to their places: three floats each, the fourth is masked off.
static inline void supScatterQuarters( float* data, const int32_t* offsets, __m512 v )
{
    const __mmask8 three = 7;
    _mm_mask_storeu_ps( data + offsets[0], three, _mm512_castps512_ps128( v ) );
    _mm_mask_storeu_ps( data + offsets[4], three, _mm512_extractf32x4_ps( v, 1 ) );
    _mm_mask_storeu_ps( data + offsets[8], three, _mm512_extractf32x4_ps( v, 2 ) );
    _mm_mask_storeu_ps( data + offsets[12], three, _mm512_extractf32x4_ps( v, 3 ) );
}

static inline void supScatter3W( float* data, const int32_t* offsets, supW x, supW y, supW z )
{
    __m512 early = _mm512_unpacklo_ps( x, y ), late = _mm512_unpackhi_ps( x, y );
    supScatterQuarters( data, offsets, _mm512_shuffle_ps( early, z, _MM_SHUFFLE( 0, 0, 1, 0 ) ) );
    supScatterQuarters( data, offsets + 1, _mm512_shuffle_ps( early, z, _MM_SHUFFLE( 1, 1, 3, 2 ) ) );
    supScatterQuarters( data, offsets + 2, _mm512_shuffle_ps( late, z, _MM_SHUFFLE( 2, 2, 1, 0 ) ) );
    supScatterQuarters( data, offsets + 3, _mm512_shuffle_ps( late, z, _MM_SHUFFLE( 3, 3, 3, 2 ) ) );
}

static inline __m512 supLoadFour( const float* base, const int32_t* offsets )
{
    __m512 a = _mm512_castps128_ps512( _mm_loadu_ps( base + offsets[0] ) );
    a = _mm512_insertf32x4( a, _mm_loadu_ps( base + offsets[4] ), 1 );
    a = _mm512_insertf32x4( a, _mm_loadu_ps( base + offsets[8] ), 2 );
    return _mm512_insertf32x4( a, _mm_loadu_ps( base + offsets[12] ), 3 );
}

// rows i, i + 4, i + 8 and i + 12 side by side, then SSE2's transpose in all quarters at once
static inline void supGather4W( const float* base, const int32_t* offsets, supW out[4] )
{
    __m512 r0 = supLoadFour( base, offsets ), r1 = supLoadFour( base, offsets + 1 );
    __m512 r2 = supLoadFour( base, offsets + 2 ), r3 = supLoadFour( base, offsets + 3 );
    __m512 early = _mm512_unpacklo_ps( r0, r1 ), late = _mm512_unpackhi_ps( r0, r1 );
    __m512 early2 = _mm512_unpacklo_ps( r2, r3 ), late2 = _mm512_unpackhi_ps( r2, r3 );
    out[0] = _mm512_shuffle_ps( early, early2, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    out[1] = _mm512_shuffle_ps( early, early2, _MM_SHUFFLE( 3, 2, 3, 2 ) );
    out[2] = _mm512_shuffle_ps( late, late2, _MM_SHUFFLE( 1, 0, 1, 0 ) );
    out[3] = _mm512_shuffle_ps( late, late2, _MM_SHUFFLE( 3, 2, 3, 2 ) );
}
