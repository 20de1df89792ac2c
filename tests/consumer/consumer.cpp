// A C++ program that uses the installed core: its own allocator, its own tasks.
#include <supple/base.h>

#include <cstdio>
#include <cstdlib>
#include <string>

static int s_blocks = 0;

static void* allocate( std::size_t size, std::size_t alignment, void* )
{
    s_blocks += 1;
    return std::aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void release( void* block, std::size_t, void* )
{
    s_blocks -= 1;
    std::free( block );
}

int main()
{
    const supAllocator allocator = { allocate, release, nullptr };
    supError error = {};
    supPool* pool = nullptr;
    supPoolDef def = supDefaultPoolDef();
    def.workerCount = 2;
    def.allocator = &allocator;
    if ( supCreatePool( &def, &pool, &error ) != sup_success )
    {
        std::printf( "%s\n", error.text );
        return 1;
    }
    const bool used = s_blocks > 0;
    int sum[4] = {};
    const supTasks tasks = supPool_Tasks( pool );
    tasks.run(
        []( int32_t index, void* context ) { static_cast<int*>( context )[index] = index; }, 4, sum, tasks.user );
    supDestroyPool( pool );
    if ( !used || s_blocks != 0 || sum[3] != 3 )
    {
        std::printf( "blocks left %d, last task %d\n", s_blocks, sum[3] );
        return 1;
    }
    const std::string version = supVersion();
    std::printf( "C++: supple %s\n", version.c_str() );
    return 0;
}
