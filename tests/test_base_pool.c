// The pool: every index once, the same results for any number of workers, no memory lost.
// SPDX-License-Identifier: MIT
#include "base/tasks.h"
#include "support/test_allocator.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SUP_MOST 3000

typedef struct supCounts
{
    atomic_int calls[SUP_MOST];
    float results[SUP_MOST];
} supCounts;

static supResult supMakePool( int32_t workers, const supAllocator* allocator, supPool** out, supError* error )
{
    supPoolDef def = supDefaultPoolDef();
    def.workerCount = workers;
    def.allocator = allocator;
    return supCreatePool( &def, out, error );
}

static void supCount( int32_t index, void* context )
{
    supCounts* counts = context;
    atomic_fetch_add( &counts->calls[index], 1 );
    float value = (float)index;
    for ( int i = 0; i < 20; ++i )
    {
        value = value * 0.75f + 1.0f / ( 1.0f + (float)i );
    }
    counts->results[index] = value;
}

static void supTestEveryIndexOnce( void** state )
{
    (void)state;
    static supCounts one, many;
    memset( &one, 0, sizeof( one ) );
    supRunTasks( NULL, supCount, SUP_MOST, &one );
    static const int32_t sizes[] = { 0, 1, 2, 3, 7, 64, 1000, SUP_MOST };
    for ( int32_t workers = 1; workers <= 8; ++workers )
    {
        supPool* pool;
        assert_int_equal( supMakePool( workers, NULL, &pool, NULL ), sup_success );
        supTasks tasks = supPool_Tasks( pool );
        assert_int_equal( tasks.workerCount, workers );
        for ( size_t k = 0; k < sizeof( sizes ) / sizeof( sizes[0] ); ++k )
        {
            memset( &many, 0, sizeof( many ) );
            tasks.run( supCount, sizes[k], &many, tasks.user );
            for ( int32_t i = 0; i < SUP_MOST; ++i )
            {
                assert_int_equal( atomic_load( &many.calls[i] ), i < sizes[k] ? 1 : 0 );
            }
            assert_memory_equal( many.results, one.results, (size_t)sizes[k] * sizeof( float ) );
        }
        supDestroyPool( pool );
    }
}

// Many short runs one after the other, as frames do: a worker that comes late to one must not take from the next.
static void supTestManyRuns( void** state )
{
    (void)state;
    static supCounts counts;
    memset( &counts, 0, sizeof( counts ) );
    supPool* pool;
    assert_int_equal( supMakePool( 4, NULL, &pool, NULL ), sup_success );
    supTasks tasks = supPool_Tasks( pool );
    for ( int run = 0; run < 3000; ++run )
    {
        tasks.run( supCount, 5, &counts, tasks.user );
        for ( int i = 0; i < 5; ++i )
        {
            assert_int_equal( atomic_load( &counts.calls[i] ), run + 1 );
        }
    }
    supDestroyPool( pool );
}

#if !defined( _WIN32 ) // which has no signals

#    define SUP_MASKS 64

/// Which of two signals this thread holds back, as bits.
static void supLookAtMask( int32_t index, void* context )
{
    sigset_t mask;
    pthread_sigmask( SIG_SETMASK, NULL, &mask );
    int* masks = context;
    masks[index] = ( sigismember( &mask, SIGINT ) == 1 ? 1 : 0 ) + ( sigismember( &mask, SIGSEGV ) == 1 ? 2 : 0 );
    const struct timespec moment = { 0, 1000000 }; // so that every worker comes to take some
    nanosleep( &moment, NULL );
}

// Signals go to the host's threads; a crash in a worker still reaches the host's handler.
static void supTestSignals( void** state )
{
    (void)state;
    supPool* pool;
    assert_int_equal( supMakePool( 4, NULL, &pool, NULL ), sup_success );
    supTasks tasks = supPool_Tasks( pool );
    int masks[SUP_MASKS], holding = 0;
    tasks.run( supLookAtMask, SUP_MASKS, masks, tasks.user );
    for ( int i = 0; i < SUP_MASKS; ++i )
    {
        assert_true( masks[i] == 0 || masks[i] == 1 ); // the caller's own, or a worker's
        holding += masks[i];
    }
    assert_true( holding > 0 );
    supDestroyPool( pool );
    sigset_t mask;
    pthread_sigmask( SIG_SETMASK, NULL, &mask );
    assert_int_equal( sigismember( &mask, SIGINT ), 0 ); // the caller's is as it was
}

#endif

static void supTestMemory( void** state )
{
    (void)state;
    supTestAllocator counting = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counting );
    supPool* pool;
    assert_int_equal( supMakePool( 3, &allocator, &pool, NULL ), sup_success );
    int32_t calls = counting.calls;
    static supCounts counts;
    supTasks tasks = supPool_Tasks( pool );
    tasks.run( supCount, 100, &counts, tasks.user );
    assert_int_equal( counting.calls, calls ); // nothing is allocated by a run
    supDestroyPool( pool );
    assert_int_equal( counting.live, 0 );
    supDestroyPool( NULL );

    supError error;
    counting = ( supTestAllocator ){ .failAt = 0 };
    assert_int_equal( supMakePool( 3, &allocator, &pool, &error ), sup_errorMemory );
    assert_null( pool );
    assert_int_equal( supMakePool( -1, NULL, &pool, &error ), sup_errorArgument );
    assert_null( pool );
    assert_non_null( strstr( error.text, "-1" ) );
    assert_int_equal( supMakePool( 100000, NULL, &pool, &error ), sup_errorArgument );
}

static void supTestMachine( void** state )
{
    (void)state;
    supPool* pool;
    assert_int_equal( supMakePool( 0, NULL, &pool, NULL ), sup_success );
    assert_true( supPool_Tasks( pool ).workerCount >= 1 );
    supDestroyPool( pool );
}

static void supTestBlocks( void** state )
{
    (void)state;
    for ( int32_t count = 0; count < 50; ++count )
    {
        for ( int32_t size = 1; size < 20; ++size )
        {
            int32_t next = 0;
            for ( int32_t block = 0; block < supBlockCount( size, count ); ++block )
            {
                int32_t first, end = supBlock( block, size, count, &first );
                assert_int_equal( first, next );
                assert_true( end > first && end - first <= size );
                next = end;
            }
            assert_int_equal( next, count );
        }
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestEveryIndexOnce ),
        cmocka_unit_test( supTestManyRuns ),
#if !defined( _WIN32 )
        cmocka_unit_test( supTestSignals ),
#endif
        cmocka_unit_test( supTestMemory ),
        cmocka_unit_test( supTestMachine ),
        cmocka_unit_test( supTestBlocks ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
