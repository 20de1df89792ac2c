// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

enum
{
    sup_maxTickCount = 160,
    sup_tickText = 24,
};

typedef struct supTick
{
    double value;
    bool minor; ///< a line without a number
    char text[sup_tickText];
} supTick;

/// One direction of a plot: which values it shows, where they fall, where its ticks are.
typedef struct supAxis
{
    double lower, upper; ///< values at its ends
    float from, to;      ///< pixels of these
    bool logarithmic;
    int32_t tickCount;
    supTick ticks[sup_maxTickCount];
} supAxis;

/// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them; powers of ten on a logarithmic axis.
void supAxis_MakeTicks( supAxis* axis, int32_t wanted );
/// Where a value falls. Pixels.
float supAxis_Place( const supAxis* axis, double value );
