// Supple: palettes, and skinning jobs that use them.
// SPDX-License-Identifier: MIT
#include "base/math.h"
#include "character_data.h"

#include <assert.h>

int32_t supCharacter_PaletteCount( const supCharacter* character )
{
    return character->paletteCount;
}

const int32_t* supCharacter_PaletteJoints( const supCharacter* character )
{
    return character->paletteJoints;
}

// In double, rounded once: joint and inverse bind are often large and nearly cancel.
void supCharacter_Palette( const supCharacter* character, const supMat34* joints, supMat34* palette )
{
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        const supSkin* skin = character->skins + s;
        for ( int32_t i = 0; i < skin->jointCount; ++i )
        {
            supMat34d joint = supMatToDouble( joints[skin->joints[i]] );
            palette[skin->firstPalette + i] =
                supMatToFloat( supMulMatD( joint, supMatToDouble( skin->inverseBind[i] ) ) );
        }
    }
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        const supMeshView* mesh = character->meshes + m;
        if ( mesh->skin < 0 )
        {
            palette[mesh->firstPalette] = joints[mesh->joint];
        }
    }
}

supSkinJob supCharacter_SkinJob(
    const supCharacter* character, int32_t mesh, const supMat34* palette, const float* morphWeights )
{
    assert( 0 <= mesh && mesh < character->meshCount );
    const supMeshView* view = character->meshes + mesh;
    int32_t count = view->vertexCount;
    supSkinJob job = supDefaultSkinJob();
    job.vertexCount = count;
    job.influenceCount = view->influenceCount;
    job.jointIndices = ( supInStream ){ view->jointIndices, count, view->influenceCount * (int32_t)sizeof( uint16_t ) };
    job.weights = ( supInStream ){ view->weights, count, view->influenceCount * (int32_t)sizeof( float ) };
    job.palette = palette + view->firstPalette;
    job.paletteCount = view->skin >= 0 ? character->skins[view->skin].jointCount : 1;
    job.positions = ( supInStream ){ view->positions, count, 12 };
    job.normals = ( supInStream ){ view->normals, count, 12 };
    job.tangents = ( supInStream ){ view->tangents, count, 16 };
    if ( view->morphPositions != NULL || view->morphNormals != NULL || view->morphTangents != NULL )
    {
        job.morphCount = view->morphCount;
        job.morphWeights = morphWeights != NULL ? morphWeights + view->firstMorphWeight : view->morphWeights;
        job.morphPositions = view->morphPositions;
        job.morphNormals = view->morphNormals;
        job.morphTangents = view->morphTangents;
    }
    return job;
}
