// Supple: the wide float in WASM SIMD128, four lanes. Included by wide.h.
// SPDX-License-Identifier: MIT
#pragma once

#include <wasm_simd128.h>

#define SUP_WIDE_PATH Wasm
#define SUP_WIDTH 4

typedef v128_t supW;
typedef v128_t supMaskW;

// What was loaded is in a register before it is spread: clang 14 may set a v128.load32_splat behind a later store.
static inline supW supSplatW( float s )
{
    __asm__( "" : "+r"( s ) );
    return wasm_f32x4_splat( s );
}

SUP_OPERATION( supW, supLoadW, ( const float* p ), wasm_v128_load( p ) )

static inline void supStoreW( float* p, supW a )
{
    wasm_v128_store( p, a );
}

SUP_OPERATION( supW, supAddW, ( supW a, supW b ), wasm_f32x4_add( a, b ) )
SUP_OPERATION( supW, supSubW, ( supW a, supW b ), wasm_f32x4_sub( a, b ) )
SUP_OPERATION( supW, supMulW, ( supW a, supW b ), wasm_f32x4_mul( a, b ) )
SUP_OPERATION( supW, supDivW, ( supW a, supW b ), wasm_f32x4_div( a, b ) )

// pmin( b, a ) is a < b ? a : b, pmax( b, a ) is b < a ? a : b.
SUP_OPERATION( supW, supMinW, ( supW a, supW b ), wasm_f32x4_pmin( b, a ) )
SUP_OPERATION( supW, supMaxW, ( supW a, supW b ), wasm_f32x4_pmax( b, a ) )
SUP_OPERATION( supW, supSqrtW, ( supW a ), wasm_f32x4_sqrt( a ) )
SUP_OPERATION( supW, supAbsW, ( supW a ), wasm_f32x4_abs( a ) )
SUP_OPERATION( supW, supNegW, ( supW a ), wasm_f32x4_neg( a ) )
SUP_OPERATION( supW, supFmaW, ( supW a, supW b, supW c ), wasm_f32x4_add( wasm_f32x4_mul( a, b ), c ) )

/// a b - c, rounded once where there is an instruction for it
SUP_OPERATION( supW, supFmsW, ( supW a, supW b, supW c ), wasm_f32x4_sub( wasm_f32x4_mul( a, b ), c ) )

/// 1 / sqrt( a ) to a few units of the last place, a in [1e-30, 1e30]
SUP_OPERATION( supW, supInverseSqrtW, ( supW a ), supDivW( supSplatW( 1.0f ), supSqrtW( a ) ) )
SUP_OPERATION( supMaskW, supLessW, ( supW a, supW b ), wasm_f32x4_lt( a, b ) )
SUP_OPERATION( supMaskW, supLessEqualW, ( supW a, supW b ), wasm_f32x4_le( a, b ) )
SUP_OPERATION( supMaskW, supEqualW, ( supW a, supW b ), wasm_f32x4_eq( a, b ) )
SUP_OPERATION( supMaskW, supAndW, ( supMaskW m, supMaskW n ), wasm_v128_and( m, n ) )
SUP_OPERATION( supMaskW, supOrW, ( supMaskW m, supMaskW n ), wasm_v128_or( m, n ) )
SUP_OPERATION( supMaskW, supNotW, ( supMaskW m ), wasm_v128_not( m ) )
SUP_OPERATION( uint32_t, supBitsW, ( supMaskW m ), (uint32_t)wasm_i32x4_bitmask( m ) )
SUP_OPERATION( supW, supBlendW, ( supMaskW m, supW yes, supW no ), wasm_v128_bitselect( yes, no, m ) )

// a = x0 y0 z0 x1, b = y1 z1 x2 y2, c = z2 x3 y3 z3; in a shuffle of two, 4 to 7 are the second one's lanes
static inline void supLoad3W( const float* p, supW* x, supW* y, supW* z )
{
    v128_t a = wasm_v128_load( p ), b = wasm_v128_load( p + 4 ), c = wasm_v128_load( p + 8 );
    v128_t early = wasm_i32x4_shuffle( a, b, 1, 2, 4, 5 ); // y0 z0 y1 z1
    v128_t late = wasm_i32x4_shuffle( b, c, 2, 3, 5, 6 );  // x2 y2 x3 y3
    *x = wasm_i32x4_shuffle( a, late, 0, 3, 4, 6 );
    *y = wasm_i32x4_shuffle( early, late, 0, 2, 5, 7 );
    *z = wasm_i32x4_shuffle( early, c, 1, 3, 4, 7 );
}

static inline void supStore3W( float* p, supW x, supW y, supW z )
{
    v128_t early = wasm_i32x4_shuffle( x, y, 0, 4, 1, 5 ); // x0 y0 x1 y1
    v128_t late = wasm_i32x4_shuffle( x, y, 2, 6, 3, 7 );  // x2 y2 x3 y3
    wasm_v128_store( p, wasm_i32x4_shuffle( early, z, 0, 1, 4, 2 ) );
    v128_t yz = wasm_i32x4_shuffle( y, z, 1, 5, 1, 5 ); // y1 z1
    wasm_v128_store( p + 4, wasm_i32x4_shuffle( yz, late, 0, 1, 4, 5 ) );
    wasm_v128_store( p + 8, wasm_i32x4_shuffle( late, z, 6, 2, 3, 7 ) );
}

static inline float supSumW( const supW parts[4] )
{
    v128_t four = wasm_f32x4_add( wasm_f32x4_add( parts[0], parts[2] ), wasm_f32x4_add( parts[1], parts[3] ) );
    v128_t two = wasm_f32x4_add( four, wasm_i32x4_shuffle( four, four, 2, 3, 2, 3 ) );
    return wasm_f32x4_extract_lane( two, 0 ) + wasm_f32x4_extract_lane( two, 1 );
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
    v128_t r0 = wasm_v128_load( base + offsets[0] ), r1 = wasm_v128_load( base + offsets[1] );
    v128_t r2 = wasm_v128_load( base + offsets[2] ), r3 = wasm_v128_load( base + offsets[3] );
    v128_t early = wasm_i32x4_shuffle( r0, r1, 0, 4, 1, 5 ), late = wasm_i32x4_shuffle( r0, r1, 2, 6, 3, 7 );
    v128_t early2 = wasm_i32x4_shuffle( r2, r3, 0, 4, 1, 5 ), late2 = wasm_i32x4_shuffle( r2, r3, 2, 6, 3, 7 );
    out[0] = wasm_i32x4_shuffle( early, early2, 0, 1, 4, 5 );
    out[1] = wasm_i32x4_shuffle( early, early2, 2, 3, 6, 7 );
    out[2] = wasm_i32x4_shuffle( late, late2, 0, 1, 4, 5 );
    out[3] = wasm_i32x4_shuffle( late, late2, 2, 3, 6, 7 );
}
