// Supple: one trilinear hexahedron of linearly elastic material.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"

enum
{
    supHexCorners = 8, ///< corner c lies at ( c & 1, c >> 1 & 1, c >> 2 & 1 ) of the unit cube
    supHexSize = 24,   ///< numbers of a displacement
};

/// Linearly elastic material, with fibres of one direction where wanted.
typedef struct supElasticMaterial
{
    double mu, lambda;     ///< Lame's. Pa
    double fiberStiffness; ///< what fibres add to Young's modulus along them. Pa
} supElasticMaterial;

/// Stiffness of a hexahedron, 24 x 24, row by row, three rows a corner. `fiber`: of unit length; zero where there are
/// none. Corners must span a volume above zero: false where they do not.
bool supHexStiffness( const supVec3d corners[supHexCorners], const supElasticMaterial* material, supVec3d fiber,
    double stiffness[supHexSize * supHexSize] );
double supHexVolume( const supVec3d corners[supHexCorners] );
