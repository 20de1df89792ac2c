// SPDX-License-Identifier: MIT
//
// The two shapes of a glTF file: plain JSON, or a .glb:
//
//     "glTF" version length | length "JSON" {…} | length "BIN\0" … | any other chunks
//
// All numbers are 32 bits, little-endian. Lengths are checked against what is really there, never trusted.
#include "io/gltf_document.h"

#include "io/file_write.h"
#include "io/files.h"
#include "io/gltf_pack.h"
#include "io/json_text.h"
#include "supple/lab/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Ends a number: one that is an integer and does not fit in 64 bits gets ".0". Gives the new length of `out`.
static size_t supEndNumber( char* out, size_t start, size_t length )
{
    out[length] = '\0';
    errno = 0;
    strtoll( out + start, NULL, 10 );
    if ( errno == ERANGE && strpbrk( out + start, ".eE" ) == NULL )
    {
        out[length++] = '.';
        out[length++] = '0';
    }
    return length;
}

/// Integers beyond 64 bits stand in some extras (hashes, ids). jansson has no place for them; other readers of glTF
/// take them for doubles. So do we. Gives a text of its own, from malloc, or NULL: no memory.
static char* supRealsForHugeIntegers( const char* text, size_t size, size_t* outSize )
{
    char* out = malloc( size + 2 * ( size / 19 ) + 4 );
    if ( out == NULL )
    {
        return NULL;
    }
    size_t length = 0, start = 0;
    bool quoted = false, number = false;
    for ( size_t i = 0; i < size; ++i )
    {
        char c = text[i];
        bool numeric = quoted == false && ( isdigit( (unsigned char)c ) || strchr( "+-.eE", c ) != NULL ) && c != '\0';
        if ( number && numeric == false )
        {
            length = supEndNumber( out, start, length );
        }
        start = number == false && numeric ? length : start;
        number = numeric;
        if ( quoted && c == '\\' && i + 1 < size )
        {
            out[length++] = c;
            c = text[++i];
        }
        else if ( c == '"' )
        {
            quoted = quoted == false;
        }
        out[length++] = c;
    }
    *outSize = length;
    return out;
}

static supResult supParseJson( supGltf* document, const char* text, size_t size, supError* error )
{
    if ( size >= 3 && memcmp( text, "\xef\xbb\xbf", 3 ) == 0 )
    {
        supGltf_Note( document, "the JSON starts with a byte order mark: passed over" );
        text += 3;
        size -= 3;
    }
    while ( size > 0 && text[size - 1] == '\0' ) // some exporters pad the chunk with zeros instead of spaces
    {
        size -= 1;
    }
    supResult charged = supGltf_Charge( document, supJsonMemory( text, size ), error );
    if ( charged != sup_success )
    {
        return charged;
    }
    // Two values under one name: whichever is kept, the other would be lost in silence.
    size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
    json_error_t at;
    document->root = supLoadJsonUpTo( SIZE_MAX, text, size, flags, &at );
    if ( document->root == NULL && json_error_code( &at ) == json_error_numeric_overflow )
    {
        size_t fixedSize;
        char* fixed = supRealsForHugeIntegers( text, size, &fixedSize );
        document->root = fixed == NULL ? NULL : supLoadJsonUpTo( SIZE_MAX, fixed, fixedSize, flags, &at );
        free( fixed );
    }
    if ( document->root == NULL && ( json_error_code( &at ) == json_error_out_of_memory || at.line < 0 ) )
    {
        return supGltf_Fail( document, error, sup_errorMemory, "no memory for its JSON of %zu bytes", size );
    }
    if ( document->root == NULL )
    {
        return supGltf_Fail( document, error, sup_errorFormat, "the JSON is broken at line %d, column %d: %s", at.line,
            at.column, at.text );
    }
    if ( json_is_object( document->root ) == false )
    {
        return supGltf_Fail( document, error, sup_errorFormat, "the JSON is not an object: not a glTF file" );
    }
    return sup_success;
}

static supResult supKeepChunk( supGltf* document, uint32_t type, const uint8_t* data, uint32_t size, supError* error )
{
    supResult charged = supGltf_Charge( document, size, error );
    if ( charged != sup_success )
    {
        return charged;
    }
    supChunk* chunks = realloc( document->chunks, (size_t)( document->chunkCount + 1 ) * sizeof( supChunk ) );
    uint8_t* copy = malloc( (size_t)size + 1 );
    document->chunks = chunks != NULL ? chunks : document->chunks;
    if ( chunks == NULL || copy == NULL )
    {
        free( copy );
        return supGltf_Fail( document, error, sup_errorMemory, "no memory for a chunk of %u bytes", size );
    }
    memcpy( copy, data, size );
    document->chunks[document->chunkCount] = ( supChunk ){ type, size, copy };
    document->chunkCount += 1;
    return sup_success;
}

