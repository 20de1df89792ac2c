// How far a place is from sixteen triangles side by side, compiled for each instruction set.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

enum
{
    supClusterTriangles = 16, ///< of a cluster, at most
    supClusterRows = 9,       ///< of a cluster: x, y, z of each corner, for all of its triangles
};

/// Squares of the distances to the triangles of supClusterRows rows.
typedef void supTrianglesFunction( const float* rows, supVec3 place, float* squares );

supTrianglesFunction supMeasureTrianglesPlain;
supTrianglesFunction supMeasureTrianglesAvx2;
