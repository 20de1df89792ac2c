// SPDX-License-Identifier: MIT
#include "sha256.h"

#include <stdio.h>
#include <string.h>

/// The first 32 bits behind the point of the cube roots of the first 64 primes.
static const uint32_t sup_roundWords[64] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
    0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c,
    0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

supSha256 supMakeSha256( void )
{
    return ( supSha256 ){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                              0x5be0cd19 } };
}

static uint32_t supTurnRight( uint32_t word, int bits )
{
    return word >> bits | word << ( 32 - bits );
}

static void supTakeBlock( supSha256* hash )
{
    uint32_t words[64];
    for ( int i = 0; i < 16; ++i )
    {
        const uint8_t* b = hash->block + 4 * i;
        words[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for ( int i = 16; i < 64; ++i )
    {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + ( supTurnRight( a, 7 ) ^ supTurnRight( a, 18 ) ^ a >> 3 ) + words[i - 7] +
                   ( supTurnRight( b, 17 ) ^ supTurnRight( b, 19 ) ^ b >> 10 );
    }
    uint32_t a = hash->state[0], b = hash->state[1], c = hash->state[2], d = hash->state[3];
    uint32_t e = hash->state[4], f = hash->state[5], g = hash->state[6], h = hash->state[7];
    for ( int i = 0; i < 64; ++i )
    {
        uint32_t choice = g ^ ( e & ( f ^ g ) ), majority = ( a & b ) | ( c & ( a | b ) );
        uint32_t first = h + ( supTurnRight( e, 6 ) ^ supTurnRight( e, 11 ) ^ supTurnRight( e, 25 ) ) + choice +
                         sup_roundWords[i] + words[i];
        uint32_t second = ( supTurnRight( a, 2 ) ^ supTurnRight( a, 13 ) ^ supTurnRight( a, 22 ) ) + majority;
        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    const uint32_t after[8] = { a, b, c, d, e, f, g, h };
    for ( int i = 0; i < 8; ++i )
    {
        hash->state[i] += after[i];
    }
}

void supSha256_Add( supSha256* hash, const void* data, size_t size )
{
    const uint8_t* from = data;
    while ( size > 0 )
    {
        size_t used = (size_t)( hash->length % 64 ), room = 64 - used, part = size < room ? size : room;
        memcpy( hash->block + used, from, part );
        hash->length += part;
        from += part;
        size -= part;
        if ( used + part == 64 )
        {
            supTakeBlock( hash );
        }
    }
}

void supSha256_AddText( supSha256* hash, const char* text )
{
    supSha256_Add( hash, text, strlen( text ) + 1 );
}

supDigest supSha256_Digest( supSha256 hash )
{
    uint64_t bits = 8 * hash.length;
    const uint8_t one = 0x80, zero = 0;
    supSha256_Add( &hash, &one, 1 );
    while ( hash.length % 64 != 56 )
    {
        supSha256_Add( &hash, &zero, 1 );
    }
    uint8_t end[8];
    for ( int i = 0; i < 8; ++i )
    {
        end[i] = (uint8_t)( bits >> ( 56 - 8 * i ) );
    }
    supSha256_Add( &hash, end, sizeof( end ) );
    supDigest digest;
    for ( int i = 0; i < 8; ++i )
    {
        snprintf( digest.text + 8 * i, 9, "%08x", hash.state[i] );
    }
    return digest;
}
