// Supple: sculpted examples, compiled. Internal to the layer.
// SPDX-License-Identifier: MIT
//
// The beams' equation is linear, so what a pose asks for, K q = sum of shares times K q_e plus forces, has the solution
// sum of shares times q_e: every example is solved once, when it is compiled, and a pose only adds up. What curves
// cannot carry, the fine detail of a sculpt, takes part in the same sum, so that every example comes back whole.
//
// Displacements are kept at rest and turned by the blend of what the vertex's joints have turned since. A blended
// matrix would do worse: it shrinks in a bend, just where it is needed.
#pragma once

#include "base/fields.h"
#include "base/math.h"
#include "base/memory.h"
#include "layers/correctives/tube.h"
#include "layers/layer.h"
#include "supple/base.h"

// ---------------------------------------------------------------------------------------------------------------
// From the rotations of a few joints to how much of each example a pose takes.
//
// A pose is a point: for each driving joint the vector of its swing (axis times angle, across the bone) and its twist
// (about the bone), both against rest. Examples are points too, and rest, which needs no correction, is the origin.
// Only the span of the examples counts: what no example speaks of (the twist of a knee that was sculpted bent) changes
// nothing.
//
// Within the span the share of an example is the smoothest function that is 1 at its own point and 0 at rest and at all
// others: |x|^3 about each of them, and a linear part. In one dimension that is the natural cubic spline. So one
// example gives a straight line through rest and beyond the example, and a turn the other way gives nothing: shares are
// bent smoothly to 0 below 0 (supShareOf).

enum
{
    supPoseFeatures = 4 ///< a joint: three of swing, one of twist. Radians
};

typedef struct supPoseSpace
{
    int32_t joints, examples;
    int32_t span;     ///< dimensions of the examples' span: 1 to features
    double* basis;    ///< span x features, orthonormal rows
    double* points;   ///< examples x span
    double* linear;   ///< span x examples
    double* constant; ///< examples
    double* bumps;    ///< ( 1 + examples ) x examples, the origin first
} supPoseSpace;

/// Bytes of the block that supInitPoseSpace wants; all its arrays lie in it.
size_t supPoseSpace_MemorySize( int32_t joints, int32_t examples );
/// `features`: supPoseFeatures a joint, one example after the other. Refused: an example at rest, and two at one pose:
/// the error says which, by `names`. A few joints and examples: time grows as the cube of their number.
supResult supInitPoseSpace( supPoseSpace* space, void* block, int32_t joints, int32_t examples, const double* features,
    const char* const* names, const supAllocator* allocator, supError* error );
/// How much of each example this pose takes. Allocates nothing.
void supPoseSpace_Shares( const supPoseSpace* space, const double* features, double* shares );

/// The features of one joint's rotation against rest, in its own frame at rest. `axis`: of the bone, unit length, in
/// the same frame. Smooth but where the bone is turned right round.
void supSwingAndTwist( supQuatd rotation, supVec3d axis, double features[supPoseFeatures] );

/// x as it is for x well above 0, 1 at 1, and 0 at and below 0, with a continuous slope everywhere.
double supShareOf( double x );

// ---------------------------------------------------------------------------------------------------------------
// The layer.

/// What a joint has turned and grown since rest.
typedef struct supTurn
{
    supQuat rotation;
    float scale;
} supTurn;

/// One of the joints that a touched vertex hangs on.
typedef struct supHold
{
    int32_t turn; ///< index of a turning joint
    float weight;
} supHold;

/// Vertices that a layer moves, and the joints that turn what it moves them by.
typedef struct supHeldSkin
{
    int32_t touchedCount;
    int32_t* touched;
    int32_t* firstHold; ///< of each touched vertex, and the end
    supHold* holds;
    int32_t turnCount;
    int32_t* turnJoints;
    supMat34d* unturn; ///< each one's rest, inverted
} supHeldSkin;

/// Curves along one chain of the part, and how far the example moves their nodes.
typedef struct supExampleTube
{
    supTube* tube;
    supVec3* moves;
} supExampleTube;

typedef struct supExample
{
    int32_t group;
    int32_t place; ///< among the group's examples
    int32_t count; ///< vertices that it moves
    int32_t* rows; ///< of the touched vertices
    supVec3* moves;
    char name[24];     ///< for pictures, cut short
    int32_t tubeCount; ///< 0: it has no curves
    supExampleTube* tubes;
} supExample;

