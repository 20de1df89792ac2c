// Files, the .glb container and URIs.

#include "eval_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool evalReadStream( evalFile* file, FILE* stream, const char* path, evalBytes* out )
{
    size_t capacity = 1 << 16;
    out->data = malloc( capacity );
    out->size = 0;
    while ( out->data != NULL )
    {
        out->size += fread( out->data + out->size, 1, capacity - out->size, stream );
        if ( out->size < capacity )
        {
            break;
        }
        capacity *= 2;
        uint8_t* larger = realloc( out->data, capacity );
        if ( larger == NULL )
        {
            free( out->data );
        }
        out->data = larger;
    }
    if ( out->data == NULL )
    {
        return evalFail( file, "%s: out of memory", path );
    }
    return ferror( stream ) ? evalFail( file, "%s: cannot be read", path ) : true;
}

static bool evalReadWhole( evalFile* file, const char* path, evalBytes* out )
{
    FILE* stream = fopen( path, "rb" );
    if ( stream == NULL )
    {
        return evalFail( file, "%s: cannot be opened", path );
    }
    bool ok = evalReadStream( file, stream, path, out );
    fclose( stream );
    return ok;
}

static uint32_t evalRead32( const uint8_t* p )
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Header: magic, version, length. Then chunks: length, type, data; JSON first, then BIN if there is one.
static bool evalSplitGlb( evalFile* file, const char* path, evalBytes* text )
{
    const evalBytes* all = &file->container;
    if ( all->size < 20 || evalRead32( all->data + 4 ) != 2 )
    {
        return evalFail( file, "%s: not a version 2 glb", path );
    }
    size_t length = evalRead32( all->data + 8 );
    size_t textSize = evalRead32( all->data + 12 );
    if ( length > all->size || length < 20 || textSize > length - 20 )
    {
        return evalFail( file, "%s: truncated glb", path );
    }
    if ( evalRead32( all->data + 16 ) != 0x4E4F534A )
    {
        return evalFail( file, "%s: the first chunk is not JSON", path );
    }
    text->data = all->data + 20;
    text->size = textSize;
    size_t next = 20 + textSize;
    if ( length - next < 8 )
    {
        return true;
    }
    size_t size = evalRead32( all->data + next );
    if ( size > length - next - 8 )
    {
        return evalFail( file, "%s: the second chunk is truncated", path );
    }
    if ( evalRead32( all->data + next + 4 ) == 0x004E4942 )
    {
        file->chunk.data = all->data + next + 8;
        file->chunk.size = size;
    }
    return true;
}

bool evalReadContainer( evalFile* file, const char* path )
{
    const char* slash = strrchr( path, '/' );
    size_t folderLength = slash != NULL ? (size_t)( slash - path ) + 1 : 0;
    file->folder = evalAllocate( file, folderLength + 1, 1 );
    if ( file->folder == NULL || !evalReadWhole( file, path, &file->container ) )
    {
        return false;
    }
    memcpy( file->folder, path, folderLength );
    evalBytes text = file->container;
    if ( text.size >= 4 && evalRead32( text.data ) == 0x46546C67 && !evalSplitGlb( file, path, &text ) )
    {
        return false;
    }
    json_error_t error;
    file->json = json_loadb( (const char*)text.data, text.size, 0, &error );
    if ( file->json == NULL )
    {
        return evalFail( file, "%s: JSON line %d: %s", path, error.line, error.text );
    }
    if ( !json_is_object( file->json ) )
    {
        return evalFail( file, "%s: the JSON is not an object", path );
    }
    return true;
}

static int evalHexDigit( char c )
{
    const char* digits = "0123456789abcdef";
    const char* found = c != 0 ? strchr( digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c ) : NULL;
    return found != NULL ? (int)( found - digits ) : -1;
}

// Percent-decodes in place and returns the new length.
static size_t evalDecodePercent( char* text )
{
    size_t length = 0;
    for ( const char* p = text; *p != 0; ++p )
    {
        int high = p[0] == '%' ? evalHexDigit( p[1] ) : -1;
        int low = high >= 0 ? evalHexDigit( p[2] ) : -1;
        text[length] = low >= 0 ? (char)( 16 * high + low ) : *p;
        p += low >= 0 ? 2 : 0;
        length += 1;
    }
    text[length] = 0;
    return length;
}

static bool evalDecodeBase64( evalFile* file, const char* text, int buffer, evalBytes* out )
{
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int bitCount = 0;
    out->data = evalAllocate( file, strlen( text ) / 4 * 3 + 3, 1 );
    if ( out->data == NULL )
    {
        return false;
    }
    for ( const char* p = text; *p != 0 && *p != '='; ++p )
    {
        const char* found = strchr( digits, *p );
        if ( found == NULL )
        {
            return evalFail( file, "buffer %d: its data URI is not base64", buffer );
        }
        bits = bits << 6 | (uint32_t)( found - digits );
        bitCount += 6;
        if ( bitCount >= 8 )
        {
            bitCount -= 8;
            out->data[out->size++] = (uint8_t)( bits >> bitCount );
            bits &= ( 1u << bitCount ) - 1u;
        }
    }
    return true;
}

static bool evalReadDataUri( evalFile* file, const char* uri, int buffer, evalBytes* out )
{
    const char* comma = strchr( uri, ',' );
    if ( comma == NULL )
    {
        return evalFail( file, "buffer %d: its data URI has no data", buffer );
    }
    if ( comma - uri >= 7 && memcmp( comma - 7, ";base64", 7 ) == 0 )
    {
        return evalDecodeBase64( file, comma + 1, buffer, out );
    }
    out->data = evalAllocate( file, strlen( comma ), 1 );
    if ( out->data == NULL )
    {
        return false;
    }
    strcpy( (char*)out->data, comma + 1 );
    out->size = evalDecodePercent( (char*)out->data );
    return true;
}

bool evalReadUri( evalFile* file, const char* uri, int buffer, evalBytes* out )
{
    if ( strncmp( uri, "data:", 5 ) == 0 )
    {
        return evalReadDataUri( file, uri, buffer, out );
    }
    if ( strstr( uri, "://" ) != NULL )
    {
        return evalFail( file, "buffer %d: '%.60s' is not a local file", buffer, uri );
    }
    size_t folderLength = strlen( file->folder );
    char* path = evalAllocate( file, folderLength + strlen( uri ) + 1, 1 );
    if ( path == NULL )
    {
        return false;
    }
    strcpy( path, file->folder );
    strcpy( path + folderLength, uri );
    evalDecodePercent( path + folderLength );
    bool ok = evalReadWhole( file, path, out );
    free( path );
    return ok;
}
