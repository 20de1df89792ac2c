#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Builds with sanitizers take many times longer: tests of large files look at fewer of them there, and say so. What is
/// looked for there, broken memory, the small ones show as well.
#if defined( __SANITIZE_ADDRESS__ ) || defined( __SANITIZE_THREAD__ )
#    define SUP_SLOW_BUILD 1
#else
#    define SUP_SLOW_BUILD 0
#endif

/// The folder of the test assets: $SUPPLE_ASSETS, or ../shared/assets beside the project. NULL when there is none.
const char* supTestAssets( void );

/// Writes the path of an asset, "fox/Fox.glb", and tells whether it can be read.
bool supTestAssetPath( const char* name, char* path, size_t size );

/// In a cmocka test: leaves the test as skipped, with a word, when the assets are not there.
#define SUP_SKIP_WITHOUT_ASSETS()                                                                                      \
    do                                                                                                                 \
    {                                                                                                                  \
        if ( supTestAssets() == NULL )                                                                                 \
        {                                                                                                              \
            print_message( "skipped: no test assets; SUPPLE_ASSETS names their folder\n" );                            \
            skip();                                                                                                    \
        }                                                                                                              \
    } while ( 0 )
