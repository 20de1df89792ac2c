// A character that a command was given: a glTF file, or a built-in one by its name.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/auto.h"
#include "supple/creatures.h"
#include "supple/io.h"

typedef struct supInput
{
    const char* path;    ///< as given
    const char* command; ///< stands before notes on stderr
    supGltf* document;   ///< NULL for a built-in character
    supCreature* creature;
    supCharacter* own; ///< what `character` points to, where it came from a file
    const supCharacter* character;
    const supLook* look;
} supInput;

/// Opens a file; where there is none of that name, a built-in character. Must be closed in either case.
supResult supOpenInput( supInput* input, const char* command, const char* path, supError* error );
void supCloseInput( supInput* input );

/// The rig to use: the file `rigPath`; without one, the automatic rig of `preset`; without that either, the rig inside
/// the document, or else the automatic one in `natural`. `automatic` (may be NULL) tells which it was.
supResult supInput_Rig(
    const supInput* input, const char* rigPath, const char* preset, bool* automatic, supRig** out, supError* error );

/// The last part of a path.
const char* supBaseName( const char* path );
