// Supple: what differs between compilers. gcc and clang have attributes; MSVC has words of its own.
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
