// The layer of modes: further springs on flesh elements, that shift or turn them, each with a pattern of its own.
// SPDX-License-Identifier: MIT
//
// What Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing character
// animation", 2005, leave to later: a torsion spring that orients the dynamic frame, and several springs on one
// element.
//
// A mode moves vertex v by a(v) p(v) u, with a the element's weights, p the mode's pattern. How strongly the body's
// motion drives it follows from that: the anchor of mode p is the point functional
//
//     X = sum a p x / sum a p^2
//
// over the vertices, carried by the driver. For an even pattern that is the mean place of the flesh; for a pattern that
// has opposite signs at both ends it is what one end moves by more than the other, so only turns of the driver excite
// it. X is linear in the driver's matrix: one vector and one number are worked out when the model is compiled.
//
// A mode that turns has the driver's orientation for its anchor, frame by frame a rotation vector, and turns vertex v
// by the rotation of u, blended with a p as linear blend skinning would: by a helper joint.
#pragma once

#include "layers/layer.h"

extern const supLayer sup_modesLayer;

/// One mode, compiled.
typedef struct supMode
{
    const char* name;
    int32_t driver;
    supMat34 driverFromRest; ///< inverse of the driver's matrix at rest
    int32_t motion;          ///< supModeMotion
    supVec3 direction;       ///< unit length, model space at rest; zero: any
    supVec3 lever;           ///< of the anchor, in the driver's space
    float share;             ///< of the driver's place in the anchor
    supVec3 middle;          ///< of the virtual bone, in the driver's space
    float thickness;         ///< of the element. Metres
    int32_t first, count;    ///< its stretch of the vertices
} supMode;

typedef struct supModes
{
    int32_t count;
    supMode* modes;
    int32_t* vertices; ///< of each mode, rising
    float* weights;    ///< the element's times the pattern
    int32_t touchedCount;
    int32_t* touched; ///< by any of them, rising
    size_t blockSize;
} supModes;

/// The live fields, in the order of the table.
typedef enum supModeLive
{
    sup_modeFrequency,
    sup_modeDampingRatio,
    sup_modeAmount,
    sup_modeLimit,
    sup_modeLimitAngle,
    sup_modeLiveCount
} supModeLive;

supResult supCompileModes(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
