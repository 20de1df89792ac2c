// Muscles as parts that tense, for layers above them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

int32_t supMusclePartCount( const void* compiled );
const char* supMusclePartName( const void* compiled, int32_t part );
bool supMusclePartDistances( const supEarlierLayer* self, const supLayerContext* context, const supVec3* points,
    int32_t pointCount, float* out );
void supMusclePartTensions( const supEarlierLayer* self, float* out );
