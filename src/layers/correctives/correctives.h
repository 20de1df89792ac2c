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

#include "base/math.h"
#include "base/memory.h"
#include "layers/correctives/pose_space.h"
#include "layers/correctives/tube.h"
#include "layers/layer.h"

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
    int32_t touchedCount;
    int32_t* touched;
    int32_t* firstHold; ///< of each touched vertex, and the end
    supHold* holds;
    int32_t turnCount;
    int32_t* turnJoints;
    supMat34d* unturn; ///< each one's rest, inverted
} supCorrectives;

/// What an item is compiled with.
typedef struct supExampleWork
{
    supCorrectives* out;
    const supLayerContext* context;
    const supExampleDef* def;
    int32_t index;
    supVec3* moves;    ///< of all vertices of the character, at rest
    supMat34* joints;  ///< of the character, in the example's pose
    supMat34* palette; ///< the same
    supVec3* skinned;  ///< of all vertices, scratch
    float* members;    ///< of all vertices: how much of each belongs to the part
    supTurn* turns;    ///< of all joints of the character, in the pose
    float* morphWeights;
    supError* error;
} supExampleWork;

/// A zeroed block that dies with the correctives; NULL: no memory.
void* supKeepBlock( supCorrectives* correctives, size_t count, size_t itemSize );
void supDestroyCorrectives( void* compiled, const supAllocator* allocator );

/// Turns of a joint between two poses of it.
supTurn supTurnOfJoint( supMat34 joint, const supMat34d* unturn );
/// The blend of some turns. `count` at least 1.
supTurn supBlendTurns( const supTurn* turns, const supHold* holds, int32_t count );

/// The joints of an item, by name, into room for as many as the item has.
supResult supFindDrivers( const supExampleWork* work, int32_t* joints );
/// Where the joints are in the example's pose.
supResult supPoseExample( const supExampleWork* work, const int32_t* drivers );
/// Morph target, moves and shape, summed into work->moves.
supResult supSculptExample( const supExampleWork* work );
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
