// The damped spring in closed form: how state and forcing at the start of a step turn into state at its end.
// SPDX-License-Identifier: MIT
#pragma once

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
