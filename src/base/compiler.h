// Supple: what differs between compilers and processors. gcc and clang have attributes; MSVC has words of its own.
// SPDX-License-Identifier: MIT
#pragma once

/// Pieces of a kernel, which must not become calls.
#if defined( __GNUC__ )
#    define SUP_ALWAYS static inline __attribute__( ( always_inline ) )
#elif defined( _MSC_VER )
#    define SUP_ALWAYS static __forceinline
#else
#    define SUP_ALWAYS static inline
#endif

/// Asks for a cache line that will be written soon. Any address will do.
#if defined( __GNUC__ )
#    define SUP_PREFETCH( address ) __builtin_prefetch( (const void*)( address ), 1 )
#else
#    define SUP_PREFETCH( address ) (void)( address )
#endif

// ---------------------------------------------------------------------------------------------------------------
// Which wide instructions this build has paths for.
//
// Kernels that are worth it stand in `x_kernel.inl`, included by up to four files:
//     x_wide.c    the path that every processor of the target has: SSE2, NEON, WASM SIMD, or scalar
//     x_scalar.c  the scalar path, for the tests and for SUP_SCALAR builds
//     x_avx2.c    #if SUP_TARGET_X86, compiled with -mavx2 -mfma
//     x_avx512.c  #if SUP_TARGET_X86, compiled with -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma
// and one that picks among them by supHasSimd.

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
