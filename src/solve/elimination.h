// Supple: small dense systems of any kind.
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Solves a x = b for `columns` right-hand sides, by Gaussian elimination with partial pivoting. `a`: n x n, row by
/// row, destroyed; `b`: n x columns, row by row, becomes x. False where a pivot is not above `least` times the largest
/// entry of a: then a is singular, to that measure, and b is destroyed.
bool supEliminate( int32_t n, int32_t columns, double* a, double* b, double least );
