// How much volume a moving patch of skin gains or loses.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// Volume between two states of the same triangles, above zero where `living` is the larger. Exact where their border
/// has not moved; else as seen from the middle of `smooth`. m^3
double supVolumeChange( const int32_t* corners, int32_t count, const supVec3* smooth, const supVec3* living );
