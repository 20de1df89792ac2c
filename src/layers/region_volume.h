// How much volume moving skin sweeps.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "supple/base.h"

/// A triangle of skin on its way. Metres
typedef struct supSweptTriangle
{
    supVec3d smooth[3]; ///< where it comes from
    supVec3d way[3];    ///< how far its corners have gone
    supVec3d more[3];   ///< a direction that they may go further in: way + s more
    double part[3];     ///< of each corner's way that counts, 0 to 1
} supSweptTriangle;

/// Adds what it sweeps to k[0] + k[1] s + k[2] s^2 + k[3] s^3. m^3
void supSweptCubic( const supSweptTriangle* triangle, double k[4] );
