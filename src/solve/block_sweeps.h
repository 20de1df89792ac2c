// Supple: systems solved without a factor, by conjugate gradients.
// SPDX-License-Identifier: MIT
#pragma once

#include "solve/block_matrix.h"

/// Numbers of scratch for a matrix of so many nodes.
size_t supBlockSweeps_ScratchCount( int32_t nodes );
/// Inverses of the blocks on the diagonal, nine numbers a node. False: a is not positive definite.
bool supInvertDiagonal( const supBlockMatrix* a, double* inverses );
/// As supBlockFactor_Solve, to 1e-9 of the right-hand side.
void supBlockSweeps_Solve( const supBlockMatrix* a, const double* inverses, double* x, double* scratch );
