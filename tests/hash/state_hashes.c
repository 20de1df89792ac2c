// Prints the hash of every scene, a line each: "name 0123456789abcdef". Every build must print the same lines.
#include "support/hash_scenes.h"

#include <inttypes.h>
#include <stdio.h>

int main( void )
{
    int32_t count;
    const supHashScene* scenes = supHashScenes( &count );
    for ( int32_t i = 0; i < count; ++i )
    {
        printf( "%s %016" PRIx64 "\n", scenes[i].name, supHashOfScene( scenes + i, ( supTasks ){ 0 } ) );
    }
    return 0;
}
