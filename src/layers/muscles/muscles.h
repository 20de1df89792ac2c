// The layer of muscles: action lines and the forms that hang on them. It moves no skin by itself: layers after it read
// where the muscles are (muscle_frame.h).
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"
#include "layers/muscles/muscle_data.h"

extern const supLayer sup_musclesLayer;

supResult supCompileMuscles(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );

// Muscles as parts that tense, for layers above them.

int32_t supMusclePartCount( const void* compiled );
const char* supMusclePartName( const void* compiled, int32_t part );
bool supMusclePartDistances( const supEarlierLayer* self, const supLayerContext* context, const supVec3* points,
    int32_t pointCount, float* out );
void supMusclePartTensions( const supEarlierLayer* self, float* out );

/// Pictures: "muscles" are their forms, "lines" their lines, "fields" what pulls on these.
void supDrawMuscles( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
