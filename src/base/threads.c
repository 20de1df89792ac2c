// Supple: a small pool of threads.
// SPDX-License-Identifier: MIT
//
//     caller    posts the job, wakes everybody | takes indices from the counter | waits until all have left
//     workers   sleep                          | take indices from the counter  | leave; the last wakes the caller
//
// Which thread takes which index is chance; what index i does is not. Where there are no threads (WASM) a pool is one
// worker: the caller.
#include "base/memory.h"

#if !defined( SUP_NO_THREADS ) && ( defined( __wasm__ ) || defined( _WIN32 ) )
#    define SUP_NO_THREADS 1
#endif

#ifdef SUP_NO_THREADS

struct supPool
{
    supAllocator allocator;
};

static void supRunHere( supTaskFunction* function, int32_t count, void* context, void* user )
{
    (void)user;
    for ( int32_t i = 0; i < count; ++i )
    {
        function( i, context );
    }
}

supResult supCreatePool( int32_t workerCount, const supAllocator* allocator, supPool** out, supError* error )
{
    *out = NULL;
    if ( workerCount < 0 )
    {
        return supFail( error, sup_errorArgument, "pool: %d workers; 0 means as many as the machine has", workerCount );
    }
    supPool* pool = supAllocZeroed( allocator, 1, sizeof( supPool ), _Alignof( supPool ) );
    if ( pool == NULL )
    {
        return supFail( error, sup_errorMemory, "pool: no memory" );
    }
    pool->allocator = supKeepAllocator( allocator );
    *out = pool;
    return sup_success;
}

void supDestroyPool( supPool* pool )
{
    if ( pool != NULL )
    {
        supAllocator allocator = pool->allocator;
        supFree( &allocator, pool, sizeof( supPool ) );
    }
}

supTasks supPool_Tasks( supPool* pool )
{
    return ( supTasks ){ supRunHere, pool, 1 };
}

#else

#    include <assert.h>
#    include <pthread.h>
#    include <signal.h>
#    include <stdatomic.h>
#    include <unistd.h>

#    define SUP_MAX_WORKERS 256

struct supPool
{
    supAllocator allocator;
    size_t size;         ///< of the block, bytes
    int32_t workerCount; ///< with the caller
    int32_t threadCount; ///< that were started
    pthread_t* threads;

    pthread_mutex_t mutex;
    pthread_cond_t wake; ///< for workers: a new job, or the end
    pthread_cond_t done; ///< for the caller: nobody is at work
    uint64_t jobNumber;  ///< rises with each job
    int32_t busy;        ///< workers that have not left the present job
    bool stop;

    supTaskFunction* function;
    void* context;
    int32_t count;
    atomic_int next; ///< the first index that nobody has taken
};

static void supTakeIndices( supPool* pool )
{
    for ( ;; )
    {
        int32_t index = atomic_fetch_add_explicit( &pool->next, 1, memory_order_relaxed );
        if ( index >= pool->count )
        {
            return;
        }
        pool->function( index, pool->context );
    }
}

static void* supWork( void* argument )
{
    supPool* pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock( &pool->mutex );
    for ( ;; )
    {
        while ( pool->jobNumber == seen && !pool->stop )
        {
            pthread_cond_wait( &pool->wake, &pool->mutex );
        }
        if ( pool->stop )
        {
            break;
        }
        seen = pool->jobNumber;
        pthread_mutex_unlock( &pool->mutex );
        supTakeIndices( pool );
        pthread_mutex_lock( &pool->mutex );
        pool->busy -= 1;
        if ( pool->busy == 0 )
        {
            pthread_cond_signal( &pool->done );
        }
    }
    pthread_mutex_unlock( &pool->mutex );
    return NULL;
}

