// Supple: vertices that stand in one place at rest, and the fingerprint of what stands where.
// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/memory.h"
#include "character_data.h"

static uint64_t supHashPoint( const float* point )
{
    supHash hash = supMakeHash();
    supHash_Float( &hash, point[0] );
    supHash_Float( &hash, point[1] );
    supHash_Float( &hash, point[2] );
    return supHash_Value( &hash );
}

// A hash table of first vertices with open addressing, at most half full: linear in the number of vertices. Rest
// positions are finite, and hold no -0 (rest.c), so equal points have equal bits.
bool supComputeWelds( supCharacter* character )
{
    size_t capacity = 16;
    while ( capacity < (size_t)character->vertexCount * 2 )
    {
        capacity *= 2;
    }
    int32_t* table = supAlloc( &character->allocator, capacity * sizeof( int32_t ), _Alignof( int32_t ) );
    if ( table == NULL )
    {
        return false;
    }
    for ( size_t i = 0; i < capacity; ++i )
    {
        table[i] = -1;
    }
    for ( int32_t v = 0; v < character->vertexCount; ++v )
    {
        const float* point = character->restPositions + 3 * (size_t)v;
        size_t slot = (size_t)supHashPoint( point ) & ( capacity - 1 );
        for ( ; table[slot] >= 0; slot = ( slot + 1 ) & ( capacity - 1 ) )
        {
            const float* other = character->restPositions + 3 * (size_t)table[slot];
            if ( other[0] == point[0] && other[1] == point[1] && other[2] == point[2] )
            {
                break;
            }
        }
        table[slot] = table[slot] >= 0 ? table[slot] : v;
        character->welds[v] = table[slot];
    }
    supFree( &character->allocator, table, capacity * sizeof( int32_t ) );
    return true;
}

uint64_t supComputeFingerprint( const supCharacter* character )
{
    supHash hash = supMakeHash();
    supHash_Word( &hash, (uint64_t)character->meshCount );
    for ( int32_t i = 0; i < character->meshCount; ++i )
    {
        const supMeshView* mesh = character->meshes + i;
        supHash_Word( &hash, (uint64_t)mesh->vertexCount );
        supHash_Word( &hash, (uint64_t)mesh->indexCount );
        for ( int32_t k = 0; k < mesh->indexCount; ++k )
        {
            supHash_Word( &hash, mesh->indices[k] );
        }
    }
    supHash_Floats( &hash, character->restPositions, (size_t)character->vertexCount * 3 );
    return supHash_Value( &hash );
}
