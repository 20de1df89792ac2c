// Layers that are nothing but springs on joints, along a clip: in closed form.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/take_data.h"

/// Solves all springs of the take's layers.
supResult supSolveSwings( supTake* take, supError* error );
void supDropSwings( supTake* take );
/// Whether the layer's shown floats are such springs: nothing of it is stepped.
bool supIsSwings( const supStackLayer* entry );
/// What a spring shows at a time of the clip, held outside. `joints`: of the pose at that time.
supVec3 supTakeSwingAt( const supTake* take, int32_t swing, double time, const supMat34* joints );
/// All of them, each in its place among the shown floats of all layers.
void supTakeSwings( const supTake* take, double time, const supMat34* joints, float* shown );
