// Supple: symmetric sparse matrices of 3 x 3 blocks, and their factors.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "base/watched.h"
#include "supple/base.h"

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

// ---------------------------------------------------------------------------------------------------------------
// Symmetric systems of 3x3 blocks, each joined to its two neighbours alone: what a line of springs makes.

/// A symmetric 3x3 block.
typedef struct supSym3
{
    double xx, xy, xz, yy, yz, zz;
} supSym3;

static inline supSym3 supAddSym3( supSym3 a, supSym3 b )
{
    return ( supSym3 ){ a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz };
}

static inline supSym3 supSubSym3( supSym3 a, supSym3 b )
{
    return ( supSym3 ){ a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz };
}

/// a + s on the diagonal
static inline supSym3 supAddDiagonal3( supSym3 a, double s )
{
    return ( supSym3 ){ a.xx + s, a.xy, a.xz, a.yy + s, a.yz, a.zz + s };
}

/// along n n^T + across ( 1 - n n^T ), n of unit length
static inline supSym3 supAlongAcross3( supVec3d n, double along, double across )
{
    double d = along - across;
    return ( supSym3 ){ across + d * n.x * n.x, d * n.x * n.y, d * n.x * n.z, across + d * n.y * n.y, d * n.y * n.z,
        across + d * n.z * n.z };
}

static inline supVec3d supMulSym3( supSym3 a, supVec3d v )
{
    return ( supVec3d ){ a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
        a.xz * v.x + a.yz * v.y + a.zz * v.z };
}

/// Solves A x = b, A positive definite with `diagonal` blocks and `off[i]` (symmetric) between i and i + 1. b comes in
/// x and leaves it as the solution; the diagonal is overwritten by the inverses of the pivots. O( count ).
void supSolveBlockTridiagonal( int32_t count, supSym3* diagonal, const supSym3* off, supVec3d* x );
