// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // realpath

#include "io/files.h"

#include "io/json_text.h"
#include "supple/lab/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static supResult supReadAll( int file, const char* path, uint8_t* data, size_t size, supError* error )
{
    size_t at = 0;
    while ( at < size )
    {
        ssize_t got = read( file, data + at, size - at );
        if ( got < 0 && errno == EINTR )
        {
            continue;
        }
        if ( got <= 0 )
        {
            return supFail( error, sup_errorFile, "%s: cannot be read: %s", path,
                got < 0 ? strerror( errno ) : "it became shorter while it was read" );
        }
        at += (size_t)got;
    }
    return sup_success;
}

supResult supReadFile( const char* path, uint8_t** data, size_t* size, supError* error )
{
    return supReadFileUpTo( path, SIZE_MAX, data, size, error );
}

supResult supReadFileUpTo( const char* path, size_t most, uint8_t** data, size_t* size, supError* error )
{
    *data = NULL;
    int file = open( path, O_RDONLY | O_NONBLOCK | O_CLOEXEC );
    if ( file < 0 )
    {
        return supFail( error, sup_errorFile, "%s: cannot be opened: %s", path, strerror( errno ) );
    }
    struct stat status;
    if ( fstat( file, &status ) != 0 || S_ISREG( status.st_mode ) == 0 )
    {
        close( file );
        return supFail( error, sup_errorFile, "%s: not a file", path );
    }
    *size = (size_t)status.st_size;
    if ( *size > most )
    {
        close( file );
        return supFail( error, sup_errorLimit,
            "%s: its %zu bytes exceed the memory budget of %zu bytes; raise the budget (--max-memory)", path, *size,
            most );
    }
    *data = malloc( *size + 1 );
    supResult result = *data == NULL ? supFail( error, sup_errorMemory, "%s: no memory for its %zu bytes", path, *size )
                                     : supReadAll( file, path, *data, *size, error );
    close( file );
    if ( result != sup_success )
    {
        free( *data );
        *data = NULL;
    }
    return result;
}

supResult supFailJson( const char* path, const json_error_t* why, supError* error )
{
    if ( why->line == SUP_JSON_TOO_LARGE )
    {
        return supFail( error, sup_errorLimit, "%s: its JSON would take more than %u MB of memory, which is the most",
            path, SUP_MOST_JSON_MEMORY / 1000000u );
    }
    return json_error_code( why ) == json_error_out_of_memory || why->line < 0
               ? supFail( error, sup_errorMemory, "%s: no memory for its JSON", path )
               : supFail( error, sup_errorFormat, "%s:%d:%d: %s", path, why->line, why->column, why->text );
}

json_t* supReadJsonFile( const char* path, size_t flags, supError* error )
{
    uint8_t* data = NULL;
    size_t size = 0;
    json_error_t why = { .line = SUP_JSON_TOO_LARGE };
    supResult result = supReadFileUpTo( path, SUP_MOST_JSON_MEMORY, &data, &size, error );
    if ( result != sup_success )
    {
        result = result == sup_errorLimit ? supFailJson( path, &why, error ) : result;
        return NULL;
    }
    json_t* root = supLoadJson( (const char*)data, size, flags, &why );
    if ( root == NULL )
    {
        supFailJson( path, &why, error );
    }
    free( data );
    return root;
}

bool supIsBelow( const char* folder, const char* path )
{
    char* outer = realpath( folder, NULL );
    char* inner = realpath( path, NULL );
    size_t length = outer != NULL ? strlen( outer ) : 0;
    bool isRoot = length == 1;
    bool below =
        outer != NULL && inner != NULL && strncmp( outer, inner, length ) == 0 && ( isRoot || inner[length] == '/' );
    free( outer );
    free( inner );
    return below;
}

char* supFolderOf( const char* path )
{
    const char* slash = strrchr( path, '/' );
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)( slash - path );
    return slash == NULL ? strdup( "." ) : strndup( path, length );
}

char* supJoinPath( const char* folder, const char* name )
{
    size_t size = strlen( folder ) + strlen( name ) + 2;
    char* path = malloc( size );
    if ( path != NULL )
    {
        snprintf( path, size, "%s/%s", folder, name );
    }
    return path;
}

bool supIsDataUri( const char* uri )
{
    return strncmp( uri, "data:", 5 ) == 0;
}

