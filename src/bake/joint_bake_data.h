// What a bake as joints is made of, and its stages.
// SPDX-License-Identifier: MIT
//
//     supMakeInfluences   every vertex's exact influences: joints and helper joints
//     supRefitInfluences  fewer, where there is no room for all
//     supBakeClipKeys     each clip's keys
//     supMeasureClip      what a player makes of all that, against the takes
#pragma once

#include "bake/take_data.h"
#include "base/memory.h"
#include "rig/model_data.h"
#include "supple/bake.h"

/// One influence of a vertex: a joint of its mesh's list, or a helper on it.
typedef struct supBakeInfluence
{
    int32_t joint;  ///< index into the mesh's joints
    int32_t helper; ///< of the model; -1: the joint itself
    float weight;
} supBakeInfluence;

/// The most influences that are ever looked at for one vertex.
#define SUP_MAX_CANDIDATES 32

/// What a vertex would need to move exactly.
typedef struct supExactInfluences
{
    int32_t count;
    supBakeInfluence influences[SUP_MAX_CANDIDATES];
} supExactInfluences;

/// A touched vertex for which there is no room for all influences.
typedef struct supRefit
{
    int32_t row; ///< of the flesh's touched vertices
    int32_t mesh;
} supRefit;

struct supJointBake
{
    supAllocator allocator;
    const supModel* model;
    float size; ///< of the character. Metres
    int32_t meshCount, clipCount;
    supBakedMesh* meshes;
    supBakedClip* clips;
    int32_t* helperOf;    ///< helper of a kind (supSkinMotions) on a joint, kind * jointCount + joint; -1: none
    supArray helpers;     ///< supBakedHelper: the model's, then mixes
    supArray turns;       ///< int32_t: of each helper the motion that it makes, shift and all; -1: it does not turn
    supArray mixes;       ///< float: of each helper how much of each motion's shift it adds, helper after helper
    int32_t turningCount; ///< helpers that turn
    supArray refits;      ///< supRefit, rows rising
    float refitError, refitEdgeJump;
    bool isDriven;         ///< a host moves the helpers: there is nothing between keys
    supJointBakeInfo info; ///< what hosts see, once it is done
    size_t blockSize;
};

static inline int32_t supHelperOf( const supJointBake* bake, int32_t kind, int32_t joint )
{
    return bake
        ->helperOf[(size_t)kind * (size_t)supCharacter_Info( bake->model->character )->jointCount + (size_t)joint];
}

static inline int32_t supBakedHelperCount( const supJointBake* bake )
{
    return (int32_t)bake->helpers.count;
}

static inline int32_t supHelperJoint( const supJointBake* bake, int32_t helper )
{
    return ( (const supBakedHelper*)bake->helpers.data )[helper].joint;
}

/// The motion that a helper makes; -1: it does not turn.
static inline int32_t supHelperTurn( const supJointBake* bake, int32_t helper )
{
    return ( (const int32_t*)bake->turns.data )[helper];
}

/// What a helper shifts by, with the motions' shifts.
supVec3d supHelperMoveD( const supJointBake* bake, int32_t helper, const supVec3d* shifts );
supVec3 supHelperMove( const supJointBake* bake, int32_t helper, const supVec3* shifts );
/// One more helper that makes the motion `turn` (-1: none) and adds a mix of the motions' shifts; -1: no memory.
int32_t supAddBakedHelper( supJointBake* bake, supBakedHelper helper, int32_t turn, const float* mix );

/// How many joints a mesh's influences choose from: its skin's, or the node itself.
int32_t supMeshJointCount( const supCharacter* character, const supMeshView* mesh );
/// Which of them is joint `joint` of the character; the last where none is.
int32_t supFindMeshJoint( const supCharacter* character, const supMeshView* mesh, int32_t joint );
/// The influences of touched vertex `row`, of mesh `mesh`, with which it moves exactly. `isExact` (or NULL): false
/// where there are none (several motions that turn ask for more than the vertex has), and these are the next best.
supExactInfluences supExactInfluencesOf(
    const supJointBake* bake, const supMeshView* mesh, int32_t row, bool* isExact );
/// Writes a vertex's influences: falling, sum 1. At most the mesh's influenceCount.
void supStoreInfluences(
    supJointBake* bake, int32_t mesh, int32_t vertex, int32_t count, const supBakeInfluence* influences );

/// Fills in all meshes, and lists the vertices that there is no room for (they get their largest influences).
supResult supMakeInfluences( supJointBake* bake, int32_t influences, supError* error );
supResult supRefitInfluences( supJointBake* bake, const supJointBakeDef* def, supError* error );
struct supErrorPlan;
/// One clip; runs on any thread.
supResult supBakeClipKeys( const supJointBake* bake, const struct supErrorPlan* plan, const supJointBakeDef* def,
    const supTake* take, supBakedClip* clip );
supResult supMeasureClip(
    const supJointBake* bake, const struct supErrorPlan* plan, const supTake* take, supBakedClip* clip );
