// How far the baked skin is from the living one, vertex by vertex, without skinning both.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/helper_frames.h"
#include "bake/joint_bake_data.h"
#include "base/math.h"

#include <stdint.h>

// ---------------------------------------------------------------------------------------------------------------
// Vertices whose influences are on helpers that turn: how far the baked skin is from the living one there.
//
// A helper that shifts is off by the same vector wherever it stands; one that turns is off by more the farther out a
// vertex is. So these vertices are skinned, both ways, one by one.

/// One baked influence.
typedef struct supTurnedEntry
{
    int32_t palette; ///< of the joint, or of the one that the helper stands on
    int32_t helper;  ///< -1: none
    float weight;
} supTurnedEntry;

typedef struct supTurnedRows
{
    int32_t count;    ///< of vertices
    int32_t refits;   ///< of them were refitted
    int32_t* rows;    ///< of the flesh, rising
    int32_t* meshes;  ///< of each
    uint8_t* marks;   ///< one a row of the flesh: is it here?
    supArray entries; ///< supTurnedEntry
    int32_t* offsets; ///< count + 1
    supVec3* lower;   ///< of each helper: the box of what hangs on it, in its joint's own space
    supVec3* upper;
    size_t blockSize;
} supTurnedRows;

/// A moment, as a player has it and as it should be.
typedef struct supTurnedPose
{
    const supMat34* palette;
    const supMat34* played; ///< one a helper that turns: from its joint's motion to its own. Model space
    const supVec3* moves;   ///< one a helper: what others add
    const supMat34* wanted; ///< one a motion. Model space
    const float* morphWeights;
} supTurnedPose;

/// False: no memory.
bool supMakeTurnedRows( supTurnedRows* rows, const supJointBake* bake );
void supTurnedRows_Destroy( supTurnedRows* rows, const supAllocator* allocator );
/// How far vertex `index` of the list is off. Model space
supVec3 supTurnedRows_Error(
    const supTurnedRows* rows, const supJointBake* bake, int32_t index, const supTurnedPose* pose );
/// No vertex on a helper is off by more than this, where it takes its joint's space to `played` instead of `target`.
float supTurnedRows_Bound( const supTurnedRows* rows, int32_t helper, supMat34 played, supMat34 target );
/// A motion as a matrix.
supMat34 supMotionMatrix( const supSkinMotion* motion );

// ---------------------------------------------------------------------------------------------------------------
// Normals as players skin them, and how far they are turned from others.

/// A normal under a blended matrix, unit length: by its cofactors, pointing outwards under a mirroring one too. Zero
/// where there is none.
static inline supVec3d supSkinnedNormal( supMat34d m, supVec3d n )
{
    supVec3d turned = supScaleD( supCrossD( m.y, m.z ), n.x );
    turned = supMulAddD( supMulAddD( turned, n.y, supCrossD( m.z, m.x ) ), n.z, supCrossD( m.x, m.y ) );
    return supNormalizeD( supDeterminantD( m ) < 0.0 ? supNegD( turned ) : turned );
}

/// Turns between unit vectors, gathered by their chords c = 2 sin( angle / 2 ).
typedef struct supTurns
{
    double largest; ///< c^2
    double sum;     ///< of squares of angles. Radians
    int64_t count;
} supTurns;

/// Pairs of which one is zero do not count.
static inline void supTurns_Add( supTurns* turns, supVec3d a, supVec3d b )
{
    if ( supDotD( a, a ) > 0.0 && supDotD( b, b ) > 0.0 )
    {
        supVec3d chord = supSubD( a, b );
        double square = supDotD( chord, chord );
        turns->largest = supMax( square, turns->largest );
        turns->sum += square * ( 1.0 + square / 12.0 ); // of angle^2 = c^2 + c^4 / 12 + ..., to 1% at 60 degrees
        turns->count += 1;
    }
}

static inline void supTurns_Join( supTurns* turns, const supTurns* other )
{
    turns->largest = supMax( other->largest, turns->largest );
    turns->sum += other->sum;
    turns->count += other->count;
}

static inline float supTurns_LargestDegrees( const supTurns* turns )
{
    double half = supMin( 0.5 * supSqrt( turns->largest ), 1.0 );
    return (float)( 2.0 * supAtan2( half, supSqrt( 1.0 - half * half ) ) * 180.0 / SUP_PI );
}

static inline float supTurns_RmsDegrees( const supTurns* turns )
{
    return turns->count > 0 ? (float)( supSqrt( turns->sum / (double)turns->count ) * 180.0 / SUP_PI ) : 0.0f;
}

// ---------------------------------------------------------------------------------------------------------------
// The plan.

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

/// Rows that are passed over together where none of them can matter.
#define SUP_PLAN_BLOCK 16

/// For every touched vertex what its baked influences do that the living skin does not. Rows are those of the flesh.
typedef struct supErrorPlan
{
    supArray helpers;       ///< supPlanEntry: weights on helpers
    supArray deltas;        ///< supPlanEntry: baked less original weights on joints, of refitted vertices alone
    int32_t* helperOffsets; ///< rows + 1
    int32_t* deltaOffsets;  ///< rows + 1
    int32_t* meshes;        ///< of each row
    supVec3* points;        ///< of each row: the vertex as the mesh has it
    supArray steepest; ///< supPlanEntry: of each block of rows the elements that touch it, and their largest `steep`
    int32_t* steepestEnds; ///< where each block of SUP_PLAN_BLOCK rows ends in it
    float* steep;          ///< of each of the flesh's touches: the length of its weight's gradient, at rest. 1/metre
    supArray bounds;       ///< supPlanEntry: weights on helpers, rounded up, each pattern of them once
    supArray boundEnds;    ///< int32_t: where each pattern ends in `bounds`
    supArray products;     ///< supWeightProduct: over all rows that were not refitted
    supTurnedRows turned;  ///< rows that turn: nothing of the above but bounds is about these
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
/// Three floats and a zero, for loads side by side.
typedef struct supPadded
{
    float v[4];
} supPadded;

/// A moment, as the errors of refitted rows are worked out from it.
typedef struct supRefitPose
{
    const supPadded* columns;  ///< x, y, z, t of each entry of the palette
    const supPadded* moves;    ///< what each helper adds to its joint
    const supPadded* shifts;   ///< of the motions
    const float* morphWeights; ///< NULL: there are no morphs
} supRefitPose;

static inline supPadded supPad( supVec3 a )
{
    return ( supPadded ){ { a.x, a.y, a.z, 0.0f } };
}

/// The error of a refitted row that does not turn.
supVec3 supRefitRowError( const supErrorPlan* plan, const supJointBake* bake, int32_t row, const supRefitPose* pose );

// joint_errors.c
/// A pose in which normals are looked at.
typedef struct supNormalPose
{
    const supMat34* palette;
    const supVec3* shown;      ///< elongations
    const float* lengths;      ///< of these
    const float* morphWeights; ///< NULL: there are no morphs
} supNormalPose;

/// Fills in `steep` and `steepest`. False: no memory.
bool supMeasureSteepness( supErrorPlan* plan, const supJointBake* bake, supMat34* palette );
