#include "support/test_assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char* supTestAssets( void )
{
    const char* named = getenv( "SUPPLE_ASSETS" );
    const char* folder = named != NULL && named[0] != '\0' ? named : "../shared/assets";
    return access( folder, R_OK | X_OK ) == 0 ? folder : NULL;
}

bool supTestAssetPath( const char* name, char* path, size_t size )
{
    const char* folder = supTestAssets();
    if ( folder == NULL )
    {
        return false;
    }
    int length = snprintf( path, size, "%s/%s", folder, name );
    return length > 0 && (size_t)length < size && access( path, R_OK ) == 0;
}
