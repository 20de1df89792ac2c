// What the viewer is asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

typedef struct supViewerOptions
{
    const char* file;   ///< a path, or the name of a built-in character
    const char* way;    ///< "gpu" or "vertices"
    const char* clip;   ///< that all play; NULL: all of them, in turn
    const char* blend;  ///< with `shot`: the clip that they are going over to; NULL: none
    const char* region; ///< "belly=0.5", or NULL
    const char* flesh;  ///< how much all regions move, 0 to 10
    const char* shot;   ///< a file to write; NULL: a window
    int bodies, frames, width, height;
} supViewerOptions;

/// Reads the words over the defaults that are there. False: says on stderr which word is not understood.
bool supReadViewerOptions( supViewerOptions* out, int count, char** words );
