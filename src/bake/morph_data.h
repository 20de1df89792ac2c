// What a bake as morphs is made of, and its stages.
// SPDX-License-Identifier: MIT
//
//     supPlanMorphs        what moves, which meshes share weights, which times are looked at
//     supFindMorphBasis    frames at the rate -> an orthonormal basis that holds them all
//     supFindMorphTargets  that basis -> principal components, as few as hold the tolerance, each on few vertices
//     supFindMorphKeys     every clip's weights, at as few keys as hold what is left of the tolerance
//     supShiftMorphKeys    the same motion with weights from 0 to 1
//     supFindMorphNormals  the targets' normals, for the same weights
//     supMeasureMorphs, supMeasureMorphNormals
//                          what a player makes of all that, against the takes
#pragma once

#include "base/math.h"
#include "base/memory.h"
#include "base/tasks.h"
#include "rig/model_data.h"
#include "supple/bake.h"

/// Errors in the making, as shares of the tolerance: what targets leave out; what the dropping of small deltas adds to
/// that; what keys add to that. The rest is for times between those that are looked at, and for rounding.
#define SUP_MORPH_TARGET_SHARE 0.75
#define SUP_MORPH_SPARSE_SHARE 0.86
#define SUP_MORPH_KEY_SHARE 0.95

/// Times of one take.
typedef struct supMorphTimes
{
    supArray times; ///< double: candidates for keys
    int32_t frameCount;
    int32_t firstFrame; ///< of this take among all frames
} supMorphTimes;

/// Sparse deltas of one target.
typedef struct supMorphColumn
{
    int32_t count;
    int32_t* rows; ///< of the group, rising
    float* deltas; ///< 3 a row
} supMorphColumn;

/// One group of meshes at work.
typedef struct supMorphSet
{
    int32_t joint;
    int32_t count;     ///< vertices that may move
    int32_t room;      ///< the same, once there is memory for them
    int32_t* sources;  ///< of each: its place in the source's list
    int32_t* meshes;   ///< of each: its mesh
    int32_t* vertices; ///< of each: its vertex in the mesh

    int32_t frameCount;
    float* frames; ///< frameCount x 3 count: displacements at rest
    float* scales; ///< frameCount x count: how much longer skinning can make them, at most

    float* mostScale; ///< of each row: the largest of `scales`

    int32_t basisCount, basisRoom;
    double* basis;  ///< basisCount x 3 count, orthonormal rows
    double* shares; ///< basisCount x frameCount: frames in that basis

    int32_t targetCount;
    supMorphColumn* columns;       ///< positions
    supMorphColumn* normalColumns; ///< normals
    double* factor;                ///< Cholesky factor of the targets' products, until weights are shifted
    supMorphKeys* keys;            ///< one a take
} supMorphSet;

typedef struct supMorphPlan
{
    const supMorphBakeDef* def;
    const supModel* model;
    const supCharacter* character;
    const supAllocator* allocator;
    supMeshView* meshes;
    supMorphSource source;
    double tolerance; ///< metres
    int32_t frameCount;
    double fps;           ///< of the frames
    supMorphTimes* times; ///< one a take
    double* frameTimes;
    int32_t* frameTakes;
    int32_t setCount;
    supMorphSet* sets;
    supWatched* watched; ///< told how far it has come; may stop it
    char* block;
    size_t blockSize;
} supMorphPlan;

struct supMorphBake
{
    supAllocator allocator;
    const supCharacter* character;
    int32_t groupCount, clipCount;
    supMorphGroup* groups;
    supMorphMesh* meshes;
    supMorphTarget* targets; ///< mesh by mesh
    int32_t targetCount;     ///< of all meshes together
    supMorphKeys* keys;      ///< groupCount x clipCount
    supMorphErrors* errors;  ///< one a clip
    supMorphBakeInfo info;   ///< what hosts see
    size_t blockSize;
};

/// What the model's own flesh and layers need at a time of a take.
typedef struct supMorphMoment
{
    supBody* body;           ///< NULL where there is flesh alone
    supVec3* shown;          ///< one an element
    supVec3 *living, *other; ///< one a vertex
    char* block;
    size_t blockSize;
} supMorphMoment;

