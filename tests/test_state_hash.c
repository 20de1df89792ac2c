// Every scene has the same bits for 1 to 8 threads, and different scenes have different ones. That builds agree with
// one another is held by ./run test, which compares what tests/hash/state_hashes.c prints in each of them.
#include "support/hash_scenes.h"
#include "support/test_assets.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void supTestThreads( void** state )
{
    (void)state;
    int32_t count;
    const supHashScene* scenes = supHashScenes( &count );
    for ( int32_t i = 0; i < count; ++i )
    {
        uint64_t alone = supHashOfScene( scenes + i, ( supTasks ){ 0 } );
        for ( int32_t workers = 1; workers <= 8; workers += SUP_SLOW_BUILD ? 7 : 1 )
        {
            supPool* pool = NULL;
            supPoolDef poolDef = supDefaultPoolDef();
            poolDef.workerCount = workers;
            assert_int_equal( supCreatePool( &poolDef, &pool, NULL ), sup_success );
            uint64_t together = supHashOfScene( scenes + i, supPool_Tasks( pool ) );
            supDestroyPool( pool );
            if ( together != alone )
            {
                fail_msg( "scene '%s' differs with %d threads", scenes[i].name, (int)workers );
            }
        }
    }
}

static void supTestDistinct( void** state )
{
    (void)state;
    int32_t count;
    const supHashScene* scenes = supHashScenes( &count );
    uint64_t before = supHashOfScene( scenes, ( supTasks ){ 0 } );
    for ( int32_t i = 1; i < count; ++i )
    {
        uint64_t here = supHashOfScene( scenes + i, ( supTasks ){ 0 } );
        assert_true( before != here );
        before = here;
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestThreads ), cmocka_unit_test( supTestDistinct ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
