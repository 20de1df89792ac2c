// SHA-256 against the examples of FIPS 180-4 and of NIST's test vectors.
// SPDX-License-Identifier: MIT
#include "sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void supCheckDigest( const char* text, size_t times, const char* wanted )
{
    supSha256 whole = supMakeSha256(), pieces = supMakeSha256();
    for ( size_t i = 0; i < times; ++i )
    {
        size_t length = strlen( text );
        supSha256_Add( &whole, text, length );
        supSha256_Add( &pieces, text, length / 3 );
        supSha256_Add( &pieces, text + length / 3, length - length / 3 );
    }
    assert_string_equal( supSha256_Digest( whole ).text, wanted );
    assert_string_equal( supSha256_Digest( pieces ).text, wanted );
}

static void supTestSha256Examples( void** state )
{
    (void)state;
    supCheckDigest( "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" );
    supCheckDigest( "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" );
    supCheckDigest( "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" );
    supCheckDigest( "aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" );
}

static void supTestSha256Texts( void** state )
{
    (void)state;
    supSha256 a = supMakeSha256(), b = supMakeSha256();
    supSha256_AddText( &a, "ab" );
    supSha256_AddText( &a, "c" );
    supSha256_AddText( &b, "a" );
    supSha256_AddText( &b, "bc" );
    assert_string_not_equal( supSha256_Digest( a ).text, supSha256_Digest( b ).text );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestSha256Examples ),
        cmocka_unit_test( supTestSha256Texts ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
