// Which path steps the springs.
// SPDX-License-Identifier: MIT
#include "base/wide_target.h"
#include "flesh_kernel.h"
#include "supple/lab/machine.h"

const supFleshKernels* supFindFleshKernels( supSimd simd )
{
    switch ( simd )
    {
        case sup_simdScalar:
            return &supFleshKernelsScalar;
#if SUP_TARGET_X86
        case sup_simdSse2:
            return &supFleshKernelsSse2;
        case sup_simdAvx2:
        case sup_simdAvx512: // rows are padded to eight: bodies have a dozen elements, not hundreds
            return &supFleshKernelsAvx2;
#elif SUP_TARGET_NEON
        case sup_simdNeon:
            return &supFleshKernelsNeon;
#elif SUP_TARGET_WASM
        case sup_simdWasm:
            return &supFleshKernelsWasm;
#endif
        default:
            return &supFleshKernelsScalar;
    }
}
