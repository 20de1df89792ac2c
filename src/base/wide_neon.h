// Supple: the wide float in NEON (AArch64), four lanes. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <arm_neon.h>

#define SUP_WIDE_PATH Neon
#define SUP_WIDTH 4

typedef float32x4_t supW;
typedef uint32x4_t supMaskW;

SUP_OPERATION( supW, supSplatW, ( float s ), vdupq_n_f32( s ) )
SUP_OPERATION( supW, supLoadW, ( const float* p ), vld1q_f32( p ) )

static inline void supStoreW( float* p, supW a )
{
    vst1q_f32( p, a );
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), vaddq_f32( a, b ) )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), vsubq_f32( a, b ) )
SUP_OPERATION( supW, supMulW, ( supW a, supW b ), vmulq_f32( a, b ) )
SUP_OPERATION( supW, supDivW, ( supW a, supW b ), vdivq_f32( a, b ) )

// vminq and vmaxq give NaN for NaN: not our rule.
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), vbslq_f32( vcltq_f32( a, b ), a, b ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), vbslq_f32( vcgtq_f32( a, b ), a, b ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), vsqrtq_f32( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), vabsq_f32( a ) )
SUP_OPERATION( supW, supNegW, ( supW a ), vnegq_f32( a ) )
SUP_OPERATION( supW, supFmaW, ( supW a, supW b, supW c ), vfmaq_f32( c, a, b ) )

/// a b - c, rounded once where there is an instruction for it
SUP_OPERATION( supW, supFmsW, ( supW a, supW b, supW c ), vnegq_f32( vfmsq_f32( c, a, b ) ) )

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
SUP_OPERATION( supW, supInverseSqrtW, ( supW a ), supDivW( supSplatW( 1.0f ), supSqrtW( a ) ) )
SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), vcltq_f32( a, b ) )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), vcleq_f32( a, b ) )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), vceqq_f32( a, b ) )
SUP_OPERATION( supMaskW, supAndW, ( supMaskW m, supMaskW n ), vandq_u32( m, n ) )
SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), vorrq_u32( m, n ) )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), vmvnq_u32( m ) )

static inline uint32_t supBitsW( supMaskW m )
{
    static const uint32_t bits[4] = { 1, 2, 4, 8 };
    return vaddvq_u32( vandq_u32( m, vld1q_u32( bits ) ) );
}

SUP_OPERATION( supW, supBlendW, ( supMaskW m, supW yes, supW no ), vbslq_f32( m, yes, no ) )

static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    float32x4x3_t all = vld3q_f32( p );
    *x = all.val[0];
    *y = all.val[1];
    *z = all.val[2];
}

static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    float32x4x3_t all = { { x, y, z } };
    vst3q_f32( p, all );
}

static inline float supSumW( const supW parts[4] )
{
    float32x4_t four = vaddq_f32( vaddq_f32( parts[0], parts[2] ), vaddq_f32( parts[1], parts[3] ) );
    float32x2_t two = vadd_f32( vget_low_f32( four ), vget_high_f32( four ) );
    return vget_lane_f32( two, 0 ) + vget_lane_f32( two, 1 );
}

static inline void supScatter3W( float* data, const int32_t* offsets, supW x, supW y, supW z )
{
    float lanes[3][SUP_WIDTH];
    supStoreW( lanes[0], x );
    supStoreW( lanes[1], y );
    supStoreW( lanes[2], z );
    for ( int i = 0; i < SUP_WIDTH; ++i )
    {
        data[offsets[i]] = lanes[0][i];
        data[offsets[i] + 1] = lanes[1][i];
        data[offsets[i] + 2] = lanes[2][i];
    }
}

static inline void supGather4W( const float* base, const int32_t* offsets, supW out[4] )
{
    float32x4_t r0 = vld1q_f32( base + offsets[0] ), r1 = vld1q_f32( base + offsets[1] );
    float32x4_t r2 = vld1q_f32( base + offsets[2] ), r3 = vld1q_f32( base + offsets[3] );
    float32x4_t early = vzip1q_f32( r0, r1 ), late = vzip2q_f32( r0, r1 ); // a0 a1 b0 b1, c0 c1 d0 d1
    float32x4_t early2 = vzip1q_f32( r2, r3 ), late2 = vzip2q_f32( r2, r3 );
    out[0] = vcombine_f32( vget_low_f32( early ), vget_low_f32( early2 ) );
    out[1] = vcombine_f32( vget_high_f32( early ), vget_high_f32( early2 ) );
    out[2] = vcombine_f32( vget_low_f32( late ), vget_low_f32( late2 ) );
    out[3] = vcombine_f32( vget_high_f32( late ), vget_high_f32( late2 ) );
}
