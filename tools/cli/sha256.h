// SHA-256 (FIPS 180-4), for names that follow from contents.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct supSha256
{
    uint32_t state[8];
    uint64_t length; ///< bytes so far
    uint8_t block[64];
} supSha256;

/// 64 hexadecimal digits.
typedef struct supDigest
{
    char text[65];
} supDigest;

supSha256 supMakeSha256( void );
void supSha256_Add( supSha256* hash, const void* data, size_t size );
/// The text with its end, so that "ab", "c" and "a", "bc" differ.
void supSha256_AddText( supSha256* hash, const char* text );
supDigest supSha256_Digest( supSha256 hash );
