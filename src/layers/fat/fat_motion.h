// What the body's motion and the inner border's own give to the vibrations of fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_state.h"

supMat34 supMatDifference( supMat34 a, supMat34 b );
/// The twelve numbers of a matrix of motion, taken back by a turn, in the order of `gather`.
void supMotionNumbers( supMat34 turn, supMat34 motion, float scale, float out[12] );
/// Adds the modes' shares of a joint's matrix of motion, taken back by its turn. `scale`: from world to model.
void supGatherMotion( const supFat* fat, int32_t joint, supMat34 turn, supMat34 motion, float scale, float* out );
/// Moves a joint's history on by a frame, and gives the modes their shares of it.
void supReadJoint( const supFat* fat, const supFatPlaces* at, int32_t j, supMat34 carried, supMat34 turn,
    supVec3 travel, float worldScale );
/// The inner border's own motion, which the fat above it feels.
void supReadBorder( const supFat* fat, const supFatPlaces* at, const float* shares, bool moves );
/// In `last`: where a joint was is not known.
static inline float supUnseen( void )
{
    return (float)( supInfinity() - supInfinity() );
}
