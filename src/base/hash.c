// Supple: 64-bit hashes of states and of what files say.
// SPDX-License-Identifier: MIT
#include "base/hash.h"

void supHash_Bytes( supHash* hash, const void* bytes, size_t size )
{
    const unsigned char* at = bytes;
    uint64_t word = 0;
    for ( size_t i = 0; i < size; ++i )
    {
        word |= (uint64_t)at[i] << ( 8 * ( i % 8 ) );
        if ( i % 8 == 7 )
        {
            supHash_Word( hash, word );
            word = 0;
        }
    }
    if ( size % 8 != 0 )
    {
        supHash_Word( hash, word );
    }
    supHash_Word( hash, size );
}

void supHash_Floats( supHash* hash, const float* values, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        supHash_Float( hash, values[i] );
    }
}

void supHash_Doubles( supHash* hash, const double* values, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        supHash_Double( hash, values[i] );
    }
}

void supHash_Ints( supHash* hash, const int32_t* values, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        supHash_Word( hash, (uint32_t)values[i] );
    }
}
