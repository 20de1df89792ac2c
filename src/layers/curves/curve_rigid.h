// Supple: the rigid part of a curve's motion, as a screw.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"

/// From one place and turn to another: about an axis by an angle (a rotation vector that may go past a half turn) while
/// the center runs along the screw's spiral.
typedef struct supScrew
{
    supVec3d from, to; ///< centers. Metres
    supVec3d turn;     ///< axis times angle. Radians
} supScrew;

/// The turn that carries points about their mean onto others in the sum of squares. Points that lie on one line leave
/// the turn about it open; the nearest rotation is taken.
supQuatd supBestTurn( const supVec3d* from, supVec3d fromCenter, const supVec3d* to, supVec3d toCenter, int32_t count );
/// Of the rotation vectors that mean the same turn, the one nearest to `near`.
supVec3d supUnwrapTurn( supVec3d turn, supVec3d near );
/// A turn by a share of a rotation vector.
supQuatd supTurnShare( supVec3d turn, double share );
/// The center at a share of the way, which may be outside 0 to 1; `speed` (may be NULL): its slope there.
supVec3d supScrewCenter( const supScrew* screw, double share, supVec3d* speed );
