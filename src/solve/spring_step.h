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

// ---------------------------------------------------------------------------------------------------------------
// The damped spring in closed form: how state and forcing at the start of a step turn into state at its end.

/// Forcing is a polynomial in theta = t / h of at most this degree.
#define SUP_RESPONSE_DEGREE 4

/// The exact flow of w'' + c w' + K w = sum_k Q_k theta^k, theta = t / h, over one step of h seconds:
///     w (h) = e[0][0] w(0) + e[0][1] w'(0) + sum_k r[0][k] Q_k
///     w'(h) = e[1][0] w(0) + e[1][1] w'(0) + sum_k r[1][k] Q_k
typedef struct supResponse
{
    double e[2][2];
    double r[2][SUP_RESPONSE_DEGREE + 1];
} supResponse;

/// `friction` is c (1/s, >= 0), `stiffness` is K (1/s^2, >= 0), both per unit of mass; `h` > 0 seconds. Finite for all
/// of them, up to the range of double.
supResponse supSpringResponse( double friction, double stiffness, double h );
