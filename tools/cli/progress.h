// A progress bar for terminals.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdio.h>

/// A bar on the terminal for what takes longer than a second. Silent when stderr is not a terminal, and for the first
/// second, so that quick work and logs stay clean.
typedef struct supProgress
{
    const char* label;
    FILE* out;           ///< NULL: not a terminal, silence
    double startSeconds; ///< on a clock that only runs forward
    double shownSeconds; ///< when the bar was last drawn
    bool shown;          ///< there is a bar to wipe
} supProgress;

/// On a clock that only runs forward.
double supNowSeconds( void );

/// `label` must live as long as the bar: "baking".
supProgress supStartProgress( const char* label );

/// `share` of the work is done, 0 to 1. Cheap enough to be called for every frame; draws ten times a second at most.
void supProgress_Update( supProgress* progress, double share );

/// The same at a given time.
void supProgress_UpdateAt( supProgress* progress, double share, double nowSeconds );

/// Wipes the bar. Also right when it never appeared.
void supProgress_End( supProgress* progress );
