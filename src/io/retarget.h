// Supple io: motion of one skeleton on another. Internal to src/io.
// SPDX-License-Identifier: MIT
#pragma once

#include "io/arena.h"
#include "supple/io.h"

/// Which joint of the motion moves each joint of the character; -1: none. `map`: JSON text {"joint of the motion":
/// "joint of the character"}, or NULL. `partners` has one for each joint of the character. Gives how many have one, -1:
/// failed.
int32_t supMatchJoints( const supCharacter* character, const supCharacter* motion, const char* mapPath,
    int32_t* partners, supError* error );

/// A clip of the motion as tracks on the character. Memory from `arena`. Gives the number of tracks; -1: no memory.
int32_t supRetargetClip( const supCharacter* character, const supCharacter* motion, int32_t clip,
    const int32_t* partners, supArena* arena, const supTrackDef** tracks );
