// What a moving body keeps of its vibrating curves.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/curves/vibration.h"
#include "solve/swing.h"

/// One ring's oscillators, world space, and what its center moved by in the last frames, newest first.
typedef struct supRingState
{
    supVec3 u[supRingHarmonics], s[supRingHarmonics];
    supVec3 deltas[SUP_PATH_SPANS];
    supVec3 arm;  ///< the center from the world's origin
    supVec3 pull; ///< gravity's acceleration of its flesh beyond rest
} supRingState;

/// The steps of an item's rings, closed and open ones, and how much a pull of 1 shifts them.
typedef struct supItemSteps
{
    supSpringStep steps[2][supRingHarmonics];
    float compliance[2][supRingHarmonics];
} supItemSteps;

typedef struct supVibrationState
{
    supSwingClock clock;
    supVec3 worldOrigin;
    bool started, stale, moved;
} supVibrationState;

// The state's bytes: the head, then steps for each item, then all rings.
static inline size_t supStepsOffset( void )
{
    return ( sizeof( supVibrationState ) + 63 ) & ~(size_t)63;
}

static inline size_t supRingsOffset( const supVibration* vibration )
{
    size_t end = supStepsOffset() + (size_t)vibration->itemCount * sizeof( supItemSteps );
    return ( end + 63 ) & ~(size_t)63;
}

static inline supItemSteps* supStepsOf( void* state, int32_t item )
{
    return (supItemSteps*)( (char*)state + supStepsOffset() ) + item;
}

static inline supRingState* supRingStates( const supVibration* vibration, void* state )
{
    return (supRingState*)( (char*)state + supRingsOffset( vibration ) );
}
