// The fourth paper's equation as a dense system, for tests: written down row by row, solved by elimination.
#pragma once

#include <stdint.h>

typedef struct supDenseBeam
{
    int32_t intervals;
    double a1, a2;
    const double* stiffness; ///< of each node; NULL: 1
} supDenseBeam;

/// Columns side by side: number `node * columns + column`. Forces of the inner nodes that hold the places, with the
/// ends at slopes (of each column; NULL: level).
void supDenseForces(
    const supDenseBeam* beam, int32_t columns, const double* places, const double* slopes[2], double* forces );
/// `given`: forces within, places at the ends; gives all places. (6) and (7) of the paper with its virtual nodes as
/// unknowns, (7) corrected; in long double, with pivots.
void supSolveDenseBeam(
    const supDenseBeam* beam, int32_t columns, const double* given, const double* slopes[2], double* places );
