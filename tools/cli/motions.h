// --motion: clips from other files, put on a character before anything is simulated.
// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"
#include "supple/io.h"

typedef struct supMotionsDef
{
    const char* command; ///< stands before notes on stderr
    const supTextList* files;
    const char* map; ///< NULL: names alone
    bool isBinary;   ///< the document will be written as .glb
    bool isQuiet;    ///< does not say what matched
} supMotionsDef;

/// Adds the clips to the document, and reads *character from it again.
supResult supAddMotions( const supMotionsDef* def, supGltf* document, supCharacter** character, supError* error );
