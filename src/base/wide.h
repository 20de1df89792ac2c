// Supple: a wide float. Kernels are written once with it and compiled for each instruction set.
// SPDX-License-Identifier: MIT
//
// Before including it a file may define one of SUP_WIDE_SCALAR, SUP_WIDE_SSE2, SUP_WIDE_AVX2, SUP_WIDE_AVX512,
// SUP_WIDE_NEON, SUP_WIDE_WASM; without, it gets the widest that every processor of the target has. One path a file.
//
//   supW          SUP_WIDTH floats: 1, 4, 8 or 16
//   supMaskW      what compares give: SUP_WIDTH truths
//   SUP_WIDE( f ) f with the path's name: SUP_WIDE( supSkinRows ) is supSkinRowsAvx2
//
// Every operation has the same bits on every path, NaN payloads apart, but supFmaW and supFmsW, which round once where
// there is an instruction for it, and supInverseSqrtW: for the live skin alone, never for state. Subnormals are kept.
// The minimum is `a < b ? a : b` and the maximum `a > b ? a : b`, so the second operand comes out of a comparison with
// NaN and of 0 with -0.
//
// Reductions run over 16 lanes on every path: SUP_PARTS wide floats, item i in lane i % 16; then a fixed tree that
// adds lane j + 8 to lane j, then j + 4, j + 2, j + 1.
#pragma once

#include "base/compiler.h"
#include "supple/base.h"

#include <string.h>

#if !defined( SUP_WIDE_SCALAR ) && !defined( SUP_WIDE_SSE2 ) && !defined( SUP_WIDE_AVX2 ) &&                           \
    !defined( SUP_WIDE_AVX512 ) && !defined( SUP_WIDE_NEON ) && !defined( SUP_WIDE_WASM )
#    if SUP_TARGET_X86
#        define SUP_WIDE_SSE2 1
#    elif SUP_TARGET_NEON
#        define SUP_WIDE_NEON 1
#    elif SUP_TARGET_WASM
#        define SUP_WIDE_WASM 1
#    else
#        define SUP_WIDE_SCALAR 1
#    endif
#endif

#define SUP_WIDE_JOIN2( name, path ) name##path
#define SUP_WIDE_JOIN( name, path ) SUP_WIDE_JOIN2( name, path )
#define SUP_WIDE( name ) SUP_WIDE_JOIN( name, SUP_WIDE_PATH )

/// An operation of one expression.
#define SUP_OPERATION( type, name, arguments, value )                                                                  \
    static inline type name arguments                                                                                  \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

// Each of these defines SUP_WIDE_PATH, SUP_WIDTH, supW, supMaskW and the operations
//     supSplatW( s ) supLoadW( p ) supStoreW( p, a )               any alignment
//     supAddW supSubW supMulW supDivW supMinW supMaxW ( a, b )
//     supSqrtW supInverseSqrtW supAbsW supNegW ( a )
//     supFmaW( a, b, c ) supFmsW( a, b, c )                        a b + c, a b - c
//     supLessW supLessEqualW supEqualW ( a, b )
//     supAndW supOrW ( m, n ) supNotW( m )
//     supBitsW( m )                                                lane i as bit i
//     supBlendW( m, yes, no )
//     supLoad3W( p, &x, &y, &z ) supStore3W( p, x, y, z )          SUP_WIDTH vectors of three floats each
//     supScatter3W( data, offsets, x, y, z )                       the same, each to data + its offset
//     supGather4W( base, offsets, out[4] )                         SUP_WIDTH rows of four floats, from base + offset
//     supSumW( parts )                                             the tree
#if defined( SUP_WIDE_AVX512 )
#    include "base/wide_avx512.h"
#elif defined( SUP_WIDE_AVX2 )
#    include "base/wide_avx2.h"
#elif defined( SUP_WIDE_SSE2 )
#    include "base/wide_sse2.h"
#elif defined( SUP_WIDE_NEON )
#    include "base/wide_neon.h"
#elif defined( SUP_WIDE_WASM )
#    include "base/wide_wasm.h"
#else
#    include "base/wide_scalar.h"
#endif

#define SUP_PARTS ( 16 / SUP_WIDTH )

static inline supW supZeroW( void )
{
    return supSplatW( 0.0f );
}

/// a b + c with two roundings, for state
static inline supW supMulAddW( supW a, supW b, supW c )
{
    return supAddW( supMulW( a, b ), c );
}

static inline bool supAnyW( supMaskW mask )
{
    return supBitsW( mask ) != 0;
}

static inline bool supAllW( supMaskW mask )
{
    return supBitsW( mask ) == ( 1u << SUP_WIDTH ) - 1u;
}
