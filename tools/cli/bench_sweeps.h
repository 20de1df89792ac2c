// The bench beyond one character: a million vertices, springs in bulk, a crowd, cost against this and that.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_measure.h"

/// Each returns an exit code and says on stderr what went wrong.
int supBenchBeams( supBench* bench );
int supBenchMillion( supBench* bench );
int supBenchSprings( supBench* bench );
int supBenchCrowd( supBench* bench, int count );
int supBenchPlots( supBench* bench, const char* folder );
