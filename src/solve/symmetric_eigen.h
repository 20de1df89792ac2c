// Supple: eigenvalues and eigenvectors of small dense symmetric matrices.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdint.h>

/// `a`: n x n, row by row, symmetric, finite; destroyed. `values`: n of them, falling. `vectors`: n x n, vector i in
/// row i, of unit length, its largest component (the first of equals) above zero. Cost about 30 n^3.
void supSymmetricEigen( int32_t n, double* a, double* values, double* vectors );
