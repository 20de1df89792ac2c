// A built-in character with a garment on it.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/character.h"

/// Whether the garment covers a place of the skin at rest.
typedef bool supCovers( supVec3 place );

/// The character with a second mesh, `name`: a copy of the skin that the garment covers, `thickness` metres outside of
/// it, with the skin's own weights. For built-in characters: one mesh, joints that stand unturned at rest.
supResult supDressCharacter( const supCharacter* bare, const char* name, supCovers* covers, float thickness,
    supCharacter** out, supError* error );
