// SPDX-License-Identifier: MIT
#include "io/json_checked.h"
#include "base/float_settings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// Its own characters, and for each value, member and list what an object of jansson 2.14 takes in memory from malloc,
/// measured.
size_t supJsonCost( const char* text, size_t size )
{
    enum
    {
        object = 240,
        list = 128,
        member = 96,
        value = 72,
        quote = 40
    };
    uint64_t cost = size;
    bool quoted = false;
    for ( size_t i = 0; i < size; ++i )
    {
        char c = text[i];
        if ( quoted )
        {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        cost += c == '{' ? object : c == '[' ? list : c == ':' ? member : c == ',' ? value : quoted ? quote : 0;
    }
    return cost < SIZE_MAX ? (size_t)cost : SIZE_MAX - 1; // one byte more is asked for
}

/// Whether that much memory is there now. Not asked in WebAssembly, whose memory would never shrink again.
static bool supHasMemory( size_t bytes )
{
#ifdef __wasm__
    (void)bytes;
    return true;
#else
    void* volatile block = malloc( bytes + 1 ); // else clang leaves both calls out
    bool has = block != NULL;
    free( block );
    return has;
#endif
}

json_t* supLoadJson( const char* text, size_t size, size_t flags, json_error_t* error )
{
    if ( !supHasMemory( supJsonCost( text, size ) ) )
    {
        memset( error, 0, sizeof( *error ) );
        error->line = -1;
        error->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_out_of_memory;
        return NULL;
    }
    supFloatSettings host = supEnterFloatSettings(); // strtod rounds as the thread does
    json_t* root = json_loadb( text, size, flags, error );
    supLeaveFloatSettings( host );
    return root;
}

json_t* supCopyJson( const json_t* value )
{
    json_t* copy = value != NULL ? json_deep_copy( value ) : NULL;
    if ( copy != NULL && json_equal( copy, value ) == 0 )
    {
        json_decref( copy );
        copy = NULL;
    }
    return copy;
}

json_t* supCopyJsonObject( const json_t* object )
{
    json_t* copy = json_copy( (json_t*)object );
    if ( copy != NULL && json_object_size( copy ) != json_object_size( object ) )
    {
        json_decref( copy );
        copy = NULL;
    }
    return copy;
}
