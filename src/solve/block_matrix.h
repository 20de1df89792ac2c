// Supple: symmetric sparse matrices of 3 x 3 blocks, and their factors.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

#include "base/math_double.h"
#include "base/watched.h"

/// Row by row; both triangles are kept. Columns of a row rise.
typedef struct supBlockMatrix
{
    int32_t count;   ///< nodes: block rows
    int64_t* starts; ///< blocks of row i: starts[i] up to, not including, starts[i + 1]
    int32_t* columns;
    double* blocks; ///< nine numbers each, row by row
} supBlockMatrix;

/// out = a x; three numbers a node.
void supBlockMatrix_Multiply( const supBlockMatrix* a, const double* x, double* out );

// ---------------------------------------------------------------------------------------------------------------
// Factors

/// Right-hand sides that are solved at once.
#define SUP_FACTOR_COLUMNS 8

/// Nodes that are eliminated together: their columns of the factor are one dense block.
typedef struct supFront
{
    int32_t first, count; ///< pivots, in the factor's order
    int32_t parent;       ///< front whose pivots hold the first of the border; -1: none
    int64_t border;       ///< where its border's list starts
    int32_t borderCount;  ///< later nodes that the pivots are tied to
    int64_t at;           ///< of its columns in `values`
} supFront;

/// L L^T = a.
typedef struct supBlockFactor
{
    int32_t count;      ///< nodes
    int32_t* order;     ///< order[i]: the node that is eliminated as number i
    int32_t frontCount; ///< children come before their parents
    supFront* fronts;
    int32_t* borders;            ///< of all fronts, rising, in the factor's order
    int64_t valueCount;          ///< numbers of the factor
    int32_t widest;              ///< rows of the largest front, in nodes
    double* values;              ///< NULL until it is filled
    const supBlockMatrix* swept; ///< where there is no memory for values: solved by gradients on the matrix itself
    double* inverses;            ///< of its diagonal, then
    size_t blockSize, valueSize, inverseSize;
} supBlockFactor;

/// Order and shape of the factor, nothing of its values: nested dissection by the nodes' places. NULL: no memory.
supBlockFactor* supPlanFactor( const supBlockMatrix* a, const supVec3d* places, const supAllocator* allocator );
/// Bytes that its values take: may be more than there are addresses.
double supBlockFactor_Bytes( const supBlockFactor* factor );
/// sup_errorMemory; sup_errorData: a is not positive definite; sup_errorCanceled: `watched` (or NULL) stopped it.
supResult supBlockFactor_Fill(
    supBlockFactor* factor, const supBlockMatrix* a, supWatched* watched, const supAllocator* allocator );
/// In place of filling it: solves go by gradients on `a`, which must outlive it. Takes no memory to speak of, and much
/// longer. The same results.
supResult supBlockFactor_Sweep( supBlockFactor* factor, const supBlockMatrix* a, const supAllocator* allocator );
/// Numbers of scratch that a solve needs.
size_t supBlockFactor_ScratchCount( const supBlockFactor* factor );
/// Solves a x = b in place for eight right-hand sides: number d of node i in column c stands at ( 3 i + d ) * 8 + c.
void supBlockFactor_Solve( const supBlockFactor* factor, double* x, double* scratch );
/// The same for one, three numbers a node.
void supBlockFactor_SolveOne( const supBlockFactor* factor, double* x, double* scratch );
void supDestroyBlockFactor( supBlockFactor* factor, const supAllocator* allocator );

/// Numbers of scratch for a matrix of so many nodes.
size_t supBlockSweeps_ScratchCount( int32_t nodes );
/// Inverses of the blocks on the diagonal, nine numbers a node. False: a is not positive definite.
bool supInvertDiagonal( const supBlockMatrix* a, double* inverses );
/// As supBlockFactor_Solve, to 1e-9 of the right-hand side.
void supBlockSweeps_Solve( const supBlockMatrix* a, const double* inverses, double* x, double* scratch );
