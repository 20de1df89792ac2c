// How far the baked skin is from the living one, vertex by vertex, without skinning both.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"
#include "bake/normal_turns.h"
#include "bake/turned_rows.h"

typedef struct supPlanEntry
{
    int32_t index; ///< a helper, or an entry of the palette
    float weight;
} supPlanEntry;

/// The sum over rows of the product of their weights on two helpers; both orders together.
typedef struct supWeightProduct
{
    int32_t first, second;
    double sum;
} supWeightProduct;

/// For every touched vertex what its baked influences do that the living skin does not. Rows are those of the flesh.
typedef struct supErrorPlan
{
    supArray helpers;       ///< supPlanEntry: weights on helpers
    supArray deltas;        ///< supPlanEntry: baked less original weights on joints, of refitted vertices alone
    int32_t* helperOffsets; ///< rows + 1
    int32_t* deltaOffsets;  ///< rows + 1
    int32_t* meshes;        ///< of each row
    supVec3* points;        ///< of each row: the vertex as the mesh has it
    float* steep;           ///< of each of the flesh's touches: the length of its weight's gradient, at rest. 1/metre
    supArray bounds;        ///< supPlanEntry: weights on helpers, rounded up, each pattern of them once
    supArray boundEnds;     ///< int32_t: where each pattern ends in `bounds`
    supArray products;      ///< supWeightProduct: over all rows that were not refitted
    supTurnedRows turned;   ///< rows that turn: nothing of the above but bounds is about these
    size_t blockSize;
} supErrorPlan;

supResult supMakeErrorPlan( supErrorPlan* plan, const supJointBake* bake, supError* error );
void supErrorPlan_Destroy( supErrorPlan* plan, const supAllocator* allocator );

/// Was the vertex of a row refitted?
static inline bool supIsRefit( const supErrorPlan* plan, int32_t row )
{
    return plan->deltaOffsets[row + 1] > plan->deltaOffsets[row];
}

/// Has the vertex of a row helpers that turn?
static inline bool supIsTurned( const supErrorPlan* plan, int32_t row )
{
    return plan->turned.count > 0 && plan->turned.marks[row] != 0;
}

/// No vertex is off by more than this, with `lengths` of all helpers' errors.
float supErrorBound( const supErrorPlan* plan, const float* lengths );

/// A vertex of a mesh with its morphs on; `morphWeights` as a pose has them.
supVec3 supMorphedPoint( const supMeshView* mesh, int32_t vertex, const float* morphWeights );

/// The error of a row that was not refitted: `errors` of each helper (supHelperError).
supVec3 supExactRowError( const supErrorPlan* plan, int32_t row, const supVec3* errors );
/// The error of a refitted one that does not turn: `moves` what each helper adds to its joint, `shifts` of the motions;
/// `morphWeights` NULL: there are no morphs.
supVec3 supRefitRowError( const supErrorPlan* plan, const supJointBake* bake, int32_t row, const supVec3* moves,
    const supVec3* shifts, const supMat34* palette, const float* morphWeights );

// joint_normals.c
/// A pose in which normals are looked at.
typedef struct supNormalPose
{
    const supMat34* palette;
    const supVec3* shown;      ///< elongations
    const float* lengths;      ///< of these
    const float* morphWeights; ///< NULL: there are no morphs
} supNormalPose;

/// The mesh's normal with its own morphs on; `morphWeights` may be NULL.
supVec3d supMorphedNormal( const supMeshView* mesh, size_t vertex, const float* morphWeights );
/// Fills in `steep`.
void supMeasureSteepness( supErrorPlan* plan, const supJointBake* bake, supMat34* palette );
/// How far the normals of all rows are turned from the living ones; what refitting alone turned each by is left in
/// `turned`, one a row.
void supAddNormalTurns(
    const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose, float* turned, supTurns* turns );
/// The same for the rows alone that could be turned farther than any so far: only the largest is raised. `turned` is of
/// a pose not long ago.
void supRaiseNormalTurns( const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose,
    const float* turned, supTurns* turns );
