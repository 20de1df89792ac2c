// Supple: a line of springs: masses in a row, each pulled by its two neighbours, relaxed or moved on by a step in time.
// SPDX-License-Identifier: MIT
//
// Implicit, so stiff segments are no trouble: the matrix is block tridiagonal and solved in one sweep (Kass,
// "Introduction to continuum dynamics for computer graphics", 1993). Compressed springs would make it indefinite: the
// negative part across them is left out. The part across stretched ones is T / L with the tension T that the last
// solution foresees, not the one that the present stretch has: a step across a nearly rigid spring stretches it by a
// second-order error, whose tension would then hold back the next one. (A slack chain of 40 links of 1e7 N/m finds its
// catenary in 36 rounds so, in 61 with the present tension.)
#pragma once

#include "solve/line_field.h"

enum
{
    sup_mostLineNodes = 64,
};

/// What does not change while it is solved. Arrays have `count` entries; those of segments one less.
typedef struct supSpringLine
{
    int32_t count;           ///< 2 to sup_mostLineNodes
    const bool* bound;       ///< stays where it is
    const double* stiffness; ///< of segments. N/m, above 0
    const double* lengths;   ///< of segments, without tension. Metres
    const double* masses;    ///< kg; read by steps in time alone
    const supVec3d* loads;   ///< N
    /// Springs that hold a vertex at a place across the line, not along it. N/m; NULL: none
    const double* holds;
    const supVec3d* places;
    int32_t fieldCount; ///< 64 at most
    const supLineField* fields;
} supSpringLine;

typedef struct supLineResult
{
    int32_t rounds; ///< linear systems solved
    double moved;   ///< the largest correction of the last round. Metres
} supLineResult;

/// Balance of all forces, from where `at` is. Stops when nothing moves by more than `tolerance`, or after `mostRounds`.
supLineResult supSpringLine_Relax( const supSpringLine* line, double tolerance, int32_t mostRounds, supVec3d* at );

/// dt seconds on, by the implicit Euler method: stable for any stiffness and any dt > 0. Bound vertices must stand
/// where they are at its end, free ones where they were at its start. `damping`: rate at which speeds fade. 1 / s
supLineResult supSpringLine_Step( const supSpringLine* line, double dt, double damping, double tolerance,
    int32_t mostRounds, supVec3d* at, supVec3d* speeds );
