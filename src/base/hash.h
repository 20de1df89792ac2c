// Supple: 64-bit hashes of states and of what files say. The same on every machine; not for secrets.
// SPDX-License-Identifier: MIT
//
// FNV-1a's step (Fowler, Noll, Vo, 1991: xor, then multiply by 0x100000001b3) taken over 64-bit words instead of bytes,
// with the high half folded down after each step, since a multiplication alone never carries a high bit downwards. The
// finaliser is Stafford's variant 13 of MurmurHash3's (2011). Words are read from bytes in little-endian order,
// whatever the machine.
#pragma once

#include "supple/base.h"

#include <string.h>

typedef struct supHash
{
    uint64_t state;
    uint64_t length; ///< words so far
} supHash;

static inline supHash supMakeHash( void )
{
    return ( supHash ){ 0xcbf29ce484222325u, 0 };
}

static inline void supHash_Word( supHash* hash, uint64_t word )
{
    uint64_t mixed = ( hash->state ^ word ) * 0x100000001b3u;
    hash->state = mixed ^ ( mixed >> 32 );
    hash->length += 1;
}

static inline uint64_t supHash_Value( const supHash* hash )
{
    uint64_t mixed = hash->state ^ hash->length;
    mixed = ( mixed ^ ( mixed >> 30 ) ) * 0xbf58476d1ce4e5b9u;
    mixed = ( mixed ^ ( mixed >> 27 ) ) * 0x94d049bb133111ebu;
    return mixed ^ ( mixed >> 31 );
}

/// One word for each value. Floats by their bits, so that -0 and 0 differ; every NaN counts as the same one, since
/// which NaN comes out of an operation is the machine's choice.
static inline void supHash_Float( supHash* hash, float value )
{
    uint32_t bits;
    memcpy( &bits, &value, sizeof( bits ) );
    supHash_Word( hash, value != value ? 0x7fc00000u : bits );
}

static inline void supHash_Double( supHash* hash, double value )
{
    uint64_t bits;
    memcpy( &bits, &value, sizeof( bits ) );
    supHash_Word( hash, value != value ? 0x7ff8000000000000u : bits );
}

/// Eight bytes a word, the last filled up with zeros, then the length: so "a" and "a\0" differ.
SUP_API void supHash_Bytes( supHash* hash, const void* bytes, size_t size );
SUP_API void supHash_Floats( supHash* hash, const float* values, size_t count );
SUP_API void supHash_Doubles( supHash* hash, const double* values, size_t count );
SUP_API void supHash_Ints( supHash* hash, const int32_t* values, size_t count );
