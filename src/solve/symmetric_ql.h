// Supple: eigenvectors of small dense symmetric matrices, fast enough for a frame.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Numbers of scratch for n rows.
size_t supSymmetricQl_ScratchCount( int32_t n );
/// `a`: n x n, row by row, symmetric, finite; destroyed. `values`: n of them, in no order. `vectors`: n x n, vector i
/// in row i, of unit length. Values are good to 1e-14 of the largest. Cost about 6 n^3: a fifth of supSymmetricEigen's.
void supSymmetricQl( int32_t n, double* a, double* values, double* vectors, double* scratch );
