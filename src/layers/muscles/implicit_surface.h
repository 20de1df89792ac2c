// An implicit surface blended from tapered, flattened pieces: what the écorché is caught on.
// SPDX-License-Identifier: MIT
//
// After Aubel, Thalmann, "Realistic deformation of human body shapes", 2000, section 4.2. Every piece has a density of
// the signed distance d to its own surface, and its own blending width s (the paper's blending weight of a segment):
//
//     D( d ) = 1/2 - ( 15 x - 10 x^3 + 3 x^5 ) / 16,   x = d / s within [-1, 1]:   1 deep inside, 1/2 on it, 0 from s on
//
// Pieces of one group (the segments of a line) are joined by the largest density, so that a line has no knots where its
// segments meet. The densities of groups are summed, and the surface is where the sum is 1/2. One piece alone is caught
// exactly, whatever its s; several bulge where they meet by less than the largest s there. A density is zero a finite
// way out, so that pieces farther away can be left out without a trace.
#pragma once

#include "supple/base.h"

/// Lanes of a block of points: they are looked at together.
#define SUP_IMPLICIT_LANES 16

/// A piece, as it stands in a frame. Metres.
typedef struct supImplicitBlob
{
    supVec3 a, b;         ///< ends of its axis; the same for a ball or an ellipsoid
    supVec3 thin;         ///< of unit length, across the axis: the direction in which it is flattened
    supVec3 along;        ///< of unit length: the axis of an ellipsoid; of no matter where a and b differ
    float radiusA;        ///< at a, across `thin`
    float radiusB;        ///< at b
    float flatA, flatB;   ///< width over thickness at the ends; 1: round
    float stretch;        ///< of ellipsoids: width over radius along `along`; 1 elsewhere
    float blendA, blendB; ///< s at the ends: small is sharp
    int32_t group;        ///< groups must not be interleaved in a list
} supImplicitBlob;

/// A round piece between two points.
supImplicitBlob supMakeCapsule( supVec3 a, supVec3 b, float radiusA, float radiusB, float blend, int32_t group );
/// `axes`: unit vectors at right angles; radii along them.
supImplicitBlob supMakeEllipsoid(
    supVec3 center, const supVec3 axes[3], const float radii[3], float blend, int32_t group );

/// What does not hang on the point, worked out once a frame. Opaque but for its box.
typedef struct supImplicitReady
{
    supVec3 a, axis, thin;
    float length, inverseLength, stretch;
    float radius, slope, tangent; ///< radius falls by `slope` along the axis; `tangent` of the cone's half angle
    float flat, flatRise, blend, blendRise;
    int32_t group;
    supVec3 low, high; ///< outside of this box its density is 0
} supImplicitReady;

supImplicitReady supImplicitBlob_Ready( const supImplicitBlob* piece );

/// Points in lanes.
typedef struct supImplicitBatch
{
    float x[SUP_IMPLICIT_LANES], y[SUP_IMPLICIT_LANES], z[SUP_IMPLICIT_LANES];
} supImplicitBatch;

/// A piece that acts on a block of points.
typedef struct supImplicitEntry
{
    int32_t piece;
    const float* shares; ///< SUP_IMPLICIT_LANES of them, that its density is multiplied by; NULL: 1
} supImplicitEntry;

/// The sum of densities less 1/2: above zero inside. `list`: pieces of a group next to one another.
void supImplicit_Value( const supImplicitReady* pieces, const supImplicitEntry* list, int32_t count,
    const supImplicitBatch* points, float values[SUP_IMPLICIT_LANES] );
