// The flesh layer: regions of skin that swing on one damped spring each.
// SPDX-License-Identifier: MIT
//
// After Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing character
// animation", 2005.
//
//   supCompileFlesh    definitions and a character  -> supFlesh, immutable, in the model; its supSkinOffsets
//   supStepFlesh       joints, world, dt            -> supFleshState, in the body, and the elongations that are shown
#pragma once

#include "base/math_double.h"
#include "layers/flesh/flesh_rows.h"
#include "layers/layer.h"

/// Live fields of an element, in the table's order. All of them are known to a body, given or not.
enum
{
    sup_elementFrequency,
    sup_elementDampingRatio,
    sup_elementAmount,
    sup_elementSag,
    sup_elementMass,
    sup_elementStiffness,
    sup_elementDamping,
    sup_elementGravityScale,
    sup_elementAirFriction,
    sup_elementLimitScale,
    sup_elementLiveCount,
};

/// One element, compiled.
typedef struct supFleshElement
{
    const char* name;
    int32_t driver;
    supVec3 boneFrom, boneTo; ///< the virtual bone at rest, model space
    supMat34 localFrame;      ///< at rest, model space: middle of the bone, y along it
    supVec3 anchor;           ///< the frame's origin in the driver's space: driver matrix * anchor is where it stands
    supMat34 driverFromRest;  ///< inverse of the driver's rest matrix
    float boneLength, volume, thickness, largestEdgeJump;

    supSpring spring; ///< defaults for new bodies
    float sag, mass, gravityScale, limitScale;
    float live[sup_elementLiveCount]; ///< the same as live fields
    int32_t gravity, limit;           ///< supGravity, supLimit

    int32_t first, count; ///< its stretch of the arrays below
} supFleshElement;

typedef struct supFlesh
{
    int32_t elementCount;
    supFleshElement* elements;

    // by element, as kernels read them: see flesh_rows.h
    int32_t blockCount; ///< of eight elements
    float* restRows;    ///< sup_restRowCount rows a block
    int32_t* drivers;   ///< twelve times the joint, one a lane: floats into an array of matrices

    // by element, vertices rising
    int32_t* vertices;
    float* weights;
    float* reach; ///< shape * attenuation at rest: no vertex is ever moved by more. Metres
    supSkinOffsets skin;

    int32_t vertexCount; ///< of the character
    float size;          ///< of the character. Metres

    size_t blockSize; ///< bytes of the block that all of this, names included, lives in
} supFlesh;

