// SPDX-License-Identifier: MIT
#include "io/blocks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct supBlock
{
    struct supBlock* next;
    _Alignas( max_align_t ) unsigned char data[];
} supBlock;

void* supBlocks_Take( supBlocks* blocks, size_t count, size_t itemSize )
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
    block->next = blocks->first;
    blocks->first = block;
    blocks->used += size;
    return block->data;
}

char* supBlocks_TakeText( supBlocks* blocks, const char* text, size_t length )
{
    char* copy = supBlocks_Take( blocks, length + 1, 1 );
    if ( copy != NULL )
    {
        memcpy( copy, text, length );
    }
    return copy;
}

void supBlocks_Free( supBlocks* blocks )
{
    while ( blocks->first != NULL )
    {
        supBlock* block = blocks->first;
        blocks->first = block->next;
        free( block );
    }
    blocks->used = 0;
}
