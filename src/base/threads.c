// Supple: a small pool of threads.
// SPDX-License-Identifier: MIT
//
//     caller    posts the job, wakes everybody | takes indices from the counter | waits until all have left
//     workers   sleep                          | take indices from the counter  | leave; the last wakes the caller
//
// Which thread takes which index is chance; what index i does is not. Where there are no threads (WASM) a pool is one
// worker: the caller.
#include "base/memory.h"
#include "base/platform.h"

#include <assert.h>

#define SUP_MAX_WORKERS 256
#define SUP_POOL_COOKIE 0x504f4f4c

struct supPool
{
    supAllocator allocator;
    size_t size;         ///< of the block, bytes
    int32_t workerCount; ///< with the caller
    int32_t threadCount; ///< that were started
    supThread* threads;

    supLock lock;
    supWake wake;       ///< for workers: a new job, or the end
    supWake done;       ///< for the caller: nobody is at work
    uint64_t jobNumber; ///< rises with each job
    int32_t busy;       ///< workers that have not left the present job
    bool stop;

    supTaskFunction* function;
    void* context;
    int32_t count;
    supCounter next; ///< the first index that nobody has taken
};

static void supTakeIndices( supPool* pool )
{
    for ( ;; )
    {
        int32_t index = supCounter_Next( &pool->next );
        if ( index >= pool->count )
        {
            return;
        }
        pool->function( index, pool->context );
    }
}

static void supWork( void* argument )
{
    supPool* pool = argument;
    uint64_t seen = 0;
    supLock_Take( &pool->lock );
    for ( ;; )
    {
        while ( pool->jobNumber == seen && !pool->stop )
        {
            supWake_Wait( &pool->wake, &pool->lock );
        }
        if ( pool->stop )
        {
            break;
        }
        seen = pool->jobNumber;
        supLock_Leave( &pool->lock );
        supTakeIndices( pool );
        supLock_Take( &pool->lock );
        pool->busy -= 1;
        if ( pool->busy == 0 )
        {
            supWake_All( &pool->done );
        }
    }
    supLock_Leave( &pool->lock );
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
    supLock_Take( &pool->lock );
    assert( pool->busy == 0 && "one run at a time for each pool" );
    pool->function = function;
    pool->context = context;
    pool->count = count;
    supCounter_Set( &pool->next, 0 );
    pool->busy = pool->threadCount;
    pool->jobNumber += 1;
    supWake_All( &pool->wake );
    supLock_Leave( &pool->lock );

    supTakeIndices( pool );

    supLock_Take( &pool->lock );
    while ( pool->busy > 0 )
    {
        supWake_Wait( &pool->done, &pool->lock );
    }
    supLock_Leave( &pool->lock );
}

static int32_t supMachineWorkers( void )
{
    int32_t count = supSystemProcessors();
    return count > SUP_MAX_WORKERS ? SUP_MAX_WORKERS : count;
}

static void supStopThreads( supPool* pool )
{
    supLock_Take( &pool->lock );
    pool->stop = true;
    supWake_All( &pool->wake );
    supLock_Leave( &pool->lock );
    for ( int32_t i = 0; i < pool->threadCount; ++i )
    {
        supThread_Join( &pool->threads[i] );
    }
    supDestroyWake( &pool->done );
    supDestroyWake( &pool->wake );
    supDestroyLock( &pool->lock );
}

supPoolDef supDefaultPoolDef( void )
{
    return ( supPoolDef ){ .cookie = SUP_POOL_COOKIE };
}

supResult supCreatePool( const supPoolDef* def, supPool** out, supError* error )
{
    *out = NULL;
    if ( def != NULL && def->cookie != SUP_POOL_COOKIE )
    {
        return supFail( error, sup_errorArgument, "the pool's def was not made by supDefaultPoolDef" );
    }
    int32_t workerCount = def != NULL ? def->workerCount : 0;
    const supAllocator* allocator = def != NULL ? def->allocator : NULL;
    if ( workerCount < 0 || workerCount > SUP_MAX_WORKERS )
    {
        return supFail( error, sup_errorArgument, "pool: %d workers; give 1 to %d, or 0 for as many as the machine has",
            workerCount, SUP_MAX_WORKERS );
    }
    workerCount = !SUP_HAS_THREADS ? 1 : workerCount == 0 ? supMachineWorkers() : workerCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supPool, pool, 1 );
    SUP_PUT_NEW( &layout, supThread, threads, workerCount );
    if ( supAllocLayout( allocator, &layout ) == NULL )
    {
        return supFail( error, sup_errorMemory, "pool: no memory for %d workers", workerCount );
    }
    pool->allocator = supKeepAllocator( allocator );
    pool->size = layout.size;
    pool->workerCount = workerCount;
    pool->threads = threads;
    supCounter_Set( &pool->next, 0 );
    supInitLock( &pool->lock );
    supInitWake( &pool->wake );
    supInitWake( &pool->done );
    bool failed = false;
    while ( pool->threadCount < workerCount - 1 && failed == false )
    {
        failed = !supThread_Start( &pool->threads[pool->threadCount], supWork, pool );
        pool->threadCount += failed ? 0 : 1;
    }
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