supResult supCompileFlesh(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyFlesh( void* compiled, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// State

typedef struct supFleshTune
{
    supSpring spring;
    float sag, mass, gravityScale, limitScale;
} supFleshTune;

/// The state's bytes: this head and its rows, then a tune an element, then a mark an element: whose step must be worked
/// out again.
typedef struct supFleshState
{
    int32_t elementCount;
    int32_t blockCount;    ///< of eight elements; 0: nothing is filled in yet
    int32_t newestDelta;   ///< 0 to 3: where the ring of deltas starts, older ones behind
    int32_t newestTurn;    ///< 0 or 1
    supFrameTimes times;   ///< that the steps in `rows` are for
    supPathBasis basis;    ///< likewise
    supVec3 worldOrigin;   ///< of the last frame
    supVec3 wind, gravity; ///< likewise. m/s, m/s^2
    float worldScale;
    bool started, anyStale;
    supSimd simd; ///< the path that steps; all have the same bits
    int64_t limitedCount;
    _Alignas( 64 ) float rows[]; ///< sup_fleshRowCount rows a block: see flesh_rows.h
} supFleshState;

static inline float* supFleshRows( const supFleshState* state )
{
    return (float*)state->rows;
}

static inline supFleshTune* supFleshTunes( const supFleshState* state )
{
    return (supFleshTune*)( supFleshRows( state ) + (size_t)state->blockCount * sup_fleshRowCount * SUP_FLESH_LANES );
}

static inline bool* supFleshStale( const supFleshState* state )
{
    return (bool*)( supFleshTunes( state ) + state->elementCount );
}

static inline supVec3 supFleshVec3( const supFleshState* state, supFleshRow row, int32_t element )
{
    return supRowVec3( state->rows, sup_fleshRowCount, (int32_t)row, element );
}

static inline void supSetFleshVec3( supFleshState* state, supFleshRow row, int32_t element, supVec3 value )
{
    supSetRowVec3( state->rows, sup_fleshRowCount, (int32_t)row, element, value );
}

static inline float* supFleshFloat( const supFleshState* state, supFleshRow row, int32_t element )
{
    return supFleshRows( state ) + supRowPlace( sup_fleshRowCount, (int32_t)row, element );
}

/// The rows of what the anchors moved by in the frame that is `age` frames old, 0 to SUP_PATH_SPANS - 1.
static inline supFleshRow supDeltaRow( const supFleshState* state, int age )
{
    return (supFleshRow)( sup_rowDeltas + 3 * ( ( state->newestDelta + age ) % SUP_PATH_SPANS ) );
}

/// The rows of the drivers' turns at the last frame: x axes, then y axes.
static inline supFleshRow supTurnRow( const supFleshState* state )
{
    return (supFleshRow)( sup_rowTurns + 6 * state->newestTurn );
}

// As supLayerMotion has them
int32_t supFleshShownCount( const void* compiled );
size_t supFleshStateSize( const void* compiled );
void supResetFlesh( const void* compiled, void* state, float* shown );
void supStepFlesh( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportFlesh( const void* compiled, void* state, supMat34 motion );
void supAdoptFlesh( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
/// Every spring stands where its forces hold it, and its anchor has stood still for as long as a step looks back.
bool supFleshIsAtRest( const void* compiled, const void* state );
void supIdleFlesh( const void* compiled, void* state, float dt );
/// Elongation and speed go on as they were.
void supTunedFlesh( const void* compiled, void* state, const float* live, int32_t item );
supResult supRelateElement( const void* compiled, int32_t item, int32_t field, float* live, supError* error );
/// Rows that move, and what stands before them.
size_t supFleshKeptSize( const void* compiled );
void supKeepFlesh( const void* compiled, const void* state, void* kept );
void supRestoreFlesh( const void* compiled, void* state, const void* kept );
bool supFleshIsFinite( const void* compiled, const void* state );
void supHashFlesh( const void* compiled, const void* state, supHash* hash );

// As supLayerOffsets and supLayerSwing have them
supElementState supFleshElementState( const void* compiled, const void* state, int32_t element );
void supPushFlesh( const void* compiled, void* state, int32_t element, supVec3 impulse );
int64_t supFleshLimitedCount( const void* compiled, const void* state );
supSwingView supFleshSwing( const void* compiled, int32_t index, const float* live );

/// Works out the elongations as they are shown: within the limit, as a smooth saturation that is the identity to 0.1%
/// below half of it and monotone along one line, or by the paper's clamp.
void supFlesh_Show( supFleshState* state );
/// The sag, as a share of the thickness, that standard gravity gives a spring by itself.
float supSagOfGravity( double omega, float thickness );

void supDrawFlesh( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

extern const supLayer sup_fleshLayer;

// ---------------------------------------------------------------------------------------------------------------
// What follows from the numbers of an element, and small looks at its state.

/// The live fields of an element, from what it was compiled to.
void supFillElementLive( supFleshElement* element );
/// The anchor's speed at the end of the last frame, from the path's own slope there; zero before there is a path.
supVec3 supAnchorSpeed( const supFleshState* state, int32_t element );
/// s = u' + amount * x' under another amount, with the same u'.
supVec3 supKeepVelocity( const supFleshState* state, int32_t element, float amount );
/// What the pull of the last frame alone would hold it at.
supVec3 supFleshSettled( const supFleshState* state, int32_t element );
/// Rotation of the driver from rest, in the world; `which`: 0 or 1, of state->newestTurn.
supMat34 supFleshTurn( const supFleshState* state, int32_t which, int32_t element );
/// The accelerations other than inertia under the gravity and the wind of now: sag * thickness * omega^2 in the
/// direction of gravity, relative to rest or plain, and the wind's drag.
supVec3 supFleshPull( const supFleshState* state, int32_t element );

// ---------------------------------------------------------------------------------------------------------------
// What springs make of a jump of their drivers.

/// Before a frame is read: of what is forgotten of the anchors' paths, their speeds are taken out of s = u' + amount
/// x'.
void supFlesh_LeavePath( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt );
/// After a frame was read and before it is stepped: what jumped is not felt. `dt` 0: no time passes.
void supFlesh_CarryJumps( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt );
