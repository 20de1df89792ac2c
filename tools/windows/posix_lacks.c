// SPDX-License-Identifier: MIT
#include "posix_lacks.h"

#undef stat
#undef fstat
#undef open
#undef fopen
#undef mkdir
#undef access
#undef unlink
#undef rename
#undef realpath
#undef opendir
#undef sigaction
#define WIN32_LEAN_AND_MEAN 1
// after the names above are the system's again
#include <direct.h>
#include <errno.h>
#include <stdarg.h>
#include <windows.h>

#define SUP_SHORT_PATH 240 // from here on Windows wants a path in its long form

/// A path as Windows has it, from malloc: wide, with backslashes, absolute and marked as long where it is. NULL with
/// errno set.
static wchar_t* supWidePath( const char* path )
{
    int length = MultiByteToWideChar( CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0 );
    wchar_t* wide = length > 0 ? malloc( sizeof( wchar_t ) * (size_t)length ) : NULL;
    if ( wide == NULL )
    {
        errno = length > 0 ? ENOMEM : ENOENT; // no file has such a name
        return NULL;
    }
    MultiByteToWideChar( CP_UTF8, 0, path, -1, wide, length );
    for ( wchar_t* at = wide; *at != L'\0'; ++at )
    {
        *at = *at == L'/' ? L'\\' : *at;
    }
    DWORD whole = GetFullPathNameW( wide, 0, NULL, NULL );
    if ( whole < SUP_SHORT_PATH || wcsncmp( wide, L"\\\\", 2 ) == 0 )
    {
        return wide;
    }
    wchar_t* full = malloc( sizeof( wchar_t ) * ( (size_t)whole + 5 ) );
    if ( full != NULL )
    {
        memcpy( full, L"\\\\?\\", 4 * sizeof( wchar_t ) );
        GetFullPathNameW( wide, whole, full + 4, NULL );
    }
    free( wide );
    errno = full == NULL ? ENOMEM : errno;
    return full;
}

/// Windows' last error, as near as errno has it.
static int supFailWindows( void )
{
    DWORD code = GetLastError();
    errno = code == ERROR_FILE_NOT_FOUND || code == ERROR_PATH_NOT_FOUND || code == ERROR_INVALID_NAME ? ENOENT
            : code == ERROR_ACCESS_DENIED || code == ERROR_SHARING_VIOLATION                           ? EACCES
            : code == ERROR_ALREADY_EXISTS || code == ERROR_FILE_EXISTS                                ? EEXIST
            : code == ERROR_DISK_FULL                                                                  ? ENOSPC
                                                                                                       : EIO;
    return -1;
}

