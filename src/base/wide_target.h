// Supple: which wide instructions this build has paths for.
// SPDX-License-Identifier: MIT
//
// Kernels that are worth it stand in `x_kernel.inl`, included by up to four files:
//     x_wide.c    the path that every processor of the target has: SSE2, NEON, WASM SIMD, or scalar
//     x_scalar.c  the scalar path, for the tests and for SUP_SCALAR builds
//     x_avx2.c    #if SUP_TARGET_X86, compiled with -mavx2 -mfma
//     x_avx512.c  #if SUP_TARGET_X86, compiled with -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma
// and one that picks among them by supHasSimd.
#pragma once

#if !defined( SUP_SCALAR ) && ( ( defined( __x86_64__ ) && defined( __SSE2__ ) ) || defined( _M_X64 ) )
#    define SUP_TARGET_X86 1
#else
#    define SUP_TARGET_X86 0
#endif

#if !defined( SUP_SCALAR ) && ( defined( __aarch64__ ) || defined( _M_ARM64 ) )
#    define SUP_TARGET_NEON 1
#else
#    define SUP_TARGET_NEON 0
#endif

#if !defined( SUP_SCALAR ) && defined( __wasm_simd128__ )
#    define SUP_TARGET_WASM 1
#else
#    define SUP_TARGET_WASM 0
#endif

/// Whether x_wide.c is anything else than x_scalar.c
#define SUP_TARGET_WIDE ( SUP_TARGET_X86 || SUP_TARGET_NEON || SUP_TARGET_WASM )
