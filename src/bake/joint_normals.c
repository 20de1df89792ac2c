// Normals of a bake as joints, against the living ones.
// SPDX-License-Identifier: MIT
//
// Helper joints shift skin and never turn it: a player's normals are those of the smooth skin, but for vertices whose
// influences were refitted. The living skin's turn with the flesh. The difference is the price of this form in shading;
// morphs with normals do not have to pay it.

#include "bake/error_plan.h"
#include "character/skin_blend.h"

/// The mesh's normal with its own morphs on.
static supVec3d supMorphedNormal( const supMeshView* mesh, size_t vertex, const float* morphWeights )
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

void supAddNormalTurns( const supErrorPlan* plan, const supJointBake* bake, const supMat34* palette,
    const supVec3* shown, const float* morphWeights, supTurns* turns )
{
    const supFlesh* flesh = bake->model->flesh;
    int32_t mesh = -1;
    supMeshView view = { 0 };
    for ( int32_t row = 0; row < flesh->touchedCount; ++row )
    {
        if ( plan->meshes[row] != mesh )
        {
            mesh = plan->meshes[row];
            view = supCharacter_Mesh( bake->model->character, mesh );
        }
        if ( view.normals == NULL )
        {
            continue;
        }
        size_t vertex = (size_t)( flesh->touched[row] - view.firstVertex );
        size_t at = vertex * (size_t)view.influenceCount;
        supVec3d normal = supMorphedNormal( &view, vertex, morphWeights );
        supMat34d m = supBlendLinear(
            palette + view.firstPalette, view.influenceCount, view.jointIndices + at, view.weights + at );
        supVec3d smooth = supSkinnedNormal( m, normal ), baked = smooth;
        if ( supIsRefit( plan, row ) )
        {
            baked = supSkinnedNormal( supBakedMatrix( plan, row, palette, m ), normal );
        }
        supVec3 living = supFlesh_LivingNormal( flesh, row, m, shown, supToFloat( smooth ) );
        supTurns_Add( turns, baked, supNormalizeD( supToDouble( living ) ) );
    }
}