static int supBase64Value( char c )
{
    if ( c >= 'A' && c <= 'Z' )
    {
        return c - 'A';
    }
    if ( c >= 'a' && c <= 'z' )
    {
        return c - 'a' + 26;
    }
    if ( c >= '0' && c <= '9' )
    {
        return c - '0' + 52;
    }
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

const char* supDecodeDataUri( const char* uri, size_t length, uint8_t** data, size_t* size )
{
    *data = NULL;
    *size = 0;
    const char* comma = memchr( uri, ',', length );
    if ( comma == NULL || comma - uri < 7 || memcmp( comma - 7, ";base64", 7 ) != 0 )
    {
        return "the data URI is not base64";
    }
    const char* end = uri + length;
    while ( end > comma + 1 && end[-1] == '=' )
    {
        end -= 1;
    }
    uint8_t* bytes = malloc( (size_t)( end - comma ) );
    if ( bytes == NULL )
    {
        return "no memory for the data URI";
    }
    uint32_t bits = 0;
    int bitCount = 0;
    size_t count = 0;
    for ( const char* at = comma + 1; at < end; ++at )
    {
        int value = supBase64Value( *at );
        if ( value < 0 )
        {
            free( bytes );
            return "the data URI has a character that is not base64";
        }
        bits = ( bits << 6 | (uint32_t)value ) & 0xffffff;
        bitCount += 6;
        if ( bitCount >= 8 )
        {
            bitCount -= 8;
            bytes[count++] = (uint8_t)( bits >> bitCount );
        }
    }
    *data = bytes;
    *size = count;
    return NULL;
}

const char* supRefuseUri( const char* uri )
{
    size_t scheme = strcspn( uri, ":/\\?#" );
    if ( uri[scheme] == ':' )
    {
        return "is not a file beside the document: download it and put its path there";
    }
    if ( uri[0] == '/' || uri[0] == '\\' )
    {
        return "is an absolute path: make it relative to the document";
    }
    return uri[0] == '\0' ? "is empty" : NULL;
}

static int supHexValue( char c )
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char* supDecodeUri( const char* uri )
{
    char* path = malloc( strlen( uri ) + 1 );
    if ( path == NULL )
    {
        return NULL;
    }
    char* to = path;
    for ( const char* at = uri; *at != '\0'; ++at )
    {
        int high = *at == '%' ? supHexValue( at[1] ) : -1;
        int low = high >= 0 ? supHexValue( at[2] ) : -1;
        bool escaped = low >= 0 && high * 16 + low != 0; // %00 stays as it is written: no path can hold it
        *to++ = escaped ? (char)( high * 16 + low ) : *at;
        at += escaped ? 2 : 0;
    }
    *to = '\0';
    return path;
}

char* supEncodeUri( const char* path )
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
    char* uri = malloc( 3 * strlen( path ) + 1 );
    if ( uri == NULL )
    {
        return NULL;
    }
    char* to = uri;
    for ( ; *path != '\0'; ++path )
    {
        unsigned char byte = (unsigned char)*path;
        bool keep = byte >= 0x80 || strchr( plain, *path ) != NULL; // UTF-8 stays readable, as an IRI
        to += keep ? ( *to = *path, 1 ) : sprintf( to, "%%%02X", byte );
    }
    *to = '\0';
    return uri;
}

static bool supIsFileIn( const char* folder, const char* name )
{
    struct stat status;
    char* path = supJoinPath( folder, name );
    bool found = path != NULL && stat( path, &status ) == 0 && S_ISREG( status.st_mode );
    free( path );
    return found;
}

char* supFindUri( const char* folder, const char* uri )
{
    char* name = supDecodeUri( uri );
    if ( name != NULL && supIsFileIn( folder, name ) )
    {
        return name;
    }
    free( name );
    return supIsFileIn( folder, uri ) ? strdup( uri ) : NULL;
}

bool supIsSameFolder( const char* a, const char* b )
{
    struct stat statusA, statusB;
    return stat( a, &statusA ) == 0 && stat( b, &statusB ) == 0 && statusA.st_dev == statusB.st_dev &&
           statusA.st_ino == statusB.st_ino;
}

/// Up from where the two part, then down.
static char* supPathBetween( const char* from, const char* to )
{
    size_t shared = 0;
    for ( size_t i = 0; from[i] == to[i] || ( from[i] == '\0' && to[i] == '/' ); ++i )
    {
        shared = to[i] == '/' ? i + 1 : shared;
        if ( from[i] == '\0' || to[i] == '\0' )
        {
            break;
        }
    }
    size_t steps = shared > strlen( from ) ? 0 : 1;
    for ( size_t i = shared; steps > 0 && from[i] != '\0'; ++i )
    {
        steps += from[i] == '/' ? 1 : 0;
    }
    char* path = malloc( 3 * steps + strlen( to + shared ) + 1 );
    for ( size_t i = 0; path != NULL && i < steps; ++i )
    {
        memcpy( path + 3 * i, "../", 3 );
    }
    return path == NULL ? NULL : ( strcpy( path + 3 * steps, to + shared ), path );
}

char* supRelativePath( const char* folder, const char* file )
{
    char* from = realpath( folder, NULL );
    char* to = realpath( file, NULL );
    char* path = from == NULL || to == NULL ? NULL : supPathBetween( strcmp( from, "/" ) == 0 ? "" : from, to );
    free( from );
    free( to );
    return path;
}

void supMakeFoldersFor( const char* folder, const char* file )
{
    char* path = strdup( file );
    for ( size_t i = strlen( folder ) + 1; path != NULL && i < strlen( file ); ++i )
    {
        if ( path[i] == '/' )
        {
            path[i] = '\0';
            mkdir( path, 0777 ); // where it fails, opening the file says why
            path[i] = '/';
        }
    }
    free( path );
}
