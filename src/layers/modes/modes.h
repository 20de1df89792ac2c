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
// A mode that turns has the driver's orientation for its anchor, frame by frame a rotation vector.
//
// What vertices do is blended linearly between a few rigid motions of the element's frame, its parts:
//
//     even modes            one motion together: the sum of their rotation vectors, the sum of their shifts
//     another shift         two, by +u and by -u, for the vertices on either side of the pattern
//     another turn          two: the even modes' rotation vector, and +-u on top of it
//
// so that every mode is linear blend skinning by joints beside the driver's, and a bake can write them down. A vertex
// with the pattern p hands a |p| of its weight over from the even motion to that of a turn. Where several turns have
// patterns that sum to c > 1, all of them are written as |p| / c of c times the angle.
#pragma once

#include "layers/layer.h"

extern const supLayer sup_modesLayer;

/// One mode, compiled: a spring.
typedef struct supMode
{
    const char* name;
    int32_t element, driver;
    supMat34 driverFromRest; ///< inverse of the driver's matrix at rest
    int32_t motion;          ///< supModeMotion
    int32_t pattern;         ///< supModePattern
    supVec3 direction;       ///< unit length, model space at rest; zero: any
    supVec3 lever;           ///< of the anchor, in the driver's space
    float share;             ///< of the driver's place in the anchor
    float thickness;         ///< of the element. Metres
} supMode;

/// Vertices that move together, as one rigid frame does.
typedef struct supModePart
{
    const char* name;
    int32_t mode;         ///< whose motion it is; of the even motion the first of its modes
    float factor;         ///< how much of that mode's motion; 0: it is the even motion
    bool turns;           ///< may turn, not shift alone
    bool hasEven;         ///< the element's even modes are part of it
    supVec3 pivot;        ///< the middle of the virtual bone at rest. Model space
    supVec3 middle;       ///< the same in the driver's space
    int32_t first, count; ///< its stretch of the vertices
} supModePart;

typedef struct supModes
{
    int32_t count, partCount;
    supMode* modes;
    supModePart* parts;
    int32_t* vertices; ///< of each part, rising
    float* weights;    ///< 0 to 1
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
