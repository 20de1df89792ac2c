// The order of vertices for skinning.
// SPDX-License-Identifier: MIT
//
// Vertices that use the same joints and elements fill whole blocks first. What is left of each such set, fewer than 16
// vertices, is put together: a block begins with the set that needs the least and takes on, as long as it has room, the
// one that adds the fewest joints and elements to it. Cutting the sorted vertices every 16 instead, so that a block's
// end falls anywhere in a set, gave the cat 5.0 joints a block and the woman 2.4.
#include "rig/skin_blocks.h"

#include <stdlib.h>
#include <string.h>

enum
{
    supFarthestSet = 128, ///< of those that are left, how many are looked at: keeps the time in proportion
};

static int supCompareSets( const supSkinKey* x, const supSkinKey* y )
{
    int order = memcmp( x->elements, y->elements, sizeof( x->elements ) );
    for ( int i = 0; i < SUP_MAX_INFLUENCES && order == 0; ++i )
    {
        order = (int)x->joints[i] - (int)y->joints[i];
    }
    return order;
}

static int supCompareKeys( const void* a, const void* b )
{
    const supSkinKey *x = a, *y = b;
    int order = supCompareSets( x, y );
    return order != 0 ? order : x->vertex - y->vertex;
}

/// Where the set that begins at `first` ends.
static int32_t supSetEnd( const supSkinKey* keys, int32_t first, int32_t count )
{
    int32_t end = first + 1;
    while ( end < count && supCompareSets( keys + first, keys + end ) == 0 )
    {
        ++end;
    }
    return end;
}

/// What a block in the making uses.
typedef struct supUsed
{
    uint16_t joints[SUP_BLOCK * SUP_MAX_INFLUENCES], elements[SUP_BLOCK * supMostTouches];
    int32_t jointCount, elementCount;
} supUsed;

static bool supIsIn( const uint16_t* list, int32_t count, uint16_t value )
{
    int32_t i = 0;
    while ( i < count && list[i] != value )
    {
        ++i;
    }
    return i < count;
}

/// How many joints and elements a set would add.
static int32_t supCountNew( const supUsed* used, const supSkinKey* key )
{
    int32_t count = 0;
    for ( int i = 0; i < SUP_MAX_INFLUENCES && key->joints[i] != 0xffff; ++i )
    {
        count += !supIsIn( used->joints, used->jointCount, key->joints[i] );
    }
    for ( int i = 0; i < supMostTouches && key->elements[i] != 0xffff; ++i )
    {
        count += !supIsIn( used->elements, used->elementCount, key->elements[i] );
    }
    return count;
}

static void supUse( supUsed* used, const supSkinKey* key )
{
    for ( int i = 0; i < SUP_MAX_INFLUENCES && key->joints[i] != 0xffff; ++i )
    {
        if ( !supIsIn( used->joints, used->jointCount, key->joints[i] ) )
        {
            used->joints[used->jointCount++] = key->joints[i];
        }
    }
    for ( int i = 0; i < supMostTouches && key->elements[i] != 0xffff; ++i )
    {
        if ( !supIsIn( used->elements, used->elementCount, key->elements[i] ) )
        {
            used->elements[used->elementCount++] = key->elements[i];
        }
    }
}

/// Sets that are left, one behind the other; a key whose vertex is -1 has been taken.
typedef struct supLeft
{
    supSkinKey* keys;
    int32_t first, count; ///< before `first` all have been taken
    int32_t reach;        ///< from here on none has
} supLeft;

/// Of the first sets that are left, the one that adds the least; of several the largest.
static int32_t supBestSet( supLeft* left, const supUsed* used )
{
    int32_t best = -1, least = INT32_MAX, most = 0;
    for ( int32_t at = left->first, seen = 0; at < left->count && seen < supFarthestSet; )
    {
        int32_t end = supSetEnd( left->keys, at, left->count );
        while ( at < end && left->keys[at].vertex < 0 )
        {
            ++at;
        }
        int32_t added = at < end ? supCountNew( used, left->keys + at ) : INT32_MAX;
        if ( at < end && ( added < least || ( added == least && end - at > most ) ) )
        {
            best = at;
            least = added;
            most = end - at;
        }
        seen += at < end;
        at = end;
        left->reach = end > left->reach ? end : left->reach;
    }
    return best;
}

/// Closes the gaps: what has been taken comes to stand before the rest.
static void supCloseGaps( supLeft* left )
{
    int32_t to = left->reach;
    for ( int32_t at = left->reach - 1; at >= left->first; --at )
    {
        if ( left->keys[at].vertex >= 0 )
        {
            left->keys[--to] = left->keys[at];
        }
    }
    left->first = to;
}

/// Blocks of what is left, into `out`.
static void supJoinSets( supLeft left, supSkinKey* out )
{
    while ( left.first < left.count )
    {
        supUsed used = { .jointCount = 0 };
        int32_t most = left.count - left.first;
        for ( int32_t room = most < SUP_BLOCK ? most : SUP_BLOCK; room > 0; )
        {
            int32_t at = supBestSet( &left, &used );
            int32_t end = supSetEnd( left.keys, at, left.count );
            supUse( &used, left.keys + at );
            for ( ; room > 0 && at < end; ++at, --room )
            {
                *out++ = left.keys[at];
                left.keys[at].vertex = -1;
            }
        }
        supCloseGaps( &left );
    }
}

void supOrderKeys( supSkinKey* keys, int32_t count, supSkinKey* scratch )
{
    qsort( keys, (size_t)count, sizeof( supSkinKey ), supCompareKeys );
    int32_t whole = 0, left = 0;
    for ( int32_t first = 0; first < count; )
    {
        int32_t end = supSetEnd( keys, first, count );
        int32_t full = ( end - first ) / SUP_BLOCK * SUP_BLOCK;
        memmove( keys + whole, keys + first, sizeof( supSkinKey ) * (size_t)full );
        memcpy( scratch + left, keys + first + full, sizeof( supSkinKey ) * (size_t)( end - first - full ) );
        whole += full;
        left += end - first - full;
        first = end;
    }
    supJoinSets( ( supLeft ){ scratch, 0, left, 0 }, keys + whole );
}
