// Supple: from the rotations of a few joints to how much of each example a pose takes.
// SPDX-License-Identifier: MIT
//
// A pose is a point: for each driving joint the vector of its swing (axis times angle, across the bone) and its twist
// (about the bone), both against rest. Examples are points too, and rest, which needs no correction, is the origin.
// Only the span of the examples counts: what no example speaks of (the twist of a knee that was sculpted bent) changes
// nothing.
//
// Within the span the share of an example is the smoothest function that is 1 at its own point and 0 at rest and at all
// others: |x|^3 about each of them, and a linear part. In one dimension that is the natural cubic spline. So one
// example gives a straight line through rest and beyond the example, and a turn the other way gives nothing: shares are
// bent smoothly to 0 below 0 (supShareOf).
#pragma once

#include "base/math.h"
#include "supple/base.h"

enum
{
    supPoseFeatures = 4 ///< a joint: three of swing, one of twist. Radians
};

typedef struct supPoseSpace
{
    int32_t joints, examples;
    int32_t span;     ///< dimensions of the examples' span: 1 to features
    double* basis;    ///< span x features, orthonormal rows
    double* points;   ///< examples x span
    double* linear;   ///< span x examples
    double* constant; ///< examples
    double* bumps;    ///< ( 1 + examples ) x examples, the origin first
} supPoseSpace;

/// Bytes of the block that supInitPoseSpace wants; all its arrays lie in it.
size_t supPoseSpace_MemorySize( int32_t joints, int32_t examples );
/// `features`: supPoseFeatures a joint, one example after the other. Refused: an example at rest, and two at one pose:
/// the error says which, by `names`. A few joints and examples: time grows as the cube of their number.
supResult supInitPoseSpace( supPoseSpace* space, void* block, int32_t joints, int32_t examples, const double* features,
    const char* const* names, const supAllocator* allocator, supError* error );
/// How much of each example this pose takes. Allocates nothing.
void supPoseSpace_Shares( const supPoseSpace* space, const double* features, double* shares );

/// The features of one joint's rotation against rest, in its own frame at rest. `axis`: of the bone, unit length, in
/// the same frame. Smooth but where the bone is turned right round.
void supSwingAndTwist( supQuatd rotation, supVec3d axis, double features[supPoseFeatures] );

/// x as it is for x well above 0, 1 at 1, and 0 at and below 0, with a continuous slope everywhere.
double supShareOf( double x );
