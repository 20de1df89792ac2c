// Supple: things that are joined, two by two, into groups.
// SPDX-License-Identifier: MIT
//
// parents[i] = i to begin with. The first thing of a group is its root, whatever the order of the joins.
#pragma once

#include <stdint.h>

/// Shortens the way for the next one who asks.
static inline int32_t supFindRoot( int32_t* parents, int32_t i )
{
    while ( parents[i] != i )
    {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

static inline void supJoinRoots( int32_t* parents, int32_t a, int32_t b )
{
    a = supFindRoot( parents, a );
    b = supFindRoot( parents, b );
    parents[a > b ? a : b] = a > b ? b : a;
}
