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
typedef struct supModeFrame
{
    const char* name;
    int32_t mode;         ///< whose motion it is; of the even motion the first of its modes
    float factor;         ///< how much of that mode's motion; 0: it is the even motion
    bool turns;           ///< may turn, not shift alone
    bool hasEven;         ///< the element's even modes are part of it
    supVec3 pivot;        ///< the middle of the virtual bone at rest. Model space
    supVec3 middle;       ///< the same in the driver's space
    int32_t first, count; ///< its stretch of the vertices
} supModeFrame;

typedef struct supModes
{
    int32_t count, frameCount;
    supMode* modes;
    supModeFrame* frames;
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

// ---------------------------------------------------------------------------------------------------------------
// The functions of the layer of modes: see layers/layer.h for what each is asked to do.

int32_t supModesShownCount( const void* compiled );
size_t supModesStateSize( const void* compiled );
void supResetModes( const void* compiled, void* state, float* shown );
void supStepModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportModes( const void* compiled, void* state, supMat34 motion );
void supAdoptModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
bool supModesAreAtRest( const void* compiled, const void* state );
void supTunedMode( const void* compiled, void* state, const float* live, int32_t item );
supSwingView supModeSwing( const void* compiled, int32_t index, const float* live );
supVec3 supModeShown( const void* compiled, int32_t index, const float* live, supMat34 joint, supVec3d u );

// ---------------------------------------------------------------------------------------------------------------
// The parts of modes: vertices that move together.

/// What patterns are measured in: the element's frame, half the bone's length, and the largest distance from it.
typedef struct supPatternFrame
{
    supMat34 frame;
    float halfLength, radius; ///< metres
} supPatternFrame;

/// `rest`: positions of the whole character.
supPatternFrame supMakePatternFrame( const supElementView* element, const float* rest );
/// The pattern at a point, from -1 to 1.
float supPatternAt( const supPatternFrame* frame, int32_t pattern, supVec3 point );

/// Lays out parts, vertices and weights of modes that are compiled. `names`: room for the parts' names. Gives how many
/// vertices all parts have together.
int32_t supMakeModeFrames( const supLayerContext* context, supModes* modes, char* names );

int32_t supModeFrameCount( const void* compiled );
supMotionView supModeFrameView( const void* compiled, int32_t index );
void supModeFramesAt( const void* compiled, const supMat34* joints, const float* shown, supSkinMotion* out );
void supApplyModes( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawModes( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
