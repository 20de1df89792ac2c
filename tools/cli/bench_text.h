// Text that becomes a file as a whole.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/lab/files.h"

#include <stdio.h>

/// Text that becomes a file as a whole (supWriteFile).
typedef struct supTextFile
{
    FILE* stream;
    char* text;
    size_t size;
} supTextFile;

/// What to print to; NULL: no memory.
FILE* supBeginText( supTextFile* file );
supResult supEndText( supTextFile* file, const char* path, supError* error );
