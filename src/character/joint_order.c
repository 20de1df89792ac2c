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
