// Forces from outside that reach fat through the skin.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_state.h"

/// Numbers of scratch that supFatRemainder needs; 0: the fat has no factor.
size_t supFatSolveCount( const supFat* fat );
/// What the waiting forces give to each mode, into at->forced; they are weighed by the density that it has now.
void supGatherForces( const supFat* fat, const supFatPlaces* at, const float* live );

/// How what the modes leave out follows a force.
typedef struct supFatLag
{
    const float* live;
    float speed; ///< supFatSpeed
    float dt;    ///< seconds; below zero: at once
} supFatLag;

/// What the modes leave out of the waiting forces (`forced`; else of none), by one frame: x, y, z a free node, metres.
/// Of a fat with a factor. Gives whether it has come to rest at zero.
bool supFatRemainder( const supFat* fat, const supFatPlaces* at, const supFatLag* lag, bool forced, float* shown );
