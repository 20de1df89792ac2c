// See windows_lacks.h.
// SPDX-License-Identifier: MIT
#include "windows_lacks.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <windows.h>

#undef open
#undef stat

int supWindowsMask( const sigset_t* set, sigset_t* before )
{
    (void)set;
    if ( before != NULL )
    {
        *before = 1u << SIGXFSZ; // whoever asks need not look for one that waits
    }
    return 0;
}

/// A path as Windows wants it, from malloc; NULL: it is no UTF-8, or there is no memory.
static wchar_t* supWidePath( const char* path )
{
    int size = MultiByteToWideChar( CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0 );
    wchar_t* wide = size > 0 ? malloc( sizeof( wchar_t ) * (size_t)size ) : NULL;
    if ( wide == NULL )
    {
        errno = size > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar( CP_UTF8, 0, path, -1, wide, size );
    return wide;
}

int supWindowsOpen( const char* path, int flags, ... )
{
    wchar_t* wide = supWidePath( path );
    int descriptor = wide != NULL ? _wopen( wide, flags, _S_IREAD | _S_IWRITE ) : -1;
    free( wide );
    return descriptor;
}

int supWindowsStat( const char* path, struct stat* status )
{
    wchar_t* wide = supWidePath( path );
    struct _stat64 found;
    int result = wide != NULL ? _wstat64( wide, &found ) : -1;
    free( wide );
    if ( result == 0 )
    {
        memset( status, 0, sizeof( *status ) );
        status->st_mode = found.st_mode;
        status->st_size = found.st_size;
        status->st_mtime = found.st_mtime;
    }
    return result;
}

int supWindowsMakeFolder( const char* path )
{
    wchar_t* wide = supWidePath( path );
    int result = wide != NULL ? _wmkdir( wide ) : -1;
    free( wide );
    return result;
}

int supWindowsRename( const char* from, const char* to )
{
    wchar_t *wideFrom = supWidePath( from ), *wideTo = supWidePath( to );
    bool moved = wideFrom != NULL && wideTo != NULL &&
                 MoveFileExW( wideFrom, wideTo, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH ) != 0;
    free( wideFrom );
    free( wideTo );
    if ( !moved )
    {
        errno = EACCES;
    }
    return moved ? 0 : -1;
}

int supWindowsRemove( const char* path )
{
    wchar_t* wide = supWidePath( path );
    int result = wide != NULL ? _wunlink( wide ) : -1;
    free( wide );
    return result;
}

char* supWindowsRealPath( const char* path )
{
    struct stat status;
    wchar_t* wide = supWindowsStat( path, &status ) == 0 ? supWidePath( path ) : NULL;
    wchar_t* whole = wide != NULL ? _wfullpath( NULL, wide, 0 ) : NULL;
    int size = whole != NULL ? WideCharToMultiByte( CP_UTF8, 0, whole, -1, NULL, 0, NULL, NULL ) : 0;
    char* out = size > 0 ? malloc( (size_t)size ) : NULL;
    if ( out != NULL )
    {
        WideCharToMultiByte( CP_UTF8, 0, whole, -1, out, size, NULL, NULL );
    }
    for ( char* at = out; at != NULL && *at != '\0'; ++at )
    {
        *at = *at == '\\' ? '/' : *at;
    }
    free( wide );
    free( whole );
    return out;
}

char* supWindowsCopyText( const char* text, size_t length )
{
    size_t size = strnlen( text, length );
    char* copy = malloc( size + 1 );
    if ( copy != NULL )
    {
        memcpy( copy, text, size );
        copy[size] = '\0';
    }
    return copy;
}

void* supWindowsFind( const void* where, size_t size, const void* what, size_t length )
{
    const char* bytes = where;
    for ( size_t at = 0; at + length <= size; ++at )
    {
        if ( memcmp( bytes + at, what, length ) == 0 )
        {
            return (void*)(uintptr_t)( bytes + at );
        }
    }
    return NULL;
}
