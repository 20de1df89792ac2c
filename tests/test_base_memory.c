// Checked sizes, the caller's allocator, layouts and arrays.
// SPDX-License-Identifier: MIT
#include "base/memory.h"
#include "support/test_allocator.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void supTestSizes( void** state )
{
    (void)state;
    size_t out = 7;
    assert_true( supMulSize( 0, SIZE_MAX, &out ) && out == 0 );
    assert_true( supMulSize( SIZE_MAX, 0, &out ) && out == 0 );
    assert_true( supMulSize( SIZE_MAX, 1, &out ) && out == SIZE_MAX );
    assert_true( supMulSize( SIZE_MAX / 3, 3, &out ) && out == SIZE_MAX / 3 * 3 );
    out = 7;
    assert_false( supMulSize( SIZE_MAX / 3 + 1, 3, &out ) );
    assert_false( supMulSize( (size_t)1 << ( 4 * sizeof( size_t ) ), (size_t)1 << ( 4 * sizeof( size_t ) ), &out ) );
    assert_false( supAddSize( SIZE_MAX, 1, &out ) );
    assert_int_equal( out, 7 ); // not written
    assert_true( supAddSize( SIZE_MAX - 1, 1, &out ) && out == SIZE_MAX );
}

static void supTestStrides( void** state )
{
    (void)state;
    assert_true( supStridedFits( 0, 4, 12, 12, 48 ) );
    assert_false( supStridedFits( 0, 4, 12, 12, 47 ) );
    assert_true( supStridedFits( 8, 3, 16, 12, 8 + 32 + 12 ) ); // the last item need not fill its stride
    assert_false( supStridedFits( 9, 3, 16, 12, 8 + 32 + 12 ) );
    assert_true( supStridedFits( 48, 0, 12, 12, 48 ) );
    assert_false( supStridedFits( 49, 0, 12, 12, 48 ) );
    assert_false( supStridedFits( 0, SIZE_MAX, SIZE_MAX, 1, SIZE_MAX ) );
    assert_false( supStridedFits( SIZE_MAX, 2, 1, 1, SIZE_MAX ) );
}

static void supTestLayout( void** state )
{
    (void)state;
    supTestAllocator counting = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counting );
    supLayout layout = supMakeLayout();
    size_t atBytes = supLayoutArray( &layout, 3, sizeof( char ), sizeof( char ) );
    size_t atDoubles = supLayoutArray( &layout, 5, sizeof( double ), sizeof( double ) );
    size_t atNothing = supLayoutArray( &layout, 0, sizeof( double ), sizeof( double ) );
    size_t atWide = supLayoutArray( &layout, 7, sizeof( float ), SUP_MAX_ALIGNMENT );
    assert_int_equal( atBytes, 0 );
    assert_int_equal( atDoubles, 8 );
    assert_int_equal( atNothing, 48 );
    assert_int_equal( atWide, 64 );
    assert_int_equal( layout.size, 64 + 28 );
    char* block = supAllocLayout( &allocator, &layout );
    assert_non_null( block );
    assert_int_equal( (uintptr_t)block % SUP_MAX_ALIGNMENT, 0 );
    for ( size_t i = 0; i < layout.size; ++i )
    {
        assert_int_equal( block[i], 0 );
    }
    assert_int_equal( counting.calls, 1 );
    supFree( &allocator, block, layout.size );
    assert_int_equal( counting.live, 0 );

    // Once too large, always too large, and never allocated.
    supLayoutArray( &layout, SIZE_MAX / 8 - 4, sizeof( double ), sizeof( double ) );
    assert_true( layout.tooLarge );
    supLayoutArray( &layout, 1, sizeof( char ), sizeof( char ) );
    assert_null( supAllocLayout( &allocator, &layout ) );
    supLayout product = supMakeLayout();
    supLayoutArray( &product, SIZE_MAX / 4, sizeof( double ), sizeof( double ) );
    assert_true( product.tooLarge );
    assert_null( supAllocLayout( &allocator, &product ) );
    assert_int_equal( counting.calls, 1 );
}

/// What a block's pieces are for: pointers that are filled when it is allocated, or set in memory that is given.
typedef struct supTestPieces
{
    char* letters;
    double* numbers;
    const supVec3* points; // three floats need no more than a float's alignment
    float* wide;
    int32_t* rows;
    void* bytes;
} supTestPieces;

static void supPutPieces( supLayout* layout, supTestPieces* pieces )
{
    SUP_PUT( layout, pieces->letters, 3 );
    SUP_PUT( layout, pieces->numbers, 2 );
    SUP_PUT( layout, pieces->points, 1 );
    SUP_PUT_WIDE( layout, pieces->wide, 7 );
    SUP_PUT_ROWS( layout, pieces->rows, 3, 2 );
    SUP_PUT_BYTES( layout, pieces->bytes, 5 );
}

