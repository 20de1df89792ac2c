// Supple: a motion of curves as it is kept.
// SPDX-License-Identifier: MIT
#pragma once

#include "curve_rigid.h"
#include "ring_hold.h"

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

/// Where a curve is at a time: pose and shape in its frame.
supCurvePose supMotion_CurveState( const supCurveMotion* motion, int32_t curve, double time, supVec3d* locals );
