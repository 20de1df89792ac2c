// Which joint hangs on which.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "character_data.h"
#include "supple/character.h"

/// Whether a joint hangs on another one, or is it.
static inline bool supIsUnderJoint( const supCharacter* character, int32_t joint, int32_t above )
{
    while ( joint >= 0 && joint != above )
    {
        joint = supCharacter_Joint( character, joint )->parent;
    }
    return joint >= 0;
}

/// The lowest joint that both hang on, or -1.
static inline int32_t supCommonJoint( const supCharacter* character, int32_t a, int32_t b )
{
    while ( a >= 0 && !supIsUnderJoint( character, b, a ) )
    {
        a = supCharacter_Joint( character, a )->parent;
    }
    return a;
}

// ---------------------------------------------------------------------------------------------------------------
// A joint's local transform, in double precision.

static inline supTransformd supJointTransform( const supJoint* joint )
{
    supTransformd transform = supTransformToDouble( joint->rest );
    transform.rotation = supNormalizeQuatD( transform.rotation );
    return transform;
}

/// As the file stores it
static inline supMat34d supJointLocal( const supJoint* joint )
{
    return joint->hasMatrix ? supMatToDouble( joint->matrix ) : supMatFromTransformD( supJointTransform( joint ) );
}
