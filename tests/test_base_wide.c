// The wide float: every operation on every path that this processor has, against plain C, bit for bit.
// SPDX-License-Identifier: MIT
#include "base/compiler.h"
#include "base/scalar_math.h"
#include "supple/base.h"
#include "supple/lab/machine.h"
#include "support/wide_ops.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SUP_COUNT 4800

typedef struct supFixture
{
    float a[SUP_COUNT], b[SUP_COUNT], c[SUP_COUNT + 100];
    float want[sup_wideOperationCount][SUP_COUNT];
    float got[sup_wideOperationCount][SUP_COUNT];
    uint32_t masks[SUP_COUNT / 16];
} supFixture;

static uint32_t supRandom( uint32_t* state )
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

// Ordinary numbers, and every tenth an odd one: zeros of both signs, infinities, NaN, subnormals, the largest.
static float supOddFloat( uint32_t* state )
{
    static const uint32_t odd[] = { 0x00000000u, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x00000001u,
        0x807fffffu, 0x7f7fffffu, 0x3f800000u, 0xbf800000u };
    uint32_t bits = odd[supRandom( state ) % 10];
    float value;
    if ( supRandom( state ) % 10 == 0 )
    {
        memcpy( &value, &bits, sizeof( value ) );
        return value;
    }
    return ( (float)supRandom( state ) / 8388608.0f - 1.0f ) * ( supRandom( state ) % 2 ? 1.0f : 1000.0f );
}

static uint32_t supBits( float value )
{
    uint32_t bits;
    memcpy( &bits, &value, sizeof( bits ) );
    return value != value ? 0x7fc00000u : bits;
}

static void supExpect( supFixture* f )
{
    for ( int32_t i = 0; i < SUP_COUNT; ++i )
    {
        float a = f->a[i], b = f->b[i], c = f->c[i];
        f->want[sup_wideAdd][i] = a + b;
        f->want[sup_wideSub][i] = a - b;
        f->want[sup_wideMul][i] = a * b;
        f->want[sup_wideDiv][i] = a / b;
        f->want[sup_wideMin][i] = a < b ? a : b;
        f->want[sup_wideMax][i] = a > b ? a : b;
        f->want[sup_wideSqrt][i] = supSqrtF( a );
        f->want[sup_wideAbs][i] = a < 0.0f ? -a : a == 0.0f ? 0.0f : a;
        f->want[sup_wideNeg][i] = -a;
        float product = a * b;
        f->want[sup_wideMulAdd][i] = product + c;
        f->want[sup_wideLess][i] = a < b ? a : c;
        f->want[sup_wideLessEqual][i] = a <= b ? a : c;
        f->want[sup_wideEqual][i] = a == b ? a : c;
        f->want[sup_wideMasks][i] = ( a < b && !( a <= c ) ) || b == c ? a : b;
        f->want[sup_wideGather][i] = f->a[( 7 * i ) % SUP_COUNT];
        f->want[sup_wideGather4][i] = f->a[( 12 * i ) % ( SUP_COUNT - 3 ) + i % 4];
        f->want[sup_widePart][i] = a;
    }
    for ( int32_t i = 0; i < SUP_COUNT; i += 3 )
    {
        f->want[sup_wideVectors][i] = f->a[i + 2];
        f->want[sup_wideVectors][i + 1] = f->a[i] + f->a[i + 1];
        f->want[sup_wideVectors][i + 2] = -f->a[i + 1];
    }
}

static int supSetup( void** state )
{
    supFixture* f = calloc( 1, sizeof( supFixture ) );
    uint32_t seed = 12345;
    for ( int32_t i = 0; i < SUP_COUNT; ++i )
    {
        f->a[i] = supOddFloat( &seed );
        f->b[i] = i % 7 == 0 ? f->a[i] : supOddFloat( &seed );
        // c is ordinary: sums of it are finite, and depend on their order
        f->c[i] = (float)supRandom( &seed ) / 1677721.6f - 5.0f;
    }
    supExpect( f );
    *state = f;
    return 0;
}

static int supTeardown( void** state )
{
    free( *state );
    return 0;
}

