// The functions of the layer of fat: see layers/layer.h for what each is asked to do.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "layers/fat/fat_border.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_voxels.h"

/// Where each item's state and shown floats stand in the layer's.
void supPlaceFatStates( supFats* fats );

int32_t supFatsShownCount( const void* compiled );
size_t supFatsStateSize( const void* compiled );
size_t supFatsScratchSize( const void* compiled );
void supResetFats( const void* compiled, void* state, float* shown );
void supStepFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportFats( const void* compiled, void* state, supMat34 motion );
void supAdoptFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown, const void* oldCompiled,
    const void* oldState, const float* oldShown );
void supForceFats( const void* compiled, void* state, const supLayerFrame* frame, int32_t vertex, supVec3 force );
bool supFatsAreAtRest( const void* compiled, const void* state );
int64_t supFatsCutCount( const void* compiled, const void* state );
void supTunedFat( const void* compiled, void* state, const float* live, int32_t item );

/// None with a reference: that one is run until its cycles close.
size_t supFatLoopSize( const void* compiled );
void supFatLoopBegin( const void* compiled, const void* state, void* loop );
void supFatLoopStep( const void* compiled, const void* state, void* loop );
supLoopReport supFatLoopEnd( const void* compiled, void* state, void* loop, const float* live, supMat34 turn );

void supApplyFats( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
void supDrawFats( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );

/// In this time corrections go over to what a hand has changed, to a third; for eight times as long. Seconds
#define SUP_FAT_EASE 0.05f

/// How many times faster than when it was compiled a fat with these live fields swings.
float supFatSpeed( const supFat* fat, const float* live );
/// The rotation of an item's joint since rest, model space.
supMat34 supFatTurn( const supFat* fat, int32_t joint, supMat34 carried );
/// Displacements of the free nodes in rest space, three rows of numbers one after the other would be slower: x, y, z a
/// node. `out`: fat->rowSize floats.
void supFatDisplacements( const supFat* fat, const float* shown, float limit, float* out );

// ---------------------------------------------------------------------------------------------------------------
// Volume kept: what the skin gains beyond its solid is taken back, and displacements follow their own flow.

/// What both need, when everything else of the fat is there. False: no memory.
bool supFillFatFlow( supFat* fat, const supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic );

/// Takes `amount` of what the skin gains beyond the solid back, by an even swelling. `moved`: three a free node.
void supEvenFat( const supFat* fat, float amount, float* moved );

/// Node i, on its way along the flow of all displacements: u + amount / 2 (u . grad) u.
supVec3 supFlownNode( const supFat* fat, const float* moved, int32_t i, float amount );

// ---------------------------------------------------------------------------------------------------------------
// What the body's motion and the inner border's own give to the vibrations of fat.

supMat34 supMatDifference( supMat34 a, supMat34 b );
/// The twelve numbers of a matrix of motion, taken back by a turn, in the order of `gather`.
void supMotionNumbers( supMat34 turn, supMat34 motion, float scale, float out[12] );
/// Adds the modes' shares of a joint's matrix of motion, taken back by its turn. `scale`: from world to model.
void supGatherMotion( const supFat* fat, int32_t joint, supMat34 turn, supMat34 motion, float scale, float* out );
/// Moves a joint's history on by a frame, and gives the modes their shares of it.
void supReadJoint( const supFat* fat, const supFatPlaces* at, int32_t j, supMat34 carried, supMat34 turn,
    supVec3 travel, float worldScale, const supJointJumps* jumps );
/// The inner border's own motion, which the fat above it feels.
void supReadBorder( const supFat* fat, const supFatPlaces* at, const float* shares, bool moves );
/// In `last`: where a joint was is not known.
static inline float supUnseen( void )
{
    return (float)( supInfinity() - supInfinity() );
}

// ---------------------------------------------------------------------------------------------------------------
// Forces from outside that reach fat through the skin.

/// Numbers of scratch that supFatRemainder needs; 0: the fat has no factor.
size_t supFatSolveCount( const supFat* fat );
/// What the waiting forces give to each mode, into at->forced; they are weighed by the density that it has now.
void supGatherForces( const supFat* fat, const supFatPlaces* at, const float* live );

/// How what the modes leave out follows a force.
typedef struct supFatLag
{
    const float* live;
    float speed; ///< supFatSpeed
    float dt;    ///< seconds; below zero: at once
} supFatLag;

/// What the modes leave out of the waiting forces (`forced`; else of none), by one frame: x, y, z a free node, metres.
/// Of a fat with a factor. Gives whether it has come to rest at zero.
bool supFatRemainder( const supFat* fat, const supFatPlaces* at, const supFatLag* lag, bool forced, float* shown );

// ---------------------------------------------------------------------------------------------------------------
// What meshes below the fat push, where joints carry them otherwise than the skin above.

/// What the rows are worked out from.
typedef struct supFatSolid
{
    const supFatRegion* region;
    const supFatMesh* mesh;
    const supFatHold* holds; ///< of all nodes
    const supElastic* elastic;
    const supBlockFactor* factor;
    const supElasticModes* modes;
    supWatched* watched; ///< or NULL
} supFatSolid;

/// Adds the pairs of joints (supFatPair) that move meshes against the nodes that they hold. False: no memory.
bool supFindMeshPairs( const supFatRegion* region, const supFatMesh* mesh, const supFatHold* holds, supArray* pairs );
/// Fills in the rows of the fat's pairs. False: no memory, or it was to stop.
bool supFillMeshPushes( supFat* fat, const supFatSolid* solid );

/// Adds to the pulls on the modes what the meshes push in a frame whose joints have been read, and gives twelve numbers
/// a pair to show.
void supPushByMeshes(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, float speed, float* pulls, float* shown );
