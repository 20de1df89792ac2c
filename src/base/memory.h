// Supple: memory inside the library: the caller's allocator, checked sizes, one block for many arrays.
// SPDX-License-Identifier: MIT
//
// An object is one block. Its arrays are listed first, each with the pointer that it is for, and then allocated at
// once, which fills all of these pointers:
//
//     supLayout layout = supMakeLayout();
//     SUP_PUT_NEW( &layout, supThing, thing, 1 );          // declares `thing`
//     SUP_PUT( &layout, work->names, nameBytes );          // `work->names` is there already
//     char* block = supAllocLayout( allocator, &layout );  // NULL: too large, or no memory
//     ...
//     supFree( allocator, block, layout.size );
//
// Where the block comes from the caller one function serves twice: without memory it adds up the size, with memory it
// sets the pointers:
//
//     supLayout layout = supLayoutIn( memory );
//     SUP_PUT( &layout, work->names, nameBytes );
//     return layout.size;
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

/// The allocator of a maker's def; NULL for either means malloc. Refuses a def that supDefaultMakeDef did not make.
SUP_API supResult supOpenMakeDef( const supMakeDef* def, const supAllocator** allocator, supError* error );
#define SUP_MAKE_COOKIE 0x4d414b45
/// A def for makers that are called inside of the library: an allocator, and nobody watches.
#define SUP_MAKE_IN( from ) ( &( supMakeDef ){ .allocator = ( from ), .cookie = SUP_MAKE_COOKIE } )

/// A copy to keep: the caller's allocator, or zeros (malloc) for NULL.
static inline supAllocator supKeepAllocator( const supAllocator* allocator )
{
    return allocator != NULL ? *allocator : ( supAllocator ){ 0 };
}

/// The most pieces of a block whose pointers are filled when it is allocated.
#define SUP_MOST_PIECES 40

/// The pieces of one block. An overflow is remembered, so that only the end needs a check.
typedef struct supLayout
{
    size_t size;
    bool tooLarge;
    bool isGiven; ///< the caller has the memory, or only wants the size
    char* memory; ///< isGiven: NULL: only the size
    int32_t pieceCount;
    struct
    {
        void* pointer; ///< of the pointer that is to be filled
        size_t offset;
    } pieces[SUP_MOST_PIECES];
} supLayout;

/// supAllocLayout fills the pointers.
static inline supLayout supMakeLayout( void )
{
    supLayout layout;
    layout.size = 0;
    layout.tooLarge = false;
    layout.isGiven = false;
    layout.memory = NULL;
    layout.pieceCount = 0;
    return layout;
}

/// In memory that is there, at a cache line: pointers are set at once. NULL: they become NULL, and the size is added
/// up.
static inline supLayout supLayoutIn( void* memory )
{
    supLayout layout = supMakeLayout();
    layout.isGiven = true;
    layout.memory = (char*)memory;
    return layout;
}

/// Makes room for a piece of `count` items; gives its offset in the block.
SUP_API size_t supLayoutArray( supLayout* layout, size_t count, size_t itemSize, size_t alignment );
/// The same, with the address of a pointer that is set to it, now or by supAllocLayout. Alignment 0: by the item's
/// size, which is a multiple of the type's alignment.
SUP_API void supLayoutPut( supLayout* layout, void* pointer, size_t count, size_t itemSize, size_t alignment );
/// Puts an array of `count` items where `pointer`, an expression of type T*, will point.
#define SUP_PUT( layout, pointer, count )                                                                              \
    supLayoutPut( layout, &( pointer ), (size_t)( count ), sizeof( *( pointer ) ), 0 )
/// The same at a cache line, for arrays that wide instructions run over.
#define SUP_PUT_WIDE( layout, pointer, count )                                                                         \
    supLayoutPut( layout, &( pointer ), (size_t)( count ), sizeof( *( pointer ) ), SUP_MAX_ALIGNMENT )
/// The same for `rows` of `width` items each, with that product checked too.
#define SUP_PUT_ROWS( layout, pointer, rows, width )                                                                   \
    supLayoutPut( layout, &( pointer ), (size_t)( rows ), (size_t)( width ) * sizeof( *( pointer ) ), 0 )
/// Bytes at a cache line, for what another part lays out itself: a void* or a char*.
#define SUP_PUT_BYTES( layout, pointer, bytes ) supLayoutPut( layout, &( pointer ), bytes, 1, SUP_MAX_ALIGNMENT )
/// The same for a pointer that is declared here.
#define SUP_PUT_NEW( layout, type, name, count )                                                                       \
    type* name = NULL;                                                                                                 \
    SUP_PUT( layout, name, count )
#define SUP_PUT_NEW_ROWS( layout, type, name, rows, width )                                                            \
    type* name = NULL;                                                                                                 \
    SUP_PUT_ROWS( layout, name, rows, width )
#define SUP_PUT_NEW_WIDE( layout, type, name, count )                                                                  \
    type* name = NULL;                                                                                                 \
    SUP_PUT_WIDE( layout, name, count )

/// One zeroed block for all of it, at a cache line, and all pointers into it. NULL: too large, or no memory. Freed with
/// layout->size.
SUP_API void* supAllocLayout( const supAllocator* allocator, supLayout* layout );

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
