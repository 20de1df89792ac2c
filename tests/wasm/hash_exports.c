// The scenes of the hash tests, for Node.
#include "support/hash_scenes.h"

SUP_API int32_t supTest_SceneCount( void );
SUP_API const char* supTest_SceneName( int32_t index );
SUP_API uint64_t supTest_SceneHash( int32_t index );

int32_t supTest_SceneCount( void )
{
    int32_t count;
    supHashScenes( &count );
    return count;
}

const char* supTest_SceneName( int32_t index )
{
    int32_t count;
    return supHashScenes( &count )[index].name;
}

uint64_t supTest_SceneHash( int32_t index )
{
    int32_t count;
    return supHashOfScene( supHashScenes( &count ) + index, ( supTasks ){ 0 } );
}
