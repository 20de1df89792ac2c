// Supple: which instructions and which threads of the machine are used.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/base.h"
#include "supple/body.h"
#include "supple/crowd.h"

/// A set of wide instructions that the kernels were compiled for.
typedef enum supSimd
{
    sup_simdScalar = 0,
    sup_simdSse2 = 1,
    sup_simdAvx2 = 2,   ///< with FMA, used in the live skin alone
    sup_simdAvx512 = 3, ///< F, DQ, BW, VL; used in the live skin alone
    sup_simdNeon = 4,
    sup_simdWasm = 5,
} supSimd;

/// The best set that was compiled in and that this processor has. AVX-512 only of those that keep their clock with it
/// (from Ice Lake and Zen 4 on); others use it where a body is told to (supBody_SetSimd). Asks the processor each time;
/// keeps nothing.
SUP_API supSimd supBestSimd( void );
/// Whether it was compiled in and this processor has it.
SUP_API bool supHasSimd( supSimd simd );
/// "AVX2". Never NULL.
SUP_API const char* supSimdName( supSimd simd );
/// Which instructions skin; the best by default. false, and no change, where they were not compiled in or this
/// processor lacks them.
SUP_API bool supBody_SetSimd( supBody* body, supSimd simd );
/// What is enough for a body that is so many pixels high on the screen: all of it from 160 on, every second frame from
/// 80, every fourth from 40, and below that without flesh, which moves it by less than a pixel. Not a number: all of
/// it.
SUP_API supCrowdLevel supCrowdLevelFor( float pixels );
SUP_API void supCrowd_SetTasks( supCrowd* crowd, supTasks tasks );
