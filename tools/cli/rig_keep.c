// Rig files that the program wrote itself, told from those that somebody edited since.
// SPDX-License-Identifier: MIT
#include "rig_keep.h"

#include "regular_file.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUP_MARK "    \"_written\": \"by supple rig, checksum "

/// FNV-1a of all but line ends: tools that change CR LF to LF and back edit nothing.
static uint64_t supSumText( uint64_t sum, const char* text, size_t size )
{
    for ( size_t i = 0; i < size; ++i )
    {
        bool isEnd = text[i] == '\r' || text[i] == '\n';
        sum = isEnd ? sum : ( sum ^ (unsigned char)text[i] ) * 0x100000001b3ull;
    }
    return sum;
}

static const uint64_t supSumStart = 0xcbf29ce484222325ull;

supResult supWriteMarkedRig( const supRig* rig, const char* path, supError* error )
{
    size_t length = supRigToJson( rig, NULL, 0 );
    char* text = length > 0 ? malloc( length + 1 ) : NULL;
    char* marked = length > 0 ? malloc( length + 160 ) : NULL;
    supResult result = sup_success;
    // asked again, it may lack the memory that it had the first time
    if ( text == NULL || marked == NULL || supRigToJson( rig, text, length + 1 ) != length )
    {
        result = supFail( error, sup_errorMemory, "%s: no memory to write the rig", path );
    }
    else
    {
        // the object's last brace; the last line before it gets a comma
        size_t body = length;
        while ( body > 0 && text[body - 1] != '}' )
        {
            --body;
        }
        size_t tail = --body;
        while ( body > 0 && ( text[body - 1] == '\n' || text[body - 1] == ' ' ) )
        {
            --body;
        }
        uint64_t sum = supSumText( supSumStart, text, body );
        sum = supSumText( sum, ",", 1 );
        sum = supSumText( sum, text + tail, length - tail );
        int size = snprintf(
            marked, length + 160, "%.*s,\n" SUP_MARK "%016" PRIx64 "\"\n%s", (int)body, text, sum, text + tail );
        result = supWriteFile( path, marked, (size_t)size, error );
    }
    free( text );
    free( marked );
    return result;
}

/// Whether the file is as it was written.
static bool supIsUnedited( const char* text, size_t size )
{
    const char* mark = strstr( text, SUP_MARK );
    if ( mark == NULL )
    {
        return false;
    }
    const char* end = mark + strcspn( mark, "\r\n" );
    char* after;
    uint64_t told = strtoull( mark + strlen( SUP_MARK ), &after, 16 );
    uint64_t sum = supSumText( supSumStart, text, (size_t)( mark - text ) );
    sum = supSumText( sum, end, size - (size_t)( end - text ) );
    return after + 1 == end && told == sum;
}

supResult supMayOverwriteRig( const char* path, supError* error )
{
    FILE* there = fopen( path, "rb" );
    if ( there == NULL )
    {
        return sup_success; // nothing, or what supCheckOutput speaks of
    }
    fclose( there );
    supBytes text;
    bool may = supReadBytes( path, &text, NULL ) == sup_success &&
               ( text.size == 0 || supIsUnedited( (char*)text.data, text.size ) );
    free( text.data );
    return may ? sup_success
               : supFail( error, sup_errorFile,
                     "%s: was edited since 'supple rig' wrote it, or comes from elsewhere, and is left as it is; "
                     "--force overwrites it",
                     path );
}
