// SPDX-License-Identifier: MIT
#include "regular_file.h"

#include "supple/lab/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

json_t* supParseJson( const char* text, size_t size, size_t flags, json_error_t* why )
{
    json_error_t own;
    why = why != NULL ? why : &own;
    memset( why, 0, sizeof( *why ) );
    bool isTooLarge = supJsonMemory( text, size ) > SUP_MOST_JSON_MEMORY;
    json_t* root = isTooLarge ? NULL : json_loadb( text, size, flags, why );
    if ( root == NULL && ( isTooLarge || json_error_code( why ) == json_error_out_of_memory ) )
    {
        why->line = -1;
        errno = isTooLarge ? EFBIG : ENOMEM;
    }
    return root;
}

json_t* supLoadRegularJson( const char* path, size_t flags, json_error_t* why )
{
    FILE* file = supOpenRegular( path );
    struct stat info;
    bool isOpen = file != NULL && fstat( fileno( file ), &info ) == 0;
    bool isTooLarge = isOpen && (uint64_t)info.st_size > SUP_MOST_JSON_MEMORY;
    size_t size = isOpen && !isTooLarge ? (size_t)info.st_size : 0;
    char* text = isOpen && !isTooLarge ? malloc( size + 1 ) : NULL;
    json_t* root = NULL;
    if ( why != NULL )
    {
        memset( why, 0, sizeof( *why ) );
        why->line = -1;
    }
    if ( text != NULL )
    {
        errno = EIO; // of a file that ends before its length
        root = fread( text, 1, size, file ) == size ? supParseJson( text, size, flags, why ) : NULL;
    }
    else if ( isTooLarge )
    {
        errno = EFBIG;
    }
    int code = errno;
    free( text );
    if ( file != NULL )
    {
        fclose( file );
    }
    errno = code;
    return root;
}

supResult supReadBytes( const char* path, supBytes* bytes, supError* error )
{
    struct stat info;
    *bytes = ( supBytes ){ 0 };
    if ( stat( path, &info ) == 0 && S_ISREG( info.st_mode ) == false )
    {
        return supFail( error, sup_errorFile, "%s: not a regular file", path );
    }
    FILE* file = fopen( path, "rb" );
    bool isMeasured = file != NULL && fstat( fileno( file ), &info ) == 0;
    size_t size = isMeasured ? (size_t)info.st_size : 0;
    uint8_t* data = isMeasured ? malloc( size + 1 ) : NULL;
    bool isRead = data != NULL && fread( data, 1, size, file ) == size;
    int why = errno;
    bool isShort = data != NULL && isRead == false && ferror( file ) == 0;
    if ( file != NULL )
    {
        fclose( file );
    }
    if ( isRead == false )
    {
        free( data );
        return supFail( error, sup_errorFile, "%s: cannot be read: %s", path,
            isShort ? "it ends before the length that it had" : strerror( why ) );
    }
    data[size] = '\0';
    *bytes = ( supBytes ){ data, size };
    return sup_success;
}
