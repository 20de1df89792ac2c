// Supple: a joint's local transform, in double precision.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"
#include "character_data.h"

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
