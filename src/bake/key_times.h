// Times of keys, gathered from tracks.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "base/scalar_math.h"
#include "supple/character.h"

/// Whether nobody sees what happens between two times: there a joint jumps (STEP), or turns over (a cubic curve through
/// nearly opposite rotations), and its helpers with it. A tenth of a millisecond, and more where floats are coarser.
static inline bool supIsUnseen( double from, double to )
{
    return to - from < 1e-4 + 2e-6 * supAbs( to );
}

/// Whether any value of a track differs from the first.
bool supTrackMoves( const supTrackDef* track );

/// False: no memory. `times`: doubles.
bool supAddTime( supArray* times, double time );
/// In place, and the same everywhere.
void supSortTimes( double* times, size_t count );

/// Sorted keys to times: near ones made one (the first and the last stay), spans longer than `longest` divided into
/// ones of at most `fine`. Appended to `times`. False: no memory.
bool supLayTimes( const double* keys, size_t count, double longest, double fine, supArray* times );

/// Times for keys of a clip, as a file holds them (floats), rising: the keys of all tracks that move a marked joint
/// (`marks`, one a joint; NULL: all), one just before every jump, and times between as supLayTimes has them. Written to
/// `times`, which is empty. False: no memory.
bool supLayClipTimes(
    const supCharacter* character, int32_t clip, const uint8_t* marks, double longest, double fine, supArray* times );
