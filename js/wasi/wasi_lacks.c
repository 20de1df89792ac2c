// SPDX-License-Identifier: MIT
#include "wasi_lacks.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// There are no links and no working folder: a path is made of names, where "." and ".." are what they say.
static char* supPlainPath( const char* path )
{
    size_t length = strlen( path ), end = 1;
    char* plain = malloc( length + 2 );
    if ( plain == NULL )
    {
        return NULL;
    }
    plain[0] = '/';
    for ( const char* at = path; *at != '\0'; )
    {
        size_t name = strcspn( at, "/" );
        bool isUp = name == 2 && at[0] == '.' && at[1] == '.';
        if ( isUp )
        {
            while ( end > 1 && plain[--end] != '/' )
            {
            }
        }
        else if ( name > 0 && !( name == 1 && at[0] == '.' ) )
        {
            if ( end > 1 )
            {
                plain[end++] = '/';
            }
            memcpy( plain + end, at, name );
            end += name;
        }
        at += name + ( at[name] == '/' ? 1 : 0 );
    }
    plain[end] = '\0';
    return plain;
}

char* realpath( const char* path, char* resolved )
{
    struct stat info;
    (void)resolved; // nobody here brings room of his own
    return stat( path, &info ) == 0 ? supPlainPath( path ) : NULL;
}

int getpid( void )
{
    return 1;
}

int kill( int process, int number )
{
    (void)process, (void)number;
    errno = EPERM;
    return -1;
}

int fchmod( int descriptor, mode_t mode )
{
    (void)descriptor, (void)mode;
    return 0;
}
