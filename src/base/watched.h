// Supple: long work that somebody watches (supWatch), and its parts.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// A part of the whole: shares of it.
typedef struct supWatchedShare
{
    double from, span;
} supWatchedShare;

/// A call that is watched, while it runs. Every function takes NULL for it: nobody looks.
typedef struct supWatched
{
    supWatch watch;
    supWatchedShare part; ///< that is being worked on: what is told is a share of it
    double last;          ///< share of the whole that was told last
    const char* stage;    ///< and what was being done
    bool stopped;         ///< it was to stop
} supWatched;

supWatched supStartWatched( const supWatch* watch );
/// `done` of the part at hand; `stage` lives as long as the work, or NULL: as before. False: stop, and say nothing
/// more: whoever began has the words for it.
bool supWatched_Tell( supWatched* watched, const char* stage, double done );
/// What is told from now on is a share of [from, to] of the part at hand. Gives the part, for supWatched_Leave.
supWatchedShare supWatched_Enter( supWatched* watched, double from, double to );
void supWatched_Leave( supWatched* watched, supWatchedShare part );
/// The result of the whole: what was stopped has failed for that reason, whatever else came of it.
supResult supWatched_End( const supWatched* watched, supResult result, supError* error );
