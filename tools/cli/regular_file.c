// SPDX-License-Identifier: MIT
#include "regular_file.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

FILE* supOpenRegular( const char* path )
{
    struct stat info;
    if ( stat( path, &info ) != 0 )
    {
        return NULL;
    }
    if ( S_ISREG( info.st_mode ) == false )
    {
        errno = S_ISDIR( info.st_mode ) ? EISDIR : EINVAL;
        return NULL;
    }
    return fopen( path, "rb" );
}

json_t* supLoadRegularJson( const char* path, size_t flags, json_error_t* why )
{
    FILE* file = supOpenRegular( path );
    json_t* root = NULL;
    if ( file != NULL )
    {
        root = json_loadf( file, flags, why );
        fclose( file );
    }
    else if ( why != NULL )
    {
        memset( why, 0, sizeof( *why ) );
        why->line = -1;
    }
    return root;
}
