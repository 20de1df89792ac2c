// Benches of fat share these.
// SPDX-License-Identifier: MIT
#pragma once

#include "bench_scene.h"

enum
{
    sup_fallSteps = 60, ///< of one second of animation
};

/// A body that falls from no gravity into gravity, where it stands, again and again.
typedef struct supFall
{
    supBenchScene* scene;
    bool skins; ///< positions, after every step
} supFall;

void supStartFall( void* fall );
/// One second, in 60 steps.
void supRunFall( void* fall );

/// Adds an item of fat to a rig.
supResult supAddFat( supRig* rig, const supFatDef* def, supError* error );
/// Nanoseconds of a frame that runs in real time.
double supRealTimeFrame( void );
