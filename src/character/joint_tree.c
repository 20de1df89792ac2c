// Supple: joints in an order in which parents stand before their children.
// SPDX-License-Identifier: MIT
#include "character_data.h"

#include <string.h>

/// A joint on a cycle: from one that no root leads to, as many steps up as there are joints end on it.
static int32_t supFindCycle(
    const supJoint* joints, int32_t count, const int32_t* order, int32_t reached, int32_t* scratch )
{
    memset( scratch, 0, (size_t)count * sizeof( int32_t ) );
    for ( int32_t i = 0; i < reached; ++i )
    {
        scratch[order[i]] = 1;
    }
    int32_t joint = 0;
    while ( scratch[joint] != 0 )
    {
        ++joint;
    }
    for ( int32_t step = 0; step < count; ++step )
    {
        joint = joints[joint].view.parent;
    }
    return joint;
}

// Children are sorted by parent with a counting sort, then the tree is walked breadth first, so `order` itself is the
// queue. Linear in the number of joints, however deep the tree is, and no recursion.
int32_t supOrderJoints( supJoint* joints, int32_t count, int32_t* order, int32_t* scratch )
{
    int32_t* starts = scratch; // count + 1: where the children of each joint start
    int32_t* children = scratch + count + 1;
    memset( starts, 0, ( (size_t)count + 1 ) * sizeof( int32_t ) );
    int32_t reached = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( joints[i].view.parent >= 0 )
        {
            starts[joints[i].view.parent] += 1;
        }
        else
        {
            joints[i].depth = 0;
            order[reached++] = i;
        }
    }
    for ( int32_t i = 1; i <= count; ++i )
    {
        starts[i] += starts[i - 1];
    }
    for ( int32_t i = count - 1; i >= 0; --i )
    {
        if ( joints[i].view.parent >= 0 )
        {
            starts[joints[i].view.parent] -= 1;
            children[starts[joints[i].view.parent]] = i;
        }
    }
    for ( int32_t at = 0; at < reached; ++at )
    {
        int32_t parent = order[at];
        for ( int32_t c = starts[parent]; c < starts[parent + 1]; ++c )
        {
            joints[children[c]].depth = joints[parent].depth + 1;
            order[reached++] = children[c];
        }
    }
    return reached == count ? -1 : supFindCycle( joints, count, order, reached, scratch );
}

// ---------------------------------------------------------------------------------------------------------------
// Joints found by their names.
//
// Rigs name a joint for each element, and automatic ones ask for each joint whether its name is its own: a look at all
// names each time would cost the square of them. They are sorted once, when the character is made.

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
