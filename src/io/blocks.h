// Supple io: many allocations that die together.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

/// Memory for what a loader gathers: taken piece by piece, freed at once. Zeroed: empty.
typedef struct supBlocks
{
    struct supBlock* first;
    size_t used; ///< bytes that were taken
} supBlocks;

/// `count` items, zeroed, the product checked. NULL: too large, or no memory. Never NULL for a count of 0.
void* supBlocks_Take( supBlocks* blocks, size_t count, size_t itemSize );
/// A copy of the first `length` bytes of a text, ended with a NUL; NULL: no memory.
char* supBlocks_TakeText( supBlocks* blocks, const char* text, size_t length );
void supBlocks_Free( supBlocks* blocks );
