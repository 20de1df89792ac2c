// Supple: small dense matrices: systems and eigenvectors.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `a`: n x n, row by row, symmetric, finite; destroyed. `values`: n of them, falling. `vectors`: n x n, vector i in
/// row i, of unit length, its largest component (the first of equals) above zero. Cost about 30 n^3.
void supSymmetricEigen( int32_t n, double* a, double* values, double* vectors );

/// `a`: n x n, row by row, symmetric, finite; destroyed. `values`: n of them, in no order. `vectors`: n x n, vector i
/// in row i, of unit length. Values are good to 1e-14 of the largest. Cost about 6 n^3: a fifth of supSymmetricEigen's.
void supSymmetricQl( int32_t n, double* a, double* values, double* vectors, double* scratch );

/// `a`: n x n, row by row, symmetric; its lower triangle becomes L with L L^T = a. False where a pivot is not above
/// `least` times the largest diagonal entry: then a is not positive definite, to that measure, and is destroyed.
bool supCholesky( int32_t n, double* a, double least );
/// Solves L L^T x = b in place.
void supCholeskySolve( int32_t n, const double* l, double* x );

/// Solves a x = b for `columns` right-hand sides, by Gaussian elimination with partial pivoting. `a`: n x n, row by
/// row, destroyed; `b`: n x columns, row by row, becomes x. False where a pivot is not above `least` times the largest
/// entry of a: then a is singular, to that measure, and b is destroyed.
bool supEliminate( int32_t n, int32_t columns, double* a, double* b, double least );

// ---------------------------------------------------------------------------------------------------------------
// Small dense systems of linear equations.

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
