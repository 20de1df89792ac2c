// Which of its joints a vertex leaves to which of their helpers.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/refit.h"

/// The most joints of a vertex that are left to helpers, those with the largest weights: beyond that there are too many
/// ways.
#define SUP_ASSIGNED_JOINTS 4
/// How many of the best are kept.
#define SUP_KEPT_ASSIGNMENTS 4

/// Every joint of a vertex keeps its weight, and stands for itself or is left to one of its helpers.
typedef struct supAssignment
{
    int32_t count;
    supBakeInfluence influences[SUP_MAX_INFLUENCES];
    float error; ///< the largest that it may be. Metres
} supAssignment;

typedef struct supAssignments
{
    int32_t count;
    supAssignment best[SUP_KEPT_ASSIGNMENTS]; ///< by rising error
} supAssignments;

/// What a vertex is made of, as far as mixes of elements go.
typedef struct supMixedVertex
{
    int32_t row;
    int32_t jointCount;
    int32_t locals[SUP_MAX_INFLUENCES]; ///< indices into the mesh's joints, by falling weight
    int32_t joints[SUP_MAX_INFLUENCES]; ///< of the character
    float weights[SUP_MAX_INFLUENCES];  ///< of these, less what turns
    float turned;                       ///< the sum of its weights on motions that turn
} supMixedVertex;

supMixedVertex supMakeMixedVertex( const supJointBake* bake, const supRefit* refit );

/// The best ways to reach `wanted` (one an element: how much of its elongation), leaving joint `skipped` (an index into
/// the vertex's, or -1) out. `reaches`: of each element the largest elongation. Of a vertex with more than
/// SUP_ASSIGNED_JOINTS joints the others stand for themselves. None where there are no helpers, or more than
/// SUP_MAX_MIXED motions.
supAssignments supAssignJoints( const supJointBake* bake, const supMixedVertex* vertex, const float* wanted,
    const float* reaches, int32_t skipped );
