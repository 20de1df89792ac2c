// SPDX-License-Identifier: MIT
#include "picture/figure_internal.h"
#include "supple/lab/skin.h"

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
