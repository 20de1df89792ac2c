// Supple: looking at a character.
// SPDX-License-Identifier: MIT
#include "character_data.h"
#include "joint_local.h"

#include <assert.h>
#include <string.h>

const char* supCharacter_Name( const supCharacter* character )
{
    return character->name;
}

int32_t supCharacter_JointCount( const supCharacter* character )
{
    return character->jointCount;
}

const char* supCharacter_JointName( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return character->joints[joint].name;
}

const char* supCharacter_JointHumanBone( const supCharacter* character, int32_t joint )
{
    assert( joint >= 0 && joint < character->jointCount );
    return character->joints[joint].humanBone;
}

bool supCharacter_JointHasPhysics( const supCharacter* character, int32_t joint )
{
    assert( joint >= 0 && joint < character->jointCount );
    return character->joints[joint].hasPhysics;
}

int32_t supCharacter_JointParent( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return character->joints[joint].parent;
}

const int32_t* supCharacter_JointOrder( const supCharacter* character )
{
    return character->jointOrder;
}

supMat34 supCharacter_JointLocal( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return supMatToFloat( supJointLocal( character->joints + joint ) );
}

bool supCharacter_IsSkinJoint( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return character->joints[joint].isSkinJoint;
}

int32_t supCharacter_FindJoint( const supCharacter* character, const char* name )
{
    for ( int32_t i = 0; name != NULL && i < character->jointCount; ++i )
    {
        if ( strcmp( character->joints[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

int32_t supCharacter_MeshCount( const supCharacter* character )
{
    return character->meshCount;
}

supMeshView supCharacter_Mesh( const supCharacter* character, int32_t mesh )
{
    assert( 0 <= mesh && mesh < character->meshCount );
    return character->meshes[mesh];
}

int32_t supCharacter_VertexCount( const supCharacter* character )
{
    return character->vertexCount;
}

int32_t supCharacter_MorphWeightCount( const supCharacter* character )
{
    return character->morphWeightCount;
}

int32_t supCharacter_SkinCount( const supCharacter* character )
{
    return character->skinCount;
}

const char* supCharacter_SkinName( const supCharacter* character, int32_t skin )
{
    assert( 0 <= skin && skin < character->skinCount );
    return character->skins[skin].name;
}

int32_t supCharacter_SkinJoints( const supCharacter* character, int32_t skin, const int32_t** joints )
{
    assert( 0 <= skin && skin < character->skinCount );
    if ( joints != NULL )
    {
        *joints = character->skins[skin].joints;
    }
    return character->skins[skin].jointCount;
}

const supMat34* supCharacter_SkinInverseBind( const supCharacter* character, int32_t skin )
{
    assert( 0 <= skin && skin < character->skinCount );
    return character->skins[skin].inverseBind;
}

int32_t supCharacter_ClipCount( const supCharacter* character )
{
    return character->clipCount;
}

supClipView supCharacter_Clip( const supCharacter* character, int32_t clip )
{
    assert( 0 <= clip && clip < character->clipCount );
    const supClip* found = character->clips + clip;
    return ( supClipView ){ found->name, found->start, found->end, found->trackCount };
}

supTrackDef supCharacter_Track( const supCharacter* character, int32_t clip, int32_t track )
{
    assert( 0 <= clip && clip < character->clipCount );
    assert( 0 <= track && track < character->clips[clip].trackCount );
    return character->clips[clip].tracks[track].def;
}

int32_t supCharacter_FindClip( const supCharacter* character, const char* name )
{
    for ( int32_t i = 0; name != NULL && i < character->clipCount; ++i )
    {
        if ( strcmp( character->clips[i].name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

const supMat34* supCharacter_RestJoints( const supCharacter* character )
{
    return character->restJoints;
}

const float* supCharacter_RestPositions( const supCharacter* character )
{
    return character->restPositions;
}

const int32_t* supCharacter_Welds( const supCharacter* character )
{
    return character->welds;
}

float supCharacter_Size( const supCharacter* character )
{
    return character->size;
}

void supCharacter_RestBounds( const supCharacter* character, supVec3* lower, supVec3* upper )
{
    *lower = character->lower;
    *upper = character->upper;
}

uint64_t supCharacter_Fingerprint( const supCharacter* character )
{
    return character->fingerprint;
}
