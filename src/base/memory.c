// Supple: memory inside the library.
// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include "base/platform.h"

#include <assert.h>
#include <string.h>

// No type of the library has more, but for arrays that ask for a cache line.
#define SUP_ITEM_ALIGNMENT 8

bool supStridedFits( size_t offset, size_t count, size_t stride, size_t itemSize, size_t size )
{
    if ( count == 0 )
    {
        return offset <= size;
    }
    size_t last, end;
    return supMulSize( count - 1, stride, &last ) && supAddSize( last, offset, &last ) &&
           supAddSize( last, itemSize, &end ) && end <= size;
}

// The smallest multiple of `alignment` that is not below `size`.
static bool supRoundUp( size_t size, size_t alignment, size_t* out )
{
    if ( !supAddSize( size, alignment - 1, out ) )
    {
        return false;
    }
    *out &= ~( alignment - 1 );
    return true;
}

void* supAlloc( const supAllocator* allocator, size_t size, size_t alignment )
{
    assert( alignment > 0 && ( alignment & ( alignment - 1 ) ) == 0 && alignment <= SUP_MAX_ALIGNMENT );
    if ( size == 0 )
    {
        return NULL;
    }
    if ( allocator != NULL && allocator->allocate != NULL )
    {
        assert( allocator->release != NULL );
        void* block = allocator->allocate( size, alignment, allocator->user );
        assert( ( (uintptr_t)block & ( alignment - 1 ) ) == 0 );
        return block;
    }
    return supSystemAlloc( size, alignment );
}

void* supAllocZeroed( const supAllocator* allocator, size_t count, size_t itemSize, size_t alignment )
{
    size_t size;
    if ( !supMulSize( count, itemSize, &size ) )
    {
        return NULL;
    }
    void* block = supAlloc( allocator, size, alignment );
    if ( block != NULL )
    {
        memset( block, 0, size );
    }
    return block;
}

void supFree( const supAllocator* allocator, void* block, size_t size )
{
    if ( block == NULL )
    {
        return;
    }
    if ( allocator != NULL && allocator->allocate != NULL )
    {
        allocator->release( block, size, allocator->user );
        return;
    }
    supSystemFree( block );
}

size_t supLayoutArray( supLayout* layout, size_t count, size_t itemSize, size_t alignment )
{
    assert( alignment > 0 && ( alignment & ( alignment - 1 ) ) == 0 && alignment <= SUP_MAX_ALIGNMENT );
    size_t size, offset, end;
    if ( layout->tooLarge || !supMulSize( count, itemSize, &size ) || !supRoundUp( layout->size, alignment, &offset ) ||
         !supAddSize( offset, size, &end ) )
    {
        layout->tooLarge = true;
        return 0;
    }
    layout->size = end;
    return offset;
}

/// Sets a pointer of any type.
static void supSetPointer( void* pointer, void* value )
{
    memcpy( pointer, &value, sizeof( value ) );
}

void supLayoutPut( supLayout* layout, void* pointer, size_t count, size_t itemSize, size_t alignment )
{
    size_t ofSize = itemSize & ( ~itemSize + 1 ); // the largest power of two in it
    ofSize = ofSize == 0 || ofSize > SUP_ITEM_ALIGNMENT ? SUP_ITEM_ALIGNMENT : ofSize;
    size_t offset = supLayoutArray( layout, count, itemSize, alignment > 0 ? alignment : ofSize );
    if ( layout->isGiven )
    {
        supSetPointer( pointer, layout->memory != NULL ? layout->memory + offset : NULL );
        return;
    }
    assert( layout->pieceCount < SUP_MOST_PIECES );
    layout->tooLarge = layout->tooLarge || layout->pieceCount == SUP_MOST_PIECES;
    if ( !layout->tooLarge )
    {
        layout->pieces[layout->pieceCount].pointer = pointer;
        layout->pieces[layout->pieceCount++].offset = offset;
    }
}

void* supAllocLayout( const supAllocator* allocator, supLayout* layout )
{
    char* block = layout->tooLarge ? NULL : supAllocZeroed( allocator, 1, layout->size, SUP_MAX_ALIGNMENT );
    for ( int32_t i = 0; block != NULL && i < layout->pieceCount; ++i )
    {
        supSetPointer( layout->pieces[i].pointer, block + layout->pieces[i].offset );
    }
    return block;
}

bool supArray_Reserve( supArray* array, size_t capacity )
{
    assert( array->itemSize > 0 );
    if ( capacity <= array->capacity )
    {
        return true;
    }
    size_t size;
    if ( !supMulSize( capacity, array->itemSize, &size ) )
    {
        return false;
    }
    void* data = supAlloc( &array->allocator, size, SUP_ANY_ALIGNMENT );
    if ( data == NULL )
    {
        return false;
    }
    if ( array->count > 0 )
    {
        memcpy( data, array->data, array->count * array->itemSize );
    }
    supFree( &array->allocator, array->data, array->capacity * array->itemSize );
    array->data = data;
    array->capacity = capacity;
    return true;
}

void* supArray_Add( supArray* array, size_t count )
{
    size_t needed;
    if ( !supAddSize( array->count, count, &needed ) )
    {
        return NULL;
    }
    if ( needed > array->capacity )
    {
        // Half as much again, so that adding one at a time costs a constant share of copying.
        size_t roomy = array->capacity + array->capacity / 2;
        size_t wanted = roomy > needed ? roomy : needed;
        wanted = wanted < 16 ? 16 : wanted;
        if ( !supArray_Reserve( array, wanted ) && !supArray_Reserve( array, needed ) )
        {
            return NULL;
        }
    }
    char* first = (char*)array->data + array->count * array->itemSize;
    memset( first, 0, count * array->itemSize );
    array->count = needed;
    return first;
}

void supArray_Destroy( supArray* array )
{
    supFree( &array->allocator, array->data, array->capacity * array->itemSize );
    array->data = NULL;
    array->count = 0;
    array->capacity = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Makers

supMakeDef supDefaultMakeDef( void )
{
    return ( supMakeDef ){ .cookie = SUP_MAKE_COOKIE };
}

supResult supOpenMakeDef( const supMakeDef* def, const supAllocator** allocator, supError* error )
{
    *allocator = def != NULL ? def->allocator : NULL;
    return def == NULL || def->cookie == SUP_MAKE_COOKIE
               ? sup_success
               : supFail( error, sup_errorArgument, "the def was not made by supDefaultMakeDef" );
}
