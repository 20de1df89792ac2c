// Fat by the reference: the paper's explicit solver on the same solid.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"

/// Bytes of an item's state beside what the vibrations need. 0 unless it is a reference.
size_t supFatReferenceSize( const supFat* fat );

/// A frame as the explicit solver sees it.
typedef struct supFatLoad
{
    const float* live;
    const supMat34* turns;         ///< of the joints, since rest
    const supMat34* accelerations; ///< of the joints' matrices, world space, mean of the frame
    const float* pulls;            ///< of gravity on each joint, rest space: three numbers each
    float worldScale, speed;       ///< speed: supFatSpeed
    const double* forces;          ///< from outside, or NULL. Newtons
    float dt;
} supFatLoad;

/// Starts at the displacement that the shown floats of the live solver stand for.
void supFatReference_Start( const supFat* fat, void* block, const float* shown );
void supFatReference_Step( const supFat* fat, void* block, const supFatLoad* load );
/// Displacements of the free nodes, rest space.
void supFatReference_Show( const supFat* fat, const void* block, float* shown );
