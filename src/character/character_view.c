// Supple: looking at a character.
// SPDX-License-Identifier: MIT
#include "character_data.h"

#include <assert.h>
#include <string.h>

const supCharacterInfo* supCharacter_Info( const supCharacter* character )
{
    return &character->info;
}

const supJointView* supCharacter_Joint( const supCharacter* character, int32_t joint )
{
    assert( 0 <= joint && joint < character->jointCount );
    return &character->joints[joint].view;
}

int32_t supCharacter_FindJoint( const supCharacter* character, const char* name )
{
    for ( int32_t i = 0; name != NULL && i < character->jointCount; ++i )
    {
        if ( strcmp( character->joints[i].view.name, name ) == 0 )
        {
            return i;
        }
    }
    return -1;
}

supMeshView supCharacter_Mesh( const supCharacter* character, int32_t mesh )
{
    assert( 0 <= mesh && mesh < character->meshCount );
    return character->meshes[mesh];
}

supSkinView supCharacter_Skin( const supCharacter* character, int32_t skin )
{
    assert( 0 <= skin && skin < character->skinCount );
    const supSkin* found = character->skins + skin;
    return ( supSkinView ){ found->name, found->jointCount, found->joints, found->inverseBind };
}

supClipView supCharacter_Clip( const supCharacter* character, int32_t clip )
{
    assert( 0 <= clip && clip < character->clipCount );
    const supClip* found = character->clips + clip;
    return ( supClipView ){ found->name, found->start, found->end, found->trackCount, found->tracks };
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
