// Normals of a bake as joints, against the living ones.
// SPDX-License-Identifier: MIT
//
// Helper joints of springs shift skin and do not turn it: a player's normals are those of the smooth skin, but for
// vertices whose influences were refitted and those that modes turn. The living skin's turn with the flesh. The
// difference is the price of this form in shading; morphs with normals do not have to pay it.

#include "bake/error_plan.h"
#include "character/skin_blend.h"

supVec3d supMorphedNormal( const supMeshView* mesh, size_t vertex, const float* morphWeights )
{
    const float* p = mesh->normals + 3 * vertex;
    supVec3d normal = { p[0], p[1], p[2] };
    for ( int32_t i = 0; mesh->morphNormals != NULL && morphWeights != NULL && i < mesh->morphCount; ++i )
    {
        float weight = morphWeights[mesh->firstMorphWeight + i];
        if ( weight != 0.0f && mesh->morphNormals[i] != NULL )
        {
            const float* m = mesh->morphNormals[i] + 3 * vertex;
            normal = supMulAddD( normal, weight, ( supVec3d ){ m[0], m[1], m[2] } );
        }
    }
    return normal;
}

/// A row's matrix with its baked influences: what refitting has changed is added to the original.
static supMat34d supBakedMatrix( const supErrorPlan* plan, int32_t row, const supMat34* palette, supMat34d m )
{
    const supPlanEntry* deltas = plan->deltas.data;
    for ( int32_t i = plan->deltaOffsets[row]; i < plan->deltaOffsets[row + 1]; ++i )
    {
        supMat34d joint = supMatToDouble( palette[deltas[i].index] );
        m.x = supMulAddD( m.x, deltas[i].weight, joint.x );
        m.y = supMulAddD( m.y, deltas[i].weight, joint.y );
        m.z = supMulAddD( m.z, deltas[i].weight, joint.z );
    }
    return m;
}

/// Normals of one row. Zeros: the mesh has none.
typedef struct supRowNormals
{
    supVec3d smooth, baked, living;
} supRowNormals;

static supRowNormals supNormalsOf( const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose,
    const supMeshView* view, int32_t row )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    if ( view->normals == NULL )
    {
        return ( supRowNormals ){ 0 };
    }
    size_t vertex = (size_t)( offsets->touched[row] - view->firstVertex );
    size_t at = vertex * (size_t)view->influenceCount;
    supVec3d normal = supMorphedNormal( view, vertex, pose->morphWeights );
    supMat34d m = supBlendLinear(
        pose->palette + view->firstPalette, view->influenceCount, view->jointIndices + at, view->weights + at );
    supVec3d smooth = supSkinnedNormal( m, normal ), baked = smooth;
    if ( supIsRefit( plan, row ) )
    {
        baked = supSkinnedNormal( supBakedMatrix( plan, row, pose->palette, m ), normal );
    }
    supVec3 living = supSkinOffsets_LivingNormal( offsets, row, m, pose->shown, supToFloat( smooth ) );
    return ( supRowNormals ){ smooth, baked, supNormalizeD( supToDouble( living ) ) };
}

void supMeasureSteepness( supErrorPlan* plan, const supJointBake* bake, supMat34* palette )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    const supCharacter* character = bake->model->character;
    supCharacter_Palette( character, supCharacter_Info( character )->restJoints, palette );
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        supMeshView view = supCharacter_Mesh( character, plan->meshes[row] );
        size_t at = (size_t)( offsets->touched[row] - view.firstVertex ) * (size_t)view.influenceCount;
        supMat34d back = supMat34d_identity;
        supInvertMatD( supBlendLinear( palette + view.firstPalette, view.influenceCount, view.jointIndices + at,
                           view.weights + at ),
            &back );
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            supVec3d gradient = supToDouble( offsets->touches[i].gradient );
            plan->steep[i] = (float)supLengthD( supTransposeVectorD( back, gradient ) );
        }
    }
}

void supAddNormalTurns(
    const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose, float* turned, supTurns* turns )
{
    const supSkinOffsets* offsets = &bake->model->offsets;
    int32_t mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        if ( plan->meshes[row] != mesh )
        {
            mesh = plan->meshes[row];
            view = supCharacter_Mesh( bake->model->character, mesh );
        }
        supRowNormals normals = supNormalsOf( plan, bake, pose, &view, row );
        supTurns_Add( turns, normals.baked, normals.living );
        turned[row] = (float)supLengthD( supSubD( normals.baked, normals.smooth ) );
    }
}

// A weight whose gradient has the length s tilts the skin by at most s |u|, to first order, where the pose does not
// squash it: half as much again is allowed for both. What refitting adds goes with the pose, and that changes slowly.
void supRaiseNormalTurns( const supErrorPlan* plan, const supJointBake* bake, const supNormalPose* pose,
    const float* turned, supTurns* turns )
{
    static const float slack = 1.5f;
    const supSkinOffsets* offsets = &bake->model->offsets;
    for ( int32_t row = 0; row < offsets->touchedCount; ++row )
    {
        float tilt = 0.0f;
        for ( int32_t i = offsets->firsts[row]; i < offsets->firsts[row + 1]; ++i )
        {
            tilt += plan->steep[i] * pose->lengths[offsets->touches[i].element];
        }
        float most = slack * ( tilt + turned[row] );
        if ( (double)most * most > turns->largest )
        {
            supMeshView view = supCharacter_Mesh( bake->model->character, plan->meshes[row] );
            supRowNormals normals = supNormalsOf( plan, bake, pose, &view, row );
            supTurns here = { 0 };
            supTurns_Add( &here, normals.baked, normals.living );
            turns->largest = supMax( here.largest, turns->largest );
        }
    }
}
