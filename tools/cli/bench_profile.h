// Where a frame's time goes, as the body itself reports it.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_scene.h"

/// A row for each part of a frame with positions and normals: supBody_SetProfile, which any host can ask for the same.
void supBenchProfile( supBench* bench, supBenchScene* scene );
