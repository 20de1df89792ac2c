// Action lines that move: the layer's state, stepped.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/muscles/muscle_data.h"

/// What became of one muscle's line at the last step.
typedef struct supLineReport
{
    int32_t rounds;  ///< of the relaxation
    bool settled;    ///< it came to an end
    float activated; ///< contraction that its motion calls for, 0 to 1
} supLineReport;

// Shown floats: three a vertex of every line, its displacement from its bound place in the frame of its joint; then one
// a muscle, the contraction that its own motion activates.
int32_t supMusclesShownCount( const void* compiled );
size_t supMusclesStateSize( const void* compiled );
void supResetMuscles( const void* compiled, void* state, float* shown );
void supStepMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportMuscles( const void* compiled, void* state, supMat34 motion );
void supAdoptMuscles( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
void supTunedMuscle( const void* compiled, void* state, const float* live, int32_t item );
bool supMusclesAreAtRest( const void* compiled, const void* state );
const supLineReport* supMuscleLineReport( const supMuscles* muscles, const void* state, int32_t muscle );
