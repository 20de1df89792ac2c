// Supple: how a thread rounds, and what it makes of very small numbers.
// SPDX-License-Identifier: MIT
//
// Rounding to nearest, small numbers kept, nothing trapped: so the C library starts a program, and so the same bits
// come out everywhere. A host may have set its threads otherwise (audio sets small numbers to zero, others trap NaN).
// Whatever computes what must have the same bits therefore sets the modes when it begins, and puts the host's back when
// it ends. The way there and back is two instructions where the host has changed nothing.
#pragma once

#include <stdint.h>

#if defined( __SSE2__ ) || defined( _M_X64 )
#    include <xmmintrin.h>
#    define SUP_FLOATS_X86 1
#elif defined( __aarch64__ ) && defined( __GNUC__ )
#    define SUP_FLOATS_ARM 1
#elif defined( _M_ARM64 )
#    include <intrin.h>
#    define SUP_FLOATS_ARM 1
#endif

/// The bits of a thread's register that a host may change, and how the library wants them; what else it holds, such as
/// flags of what has happened, is left alone.
#if defined( SUP_FLOATS_X86 )
#    define SUP_FLOAT_SETTING_BITS 0xffc0u
#    define SUP_FLOAT_SETTINGS 0x1f80u // nothing is trapped
#elif defined( SUP_FLOATS_ARM )
#    define SUP_FLOAT_SETTING_BITS 0x07c89f07u
#    define SUP_FLOAT_SETTINGS 0u
#else // WebAssembly has one mode
#    define SUP_FLOAT_SETTING_BITS 0u
#    define SUP_FLOAT_SETTINGS 0u
#endif

/// What a thread's register held.
typedef struct supFloatSettings
{
    uint64_t bits;
} supFloatSettings;

static inline uint64_t supReadFloatSettings( void )
{
#if defined( SUP_FLOATS_X86 )
    return _mm_getcsr();
#elif defined( SUP_FLOATS_ARM ) && defined( __GNUC__ )
    uint64_t bits;
    __asm__ volatile( "mrs %0, fpcr" : "=r"( bits ) : : "memory" );
    return bits;
#elif defined( SUP_FLOATS_ARM )
    return (uint64_t)_ReadStatusReg( ARM64_FPCR );
#else
    return 0;
#endif
}

static inline void supWriteFloatSettings( uint64_t bits )
{
#if defined( SUP_FLOATS_X86 )
#    if defined( __GNUC__ )
    __asm__ volatile( "" : : : "memory" ); // what is stored by then is computed before, and what is loaded later after
#    endif
    _mm_setcsr( (unsigned int)bits );
#    if defined( __GNUC__ )
    __asm__ volatile( "" : : : "memory" );
#    endif
#elif defined( SUP_FLOATS_ARM ) && defined( __GNUC__ )
    __asm__ volatile( "msr fpcr, %0" : : "r"( bits ) : "memory" );
#elif defined( SUP_FLOATS_ARM )
    _WriteStatusReg( ARM64_FPCR, (__int64)bits );
#else
    (void)bits;
#endif
}

/// Sets the modes in which the library computes. What was there is given back to supLeaveFloatSettings.
static inline supFloatSettings supEnterFloatSettings( void )
{
    uint64_t bits = supReadFloatSettings();
    if ( ( bits & SUP_FLOAT_SETTING_BITS ) != SUP_FLOAT_SETTINGS )
    {
        supWriteFloatSettings( ( bits & ~(uint64_t)SUP_FLOAT_SETTING_BITS ) | SUP_FLOAT_SETTINGS );
    }
    return ( supFloatSettings ){ bits };
}

static inline void supLeaveFloatSettings( supFloatSettings host )
{
    if ( ( host.bits & SUP_FLOAT_SETTING_BITS ) != SUP_FLOAT_SETTINGS )
    {
        supWriteFloatSettings( host.bits );
    }
}
