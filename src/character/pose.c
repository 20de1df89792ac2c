// Supple: poses: where the joints are at a time of a clip.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"

#include "base/math.h"
#include "base/memory.h"
#include "character/joint_tree.h"
#include "character_data.h"
#include "supple/lab/skin.h"

#include <assert.h>
#include <string.h>

struct supPose
{
    const supCharacter* character;
    supAllocator allocator;
    size_t blockSize;
    int32_t clip;          // that the cursors belong to
    int32_t* cursors;      // of each track of the clip: the key where it was last found
    supTransformd* locals; // of each joint; unused for those that stand by a matrix
    supMat34d* chain;      // of each joint: model space, before rounding
    supMat34* joints;
    float* morphWeights;
};

supResult supCreatePose( const supCharacter* character, const supMakeDef* def, supPose** out, supError* error )
{
    assert( character != NULL && out != NULL );
    *out = NULL;
    const supAllocator* allocator;
    supResult opened = supOpenMakeDef( def, &allocator, error );
    if ( opened != sup_success )
    {
        return opened;
    }
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supPose, pose, 1 );
    SUP_PUT_NEW( &layout, int32_t, cursors, character->mostTracks );
    SUP_PUT_NEW( &layout, supTransformd, locals, character->jointCount );
    SUP_PUT_NEW( &layout, supMat34d, chain, character->jointCount );
    SUP_PUT_NEW_WIDE( &layout, supMat34, jointsRoom, character->jointCount );
    SUP_PUT_NEW( &layout, float, weights, character->morphWeightCount );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for a pose of %d joints", (int)character->jointCount );
    }
    *pose = ( supPose ){ character, supKeepAllocator( allocator ), layout.size, -1, cursors, locals, chain, jointsRoom,
        weights };
    supPose_Rest( pose );
    *out = pose;
    return sup_success;
}

void supDestroyPose( supPose* pose )
{
    if ( pose != NULL )
    {
        supAllocator allocator = pose->allocator;
        supFree( &allocator, pose, pose->blockSize );
    }
}

static void supResetWeights( supPose* pose )
{
    const supCharacter* character = pose->character;
    for ( int32_t m = 0; m < character->meshCount; ++m )
    {
        const supMeshView* mesh = character->meshes + m;
        for ( int32_t i = 0; i < mesh->morphCount; ++i )
        {
            pose->morphWeights[mesh->firstMorphWeight + i] = mesh->morphWeights[i];
        }
    }
}

/// Every mesh that the joint shows takes as many weights as it has targets; what the track does not have stays at its
/// default.
static void supSampleWeights( supPose* pose, const supTrackDef* track, supKeySpan span )
{
    const supCharacter* character = pose->character;
    for ( int32_t m = character->joints[track->joint].firstMesh; m >= 0; m = character->nextMeshes[m] )
    {
        const supMeshView* mesh = character->meshes + m;
        for ( int32_t i = 0; i < mesh->morphCount && i < track->width; ++i )
        {
            pose->morphWeights[mesh->firstMorphWeight + i] = (float)supSampleNumber( track, span, i );
        }
    }
}

static void supSampleTracks( supPose* pose, int32_t clipIndex, double time )
{
    const supClip* clip = pose->character->clips + clipIndex;
    if ( pose->clip != clipIndex )
    {
        pose->clip = clipIndex;
        memset( pose->cursors, 0, (size_t)clip->trackCount * sizeof( int32_t ) );
    }
    for ( int32_t t = 0; t < clip->trackCount; ++t )
    {
        if ( !clip->isUsed[t] )
        {
            continue;
        }
        const supTrackDef* track = clip->tracks + t;
        supTransformd* local = pose->locals + track->joint;
        supKeySpan span = supFindKeys( track, time, pose->cursors + t );
        switch ( track->path )
        {
            case sup_pathTranslation:
                local->translation = supSampleVector( track, span );
                break;
            case sup_pathRotation:
                local->rotation = supSampleRotation( track, span );
                break;
            case sup_pathScale:
                local->scale = supSampleVector( track, span );
                break;
            case sup_pathWeights:
                supSampleWeights( pose, track, span );
                break;
        }
    }
}

void supPose_Sample( supPose* pose, int32_t clip, double time )
{
    const supCharacter* character = pose->character;
    assert( -1 <= clip && clip < character->clipCount );
    supFloatSettings host = supEnterFloatSettings();
    for ( int32_t j = 0; j < character->jointCount; ++j )
    {
        pose->locals[j] = supJointTransform( character->joints + j );
    }
    supResetWeights( pose );
    if ( 0 <= clip && clip < character->clipCount )
    {
        supSampleTracks( pose, clip, time );
    }
    for ( int32_t i = 0; i < character->jointCount; ++i )
    {
        int32_t j = character->jointOrder[i];
        const supJoint* joint = character->joints + j;
        supMat34d local = joint->hasMatrix ? supMatToDouble( joint->matrix ) : supMatFromTransformD( pose->locals[j] );
        pose->chain[j] = joint->view.parent >= 0 ? supMulMatD( pose->chain[joint->view.parent], local ) : local;
        pose->joints[j] = supMatToFloat( pose->chain[j] );
    }
    supLeaveFloatSettings( host );
}

void supPose_Rest( supPose* pose )
{
    const supCharacter* character = pose->character;
    for ( int32_t j = 0; j < character->jointCount; ++j )
    {
        pose->joints[j] = character->restJoints[j];
    }
    supResetWeights( pose );
}

const supMat34* supPose_Joints( const supPose* pose )
{
    return pose->joints;
}

const float* supPose_MorphWeights( const supPose* pose )
{
    return pose->morphWeights;
}

// ---------------------------------------------------------------------------------------------------------------
// Palettes, and skinning jobs that use them.

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
