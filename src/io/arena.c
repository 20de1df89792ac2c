// SPDX-License-Identifier: MIT
#include "io/arena.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct supBlock
{
    struct supBlock* next;
    _Alignas( max_align_t ) unsigned char data[];
} supBlock;

void* supArena_Take( supArena* arena, size_t count, size_t itemSize )
{
    size_t size;
    if ( supMulSize( count, itemSize, &size ) == false || supAddSize( size, sizeof( supBlock ), &size ) == false )
    {
        return NULL;
    }
    supBlock* block = calloc( 1, size );
    if ( block == NULL )
    {
        return NULL;
    }
    block->next = arena->first;
    arena->first = block;
    arena->used += size;
    return block->data;
}

char* supArena_TakeText( supArena* arena, const char* text, size_t length )
{
    char* copy = supArena_Take( arena, length + 1, 1 );
    if ( copy != NULL )
    {
        memcpy( copy, text, length );
    }
    return copy;
}

void supArena_Free( supArena* arena )
{
    while ( arena->first != NULL )
    {
        supBlock* block = arena->first;
        arena->first = block->next;
        free( block );
    }
    arena->used = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Text that grows.

void supTextSink_Bytes( supTextSink* sink, const char* bytes, size_t count )
{
    if ( sink->length < sink->size )
    {
        size_t room = sink->size - sink->length;
        memcpy( sink->text + sink->length, bytes, count < room ? count : room );
    }
    sink->length += count;
}

void supTextSink_Text( supTextSink* sink, const char* text )
{
    supTextSink_Bytes( sink, text, strlen( text ) );
}

void supTextSink_Format( supTextSink* sink, const char* format, ... )
{
    char text[512];
    va_list arguments;
    va_start( arguments, format );
    vsnprintf( text, sizeof( text ), format, arguments );
    va_end( arguments );
    supTextSink_Text( sink, text );
}

size_t supTextSink_End( supTextSink* sink )
{
    if ( sink->size > 0 )
    {
        sink->text[sink->length < sink->size ? sink->length : sink->size - 1] = '\0';
    }
    return sink->length;
}
