// Where a command is going to write.
// SPDX-License-Identifier: MIT
#include "output.h"

#include "columns.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The folder of a path: "." where it is a name alone.
static void supWriteFolder( const char* path, char* folder, size_t size )
{
    const char* slash = strrchr( path, '/' );
    int length = slash == NULL ? 0 : slash == path ? 1 : (int)( slash - path );
    snprintf( folder, size, "%.*s", slash == NULL ? 1 : length, slash == NULL ? "." : path );
}

supResult supCheckOutput( const char* path, supError* error )
{
    char folder[PATH_MAX];
    struct stat info;
    supWriteFolder( path, folder, sizeof( folder ) );
    if ( stat( folder, &info ) != 0 )
    {
        return supFail( error, sup_errorFile,
            errno == ENOENT ? "%s: cannot be written: there is no folder '%s'; make it first"
                            : "%s: cannot be written: the folder '%s' cannot be reached",
            path, folder );
    }
    if ( S_ISDIR( info.st_mode ) == 0 )
    {
        return supFail( error, sup_errorFile, "%s: cannot be written: '%s' is not a folder", path, folder );
    }
    if ( access( folder, W_OK | X_OK ) != 0 )
    {
        return supFail( error, sup_errorFile, "%s: cannot be written: the folder '%s' takes no files: %s", path, folder,
            strerror( errno ) );
    }
    if ( stat( path, &info ) == 0 && S_ISREG( info.st_mode ) == 0 )
    {
        return supFail( error, sup_errorFile, "%s: cannot be written: %s", path,
            S_ISDIR( info.st_mode ) ? "it is a folder" : "not a regular file" );
    }
    // a new file takes an old one's place by its name, for which nobody asks the old one's leave
    if ( stat( path, &info ) == 0 && ( info.st_mode & ( S_IWUSR | S_IWGRP | S_IWOTH ) ) == 0 )
    {
        return supFail( error, sup_errorFile, "%s: cannot be written: it is write-protected; give another name", path );
    }
    return sup_success;
}

supResult supMakeFolders( const char* path, supError* error )
{
    char part[PATH_MAX];
    size_t length = strlen( path );
    if ( length == 0 || length >= sizeof( part ) )
    {
        return supFail( error, sup_errorArgument, "a folder's name of %zu letters", length );
    }
    for ( size_t i = 1; i <= length; ++i )
    {
        if ( path[i] == '/' || path[i] == '\0' )
        {
            snprintf( part, i + 1, "%s", path );
            if ( mkdir( part, 0777 ) != 0 && errno != EEXIST )
            {
                return supFail( error, sup_errorFile, "%s: the folder cannot be made: %s", part, strerror( errno ) );
            }
        }
    }
    struct stat info;
    if ( stat( path, &info ) != 0 || S_ISDIR( info.st_mode ) == 0 )
    {
        return supFail( error, sup_errorFile, "%s: not a folder", path );
    }
    if ( access( path, W_OK | X_OK ) != 0 )
    {
        return supFail( error, sup_errorFile, "%s: the folder takes no files: %s", path, strerror( errno ) );
    }
    return sup_success;
}

const char* supPlainPath( const char* path, char* plain, size_t size )
{
    size_t length = 0;
    while ( *path != '\0' && length + 1 < size )
    {
        plain[length++] = (char)supTakePlainByte( &path );
    }
    plain[length] = '\0';
    return plain;
}

/// Bytes of the letter at `text`, 0 where it is none of UTF-8.
static size_t supLetterBytes( const char* text )
{
    size_t length = strlen( text );
    for ( size_t bytes = 1; bytes <= 4 && bytes <= length; ++bytes )
    {
        json_t* letter = json_stringn( text, bytes );
        json_decref( letter );
        if ( letter != NULL )
        {
            return bytes;
        }
    }
    return 0;
}

json_t* supTextJson( const char* text )
{
    json_t* plain = json_string( text );
    char* clean = plain == NULL ? malloc( 3 * strlen( text ) + 1 ) : NULL;
    if ( clean == NULL )
    {
        return plain;
    }
    size_t length = 0;
    while ( *text != '\0' )
    {
        size_t bytes = supLetterBytes( text );
        memcpy( clean + length, bytes > 0 ? text : "\xEF\xBF\xBD", bytes > 0 ? bytes : 3 );
        length += bytes > 0 ? bytes : 3;
        text += bytes > 0 ? bytes : 1;
    }
    plain = json_stringn( clean, length );
    free( clean );
    return plain;
}
