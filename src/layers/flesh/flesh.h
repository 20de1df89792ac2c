// The flesh layer: regions of skin that swing on one damped spring each.
// SPDX-License-Identifier: MIT
//
// After Larboulette, Cani, Arnaldi, "Dynamic skinning: adding real-time dynamic effects to an existing character
// animation", 2005.
//
//   supCompileFlesh    definitions and a character  -> supFlesh, immutable, in the model
//   supFlesh_Step      joints, world, dt            -> supFleshState, in the body
//   supFlesh_Apply     smooth skin + state          -> living skin
#pragma once

#include "base/math_double.h"
#include "flesh_rows.h"
#include "solve/spring_step.h"
#include "supple/draw.h"
#include "supple/lab/machine.h"
#include "supple/rig.h"

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
    int32_t gravity, limit; ///< supGravity, supLimit

    int32_t first, count; ///< its stretch of the arrays below
} supFleshElement;

/// How one element moves one vertex.
typedef struct supFleshTouch
{
    int32_t element;
    float weight;     ///< alpha2
    supVec3 gradient; ///< of alpha2 along the surface, in the mesh's own space. 1/length
} supFleshTouch;

typedef struct supFlesh
{
    int32_t elementCount;
    supFleshElement* elements;

    // by element, as kernels read them: see flesh_rows.h
    int32_t blockCount; ///< of eight elements
    float* restRows;    ///< sup_restRowCount rows a block
    int32_t* drivers;   ///< twelve times the joint, one a lane: floats into an array of matrices

    // by element, vertices rising
    int32_t touchCount;
    int32_t* vertices;
    float* weights;
    float* reach; ///< shape * attenuation at rest: no vertex is ever moved by more. Metres

    // by vertex: those that are touched at all, rising; touches[offsets[i]] to touches[offsets[i + 1] - 1] belong to
    // touched[i]
    int32_t touchedCount;
    int32_t* touched;
    int32_t* offsets;
    supFleshTouch* touches;

    size_t blockSize; ///< bytes of the block that all of this, names included, lives in
} supFlesh;

/// `defs` are checked for numbers already (by the rig). On success *out is one block, to be freed by supFree(
/// allocator, *out, ( *out )->blockSize ).
supResult supCompileFlesh( const supCharacter* character, const supElementDef* const* defs, int32_t count,
    const supAllocator* allocator, supFlesh** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// State

typedef struct supFleshTune
{
    supSpring spring;
    float sag, mass, gravityScale, limitScale;
} supFleshTune;

typedef struct supFleshState
{
    float* rows;         ///< sup_fleshRowCount rows a block: see flesh_rows.h
    int32_t blockCount;  ///< of eight elements
    int32_t newestDelta; ///< 0 to 3: where the ring of deltas starts, older ones behind
    int32_t newestTurn;  ///< 0 or 1
    supFleshTune* tunes; ///< one an element
    bool* stale;         ///< whose step must be worked out again
    bool anyStale;
    supFrameTimes times;   ///< that the steps in `rows` are for
    supPathBasis basis;    ///< likewise
    supVec3 worldOrigin;   ///< of the last frame
    supVec3 wind, gravity; ///< m/s, m/s^2
    float worldScale;
    float recentSpeed; ///< of the anchors' mean, m/s, of the last frame
    bool started;
    supSimd simd; ///< the path that steps; all have the same bits
    int64_t limitedCount;
} supFleshState;

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
    return state->rows + supRowPlace( sup_fleshRowCount, (int32_t)row, element );
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

/// The arrays inside `state` are the caller's; this fills in the defaults and puts everything to rest.
void supFlesh_Init( const supFlesh* flesh, supFleshState* state, supVec3 gravity );
void supFlesh_Reset( const supFlesh* flesh, supFleshState* state );
/// `size`: of the model, at rest. Metres. Everything handed in is finite.
void supFlesh_Step(
    const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world, float dt, float size );
/// Whether nothing moves: every spring stands where its forces hold it, and its anchor has stood still for as long as a
/// step looks back. With the same joints and world again a step would change no bit but the times.
bool supFlesh_IsAtRest( const supFlesh* flesh, const supFleshState* state );
/// Stands for a step of a body at rest whose joints and world are what they were: only the time passes.
void supFlesh_Idle( const supFlesh* flesh, supFleshState* state, float dt );
/// New numbers for one element: elongation and speed go on as they were.
void supFlesh_Tune( const supFlesh* flesh, supFleshState* state, int32_t element, supFleshTune tune );
/// A blow, in newton seconds: the speed changes at once.
void supFlesh_Push( supFleshState* state, int32_t element, supVec3 impulse );
/// Speed of the elongation. m/s
supVec3 supFleshVelocity( const supFleshState* state, int32_t element );
/// The sag, as a share of the thickness, that standard gravity gives a spring by itself.
float supSagOfGravity( double omega, float thickness );
void supFlesh_Teleport( const supFlesh* flesh, supFleshState* state, supMat34 motion );
/// Numbers that were tuned while the old body ran, by the elements' names; those that were not are the new flesh's own,
/// as are those of the element that was `edited` just now. -1: none was.
void supFlesh_AdoptTunes( const supFlesh* flesh, supFleshState* state, const supFlesh* oldFlesh,
    const supFleshState* oldState, int32_t edited );
/// Another body of the very same flesh: all of its state, bit for bit.
void supFlesh_CopyState( const supFlesh* flesh, supFleshState* state, const supFleshState* from );
/// Takes over what moves, by the elements' names; `joints` and `world` are those of the old body's last step.
void supFlesh_Adopt( const supFlesh* flesh, supFleshState* state, const supFlesh* oldFlesh,
    const supFleshState* oldState, const supMat34* joints, supMat34 world );

/// Works out the elongations as they are shown: within the limit, as a smooth saturation that is the identity to 0.1%
/// below half of it and monotone along one line, or by the paper's clamp.
void supFlesh_Show( supFleshState* state );
/// What is shown, through a linear map: `out` takes a vector for each of eight elements a block.
void supFlesh_ReadShown( const supFleshState* state, supMat34 map, supVec3* out );

// ---------------------------------------------------------------------------------------------------------------
// Output

/// Adds weight * u to the positions of one mesh's smooth skin, and turns normals and tangents by the displacement's own
/// gradient. `shown`: elongations in model space, one an element. `palette` is the character's, all streams are as long
/// as the character has vertices; normals and tangents may be missing.
void supFlesh_Apply( const supFlesh* flesh, const supMeshView* mesh, const supMat34* palette, supSkinning method,
    const supVec3* shown, supOutStream positions, supOutStream normals, supOutStream tangents );

/// The living normal of a touched vertex, unit length: `smooth`, as the smooth skin has it, turned as supFlesh_Apply
/// turns it. `blended`: the vertex's matrix.
supVec3 supFlesh_LivingNormal(
    const supFlesh* flesh, int32_t row, supMat34d blended, const supVec3* shown, supVec3 smooth );

// Pictures; `frames`: joints of the pose that `smooth` was skinned with
bool supFlesh_Draw( const supFlesh* flesh, const supCharacter* character, const char* what, const supVec3* shown,
    const supMat34* joints, const float* smooth, float* scratch, const supDraw* draw );
