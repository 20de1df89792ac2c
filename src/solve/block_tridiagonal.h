// Supple: symmetric systems of 3x3 blocks, each joined to its two neighbours alone: what a line of springs makes.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"

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
