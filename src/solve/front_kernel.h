// Supple: the hot loop of supBlockFactor_Fill, compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

enum
{
    supTileColumns = 4,
    supTileRows = 8,
};

/// Tiles of eight rows, one below the other: each of the four columns from `out` on, `stride` numbers apart, less the
/// sum of `depth` products. `strips`: of each tile, depth times eight numbers; `factors`: depth times four. Products
/// are taken off one after the other, so every path has the same bits.
typedef void supFrontFunction(
    const double* strips, size_t tiles, size_t depth, const double* factors, double* out, size_t stride );

supFrontFunction supSubtractTilesPlain;
supFrontFunction supSubtractTilesAvx2;
