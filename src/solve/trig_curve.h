// Supple: trigonometric curves by their basis: closed ones (cosines and sines) and open ones (a chord and sines).
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "supple/lab/curves.h"

/// The most coefficients of a curve.
#define SUP_MAX_CURVE_COEFFICIENTS ( 2 * SUP_MAX_CURVE_TERMS + 1 )

/// The weights of a curve's coefficients at v, and (may be NULL) their slopes.
void supTrigBasis( bool open, int32_t terms, double v, double* basis, double* slopes );
/// The curve at v.
supVec3d supTrigPoint( bool open, int32_t terms, const supVec3d* coefficients, double v );
/// Least squares on points at equal steps of v; pointCount is enough (asserted).
void supTrigTransform( bool open, int32_t terms, const supVec3d* points, int32_t pointCount, supVec3d* coefficients );
/// Brings a parameter near the nearest place (`squared`: its distance squared) onto it, at most `reach` away.
double supTrigPolish(
    bool open, int32_t terms, const supVec3d* coefficients, supVec3d p, double v, double reach, double* squared );
