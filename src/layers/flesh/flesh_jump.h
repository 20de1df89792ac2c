// What springs make of a jump of their drivers.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"

/// Before a frame is read: of what is forgotten of the anchors' paths, their speeds are taken out of s = u' + amount
/// x'.
void supFlesh_LeavePath( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt );
/// After a frame was read and before it is stepped: what jumped is not felt. `dt` 0: no time passes.
void supFlesh_CarryJumps( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt );
