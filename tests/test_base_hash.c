// The hash: by its definition, on small inputs that must differ, and by how bits spread.
// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

static uint64_t supHashOf( const void* bytes, size_t size )
{
    supHash hash = supMakeHash();
    supHash_Bytes( &hash, bytes, size );
    return supHash_Value( &hash );
}

// Words are read low byte first: written out by hand, so a big-endian machine must give the same.
static void supTestByteOrder( void** state )
{
    (void)state;
    static const unsigned char bytes[11] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    supHash words = supMakeHash();
    supHash_Word( &words, 0x0807060504030201u );
    supHash_Word( &words, 0x00000000000b0a09u );
    supHash_Word( &words, 11 );
    assert_true( supHashOf( bytes, 11 ) == supHash_Value( &words ) );

    static const int32_t integers[2] = { -1, 2 };
    supHash a = supMakeHash(), b = supMakeHash();
    supHash_Ints( &a, integers, 2 );
    supHash_Word( &b, 0xffffffffu );
    supHash_Word( &b, 2 );
    assert_true( supHash_Value( &a ) == supHash_Value( &b ) );
}

static void supTestDifferences( void** state )
{
    (void)state;
    assert_true( supHashOf( "a", 1 ) != supHashOf( "a\0", 2 ) );
    assert_true( supHashOf( "", 0 ) != supHashOf( "\0", 1 ) );
    assert_true( supHashOf( "ab", 2 ) != supHashOf( "ba", 2 ) );
    assert_true( supHashOf( "abcdefgh", 8 ) != supHashOf( "abcdefgh\0\0\0\0\0\0\0\0", 16 ) );
    float zeros[2] = { 0.0f, -0.0f }, nans[2] = { NAN, -NAN };
    supHash a = supMakeHash(), b = supMakeHash();
    supHash_Floats( &a, zeros, 1 );
    supHash_Floats( &b, zeros + 1, 1 );
    assert_true( supHash_Value( &a ) != supHash_Value( &b ) );
    a = supMakeHash(), b = supMakeHash();
    supHash_Floats( &a, nans, 1 );
    supHash_Floats( &b, nans + 1, 1 );
    assert_true( supHash_Value( &a ) == supHash_Value( &b ) );
    double values[2] = { 1.0, NAN }, others[2] = { 1.0 + 0x1p-52, -NAN };
    a = supMakeHash(), b = supMakeHash();
    supHash_Doubles( &a, values + 1, 1 );
    supHash_Doubles( &b, others + 1, 1 );
    assert_true( supHash_Value( &a ) == supHash_Value( &b ) );
    supHash_Doubles( &a, values, 1 );
    supHash_Doubles( &b, others, 1 );
    assert_true( supHash_Value( &a ) != supHash_Value( &b ) );
}

static int supCompare( const void* a, const void* b )
{
    uint64_t left = *(const uint64_t*)a, right = *(const uint64_t*)b;
    return left < right ? -1 : left > right ? 1 : 0;
}

// One bit of a state of 40 floats turned, wherever it is, changes about half of the bits of the hash, and no two hashes
// are the same.
static void supTestSpread( void** state )
{
    (void)state;
    static float values[40];
    for ( int i = 0; i < 40; ++i )
    {
        values[i] = 1.0f + 0.25f * (float)i;
    }
    supHash plain = supMakeHash();
    supHash_Floats( &plain, values, 40 );
    static uint64_t hashes[40 * 31];
    long changed = 0;
    for ( int i = 0; i < 40 * 31; ++i )
    {
        uint32_t bits;
        memcpy( &bits, &values[i / 31], sizeof( bits ) );
        bits ^= 1u << ( i % 31 );
        float kept = values[i / 31];
        memcpy( &values[i / 31], &bits, sizeof( bits ) );
        supHash hash = supMakeHash();
        supHash_Floats( &hash, values, 40 );
        values[i / 31] = kept;
        hashes[i] = supHash_Value( &hash );
        for ( uint64_t difference = hashes[i] ^ supHash_Value( &plain ); difference != 0; difference &= difference - 1 )
        {
            changed += 1;
        }
    }
    double share = (double)changed / ( 64.0 * 40 * 31 );
    print_message( "share of bits that change: %.4f\n", share );
    assert_true( share > 0.49 && share < 0.51 );
    qsort( hashes, 40 * 31, sizeof( hashes[0] ), supCompare );
    for ( int i = 1; i < 40 * 31; ++i )
    {
        assert_true( hashes[i] != hashes[i - 1] );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestByteOrder ),
        cmocka_unit_test( supTestDifferences ),
        cmocka_unit_test( supTestSpread ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