/// Poses, and what the source says of them. One for each thread.
typedef struct supMorphClock
{
    const supMorphPlan* plan;
    supMorphMoment moment; ///< where the source is the model itself
    supPose* pose;
    supMat34* palette;
    supVec3* moves; ///< one a vertex of the source
    char* block;
    size_t blockSize;
} supMorphClock;

// morph_plan.c
/// Twice as many frames, and candidates for keys; those of the sets are to be read again.
bool supMorphPlan_Refine( supMorphPlan* plan );
supResult supPlanMorphs( supMorphPlan* plan, const supMorphBakeDef* def, supError* error );
void supMorphPlan_Destroy( supMorphPlan* plan );
void supMorphSet_DropBasis( const supMorphPlan* plan, supMorphSet* set );
void supMorphSet_DropTargets( const supMorphPlan* plan, supMorphSet* set );
int32_t supMorphTakeClip( const supMorphPlan* plan, int32_t take );

// morph_source.c
bool supMakeMorphClock( supMorphClock* clock, const supMorphPlan* plan );
void supMorphClock_Destroy( supMorphClock* clock );
void supMorphClock_Read( supMorphClock* clock, int32_t take, double time );
/// Living normals of the source's vertices, at the time that was read.
void supMorphClock_Normals( supMorphClock* clock, int32_t take, double time, supVec3* normals );
/// The blended matrix of a row of a set, at the clock's time.
supMat34d supMorphClock_Matrix( const supMorphClock* clock, const supMorphSet* set, int32_t row );
/// Displacements of a set's vertices, at rest, and how much longer skinning can make them: 3 and 1 a row.
void supMorphClock_Rest( const supMorphClock* clock, const supMorphSet* set, float* rest, float* scales );
/// The forward-skinned error of a row that is at `rest` (3 floats): how far from what the source says.
supVec3d supMorphClock_Error( const supMorphClock* clock, const supMorphSet* set, int32_t row, supVec3d rest );
/// What is left of a move where it is taken back to rest and skinned again: not 0 where the skin is flattened.
supVec3d supMorphClock_Loss( const supMorphClock* clock, const supMorphSet* set, int32_t row );
/// All frames of all sets.
supResult supReadMorphFrames( supMorphPlan* plan, supError* error );

// morph_source.c: all layers of the model as a source
/// The vertices that they move; how is asked of a moment.
supMorphSource supModelMorphSource( const supModel* model );
/// False: no memory. One block, freed with blockSize.
bool supMakeMorphMoment( supMorphMoment* moment, const supMorphBakeDef* def );

// morph_basis.c
supResult supFindMorphBasis( const supMorphPlan* plan, supMorphSet* set, supError* error );
// morph_targets.c
supResult supFindMorphTargets( const supMorphPlan* plan, supMorphSet* set, double share, supError* error );
/// Weights of the targets that come nearest to displacements at rest, by least squares.
void supFitMorphWeights( const supMorphSet* set, const float* rest, double* weights );
/// Adds sum of weights times columns, which are as many as targets, to `rest` (3 numbers a row of the set), times
/// `sign`.
void supAddMorphColumns(
    const supMorphSet* set, const supMorphColumn* columns, const double* weights, double sign, double* rest );
// morph_keys.c
supResult supFindMorphKeys( const supMorphPlan* plan, supMorphSet* set, supError* error );
// morph_basis.c
supResult supShiftMorphKeys( const supMorphPlan* plan, supMorphSet* set, supError* error );
/// Weights as a player has them at a time of a take, one a target; whether the time is a key.
bool supPlayMorphKeys( const supMorphSet* set, int32_t take, double time, double* weights );
// morph_normals.c
/// The set's frames are gone after it.
supResult supFindMorphNormals( const supMorphPlan* plan, supMorphSet* set, supError* error );
/// The normal that a row's mesh has; zero: none.
supVec3d supMorphRowNormal( const supMorphPlan* plan, const supMorphSet* set, size_t row );
// morph_errors.c
supResult supMeasureMorphs( const supMorphPlan* plan, supMorphErrors* errors, supError* error );
// morph_errors.c
supResult supMeasureMorphNormals( const supMorphPlan* plan, supMorphErrors* errors, supError* error );
