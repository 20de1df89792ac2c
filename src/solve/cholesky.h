// Supple: small dense positive definite systems.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// `a`: n x n, row by row, symmetric; its lower triangle becomes L with L L^T = a. False where a pivot is not above
/// `least` times the largest diagonal entry: then a is not positive definite, to that measure, and is destroyed.
bool supCholesky( int32_t n, double* a, double least );
/// Solves L L^T x = b in place.
void supCholeskySolve( int32_t n, const double* l, double* x );
