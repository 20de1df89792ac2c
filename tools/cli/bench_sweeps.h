// The bench beyond one character: a million vertices, springs in bulk, a crowd, cost against this and that.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_measure.h"

/// Each returns an exit code and says on stderr what went wrong.
/// `plots`: a folder for time against frames; NULL: none.
int supBenchBeams( supBench* bench, const char* plots );
/// `path`: a human, built in or a file.
int supBenchMuscles( supBench* bench, const char* path );
int supBenchMillion( supBench* bench );
int supBenchSprings( supBench* bench );
int supBenchCrowd( supBench* bench, int count );
int supBenchPlots( supBench* bench, const char* folder );
