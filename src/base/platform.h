// Supple: what differs between systems: aligned memory, what the processor has, threads. Windows, POSIX and systems
// without threads (WASM) have a part each in platform.c, and no other file asks which of them it is.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#if defined( __wasm__ ) || defined( SUP_NO_THREADS )
#    define SUP_HAS_THREADS 0
#else
#    define SUP_HAS_THREADS 1
#endif

#if SUP_HAS_THREADS && !defined( _WIN32 )
#    include <pthread.h>
#endif

/// Memory at a multiple of `alignment`, a power of two, or NULL.
void* supSystemAlloc( size_t size, size_t alignment );
/// Takes NULL too.
void supSystemFree( void* block );

/// Whether processor and system have AVX2 with FMA; and F, DQ, BW and VL of AVX-512. False where it is no x86.
bool supSystemHasAvx2( void );
bool supSystemHasAvx512( void );
/// Whether it runs at full speed: the first processors that had it lower their clock for all that they do meanwhile.
/// Told by VBMI2, which came with those that no longer do.
bool supSystemLikesAvx512( void );

/// How many threads run at once, at least 1. Without threads it is 1.
int32_t supSystemProcessors( void );

// ---------------------------------------------------------------------------------------------------------------
// Threads. Without them supThread_Start gives false, and nothing else is needed.

typedef struct supThread
{
    void ( *work )( void* context );
    void* context;
#if defined( _WIN32 )
    void* handle;
#elif SUP_HAS_THREADS
    pthread_t handle;
#endif
} supThread;

/// One thread at a time. A waiting thread leaves it, and has it again when it is woken.
typedef struct supLock
{
#if defined( _WIN32 )
    void* lock; // a SRWLOCK, which is one pointer; windows.h stays out of headers
#elif SUP_HAS_THREADS
    pthread_mutex_t lock;
#else
    int unused;
#endif
} supLock;

typedef struct supWake
{
#if defined( _WIN32 )
    void* condition; // a CONDITION_VARIABLE
#elif SUP_HAS_THREADS
    pthread_cond_t condition;
#else
    int unused;
#endif
} supWake;

/// A number that many threads raise.
typedef struct supCounter
{
#if defined( _MSC_VER )
    volatile long value;
#else
    _Atomic( int32_t ) value;
#endif
} supCounter;

/// Runs work( context ) on a thread of its own, which takes no signals but those of its own mistakes. `thread` must
/// stay where it is. False: the system gives none.
bool supThread_Start( supThread* thread, void ( *work )( void* context ), void* context );
/// Waits for its end.
void supThread_Join( supThread* thread );

void supInitLock( supLock* lock );
void supDestroyLock( supLock* lock );
void supLock_Take( supLock* lock );
void supLock_Leave( supLock* lock );

void supInitWake( supWake* wake );
void supDestroyWake( supWake* wake );
/// `lock` is held before and after. May come back without having been woken.
void supWake_Wait( supWake* wake, supLock* lock );
void supWake_All( supWake* wake );

void supCounter_Set( supCounter* counter, int32_t value );
/// Its value before it was raised by one.
int32_t supCounter_Next( supCounter* counter );
