#include "support/test_allocator.h"

#include <stdlib.h>

static void* supTestAllocate( size_t size, size_t alignment, void* user )
{
    supTestAllocator* test = user;
    int32_t call = test->calls++;
    if ( test->failAt >= 0 && ( test->once ? call == test->failAt : call >= test->failAt ) )
    {
        return NULL;
    }
    test->live += (int64_t)size;
    return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void supTestRelease( void* block, size_t size, void* user )
{
    supTestAllocator* test = user;
    test->live -= (int64_t)size;
    free( block );
}

supAllocator supMakeTestAllocator( supTestAllocator* test )
{
    return ( supAllocator ){ supTestAllocate, supTestRelease, test };
}
