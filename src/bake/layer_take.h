// Layers with a motion of their own, along a clip: their shown floats, recorded.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/take_data.h"

/// Runs the layers of the take's model along its clip, with the take's own elongations. A take that loops is run until
/// its end returns to its start. Nothing to do, and nothing allocated, where no layer has shown floats.
supResult supRecordLayers( supTake* take, supError* error );
void supDropLayers( supTake* take );
/// The shown floats of all layers at a time of the clip, held outside: a cubic through the four nodes around it.
void supTakeLayers( const supTake* take, double time, float* shown );
