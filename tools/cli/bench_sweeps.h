// The bench beyond one character: a million vertices, springs in bulk, a crowd, cost against this and that.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_measure.h"

/// Each returns an exit code and says on stderr what went wrong.
/// `plots`: a folder for time against frames; NULL: none.
int supBenchBeams( supBench* bench, const char* plots );
/// `path`: a human, built in or a file.
int supBenchMuscles( supBench* bench, const char* path );
/// The same with fat of 5,000 nodes.
int supBenchAnatomy( supBench* bench, const char* path );
/// The same human, flesh in contact with the body's other parts.
int supBenchContact( supBench* bench, const char* path );
/// `solid`: a file for the nodes and voxels as text; NULL: none. `quick`: a quarter of the nodes.
int supBenchFat( supBench* bench, const char* solid, bool quick );
/// `folder`: for the plot; NULL: none.
int supBenchFatSizes( supBench* bench, const char* folder );
int supBenchMillion( supBench* bench );
int supBenchSprings( supBench* bench );
int supBenchCrowd( supBench* bench, int count );
int supBenchPlots( supBench* bench, const char* folder );
