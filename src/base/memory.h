// Supple: memory inside the library: the caller's allocator, checked sizes, one block for many arrays.
// SPDX-License-Identifier: MIT
//
// An object is one block. Its arrays are laid out first, then allocated at once, then handed out:
//
//     supLayout layout = supMakeLayout();
//     size_t atThing = SUP_LAYOUT_ARRAY( &layout, supThing, 1 );
//     size_t atNames = SUP_LAYOUT_ARRAY( &layout, char, nameBytes );
//     char* block = supAllocLayout( allocator, &layout );       // NULL: too large, or no memory
//     supThing* thing = (supThing*)( block + atThing );
//     ...
//     supFree( allocator, block, layout.size );
#pragma once

#include "supple/base.h"

/// The alignment of a layout's block and the most that an allocator is asked for: a cache line, the widest vector.
#define SUP_MAX_ALIGNMENT 64
/// Enough for every type of the library: what max_align_t stands for, which MSVC's C lacks.
#define SUP_ANY_ALIGNMENT 16

/// a * b and a + b; false, and nothing written, where that does not fit in a size_t.
static inline bool supMulSize( size_t a, size_t b, size_t* out )
{
    if ( a != 0 && b > SIZE_MAX / a )
    {
        return false;
    }
    *out = a * b;
    return true;
}

static inline bool supAddSize( size_t a, size_t b, size_t* out )
{
    if ( b > SIZE_MAX - a )
    {
        return false;
    }
    *out = a + b;
    return true;
}

/// Whether `count` items of `itemSize` bytes, `stride` bytes apart, the first at `offset`, lie inside `size` bytes.
SUP_API bool supStridedFits( size_t offset, size_t count, size_t stride, size_t itemSize, size_t size );

/// NULL where there is none, or where size is 0. `alignment`: a power of two, at most SUP_MAX_ALIGNMENT.
SUP_API void* supAlloc( const supAllocator* allocator, size_t size, size_t alignment );
/// The same, for `count` items, with the product checked, filled with zero bytes.
SUP_API void* supAllocZeroed( const supAllocator* allocator, size_t count, size_t itemSize, size_t alignment );
/// Takes NULL too. `size` as it was asked for.
SUP_API void supFree( const supAllocator* allocator, void* block, size_t size );

/// A copy to keep: the caller's allocator, or zeros (malloc) for NULL.
static inline supAllocator supKeepAllocator( const supAllocator* allocator )
{
    return allocator != NULL ? *allocator : ( supAllocator ){ 0 };
}

/// The sizes of the pieces of one block, added up. An overflow is remembered, so that only the end needs a check.
typedef struct supLayout
{
    size_t size;
    bool tooLarge;
} supLayout;

static inline supLayout supMakeLayout( void )
{
    return ( supLayout ){ 0, false };
}

/// Makes room for a piece; gives its offset in the block.
SUP_API size_t supLayoutAdd( supLayout* layout, size_t size, size_t alignment );
/// The same for `count` items, with the product checked.
SUP_API size_t supLayoutArray( supLayout* layout, size_t count, size_t itemSize, size_t alignment );
#define SUP_LAYOUT_ARRAY( layout, type, count )                                                                        \
    supLayoutArray( layout, (size_t)( count ), sizeof( type ), _Alignof( type ) )
/// The same at a cache line, for arrays that wide instructions run over.
#define SUP_LAYOUT_WIDE( layout, type, count )                                                                         \
    supLayoutArray( layout, (size_t)( count ), sizeof( type ), SUP_MAX_ALIGNMENT )

/// One zeroed block for all of it, at a cache line. NULL: too large, or no memory. Freed with layout->size.
SUP_API void* supAllocLayout( const supAllocator* allocator, const supLayout* layout );

/// An array that grows, for loaders and compilers (never in the frame loop). Zeroed: empty, from malloc.
typedef struct supArray
{
    void* data;
    size_t count, capacity; ///< items
    size_t itemSize;        ///< bytes
    supAllocator allocator;
} supArray;

static inline supArray supMakeArray( size_t itemSize, const supAllocator* allocator )
{
    return ( supArray ){ NULL, 0, 0, itemSize, supKeepAllocator( allocator ) };
}

/// Room for `capacity` items in all. False: too large, or no memory; the array is then as it was.
SUP_API bool supArray_Reserve( supArray* array, size_t capacity );
/// `count` more items, zeroed, at the end; gives the first of them, or NULL.
SUP_API void* supArray_Add( supArray* array, size_t count );
SUP_API void supArray_Destroy( supArray* array );
