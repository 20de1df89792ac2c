// One frame of a spring whose anchor is only known at frames: the coefficients of the step.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Frames of the anchor's past that a step looks at, the newest included.
#define SUP_PATH_SPANS 4

/// How long the last frames took, newest first. Seconds.
typedef struct supFrameTimes
{
    float spans[SUP_PATH_SPANS];
    int32_t count; ///< how many are known
} supFrameTimes;

/// Puts a new span in front.
void supFrameTimes_Push( supFrameTimes* times, float span );

/// The anchor's path over the newest frame, as a polynomial in theta (0 at its start, 1 at its end) that leaves 0:
///     d(theta) = sum_k theta^(k+1) sum_j m[k][j] delta_j
/// where delta_j is what the anchor moved by in the j-th newest frame. A row of its own for the slope at the end.
typedef struct supPathBasis
{
    double m[SUP_PATH_SPANS][SUP_PATH_SPANS];
} supPathBasis;

supPathBasis supMakePathBasis( const supFrameTimes* times );

/// What a spring is made of, per unit of mass.
typedef struct supSpring
{
    float omega; ///< 2 pi frequency. 1/s
    float dampingRatio;
    float airFriction; ///< 1/s
    float amount;
} supSpring;

/// A step as a linear map. With u the elongation and s = u' + amount * x' (x' the anchor's speed), delta_j as above,
/// and f0, f1 the other accelerations at the start and at the end:
///     u <- u[0] u + u[1] s + sum_j u[2+j] delta_j + u[6] f0 + u[7] f1
///     s <- s[0] u + s[1] s + sum_j s[2+j] delta_j + s[6] f0 + s[7] f1
typedef struct supSpringStep
{
    float u[4 + SUP_PATH_SPANS];
    float s[4 + SUP_PATH_SPANS];
} supSpringStep;

supSpringStep supMakeSpringStep( const supSpring* spring, const supPathBasis* basis, float h );