// Adds by hand: 16 lanes, then the tree.
static float supTreeSum( const float* values, const float* factors, int32_t count )
{
    float lanes[16] = { 0.0f };
    int32_t whole = ( count + 15 ) / 16 * 16;
    for ( int32_t i = 0; i < whole; ++i )
    {
        float item = i >= count ? 0.0f : factors != NULL ? values[i] * factors[i] : values[i];
        lanes[i % 16] += item;
    }
    for ( int half = 8; half > 0; half /= 2 )
    {
        for ( int i = 0; i < half; ++i )
        {
            lanes[i] += lanes[i + half];
        }
    }
    return lanes[0];
}

static void supCheckPath( supFixture* f, void ( *ops )( const supWideCase*, supWideAnswers* ), const char* name )
{
    supWideCase ask = { f->a, f->b, f->c, SUP_COUNT };
    supWideAnswers answers = { .out = &f->got[0][0], .masks = f->masks };
    memset( f->got, 0x55, sizeof( f->got ) );
    ops( &ask, &answers );
    for ( int operation = 0; operation < sup_wideFma; ++operation )
    {
        for ( int32_t i = 0; i < SUP_COUNT; ++i )
        {
            if ( supBits( f->got[operation][i] ) != supBits( f->want[operation][i] ) )
            {
                fail_msg( "%s: operation %d of %g, %g, %g gives %g, not %g", name, operation, (double)f->a[i],
                    (double)f->b[i], (double)f->c[i], (double)f->got[operation][i], (double)f->want[operation][i] );
            }
        }
    }
    for ( int32_t i = 0; i < SUP_COUNT; ++i )
    {
        double exact = (double)f->a[i] * f->b[i] + f->c[i], got = f->got[sup_wideFma][i];
        double scale = supAbs( (double)f->a[i] * f->b[i] ) + supAbs( f->c[i] );
        assert_true( !supIsFinite( exact ) || !supIsFinite( got ) || supAbs( got - exact ) <= 2e-7 * scale + 1e-44 );
    }
    for ( int32_t length = 0; length < 100; ++length )
    {
        assert_int_equal( supBits( answers.sums[2 * length] ), supBits( supTreeSum( f->c, NULL, length ) ) );
        assert_int_equal( supBits( answers.sums[2 * length + 1] ), supBits( supTreeSum( f->c, f->c + 1, length ) ) );
    }
    for ( int32_t group = 0; group < SUP_COUNT / 16; ++group )
    {
        uint32_t bits = 0;
        for ( int k = 0; k < 16; ++k )
        {
            bits |= f->a[16 * group + k] < f->b[16 * group + k] ? 1u << k : 0u;
        }
        bits |= ( bits != 0 ? 1u << 16 : 0u ) | ( bits == 0xffffu ? 1u << 17 : 0u );
        assert_int_equal( f->masks[group], bits );
    }
}

static void supTestScalar( void** state )
{
    supCheckPath( *state, supWideOpsScalar, "scalar" );
}

static void supTestBase( void** state )
{
    supCheckPath( *state, supWideOpsBest, supSimdName( SUP_TARGET_X86 ? sup_simdSse2 : supBestSimd() ) );
}

static void supTestAvx2( void** state )
{
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx2 ) )
    {
        supCheckPath( *state, supWideOpsAvx2, "AVX2" );
        return;
    }
#endif
    (void)state;
    print_message( "skipped: no AVX2 in this build or processor\n" );
    skip();
}

static void supTestAvx512( void** state )
{
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx512 ) )
    {
        supCheckPath( *state, supWideOpsAvx512, "AVX-512" );
        return;
    }
#endif
    (void)state;
    print_message( "skipped: no AVX-512 in this build or processor\n" );
    skip();
}

static void supTestNames( void** state )
{
    (void)state;
    assert_true( supHasSimd( sup_simdScalar ) );
    assert_true( supHasSimd( supBestSimd() ) );
    assert_string_equal( supSimdName( sup_simdAvx512 ), "AVX-512" );
    for ( int i = 0; i < 6; ++i )
    {
        assert_string_not_equal( supSimdName( (supSimd)i ), "unknown" );
    }
    assert_string_equal( supSimdName( (supSimd)99 ), "unknown" );
#ifdef SUP_SCALAR
    assert_int_equal( supBestSimd(), sup_simdScalar );
#endif
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown( supTestScalar, supSetup, supTeardown ),
        cmocka_unit_test_setup_teardown( supTestBase, supSetup, supTeardown ),
        cmocka_unit_test_setup_teardown( supTestAvx2, supSetup, supTeardown ),
        cmocka_unit_test_setup_teardown( supTestAvx512, supSetup, supTeardown ),
        cmocka_unit_test( supTestNames ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