static int supReadHandle( HANDLE handle, struct supWindowsStat* out )
{
    BY_HANDLE_FILE_INFORMATION info;
    if ( !GetFileInformationByHandle( handle, &info ) )
    {
        return supFailWindows();
    }
    const uint64_t epoch = 116444736000000000u; // 1970, in tenths of microseconds since 1601
    uint64_t written = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
    bool isFolder = ( info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ) != 0;
    bool isLocked = ( info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ) != 0;
    bool isFile = GetFileType( handle ) == FILE_TYPE_DISK;
    *out = ( struct supWindowsStat ){ .st_dev = info.dwVolumeSerialNumber,
        .st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
        .st_size = (int64_t)( (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow ),
        .st_mtime = (time_t)( ( written - epoch ) / 10000000u ),
        .st_mode = ( isFolder   ? S_IFDIR
                       : isFile ? S_IFREG
                                : S_IFCHR ) |
                   ( isLocked ? 0444u : 0666u ) };
    return 0;
}

int supWindowsStat( const char* path, struct supWindowsStat* out )
{
    wchar_t* wide = supWidePath( path );
    if ( wide == NULL )
    {
        return -1;
    }
    HANDLE handle = CreateFileW( wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL );
    free( wide );
    int result = handle == INVALID_HANDLE_VALUE ? supFailWindows() : supReadHandle( handle, out );
    if ( handle != INVALID_HANDLE_VALUE )
    {
        CloseHandle( handle );
    }
    return result;
}

int supWindowsFstat( int descriptor, struct supWindowsStat* out )
{
    return supReadHandle( (HANDLE)_get_osfhandle( descriptor ), out );
}

int supWindowsOpen( const char* path, int flags, ... )
{
    wchar_t* wide = supWidePath( path );
    int descriptor = wide != NULL ? _wopen( wide, flags | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE ) : -1;
    free( wide );
    return descriptor;
}

FILE* supWindowsFopen( const char* path, const char* mode )
{
    wchar_t wideMode[8] = L"";
    for ( size_t i = 0; i < 6 && mode[i] != '\0'; ++i )
    {
        wideMode[i] = (wchar_t)mode[i];
    }
    wchar_t* wide = supWidePath( path );
    FILE* file =
        wide != NULL ? _wfopen( wide, strchr( mode, 'b' ) != NULL ? wideMode : wcscat( wideMode, L"b" ) ) : NULL;
    free( wide );
    return file;
}

int supWindowsMkdir( const char* path, int mode )
{
    (void)mode;
    wchar_t* wide = supWidePath( path );
    int result = wide != NULL ? _wmkdir( wide ) : -1;
    free( wide );
    return result;
}

int supWindowsAccess( const char* path, int how )
{
    wchar_t* wide = supWidePath( path );
    int result = wide != NULL ? _waccess( wide, how & ~1 ) : -1; // everything may be entered
    free( wide );
    return result;
}

int supWindowsUnlink( const char* path )
{
    wchar_t* wide = supWidePath( path );
    int result = wide != NULL ? _wunlink( wide ) : -1;
    free( wide );
    return result;
}

int supWindowsRename( const char* from, const char* to )
{
    wchar_t *wideFrom = supWidePath( from ), *wideTo = supWidePath( to );
    int result = -1;
    if ( wideFrom != NULL && wideTo != NULL )
    {
        bool moved = MoveFileExW( wideFrom, wideTo, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH ) != 0;
        result = moved ? 0 : supFailWindows();
    }
    free( wideFrom );
    free( wideTo );
    return result;
}

/// UTF-8 with slashes, from malloc.
static char* supNarrowPath( const wchar_t* wide )
{
    bool isLong = wcsncmp( wide, L"\\\\?\\", 4 ) == 0;
    wide += isLong ? 4 : 0;
    int length = WideCharToMultiByte( CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL );
    char* path = length > 0 ? malloc( (size_t)length ) : NULL;
    if ( path == NULL )
    {
        errno = ENOMEM;
        return NULL;
    }
    WideCharToMultiByte( CP_UTF8, 0, wide, -1, path, length, NULL, NULL );
    for ( char* at = path; *at != '\0'; ++at )
    {
        *at = *at == '\\' ? '/' : *at;
    }
    return path;
}

char* supWindowsRealpath( const char* path, char* resolved )
{
    (void)resolved;
    struct supWindowsStat info;
    wchar_t* wide = supWindowsStat( path, &info ) == 0 ? supWidePath( path ) : NULL;
    DWORD size = wide != NULL ? GetFullPathNameW( wide, 0, NULL, NULL ) : 0;
    wchar_t* full = size > 0 ? malloc( sizeof( wchar_t ) * size ) : NULL;
    char* real = NULL;
    if ( full != NULL )
    {
        GetFullPathNameW( wide, size, full, NULL );
        real = supNarrowPath( full );
    }
    free( full );
    free( wide );
    return real;
}

DIR* supWindowsOpendir( const char* path )
{
    (void)path;
    errno = ENOENT;
    return NULL;
}

char* strndup( const char* text, size_t most )
{
    size_t length = strnlen( text, most );
    char* copy = malloc( length + 1 );
    if ( copy != NULL )
    {
        memcpy( copy, text, length );
        copy[length] = '\0';
    }
    return copy;
}

void* memmem( const void* in, size_t inSize, const void* what, size_t whatSize )
{
    const char* bytes = in;
    for ( size_t at = 0; whatSize <= inSize && at <= inSize - whatSize; ++at )
    {
        if ( memcmp( bytes + at, what, whatSize ) == 0 )
        {
            return (void*)( bytes + at );
        }
    }
    return NULL;
}

int supWindowsSigaction( int number, const struct sigaction* action, struct sigaction* old )
{
    void ( *before )( int ) = signal( number, action != NULL ? action->sa_handler : SIG_DFL );
    if ( action == NULL && before != SIG_ERR )
    {
        signal( number, before );
    }
    if ( old != NULL )
    {
        *old = ( struct sigaction ){ .sa_handler = before };
    }
    return before == SIG_ERR ? -1 : 0;
}
