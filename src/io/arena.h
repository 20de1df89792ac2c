// Supple io: many allocations that die together.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

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

// ---------------------------------------------------------------------------------------------------------------
// Supple io: text put together piece by piece into a buffer that may be too small. Internal to src/io.

/// Counts on where the buffer ends, so that a first pass without one gives the length.
typedef struct supTextSink
{
    char* text;
    size_t size;
    size_t length; ///< of all of it
} supTextSink;

void supTextSink_Bytes( supTextSink* sink, const char* bytes, size_t count );
void supTextSink_Text( supTextSink* sink, const char* text );
void supTextSink_Format( supTextSink* sink, const char* format, ... ) SUP_PRINTF( 2, 3 );
/// Sets the end mark and gives the length of all of it.
size_t supTextSink_End( supTextSink* sink );
