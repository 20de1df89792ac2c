// SPDX-License-Identifier: MIT

#include "picture/figure_internal.h"
#include "supple/lab/skin.h"
#include "supple/picture.h"

/// A mesh is turned inside out where its vertices' matrices mirror. Sums the determinants over the vertices' first
/// influences, so that a joint that is scaled to nothing or mirrored alone does not decide for the rest.
static bool supIsMirrored( const supMeshView* mesh, const supMat34* palette )
{
    int32_t mirrored = 0, straight = 0;
    int32_t step = 1 + mesh->vertexCount / 64;
    for ( int32_t v = 0; v < mesh->vertexCount; v += step )
    {
        int32_t entry = mesh->firstPalette;
        if ( mesh->jointIndices != NULL && mesh->influenceCount > 0 )
        {
            entry += mesh->jointIndices[(size_t)v * (size_t)mesh->influenceCount];
        }
        const supMat34* m = palette + entry;
        float determinant = supDot( m->x, supCross( m->y, m->z ) );
        mirrored += determinant < 0.0f ? 1 : 0;
        straight += determinant > 0.0f ? 1 : 0;
    }
    return mirrored > straight;
}

supShape supFigure_Pose( supFigure* figure, const supMat34* joints, const float* morphWeights )
{
    const supCharacter* character = figure->character;
    supCharacter_Palette( character, joints, figure->palette );
    bool missing = false;
    for ( int32_t m = 0; m < figure->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        supSkinJob job = supCharacter_SkinJob( character, m, figure->palette, morphWeights );
        size_t first = 3 * (size_t)mesh.firstVertex;
        job.outPositions = ( supOutStream ){ figure->positions + first, mesh.vertexCount, 12 };
        if ( mesh.normals != NULL )
        {
            job.outNormals = ( supOutStream ){ figure->normals + first, mesh.vertexCount, 12 };
        }
        missing = missing || mesh.normals == NULL;
        supSkinJob_Run( &job, NULL ); // the character's own job, which its creation has checked
        figure->mirrored[m] = supIsMirrored( &mesh, figure->palette ) ? 1 : 0;
    }
    if ( missing )
    {
        supComputeNormals( figure, figure->positions, figure->mirrored, false, figure->normals );
    }
    return ( supShape ){ figure->positions, figure->normals, figure->mirrored };
}

// ---------------------------------------------------------------------------------------------------------------

/// The nearest joint above that a skin uses: exporters put helper nodes between. -1: none.
static int32_t supBoneAbove( const supCharacter* character, int32_t joint )
{
    do
    {
        joint = supCharacter_Joint( character, joint )->parent;
    } while ( joint >= 0 && supCharacter_Joint( character, joint )->isSkinJoint == false );
    return joint;
}

void supDrawBones( const supCharacter* character, const supMat34* joints, const supDraw* draw )
{
    const supColor bone = { 0.95f, 0.62f, 0.10f, 1.0f }, dot = { 0.85f, 0.22f, 0.05f, 1.0f };
    int32_t count = supCharacter_Info( character )->jointCount;
    for ( int32_t joint = 0; joint < count; ++joint )
    {
        if ( supCharacter_Joint( character, joint )->isSkinJoint == false )
        {
            continue;
        }
        int32_t parent = supBoneAbove( character, joint );
        if ( parent >= 0 && draw->line != NULL )
        {
            draw->line( joints[parent].t, joints[joint].t, bone, 3.0f, draw->user );
        }
    }
    for ( int32_t joint = 0; joint < count; ++joint )
    {
        if ( supCharacter_Joint( character, joint )->isSkinJoint && draw->point != NULL )
        {
            draw->point( joints[joint].t, dot, 6.0f, draw->user );
        }
    }
}
