#pragma once
#if defined( _M_X64 )
#    include <immintrin.h>
#endif
#pragma intrinsic( _InterlockedExchange, _InterlockedIncrement )
long _InterlockedExchange( volatile long* place, long value );
long _InterlockedIncrement( volatile long* place );
void __cpuid( int words[4], int leaf );
void __cpuidex( int words[4], int leaf, int part );
#if defined( _M_ARM64 )
#    define ARM64_FPCR 0x5a20
__int64 _ReadStatusReg( int place );
void _WriteStatusReg( int place, __int64 value );
#endif
