// Supple: small dense matrices: systems and eigenvectors.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// `a`: n x n, row by row, symmetric, finite; destroyed. `values`: n of them, falling. `vectors`: n x n, vector i in
/// row i, of unit length, its largest component (the first of equals) above zero. Cost about 30 n^3.
void supSymmetricEigen( int32_t n, double* a, double* values, double* vectors );

/// Numbers of scratch for n rows.
size_t supSymmetricQl_ScratchCount( int32_t n );
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
