// SPDX-License-Identifier: MIT
#include "supple/picture.h"

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
