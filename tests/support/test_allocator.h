#pragma once

#include "supple/base.h"

/// An allocator that counts, and that gives nothing from the `failAt`-th call on, or at that one alone. Ends the
/// program where a block comes back with another size than it went out with.
typedef struct supTestAllocator
{
    int32_t calls;
    int32_t failAt; ///< counted from 0; -1: never
    bool once;      ///< later calls are served
    int64_t live; ///< bytes out, by the sizes that come back: 0 at the end, or something leaked or lied about its size
} supTestAllocator;

/// `test` must outlive what is made with it.
supAllocator supMakeTestAllocator( supTestAllocator* test );
