// What a body takes from its host, and the state that it goes back to where a step came to no number.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "body/body_jump.h"
#include "rig/model_data.h"
#include "supple/body.h"

// Finite numbers that are far beyond any stage overflow when they are squared and multiplied: refused as NaN is.
#define SUP_MOST_SCALE 1e6f   ///< of the linear part of a joint or a world
#define SUP_MOST_PLACE 1e9f   ///< of a joint or a world, from its origin. Metres
#define SUP_MOST_BACK 1e12f   ///< of the inverse of a world's linear part
#define SUP_LEAST_STEP 1e-9f  ///< but for 0. Seconds
#define SUP_MOST_STEP 1e6f    ///< eleven days. Seconds
#define SUP_MOST_SPEED 1e6f   ///< of wind. m/s
#define SUP_MOST_GRAVITY 1e6f ///< m/s^2
#define SUP_MOST_FORCE 1e12f  ///< newtons, newton seconds

/// All that a step changes, as the last good one left it.
typedef struct supKeptState
{
    char* states; ///< of the layers, one after the other, each aligned to 64
    float* shown; ///< by them
    supJumps jumps;
} supKeptState;

/// Its arrays in the body's block.
void supPlaceKept( supKeptState* kept, const supModel* model, supLayout* layout );

bool supIsSaneVec3( supVec3 v, float most );
/// Finite, and within SUP_MOST_SCALE and SUP_MOST_PLACE.
bool supAreSaneMats( const supMat34* mats, size_t count );
/// The same, and not flat: what is shown in it comes back within SUP_MOST_BACK, by `inverse`.
bool supIsSaneWorld( const supMat34* world, supMat34* inverse );
/// Of morph targets: finite, and within SUP_MOST_SCALE.
bool supAreSaneWeights( const float* weights, size_t count );
/// 0, or between SUP_LEAST_STEP and SUP_MOST_STEP.
bool supIsSaneStep( float dt );

/// Keeps the state as it is now.
void supBody_Keep( supBody* body );
/// After a step: keeps the state where all of it is finite; else goes back to the one that was kept, or to rest where
/// that comes to no number again, and counts it.
void supBody_Heal( supBody* body );
