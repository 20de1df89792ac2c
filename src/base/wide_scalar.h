// Supple: the wide float's scalar path: one lane, the meaning of all the others. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/scalar_math.h"

#define SUP_WIDE_PATH Scalar
#define SUP_WIDTH 1

typedef float supW;
typedef bool supMaskW;

SUP_OPERATION( supW, supSplatW, ( float s ), s )
SUP_OPERATION( supW, supLoadW, ( const float* p ), *p )

static inline void supStoreW( float* p, supW a )
{
    *p = a;
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), a + b )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), a - b )

static inline supW supMulW( supW a, supW b )
{
    return a * b;
}

SUP_OPERATION( supW, supDivW, ( supW a, supW b ), a / b )
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), supMinF( a, b ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), supMaxF( a, b ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), supSqrtF( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), a < 0.0f ? -a : a + 0.0f )
SUP_OPERATION( supW, supNegW, ( supW a ), -a )

static inline supW supFmaW( supW a, supW b, supW c )
{
    return a * b + c;
}

/// a b - c, rounded once where there is an instruction for it
static inline supW supFmsW( supW a, supW b, supW c )
{
    return a * b - c;
}

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
SUP_OPERATION( supW, supInverseSqrtW, ( supW a ), supDivW( supSplatW( 1.0f ), supSqrtW( a ) ) )
SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), a < b )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), a <= b )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), a == b )

static inline supMaskW supAndW( supMaskW m, supMaskW n )
{
    return m && n;
}

SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), m || n )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), !m )
SUP_OPERATION( uint32_t, supBitsW, ( supMaskW m ), m ? 1u : 0u )
SUP_OPERATION( supW, supBlendW, ( supMaskW m, supW yes, supW no ), m ? yes : no )

static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    *x = p[0];
    *y = p[1];
    *z = p[2];
}

static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    p[0] = x;
    p[1] = y;
    p[2] = z;
}

static inline float supSumW( const supW parts[16] )
{
    float lanes[16];
    for ( int i = 0; i < 16; ++i )
    {
        lanes[i] = parts[i];
    }
    for ( int half = 8; half > 0; half /= 2 )
    {
        for ( int i = 0; i < half; ++i )
        {
            lanes[i] = lanes[i] + lanes[i + half];
        }
    }
    return lanes[0];
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
    for ( int i = 0; i < 4; ++i )
    {
        out[i] = base[offsets[0] + i];
    }
}
