// Supple io: text put together piece by piece into a buffer that may be too small. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

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