/// Chunks one after the other from `at` to `end`.
static supResult supReadChunks( supGltf* document, const uint8_t* data, size_t at, size_t end, supError* error )
{
    for ( int32_t number = 0; at < end; ++number )
    {
        if ( end - at < 8 )
        {
            return supGltf_Fail( document, error, sup_errorFormat, "cut off inside the header of chunk %d", number );
        }
        uint32_t size = supReadU32( data + at );
        uint32_t type = supReadU32( data + at + 4 );
        at += 8;
        if ( size > end - at )
        {
            return supGltf_Fail( document, error, sup_errorFormat,
                "chunk %d says it has %u bytes, %zu are left: the file is cut off", number, size, end - at );
        }
        if ( number == 0 && type != SUP_GLB_JSON )
        {
            return supGltf_Fail( document, error, sup_errorFormat, "the first chunk is not JSON (type 0x%08x)", type );
        }
        supResult result = number == 0 ? supParseJson( document, (const char*)data + at, size, error )
                                       : supKeepChunk( document, type, data + at, size, error );
        if ( result != sup_success )
        {
            return result;
        }
        at += size;
    }
    return sup_success;
}

static supResult supReadGlb( supGltf* document, const uint8_t* data, size_t size, supError* error )
{
    document->isBinary = true;
    if ( size < 12 )
    {
        return supGltf_Fail( document, error, sup_errorFormat, "cut off inside the header: %zu bytes", size );
    }
    uint32_t version = supReadU32( data + 4 );
    if ( version != 2 )
    {
        return supGltf_Fail( document, error, sup_errorUnsupported,
            "GLB version %u; Supple reads version 2: export it again as glTF 2.0", version );
    }
    uint32_t length = supReadU32( data + 8 );
    if ( length > size )
    {
        return supGltf_Fail(
            document, error, sup_errorFormat, "cut off: its header says %u bytes, it has %zu", length, size );
    }
    if ( length < size )
    {
        supGltf_Note( document, "%zu bytes after the end of the GLB: passed over", size - length );
    }
    supResult result = supReadChunks( document, data, 12, length, error );
    if ( result == sup_success && document->root == NULL )
    {
        result = supGltf_Fail( document, error, sup_errorFormat, "has no JSON chunk" );
    }
    return result;
}

supResult supGltf_ReadContainer( supGltf* document, const uint8_t* data, size_t size, supError* error )
{
    if ( size == 0 )
    {
        return supGltf_Fail( document, error, sup_errorFormat, "the file is empty" );
    }
    if ( size >= 4 && supReadU32( data ) == SUP_GLB_MAGIC )
    {
        return supReadGlb( document, data, size, error );
    }
    size_t at = size >= 3 && memcmp( data, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0;
    while ( at < size && isspace( data[at] ) )
    {
        at += 1;
    }
    if ( at == size || ( data[at] != '{' && data[at] != '[' ) )
    {
        return supGltf_Fail(
            document, error, sup_errorFormat, "not a glTF file: it starts with neither \"glTF\" nor JSON" );
    }
    return supParseJson( document, (const char*)data, size, error );
}

// ---------------------------------------------------------------------------------------------------------------
// Documents into files.

/// Every file under its temporary name, flushed: from here on only renaming can fail. Gives how many were begun.
static supResult supWriteAll( const supPacking* packing, supFileWriter* writers, size_t count, supError* error )
{
    const supOutFile* files = packing->files.data;
    supResult result = sup_success;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        supMakeFoldersFor( packing->folder, files[i].path );
        result = supBeginFile( writers + i, files[i].path, error );
        if ( result == sup_success )
        {
            supFileWriter_Write( writers + i, files[i].data, files[i].size );
            result = supFileWriter_Close( writers + i, error );
        }
    }
    return result;
}

/// The document itself comes last: until then nothing points at the files beside it.
static supResult supCommitAll( supFileWriter* writers, size_t count, supError* error )
{
    supResult result = sup_success;
    for ( size_t i = 0; i < count && result == sup_success; ++i )
    {
        result = supFileWriter_Commit( writers + i, error );
    }
    return result;
}

static supResult supWriteFiles( const supPacking* packing, supError* error )
{
    size_t count = packing->files.count;
    supFileWriter* writers = calloc( count + 1, sizeof( supFileWriter ) );
    if ( writers == NULL )
    {
        return supFail( error, sup_errorMemory, "%s: no memory for writing", packing->path );
    }
    supHeldSignals held = supHoldSignals();
    supResult result = supWriteAll( packing, writers, count, error );
    result = result == sup_success ? supCommitAll( writers, count, error ) : result;
    for ( size_t i = 0; result == sup_success && i < packing->stale.count; ++i )
    {
        const char* path = ( (char**)packing->stale.data )[i];
        if ( path != NULL )
        {
            unlink( path ); // nothing points at it any more; where it cannot go, it only takes room
        }
    }
    for ( size_t i = 0; i < count; ++i )
    {
        supFileWriter_Drop( writers + i );
    }
    supReleaseSignals( &held );
    free( writers );
    return result;
}

supResult supGltf_Write( const supGltf* document, const char* path, supError* error )
{
    supPacking packing = supStartPacking( document, path, error );
    supPacking_Run( &packing );
    supResult result = supReader_Ok( &packing.reader ) ? supWriteFiles( &packing, error ) : packing.reader.result;
    supPacking_End( &packing );
    return result;
}
