// Every operation of the wide float on given floats, once for each path.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// What is asked: two arrays of `count` floats (a multiple of 48), and where answers go.
typedef struct supWideCase
{
    const float *a, *b, *c;
    int32_t count;
} supWideCase;

enum
{
    sup_wideAdd,
    sup_wideSub,
    sup_wideMul,
    sup_wideDiv,
    sup_wideMin,
    sup_wideMax,
    sup_wideSqrt,
    sup_wideAbs,
    sup_wideNeg,
    sup_wideMulAdd,
    sup_wideLess,      ///< blended: a where a < b, c where not
    sup_wideLessEqual, ///< likewise
    sup_wideEqual,     ///< likewise
    sup_wideMasks,     ///< a where (a < b and not a <= c) or b == c, b where not
    sup_wideVectors,   ///< load3, (x, y, z) -> (z, x + y, -y), store3
    sup_wideGather,    ///< a[( 7 i ) % count]
    sup_wideGather4,   ///< a[( 12 i ) % ( count - 3 ) + i % 4]
    sup_widePart,      ///< loads and stores of a's parts of 0 to SUP_WIDTH floats, zeros behind
    sup_wideFma,       ///< alone allowed to differ, by rounding
    sup_wideOperationCount
};

/// `out` takes sup_wideOperationCount arrays of `count` floats; `sums` the sum of each beginning of a and the dot
/// product with the same beginning of b, for lengths 0 to 99; `masks` the bits, any and all of a < b, for each group of
/// 16 floats.
typedef struct supWideAnswers
{
    float* out;
    float sums[200];
    uint32_t* masks;
} supWideAnswers;

void supWideOpsScalar( const supWideCase* ask, supWideAnswers* answers );
void supWideOpsBest( const supWideCase* ask, supWideAnswers* answers ); ///< SSE2, NEON, WASM or scalar
void supWideOpsAvx2( const supWideCase* ask, supWideAnswers* answers );
void supWideOpsAvx512( const supWideCase* ask, supWideAnswers* answers );
