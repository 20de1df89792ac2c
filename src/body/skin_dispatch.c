// Which path skins.
// SPDX-License-Identifier: MIT
#include "base/wide_target.h"
#include "body/skin_kernel.h"
#include "supple/lab/machine.h"

supBlockFunction* supFindBlockFunction( supSimd simd )
{
    switch ( simd )
    {
        case sup_simdScalar:
            return supSkinBlocksScalar;
#if SUP_TARGET_X86
        case sup_simdSse2:
            return supSkinBlocksSse2;
        case sup_simdAvx2:
            return supSkinBlocksAvx2;
        case sup_simdAvx512:
            return supSkinBlocksAvx512;
#elif SUP_TARGET_NEON
        case sup_simdNeon:
            return supSkinBlocksNeon;
#elif SUP_TARGET_WASM
        case sup_simdWasm:
            return supSkinBlocksWasm;
#endif
        default:
            return supSkinBlocksScalar;
    }
}
