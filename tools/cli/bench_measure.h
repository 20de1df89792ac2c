// Measuring: cases that take turns in one process, best and median of many rounds.
// SPDX-License-Identifier: MIT
#pragma once

#include "progress.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// One thing to measure. Text is the caller's and outlives the bench.
typedef struct supBenchCase
{
    const char* scene;
    const char* what;   ///< "positions"
    const char* path;   ///< how: "plain C -O2", "AVX2"
    const char* per;    ///< what the time is divided by: "vertex", "element", "body", "frame"
    double count;       ///< how many of these one run does
    const char* versus; ///< `what` of the case in the same group that it is compared with; NULL: none
    void ( *run )( void* context );
    void* context;
} supBenchCase;

typedef struct supBench
{
    json_t* rows;   ///< of the report
    double seconds; ///< for each group of cases
    bool quiet;     ///< no table
    json_t* facts;  ///< of the report: what a scene found out beside times, under its name
    supProgress progress;
} supBench;

/// Nanoseconds from a clock that only goes forward.
double supBenchClock( void );

/// Holds the calling thread on one processor, where the system lets it, or lets it go again.
void supBenchPin( bool pinned );

/// All cases in turns, first round not counted, until the time is up and there were at least 15 rounds. Adds a row
/// each, and prints it.
void supMeasure( supBench* bench, const supBenchCase* cases, int count );

/// What is done before every run of a case and not timed.
typedef void supBenchPrepare( void* context );
/// The same with one for each case, where it is not NULL.
void supMeasurePrepared( supBench* bench, const supBenchCase* cases, supBenchPrepare* const* prepares, int count );

/// One more row: times are per `one->per` already; a ratio of 0 is none.
void supAddBenchRow( supBench* bench, const supBenchCase* one, double best, double median, double ratio );

/// Best time of a row, counted back from the last one.
double supLastBenchNs( const supBench* bench, size_t back );

/// Bytes whose start differs by an odd number of cache lines from one `turn` to the next: page-aligned buffers get in
/// each other's way. Freed by supFreeStaggered.
void* supAllocStaggered( size_t bytes, int turn );
void supFreeStaggered( void* block, int turn );

/// Processor, compiler, flags.
json_t* supBenchMachine( void );
