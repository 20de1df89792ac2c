// Supple: which wide instructions there are.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"
#include "base/platform.h"
#include "supple/lab/machine.h"

bool supHasSimd( supSimd simd )
{
    switch ( simd )
    {
        case sup_simdScalar:
            return !SUP_TARGET_WASM; // what runs a module with SIMD has it
#if SUP_TARGET_X86
        case sup_simdSse2:
            return true;
        case sup_simdAvx2:
            return supSystemHasAvx2();
        case sup_simdAvx512:
            return supSystemHasAvx512();
#endif
#if SUP_TARGET_NEON
        case sup_simdNeon:
            return true;
#endif
#if SUP_TARGET_WASM
        case sup_simdWasm:
            return true;
#endif
        default:
            return false;
    }
}

supSimd supBestSimd( void )
{
    if ( supHasSimd( sup_simdAvx512 ) && supSystemLikesAvx512() )
    {
        return sup_simdAvx512;
    }
    static const supSimd order[] = { sup_simdAvx2, sup_simdSse2, sup_simdNeon, sup_simdWasm };
    for ( size_t i = 0; i < sizeof( order ) / sizeof( order[0] ); ++i )
    {
        if ( supHasSimd( order[i] ) )
        {
            return order[i];
        }
    }
    return sup_simdScalar;
}

const char* supSimdName( supSimd simd )
{
    switch ( simd )
    {
        case sup_simdScalar:
            return "scalar";
        case sup_simdSse2:
            return "SSE2";
        case sup_simdAvx2:
            return "AVX2";
        case sup_simdAvx512:
            return "AVX-512";
        case sup_simdNeon:
            return "NEON";
        case sup_simdWasm:
            return "WASM SIMD";
    }
    return "unknown";
}