static void supCheckPieces( const supTestPieces* pieces, const char* block )
{
    assert_ptr_equal( pieces->letters, block );
    assert_ptr_equal( pieces->numbers, block + 8 );
    assert_ptr_equal( pieces->points, block + 24 );
    assert_ptr_equal( pieces->wide, block + 64 );
    assert_ptr_equal( pieces->rows, block + 96 );
    assert_ptr_equal( pieces->bytes, block + 128 );
}

static void supTestPut( void** state )
{
    (void)state;
    supTestPieces pieces = { 0 };
    supLayout layout = supMakeLayout();
    supPutPieces( &layout, &pieces );
    SUP_PUT_NEW( &layout, int64_t, own, 1 );
    assert_null( own );
    assert_int_equal( layout.size, 144 );
    char* block = supAllocLayout( NULL, &layout );
    supCheckPieces( &pieces, block );
    assert_ptr_equal( own, block + 136 );

    // In memory that is there, and without any: the same size.
    supTestPieces given;
    supLayout in = supLayoutIn( block );
    supPutPieces( &in, &given );
    supCheckPieces( &given, block );
    supLayout counted = supLayoutIn( NULL );
    supPutPieces( &counted, &given );
    assert_int_equal( counted.size, in.size );
    assert_true( given.letters == NULL && given.numbers == NULL && given.bytes == NULL );
    supFree( NULL, block, layout.size );

    // No memory, or rows that do not fit in any: pointers stay as they are.
    supTestAllocator failing = { .failAt = 0 };
    supAllocator allocator = supMakeTestAllocator( &failing );
    supTestPieces none = { 0 };
    layout = supMakeLayout();
    supPutPieces( &layout, &none );
    assert_null( supAllocLayout( &allocator, &layout ) );
    assert_null( none.letters );
    SUP_PUT_ROWS( &layout, none.rows, SIZE_MAX / 8, 4 );
    assert_true( layout.tooLarge );
    assert_null( supAllocLayout( NULL, &layout ) );
    assert_null( none.rows );
}

static void supTestAlloc( void** state )
{
    (void)state;
    for ( size_t alignment = 1; alignment <= SUP_MAX_ALIGNMENT; alignment *= 2 )
    {
        for ( size_t size = 1; size < 200; size += 33 )
        {
            unsigned char* block = supAlloc( NULL, size, alignment );
            assert_non_null( block );
            assert_int_equal( (uintptr_t)block % alignment, 0 );
            memset( block, 0xAB, size );
            supFree( NULL, block, size );
        }
    }
    supAllocator zeroed = { 0 };
    void* block = supAlloc( &zeroed, 10, 4 );
    assert_non_null( block );
    supFree( &zeroed, block, 10 );
    assert_null( supAlloc( NULL, 0, 8 ) );
    assert_null( supAlloc( NULL, SIZE_MAX - 3, 64 ) );
    assert_null( supAllocZeroed( NULL, SIZE_MAX / 2, 4, 4 ) );
    supFree( NULL, NULL, 0 );
}

static void supTestArray( void** state )
{
    (void)state;
    supTestAllocator counting = { .failAt = -1 };
    supAllocator allocator = supMakeTestAllocator( &counting );
    supArray array = supMakeArray( sizeof( int32_t ), &allocator );
    for ( int32_t i = 0; i < 1000; ++i )
    {
        int32_t* item = supArray_Add( &array, 1 );
        assert_non_null( item );
        assert_int_equal( *item, 0 );
        *item = i;
    }
    for ( int32_t i = 0; i < 1000; ++i )
    {
        assert_int_equal( ( (int32_t*)array.data )[i], i );
    }
    assert_true( counting.calls < 20 ); // grows by a share, not by one
    assert_null( supArray_Add( &array, SIZE_MAX ) );
    assert_null( supArray_Add( &array, SIZE_MAX / 4 ) );
    assert_false( supArray_Reserve( &array, SIZE_MAX / 2 ) );
    assert_int_equal( array.count, 1000 );

    // No memory: the array stays as it was.
    counting.failAt = counting.calls;
    assert_null( supArray_Add( &array, 100000 ) );
    assert_int_equal( array.count, 1000 );
    assert_int_equal( ( (int32_t*)array.data )[999], 999 );
    supArray_Destroy( &array );
    assert_int_equal( counting.live, 0 );
    supArray_Destroy( &array ); // twice is fine
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSizes ),
        cmocka_unit_test( supTestStrides ),
        cmocka_unit_test( supTestLayout ),
        cmocka_unit_test( supTestPut ),
        cmocka_unit_test( supTestAlloc ),
        cmocka_unit_test( supTestArray ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
