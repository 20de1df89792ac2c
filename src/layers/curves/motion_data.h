// Supple: a motion of curves as it is kept.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "layers/curves/ring_hold.h"

// ---------------------------------------------------------------------------------------------------------------
// The rigid part of a curve's motion, as a screw.

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

// ---------------------------------------------------------------------------------------------------------------
// The motion.

/// A curve in one of the shapes.
typedef struct supCurveKey
{
    supVec3d center;
    supQuatd turn; ///< from rest
} supCurveKey;

struct supCurveMotion
{
    const supCurveNetwork* network;
    supWireDef wire;
    bool smooth, paperMean, keepDetail;
    int32_t keyCount;
    double* times;
    supCurveKey* keys;   ///< keyCount for each curve: [key][curve]
    supVec3d* turns;     ///< rotation vectors of the spans: [span][curve]
    supVec3d* locals;    ///< shapes in the turned frame: [key][coefficient]
    supVec3d* edits;     ///< what edited forces add, constant: [span][coefficient]; of one shape: the forces themselves
    supVec3d* editRates; ///< and for each second
    supVec3d* details;   ///< [key][place]
    supCurvePose* poses; ///< work: for each curve
    supVec3d* shown;     ///< work: for each coefficient
    bool holds;          ///< neighbouring curves hold something
    supHoldAmounts amounts;
    supRingHold hold;
    supRingSkin skin;
    supVec3* stations; ///< work: 2 * ringCount * supRingStations
    void* holdScratch; ///< work
    void* holdBlock;
    size_t holdBlockSize;
    void* block;
    size_t blockSize;
    supAllocator allocator;
};

/// What neighbouring curves hold, where a motion asks for it.
supResult supHoldMotion( supCurveMotion* motion, const supCurveMotionDef* def, supError* error );
