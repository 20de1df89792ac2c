// Supple: palettes, and skinning jobs that use them.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"
#include "base/math.h"
#include "character_data.h"
#include "supple/lab/skin.h"

#include <assert.h>

/// Columns of three numbers and a zero: compilers make wide code of loops over four.
typedef struct supColumns4
{
    double c[4][4];
} supColumns4;

static inline supColumns4 supWiden( const supMat34* m )
{
    const float* from = &m->x.x;
    supColumns4 wide;
    for ( int c = 0; c < 4; ++c )
    {
        for ( int i = 0; i < 3; ++i )
        {
            wide.c[c][i] = (double)from[3 * c + i];
        }
        wide.c[c][3] = 0.0;
    }
    return wide;
}

/// joint * inverseBind, the sums in the order of supMulMatD.
static inline void supMulBind( const supMat34* joint, const supMat34* inverseBind, supMat34* out )
{
    supColumns4 m = supWiden( joint );
    const float* b = &inverseBind->x.x;
    float* to = &out->x.x;
    for ( int c = 0; c < 4; ++c )
    {
        double x = b[3 * c], y = b[3 * c + 1], z = b[3 * c + 2], sum[4];
        for ( int i = 0; i < 4; ++i )
        {
            sum[i] = m.c[0][i] * x + m.c[1][i] * y + m.c[2][i] * z;
            sum[i] = c == 3 ? sum[i] + m.c[3][i] : sum[i];
        }
        for ( int i = 0; i < 3; ++i )
        {
            to[3 * c + i] = (float)sum[i];
        }
    }
}

// In double, rounded once: joint and inverse bind are often large and nearly cancel.
void supCharacter_Palette( const supCharacter* character, const supMat34* joints, supMat34* palette )
{
    supFloatSettings host = supEnterFloatSettings();
    for ( int32_t s = 0; s < character->skinCount; ++s )
    {
        const supSkin* skin = character->skins + s;
        for ( int32_t i = 0; i < skin->jointCount; ++i )
        {
            supMulBind( joints + skin->joints[i], skin->inverseBind + i, palette + skin->firstPalette + i );
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
    supLeaveFloatSettings( host );
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
