#include "support/test_allocator.h"
#include "base/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_head = 64 ///< before each block: its size
};

static void* supTestAllocate( size_t size, size_t alignment, void* user )
{
    supTestAllocator* test = user;
    int32_t call = test->calls++;
    if ( test->failAt >= 0 && ( test->once ? call == test->failAt : call >= test->failAt ) )
    {
        return NULL;
    }
    test->live += (int64_t)size;
    (void)alignment; // the head keeps the largest
    char* block = supSystemAlloc( size + sup_head, sup_head );
    memcpy( block, &size, sizeof( size ) );
    return block + sup_head;
}

static void supTestRelease( void* block, size_t size, void* user )
{
    supTestAllocator* test = user;
    size_t given;
    char* start = (char*)block - sup_head;
    memcpy( &given, start, sizeof( given ) );
    if ( given != size )
    {
        fprintf( stderr, "a block of %zu bytes came back as one of %zu\n", given, size );
        abort();
    }
    test->live -= (int64_t)size;
    supSystemFree( start );
}

supAllocator supMakeTestAllocator( supTestAllocator* test )
{
    return ( supAllocator ){ supTestAllocate, supTestRelease, test };
}
