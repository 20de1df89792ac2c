// Supple: which points stand in one place.
// SPDX-License-Identifier: MIT
//
// By a hash table with open addressing, at most half full: linear in the number of points. The hash is no secret, so
// points can be made that all want one slot, and then each is compared with all before it. A table that takes far more
// looks than one of ordinary points is therefore left, and the points are sorted: n log n, whatever they are.
#include "base/hash.h"

#include "base/memory.h"
#include "character_data.h"

#include <stdlib.h>
#include <string.h>

/// Looks for each point; ordinary ones take one and a half.
#define SUP_MOST_LOOKS 16

static bool supIsSamePoint( const float* p, const float* q )
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static uint64_t supHashPoint( const float* point )
{
    supHash hash = supMakeHash();
    for ( int i = 0; i < 3; ++i )
    {
        supHash_Float( &hash, point[i] + 0.0f ); // -0 is 0
    }
    return supHash_Value( &hash );
}

/// False: too many looks. `table`: a power of two, `capacity`, of numbers.
static bool supHashPoints( const float* points, int32_t count, int32_t* table, size_t capacity, int32_t* firsts )
{
    int64_t left = (int64_t)SUP_MOST_LOOKS * count + 64;
    memset( table, 0xff, capacity * sizeof( int32_t ) ); // -1
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* point = points + 3 * (size_t)i;
        size_t slot = (size_t)supHashPoint( point ) & ( capacity - 1 );
        while ( table[slot] >= 0 && !supIsSamePoint( point, points + 3 * (size_t)table[slot] ) && --left > 0 )
        {
            slot = ( slot + 1 ) & ( capacity - 1 );
        }
        if ( left <= 0 )
        {
            return false;
        }
        table[slot] = table[slot] >= 0 ? table[slot] : i;
        firsts[i] = table[slot];
    }
    return true;
}

typedef struct supSortedPoint
{
    float at[3];
    int32_t index;
} supSortedPoint;

static int supComparePoints( const void* left, const void* right )
{
    const supSortedPoint *a = left, *b = right;
    for ( int i = 0; i < 3; ++i )
    {
        if ( a->at[i] != b->at[i] )
        {
            return a->at[i] < b->at[i] ? -1 : 1;
        }
    }
    return ( a->index > b->index ) - ( a->index < b->index );
}

static bool supSortPoints( const float* points, int32_t count, int32_t* firsts, const supAllocator* allocator )
{
    size_t bytes = sizeof( supSortedPoint ) * (size_t)count;
    supSortedPoint* sorted = supAlloc( allocator, bytes, _Alignof( supSortedPoint ) );
    if ( sorted == NULL )
    {
        return false;
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        const float* p = points + 3 * (size_t)i;
        sorted[i] = ( supSortedPoint ){ { p[0], p[1], p[2] }, i };
    }
    qsort( sorted, (size_t)count, sizeof( supSortedPoint ), supComparePoints );
    for ( int32_t i = 0; i < count; ++i )
    {
        bool isSame = i > 0 && supIsSamePoint( sorted[i].at, sorted[i - 1].at );
        firsts[sorted[i].index] = isSame ? firsts[sorted[i - 1].index] : sorted[i].index;
    }
    supFree( allocator, sorted, bytes );
    return true;
}

bool supFindSamePoints( const float* points, int32_t count, int32_t* firsts, const supAllocator* allocator )
{
    size_t capacity = 16;
    while ( capacity < (size_t)count * 2 )
    {
        capacity *= 2;
    }
    int32_t* table = supAlloc( allocator, capacity * sizeof( int32_t ), _Alignof( int32_t ) );
    if ( table == NULL )
    {
        return false;
    }
    bool done = supHashPoints( points, count, table, capacity, firsts );
    supFree( allocator, table, capacity * sizeof( int32_t ) );
    return done || supSortPoints( points, count, firsts, allocator );
}

// ---------------------------------------------------------------------------------------------------------------
// Vertices that stand in one place at rest, and the fingerprint of what stands where.

// Rest positions are finite, so equal points are found.
bool supComputeWelds( supCharacter* character )
{
    return supFindSamePoints(
        character->restPositions, character->vertexCount, character->welds, &character->allocator );
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