static void supRunInPool( supTaskFunction* function, int32_t count, void* context, void* user )
{
    supPool* pool = user;
    if ( pool->threadCount == 0 || count <= 1 )
    {
        for ( int32_t i = 0; i < count; ++i )
        {
            function( i, context );
        }
        return;
    }
    // The counter may pass the count by one for each worker.
    assert( count <= INT32_MAX - SUP_MAX_WORKERS );
    pthread_mutex_lock( &pool->mutex );
    assert( pool->busy == 0 && "one run at a time for each pool" );
    pool->function = function;
    pool->context = context;
    pool->count = count;
    atomic_store_explicit( &pool->next, 0, memory_order_relaxed );
    pool->busy = pool->threadCount;
    pool->jobNumber += 1;
    pthread_cond_broadcast( &pool->wake );
    pthread_mutex_unlock( &pool->mutex );

    supTakeIndices( pool );

    pthread_mutex_lock( &pool->mutex );
    while ( pool->busy > 0 )
    {
        pthread_cond_wait( &pool->done, &pool->mutex );
    }
    pthread_mutex_unlock( &pool->mutex );
}

static int32_t supMachineWorkers( void )
{
    long count = sysconf( _SC_NPROCESSORS_ONLN );
    return count < 1 ? 1 : count > SUP_MAX_WORKERS ? SUP_MAX_WORKERS : (int32_t)count;
}

static void supStopThreads( supPool* pool )
{
    pthread_mutex_lock( &pool->mutex );
    pool->stop = true;
    pthread_cond_broadcast( &pool->wake );
    pthread_mutex_unlock( &pool->mutex );
    for ( int32_t i = 0; i < pool->threadCount; ++i )
    {
        pthread_join( pool->threads[i], NULL );
    }
    pthread_cond_destroy( &pool->done );
    pthread_cond_destroy( &pool->wake );
    pthread_mutex_destroy( &pool->mutex );
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

supResult supCreatePool( int32_t workerCount, const supAllocator* allocator, supPool** out, supError* error )
{
    *out = NULL;
    if ( workerCount < 0 || workerCount > SUP_MAX_WORKERS )
    {
        return supFail( error, sup_errorArgument, "pool: %d workers; give 1 to %d, or 0 for as many as the machine has",
            workerCount, SUP_MAX_WORKERS );
    }
    workerCount = workerCount == 0 ? supMachineWorkers() : workerCount;
    supLayout layout = supMakeLayout();
    size_t atPool = SUP_LAYOUT_ARRAY( &layout, supPool, 1 );
    size_t atThreads = SUP_LAYOUT_ARRAY( &layout, pthread_t, workerCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "pool: no memory for %d workers", workerCount );
    }
    supPool* pool = (supPool*)( block + atPool );
    pool->allocator = supKeepAllocator( allocator );
    pool->size = layout.size;
    pool->workerCount = workerCount;
    pool->threads = (pthread_t*)( block + atThreads );
    atomic_init( &pool->next, 0 );
    pthread_mutex_init( &pool->mutex, NULL );
    pthread_cond_init( &pool->wake, NULL );
    pthread_cond_init( &pool->done, NULL );
    sigset_t others = supOthersSignals(), before;
    pthread_sigmask( SIG_SETMASK, &others, &before );
    bool failed = false;
    while ( pool->threadCount < workerCount - 1 && failed == false )
    {
        failed = pthread_create( &pool->threads[pool->threadCount], NULL, supWork, pool ) != 0;
        pool->threadCount += failed ? 0 : 1;
    }
    pthread_sigmask( SIG_SETMASK, &before, NULL );
    if ( failed )
    {
        int32_t given = pool->threadCount;
        supDestroyPool( pool );
        return supFail(
            error, sup_errorLimit, "pool: the system gave %d of %d threads; ask for fewer", given, workerCount - 1 );
    }
    *out = pool;
    return sup_success;
}

void supDestroyPool( supPool* pool )
{
    if ( pool == NULL )
    {
        return;
    }
    supStopThreads( pool );
    supAllocator allocator = pool->allocator;
    supFree( &allocator, pool, pool->size );
}

supTasks supPool_Tasks( supPool* pool )
{
    return ( supTasks ){ supRunInPool, pool, pool->workerCount };
}

#endif
