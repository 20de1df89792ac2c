// What a command is doing, for whoever waits for it.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

/// Where it is told.
typedef enum supProgressForm
{
    /// A line on the terminal that renews itself; silence where stderr is none, and for the first second, so that quick
    /// work and logs stay clean
    sup_progressBar,
    sup_progressBarByHand, ///< the same, renewed by updates alone: for a process that forks, and has no second thread
    sup_progressLines,     ///< a plain line on stderr for every stage, and for every tenth of it that can be measured
} supProgressForm;

enum
{
    sup_endingCount = 2 // signals that end a command: SIGINT, SIGTERM
};

/// What stands in the help of --progress.
#define SUP_PROGRESS_HELP "tell on stderr what is being done, line by line; on a terminal\na bar shows it anyhow"

/// Zeroed: silence, as is NULL for it. Any thread may tell it something.
typedef struct supProgress
{
    const char* command;
    FILE* out; ///< NULL: silence
    supProgressForm form;
    char stage[64];                           ///< what is being done
    double share;                             ///< of it that is done; below 0: not known
    double startSeconds;                      ///< of the whole, on a clock that only runs forward
    double stageSeconds;                      ///< when the share began to be counted
    double grownSeconds;                      ///< when it last grew
    double shownSeconds;                      ///< when the bar was last drawn
    bool shown;                               ///< there is a bar to wipe
    int tenths;                               ///< that lines have told
    bool catches;                             ///< signals, so that the bar is wiped when they end it all
    struct sigaction before[sup_endingCount]; ///< what they did before
    bool ends, ticks;                         ///< of the thread that renews the bar: it is to end; there is one
    pthread_t ticker;
    pthread_mutex_t lock;
    pthread_cond_t wake;
} supProgress;

/// On a clock that only runs forward.
double supNowSeconds( void );

/// Must be ended. `command` stands before lines: "bake".
void supStartProgress( supProgress* progress, const char* command, supProgressForm form );
/// The next thing to do, which cannot be measured yet: "reading fox.glb".
void supProgress_Stage( supProgress* progress, const char* format, ... ) SUP_PRINTF( 2, 3 );
/// `share` of the stage is done, 0 to 1. Cheap enough to be called for every frame.
void supProgress_Update( supProgress* progress, double share );
/// So much more of it is done.
void supProgress_Add( supProgress* progress, double share );
/// For work of the library that names its stages: each is the progress's own, and the share is of all of them.
supWatch supProgress_Watch( supProgress* progress );
/// For work whose share is all that is told.
supWatch supProgress_WatchShare( supProgress* progress );
/// Wipes the bar before something else is written to the terminal; it comes again by itself.
void supProgress_Wipe( supProgress* progress );
/// Wipes it for good. Also right when it never appeared, and a second time.
void supProgress_End( supProgress* progress );

/// Draws the bar as it is at a time, unless that is in the first second.
void supProgress_DrawAt( supProgress* progress, double nowSeconds );
