// Small dense systems of linear equations.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Gaussian elimination with the largest pivot of each column. `rows`: n of n + 1 numbers, the right side last; they
/// are overwritten. False: a pivot is not above `least`, there is no solution that means anything.
bool supSolveLinear( int32_t n, double* rows, double least, double* x );

/// A gain beyond which supCloseGap takes a cycle for one in resonance.
#define SUP_MOST_LOOP_GAIN 1e3

/// What a start is to be changed by so that a linear cycle returns to it.
///
/// A round takes the start x to M x + b, and the world on by R: x is looked for with M x + b = R x. A round from any
/// start s, which ends at e = M s + b, is enough, since with x = s + d
///
///     ( R - M ) d = e - R s = gap
///
/// Where R - M is next to singular (vibrations without damping that the cycle drives at their own frequency) no start
/// returns, or one so far away that it means nothing. What can be closed is then closed by least squares, with d held
/// back: ( A^T A + h^2 ) d = A^T gap, h = 1 / SUP_MOST_LOOP_GAIN.
///
/// `a`: R - M, n x n; `scratch`: n (n + 1) numbers. Gives |d| / |gap|: above SUP_MOST_LOOP_GAIN the cycle is in
/// resonance.
double supCloseGap( int32_t n, const double* a, const double* gap, double* d, double* scratch );
