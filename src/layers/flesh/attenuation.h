// How an element's weight falls along its bone.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/rig.h"

/// y: -1 at the driver, 0 in the middle, 1 at the end of the virtual bone. 0 outside, in [0, 1] everywhere. `keys`
/// count for sup_attenuationHermite alone: y and value, rising; 0 at both ends whatever they say.
float supAttenuate( supAttenuation kind, supKeyList keys, float y );
