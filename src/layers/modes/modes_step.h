// The functions of the layer of modes: see layers/layer.h for what each is asked to do.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/modes/modes.h"

int32_t supModesShownCount( const void* compiled );
size_t supModesStateSize( const void* compiled );
void supResetModes( const void* compiled, void* state, float* shown );
void supStepModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportModes( const void* compiled, void* state, supMat34 motion );
void supAdoptModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
bool supModesAreAtRest( const void* compiled, const void* state );
void supTunedMode( const void* compiled, void* state, const float* live, int32_t item );
supSwingView supModeSwing( const void* compiled, int32_t index, const float* live );
supVec3 supModeShown( const void* compiled, int32_t index, const float* live, supMat34 joint, supVec3d u );
