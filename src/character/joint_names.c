// Supple: joints found by their names.
// SPDX-License-Identifier: MIT
//
// Rigs name a joint for each element, and automatic ones ask for each joint whether its name is its own: a look at all
// names each time would cost the square of them. They are sorted once, when the character is made.
#include "character_data.h"

#include <string.h>

static bool supComesFirst( const supCharacter* character, int32_t a, int32_t b )
{
    int order = strcmp( character->joints[a].view.name, character->joints[b].view.name );
    return order != 0 ? order < 0 : a < b;
}

/// Two sorted runs of `from`, the second of which ends before `end`, as one in `to`.
static void supMergeRuns(
    const supCharacter* character, const int32_t* from, int32_t first, int32_t middle, int32_t end, int32_t* to )
{
    int32_t a = first, b = middle;
    for ( int32_t i = first; i < end; ++i )
    {
        bool takesFirst = b >= end || ( a < middle && supComesFirst( character, from[a], from[b] ) );
        to[i] = takesFirst ? from[a++] : from[b++];
    }
}

void supSortJointNames( supCharacter* character, int32_t* scratch )
{
    int32_t count = character->jointCount;
    int32_t *from = character->jointsByName, *to = scratch;
    for ( int32_t i = 0; i < count; ++i )
    {
        from[i] = i;
    }
    for ( int64_t run = 1; run < count; run *= 2 )
    {
        for ( int64_t first = 0; first < count; first += 2 * run )
        {
            int64_t middle = first + run < count ? first + run : count;
            int64_t end = first + 2 * run < count ? first + 2 * run : count;
            supMergeRuns( character, from, (int32_t)first, (int32_t)middle, (int32_t)end, to );
        }
        int32_t* other = from;
        from = to;
        to = other;
    }
    if ( from != character->jointsByName )
    {
        memcpy( character->jointsByName, from, sizeof( int32_t ) * (size_t)count );
    }
}

int32_t supCharacter_FindJoint( const supCharacter* character, const char* name )
{
    int32_t first = 0, end = character->jointCount;
    while ( name != NULL && first < end )
    {
        int32_t middle = first + ( end - first ) / 2;
        int32_t joint = character->jointsByName[middle];
        bool isBefore = strcmp( character->joints[joint].view.name, name ) < 0;
        first = isBefore ? middle + 1 : first;
        end = isBefore ? end : middle;
    }
    int32_t found = name != NULL && first < character->jointCount ? character->jointsByName[first] : -1;
    return found >= 0 && strcmp( character->joints[found].view.name, name ) == 0 ? found : -1;
}
