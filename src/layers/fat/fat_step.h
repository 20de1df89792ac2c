// The functions of the layer of fat: see layers/layer.h for what each is asked to do.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"

/// Where each item's state and shown floats stand in the layer's.
void supPlaceFatStates( supFats* fats );

int32_t supFatsShownCount( const void* compiled );
size_t supFatsStateSize( const void* compiled );
size_t supFatsScratchSize( const void* compiled );
void supResetFats( const void* compiled, void* state, float* shown );
void supStepFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportFats( const void* compiled, void* state, supMat34 motion );
void supAdoptFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown, const void* oldCompiled,
    const void* oldState, const float* oldShown );
void supForceFats( const void* compiled, void* state, const supLayerFrame* frame, int32_t vertex, supVec3 force );
bool supFatsAreAtRest( const void* compiled, const void* state );
int64_t supFatsCutCount( const void* compiled, const void* state );
void supTunedFat( const void* compiled, void* state, const float* live, int32_t item );

/// None with a reference: that one is run until its cycles close.
size_t supFatLoopSize( const void* compiled );
void supFatLoopBegin( const void* compiled, const void* state, void* loop );
void supFatLoopStep( const void* compiled, const void* state, void* loop );
supLoopReport supFatLoopEnd( const void* compiled, void* state, void* loop, const float* live, supMat34 turn );

void supApplyFats( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawFats( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

/// In this time corrections go over to what a hand has changed, to a third; for eight times as long. Seconds
#define SUP_FAT_EASE 0.05f

/// How many times faster than when it was compiled a fat with these live fields swings.
float supFatSpeed( const supFat* fat, const float* live );
/// The rotation of an item's joint since rest, model space.
supMat34 supFatTurn( const supFat* fat, int32_t joint, supMat34 carried );
/// Displacements of the free nodes in rest space, three rows of numbers one after the other would be slower: x, y, z a
/// node. `out`: fat->rowSize floats.
void supFatDisplacements( const supFat* fat, const float* shown, float limit, float* out );
