// What presets change.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/auto.h"

/// Factors on the numbers of springs and of fat: `natural` is dressed and supported, `heavy` is not.
typedef struct supTemper
{
    float ceiling, amount, dampingRatio, frequency, sag;
} supTemper;

const supTemper* supTemperOf( supPreset preset );
