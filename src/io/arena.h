// Supple io: many allocations that die together.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

/// Memory for what a loader gathers: taken piece by piece, freed at once. Zeroed: empty.
typedef struct supArena
{
    struct supBlock* first;
    size_t used; ///< bytes that were taken
} supArena;

/// `count` items, zeroed, the product checked. NULL: too large, or no memory. Never NULL for a count of 0.
void* supArena_Take( supArena* arena, size_t count, size_t itemSize );
/// A copy of the first `length` bytes of a text, ended with a NUL; NULL: no memory.
char* supArena_TakeText( supArena* arena, const char* text, size_t length );
void supArena_Free( supArena* arena );
