// Supple: poses: where the joints are at a time of a clip.
// SPDX-License-Identifier: MIT
#include "base/float_settings.h"
#include "base/math.h"
#include "base/memory.h"
#include "character/joint_tree.h"
#include "character_data.h"

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
