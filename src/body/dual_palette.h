// Palette matrices taken apart for dual quaternion skinning, once a pose.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// A palette matrix as a stretch in rest space and a rigid motion after it, as in character/skin_blend.c.
typedef struct supDualJoint
{
    float real[4], dual[4]; ///< x y z w; dual: half of translation times real
    float stretch[9];       ///< by columns
    bool stretched;         ///< false: `stretch` is the identity to rounding
} supDualJoint;

void supMakeDualPalette( const supMat34* palette, int32_t count, supDualJoint* out );
