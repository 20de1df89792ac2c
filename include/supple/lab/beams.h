// Supple: a clamped beam: a1 q'''' + a2 q'' = F on equal intervals, many beams side by side.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
// After Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters using ordinary differential
// equations", 2013, with one correction: at the ends the slope is zero, `q(1) - q(-1) = 0`, and not the value.
//
// With N intervals, h = 1/N and s = (a2 / a1) h^2 the row of an inner node, times h^4 / a1, is
//
//     q(i-2) + (s - 4) q(i-1) + (6 - 2s) q(i) + (s - 4) q(i+1) + q(i+2) = (h^4 / a1) F(i)
//
// and 7 - 2s on the diagonal of the first and last inner node, whose neighbour beyond the end is their own mirror
// image. It is symmetric with five diagonals, so L D L^T has two numbers per node beside D. The condition grows as N^4:
// everything is in double.
//
// A beam may be stiffer in one place than in another: a1 becomes a1 e(v) under both derivatives, (a1 e q'')'' + a2 q''
// = F. With e at the nodes and D(i) = q(i-1) - 2 q(i) + q(i+1) the row is e(i-1) D(i-1) - 2 e(i) D(i) + e(i+1) D(i+1) +
// s D(i), symmetric as well, and the one above where e is 1. Ends may also be held at slopes other than zero.
//
// Beams lie in panels of supBeamLanes: number `node * supBeamLanes + lane` of a panel is that node of that beam. All
// beams of a panel share the factors.
#pragma once

#include "supple/base.h"

enum
{
    supBeamLanes = 16, ///< beams in a panel
    supBeamFewest = 4  ///< intervals: five nodes
};

/// Factored once. Belongs to the caller; the arrays lie in the block handed in.
typedef struct supBeam
{
    int32_t intervals;       ///< N
    double pull;             ///< s
    double scale, unscale;   ///< h^4 / a1 and a1 / h^4
    double near[2], far[2];  ///< what an end's place counts in the row beside it, and in the next; first and last end
    double *below1, *below2; ///< L, one and two below the diagonal, by node
    double* inverse;         ///< of D, times scale, by node
    double* stiffness;       ///< times a1, by node
} supBeam;

/// Bytes of the block that supInitBeam wants.
SUP_API size_t supBeam_MemorySize( int32_t intervals );
/// `block`: supBeam_MemorySize bytes, aligned as double is. Refused: fewer than supBeamFewest intervals, a1 not above
/// 0, numbers that are not finite, and a2 at or past the bound where the beam buckles, 4 N^2 sin^2( pi / N ) a1.
SUP_API supResult supInitBeam( supBeam* beam, void* block, int32_t intervals, double a1, double a2, supError* error );
/// The same with a stiffness along the beam: one factor of a1 for each of the intervals + 1 nodes, above 0. Refused too
/// where it buckles, which depends on all of them.
SUP_API supResult supInitBeamAlong(
    supBeam* beam, void* block, int32_t intervals, double a1, double a2, const double* stiffness, supError* error );
/// The a2 at which a beam of these intervals buckles.
SUP_API double supBeamBucklingBound( int32_t intervals, double a1 );

/// Forces on the inner nodes that hold `q`; 0 at the ends. Panels of intervals + 1 nodes; `forces` may not be `q`.
SUP_API void supBeam_Forces( const supBeam* beam, int32_t panels, const double* q, double* forces );
/// What ends that are held at slopes dq/dv add to the right-hand side, times `factor`: 1 before solving, -1 to take it
/// off the forces that supBeam_Forces gives. `slopes`: of each panel a row for the first end and one for the last.
SUP_API void supBeam_AddSlopes(
    const supBeam* beam, int32_t panels, double factor, const double* slopes, double* forces );
/// `given`: the forces on the inner nodes, and at the two ends the places they are held at; `places`: of all nodes, may
/// be `given`. Fastest where they are, and where both are aligned to 32 bytes. The same bits on every machine.
SUP_API void supBeam_Solve( const supBeam* beam, int32_t panels, const double* given, double* places );
