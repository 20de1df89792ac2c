// The point of a triangle that lies closest to a place.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"

/// A point of a triangle, by the shares of its corners.
typedef struct supFootPoint
{
    int32_t triangle; ///< -1: none
    float shares[3];
    float distance;
} supFootPoint;

/// The closest point of one triangle. After Ericson, "Real-time collision detection", 2005, 5.1.5.
supFootPoint supClosestOnTriangle( supVec3 p, supVec3 a, supVec3 b, supVec3 c );

/// Unit normal of a triangle; zero where it is flat.
supVec3 supFaceNormal( supVec3 a, supVec3 b, supVec3 c );
/// Distance to the closest of some triangles (192 at most), below zero where it faces away: inside. `normal`: of unit
/// length, the mean of those that are as close.
float supSignedDistance( supVec3 p, const supVec3* points, const int32_t* corners, int32_t count, supVec3* normal );
