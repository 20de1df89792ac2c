// Supple: what differs between systems.
// SPDX-License-Identifier: MIT
#include "base/platform.h"

#include "base/compiler.h"

#include <stdlib.h>

#if defined( _WIN32 )
#    define WIN32_LEAN_AND_MEAN 1
#    define NOMINMAX 1
#    include <windows.h>
// after it
#    include <malloc.h>
#    include <process.h>
#elif SUP_HAS_THREADS
#    include <signal.h>
#    include <unistd.h>
#endif
#if defined( _MSC_VER )
#    include <intrin.h>
#else
#    include <stdatomic.h>
#endif

// ---------------------------------------------------------------------------------------------------------------
// Memory

#if defined( _WIN32 )

// There is no aligned_alloc, and what _aligned_malloc gives is not for free; so all of it comes from there.
void* supSystemAlloc( size_t size, size_t alignment )
{
    return size <= SIZE_MAX - 4 * alignment ? _aligned_malloc( size, alignment ) : NULL; // it adds a little by itself
}

void supSystemFree( void* block )
{
    _aligned_free( block );
}

#else

void* supSystemAlloc( size_t size, size_t alignment )
{
    if ( alignment <= _Alignof( max_align_t ) )
    {
        return malloc( size );
    }
    // aligned_alloc wants a multiple of the alignment
    size_t rounded = ( size + alignment - 1 ) & ~( alignment - 1 );
    return rounded >= size ? aligned_alloc( alignment, rounded ) : NULL;
}

void supSystemFree( void* block )
{
    free( block );
}

#endif

// ---------------------------------------------------------------------------------------------------------------
// The processor

#if SUP_TARGET_X86 && !defined( SUP_NO_AVX ) && defined( __GNUC__ )

bool supSystemHasAvx2( void )
{
    return __builtin_cpu_supports( "avx2" ) && __builtin_cpu_supports( "fma" );
}

bool supSystemHasAvx512( void )
{
    return __builtin_cpu_supports( "avx512f" ) && __builtin_cpu_supports( "avx512dq" ) &&
           __builtin_cpu_supports( "avx512bw" ) && __builtin_cpu_supports( "avx512vl" );
}

bool supSystemLikesAvx512( void )
{
    return __builtin_cpu_supports( "avx512vbmi2" );
}

#elif SUP_TARGET_X86 && !defined( SUP_NO_AVX )

/// Bits of `leaf` that are all there.
static bool supHasBits( int leaf, int reg, unsigned bits )
{
    int words[4];
    __cpuid( words, 0 );
    if ( words[0] < leaf )
    {
        return false;
    }
    __cpuidex( words, leaf, 0 );
    return ( (unsigned)words[reg] & bits ) == bits;
}

/// Whether the system keeps these registers when it switches threads. Bits of XCR0: 1 and 2 for AVX, 5 to 7 for
/// AVX-512.
static bool supKeepsRegisters( unsigned bits )
{
    const unsigned osxsave = 1u << 27;
    return supHasBits( 1, 2, osxsave ) && ( (unsigned)_xgetbv( 0 ) & bits ) == bits;
}

bool supSystemHasAvx2( void )
{
    const unsigned fma = 1u << 12, avx2 = 1u << 5;
    return supHasBits( 1, 2, fma ) && supHasBits( 7, 1, avx2 ) && supKeepsRegisters( 0x06u );
}

bool supSystemHasAvx512( void )
{
    const unsigned f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
    return supHasBits( 7, 1, f | dq | bw | vl ) && supKeepsRegisters( 0xe6u );
}

bool supSystemLikesAvx512( void )
{
    const unsigned vbmi2 = 1u << 6;
    return supHasBits( 7, 2, vbmi2 );
}

#else

bool supSystemHasAvx2( void )
{
    return false;
}

bool supSystemHasAvx512( void )
{
    return false;
}

bool supSystemLikesAvx512( void )
{
    return false;
}

#endif

// ---------------------------------------------------------------------------------------------------------------
// Threads

#if SUP_HAS_THREADS && defined( _WIN32 )

