// The weights of the second skinning: membership, shape, attenuation; their gradients; the volume of the flesh.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"

/// Membership of every vertex in one element, 0 to 1, into `factors` (one a vertex of the character): skin weights of
/// the marked joints, times paint, side and spheres. Vertices of meshes that are not skinned, or left out by name, get
/// 0.
supResult supMakeFactors( const supCharacter* character, const supElementDef* def, int32_t index,
    const supFleshElement* element, const uint8_t* members, float* factors, supError* error );

/// Where elements overlap their factors are scaled to sum to at most 1. factors[element * vertexCount + vertex].
void supShareFactors( float* factors, int32_t elementCount, int32_t vertexCount );

/// shape * attenuation of a vertex at rest: what its displacement never exceeds. Metres.
float supReach( const supElementDef* def, const supFleshElement* element, float size, supVec3 position );

/// Twice the area of the triangles around each vertex, in its mesh's own space, summed over all vertices that stand in
/// the same place of the same mesh; at the first of these.
void supAreasAround( const supCharacter* character, float* areas );

/// Gradients of a weight (one a vertex of the character) along the surface, in each mesh's own space: the mean of the
/// triangles around a vertex, by area (supAreasAround). `gradients`, one a vertex, are zero before.
void supWeightGradients( const supCharacter* character, const float* weights, const float* areas, supVec3* gradients );

/// The largest difference of a weight along any edge of any mesh.
float supLargestEdgeJump( const supCharacter* character, const float* weights );

/// Volume between the skin and the bone, each triangle counted by its mean factor. m^3
float supFleshVolume( const supCharacter* character, const supFleshElement* element, const float* factors );