/// Examples with the same driving joints.
typedef struct supExampleGroup
{
    int32_t jointCount, count;
    int32_t* joints;
    supQuatd* restTurns; ///< of each joint against its parent, undone
    supVec3d* axes;      ///< of each bone, in the joint's frame
    int32_t* examples;
    supPoseSpace space;
} supExampleGroup;

typedef struct supCorrectives
{
    supArray kept; ///< every block that belongs to it
    const supCharacter* character;
    int32_t count, groupCount;
    supExample* examples;
    supExampleGroup* groups;
    int32_t largestGroup, mostJoints; ///< examples and joints of any group
    supHeldSkin held;
} supCorrectives;

/// What an item is compiled with.
typedef struct supExampleWork
{
    supCorrectives* out; ///< of examples alone
    supArray* kept;      ///< what dies with the layer that is compiled
    const supLayerContext* context;
    const supExampleDef* def;
    int32_t index;
    char place[SUP_PATH_TEXT]; ///< "examples[2]", for messages
    supVec3* moves;            ///< of all vertices of the character, at rest
    supMat34* joints;          ///< of the character, in the example's pose
    supMat34* palette;         ///< the same
    supVec3* skinned;          ///< of all vertices, scratch
    float* members;            ///< of all vertices: how much of each belongs to the part
    supTurn* turns;            ///< of all joints of the character, in the pose
    float* morphWeights;
    supError* error;
} supExampleWork;

/// Blocks that die together.
supArray supKeepBlocks( const supAllocator* allocator );
/// A zeroed block among them; NULL: no memory.
void* supKeepBlock( supArray* blocks, size_t count, size_t itemSize );
void supFreeBlocks( supArray* blocks, const supAllocator* allocator );
void supDestroyCorrectives( void* compiled, const supAllocator* allocator );

/// Turns of a joint between two poses of it.
supTurn supTurnOfJoint( supMat34 joint, const supMat34d* unturn );
/// The blend of some turns. `count` at least 1.
supTurn supBlendTurns( const supTurn* turns, const supHold* holds, int32_t count );

/// Room for what the work points to.
void supPutExampleWork( supLayout* layout, supExampleWork* work, const supCharacter* character );
/// The vertices that have a mark, and what they hang on. `slots`: zeros, one a joint; `rows`: room for one a vertex, in
/// which each one's number among the marked stands afterwards.
supResult supHoldSkin( const supCharacter* character, const uint8_t* marks, supArray* kept, int32_t* slots,
    int32_t* rows, supHeldSkin* out, supError* error );
/// What a group says of its joints at rest.
void supMeasureGroup( const supCharacter* character, supExampleGroup* group );
/// The joints of an item, by name, into room for as many as the item has.
supResult supFindDrivers( const supExampleWork* work, int32_t* joints );
/// Where the joints are in the example's pose.
supResult supPoseExample( const supExampleWork* work, const int32_t* drivers );
/// Morph target, moves and shape, summed into work->moves.
supResult supSculptExample( const supExampleWork* work );
/// Where along and around a part a force acts.
typedef struct supForceSpan
{
    float from, to;      ///< along it, 0 to 1
    float angle, spread; ///< around it. Degrees; angle NaN: all around
} supForceSpan;

double supForceAt( const supForceSpan* span, const supTube* tube, int32_t curve, int32_t node );
/// The part's joints as chains (supChain), each with a line through it.
supResult supFindPartChains( const supExampleWork* work, const int32_t* drivers, supArray* chains );
/// The blend of what a vertex's joints have turned in the work's pose.
supTurn supTurnOfVertex( const supExampleWork* work, const supMeshView* mesh, int32_t vertex );
/// All vertices under the work's joints, into work->skinned.
supResult supSkinExample( const supExampleWork* work, supSkinning method );
/// Curves along the part, and what forces do to it, added to work->moves.
supResult supBendExample( const supExampleWork* work, const int32_t* drivers, supExample* example );

/// Features of a pose for a group: supPoseFeatures a joint.
void supReadFeatures(
    const supCharacter* character, const supExampleGroup* group, const supMat34* joints, double* out );

void supApplyCorrectives( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );
size_t supCorrectivesScratch( const void* compiled );
void supDrawCorrectives( const void* compiled, const supLayerFrame* frame, const float* shown, const char* what,
    const supVec3* positions, const supDraw* draw );
supResult supCompileCorrectives(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Examples as a table of fields.

extern const supLayer sup_correctivesLayer;