int32_t supSystemProcessors( void )
{
    DWORD count = GetActiveProcessorCount( ALL_PROCESSOR_GROUPS );
    return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

static unsigned __stdcall supThreadMain( void* argument )
{
    supThread* thread = argument;
    thread->work( thread->context );
    return 0;
}

bool supThread_Start( supThread* thread, void ( *work )( void* context ), void* context )
{
    thread->work = work;
    thread->context = context;
    thread->handle = (void*)_beginthreadex( NULL, 0, supThreadMain, thread, 0, NULL );
    return thread->handle != NULL;
}

void supThread_Join( supThread* thread )
{
    WaitForSingleObject( thread->handle, INFINITE );
    CloseHandle( thread->handle );
}

_Static_assert( sizeof( SRWLOCK ) == sizeof( void* ), "platform.h has a pointer for it" );
_Static_assert( sizeof( CONDITION_VARIABLE ) == sizeof( void* ), "platform.h has a pointer for it" );

void supInitLock( supLock* lock )
{
    InitializeSRWLock( (SRWLOCK*)&lock->lock );
}

void supDestroyLock( supLock* lock )
{
    (void)lock;
}

void supLock_Take( supLock* lock )
{
    AcquireSRWLockExclusive( (SRWLOCK*)&lock->lock );
}

void supLock_Leave( supLock* lock )
{
    ReleaseSRWLockExclusive( (SRWLOCK*)&lock->lock );
}

void supInitWake( supWake* wake )
{
    InitializeConditionVariable( (CONDITION_VARIABLE*)&wake->condition );
}

void supDestroyWake( supWake* wake )
{
    (void)wake;
}

void supWake_Wait( supWake* wake, supLock* lock )
{
    SleepConditionVariableSRW( (CONDITION_VARIABLE*)&wake->condition, (SRWLOCK*)&lock->lock, INFINITE, 0 );
}

void supWake_All( supWake* wake )
{
    WakeAllConditionVariable( (CONDITION_VARIABLE*)&wake->condition );
}

#elif SUP_HAS_THREADS

int32_t supSystemProcessors( void )
{
    long count = sysconf( _SC_NPROCESSORS_ONLN );
    return count < 1 ? 1 : count > INT32_MAX ? INT32_MAX : (int32_t)count;
}

// Signals are the host's: workers take none, so that a thread that holds them back (while it writes a file) is not
// passed by. But for those that a worker's own mistake raises: held back, they would end the process before the host's
// crash handler hears of it.
static sigset_t supOthersSignals( void )
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS };
    sigset_t signals;
    sigfillset( &signals );
    for ( size_t i = 0; i < sizeof( own ) / sizeof( own[0] ); ++i )
    {
        sigdelset( &signals, own[i] );
    }
    return signals;
}

static void* supThreadMain( void* argument )
{
    supThread* thread = argument;
    thread->work( thread->context );
    return NULL;
}

bool supThread_Start( supThread* thread, void ( *work )( void* context ), void* context )
{
    thread->work = work;
    thread->context = context;
    sigset_t others = supOthersSignals(), before;
    pthread_sigmask( SIG_SETMASK, &others, &before );
    bool started = pthread_create( &thread->handle, NULL, supThreadMain, thread ) == 0;
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    return started;
}

void supThread_Join( supThread* thread )
{
    pthread_join( thread->handle, NULL );
}

void supInitLock( supLock* lock )
{
    pthread_mutex_init( &lock->lock, NULL );
}

void supDestroyLock( supLock* lock )
{
    pthread_mutex_destroy( &lock->lock );
}

void supLock_Take( supLock* lock )
{
    pthread_mutex_lock( &lock->lock );
}

void supLock_Leave( supLock* lock )
{
    pthread_mutex_unlock( &lock->lock );
}

void supInitWake( supWake* wake )
{
    pthread_cond_init( &wake->condition, NULL );
}

void supDestroyWake( supWake* wake )
{
    pthread_cond_destroy( &wake->condition );
}

void supWake_Wait( supWake* wake, supLock* lock )
{
    pthread_cond_wait( &wake->condition, &lock->lock );
}

void supWake_All( supWake* wake )
{
    pthread_cond_broadcast( &wake->condition );
}

#else

int32_t supSystemProcessors( void )
{
    return 1;
}

bool supThread_Start( supThread* thread, void ( *work )( void* context ), void* context )
{
    thread->work = work;
    thread->context = context;
    return false;
}

void supThread_Join( supThread* thread )
{
    (void)thread;
}

void supInitLock( supLock* lock )
{
    (void)lock;
}

void supDestroyLock( supLock* lock )
{
    (void)lock;
}

void supLock_Take( supLock* lock )
{
    (void)lock;
}

void supLock_Leave( supLock* lock )
{
    (void)lock;
}

void supInitWake( supWake* wake )
{
    (void)wake;
}

void supDestroyWake( supWake* wake )
{
    (void)wake;
}

void supWake_Wait( supWake* wake, supLock* lock )
{
    (void)wake;
    (void)lock;
}

void supWake_All( supWake* wake )
{
    (void)wake;
}

#endif

#if defined( _MSC_VER )

void supCounter_Set( supCounter* counter, int32_t value )
{
    _InterlockedExchange( &counter->value, value );
}

int32_t supCounter_Next( supCounter* counter )
{
    return _InterlockedIncrement( &counter->value ) - 1;
}

#else

void supCounter_Set( supCounter* counter, int32_t value )
{
    atomic_store_explicit( &counter->value, value, memory_order_relaxed );
}

int32_t supCounter_Next( supCounter* counter )
{
    return atomic_fetch_add_explicit( &counter->value, 1, memory_order_relaxed );
}

#endif
