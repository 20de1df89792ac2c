// The weights of the second skinning: membership, shape, attenuation; their gradients; the volume of the flesh.
// SPDX-License-Identifier: MIT
#pragma once

#include "flesh.h"
#include "supple/rig.h"

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

/// Volume between the skin and the bone, without the `core` around the bone that does not move (a radius in metres),
/// each triangle counted by its mean factor. m^3
float supFleshVolume( const supCharacter* character, const supFleshElement* element, const float* factors, float core );

// ---------------------------------------------------------------------------------------------------------------
// How an element's weight falls along its bone.

/// y: -1 at the driver, 0 in the middle, 1 at the end of the virtual bone. 0 outside, in [0, 1] everywhere. `keys`
/// count for sup_attenuationHermite alone: y and value, rising; 0 at both ends whatever they say. `slopes`: y of a key
/// and the curve's slope there, where it is not to follow from the neighbours.
float supAttenuate( supAttenuation kind, supKeyList keys, supKeyList slopes, float y );

// ---------------------------------------------------------------------------------------------------------------
// An element's names looked up: driver, virtual bone, local frame, the joints whose skin belongs to it.

/// Fills in driver, bone and frame of `element`, and marks in `members` (one byte a joint) the joints whose weights
/// make the membership. Errors begin with `elements[index].field:`.
supResult supFindBone( const supCharacter* character, const supElementDef* def, int32_t index, supFleshElement* element,
    uint8_t* members, supError* error );

/// Rigid pieces of a character, and an index of their triangles at rest.
typedef struct supRigidSkin
{
    int32_t* pieces; ///< a vertex: its piece, or -1; the caller's
    int32_t* corners;
    size_t cornersSize;
    struct supTriangleTree* tree; ///< NULL: there are none, or nobody asks how near they are
} supRigidSkin;

/// `near`: whether supHeldByRigid will be asked. false: no memory; what was made is freed as usual.
bool supFindRigidSkin( const supCharacter* character, const supAllocator* allocator, bool near, supRigidSkin* skin );
void supFreeRigidSkin( supRigidSkin* skin, const supAllocator* allocator );
/// The share of its motion that flesh at a place keeps: 1 where no rigid piece is within `reach`, falling smoothly to
/// almost 0 where one touches it.
float supHeldByRigid( const supRigidSkin* skin, supVec3 place, float reach );

/// Refuses names of meshes and materials to leave out that the character does not have: a slip of the pen there would
/// let flesh grow on armour, silently.
supResult supCheckSkipped( const supCharacter* character, const supElementDef* def, int32_t index, supError* error );

/// Where a point lies along the virtual bone, -1 to 1 and beyond, and how far it is from the bone's segment.
void supMeasureFromBone( const supFleshElement* element, supVec3 point, float* along, float* distance );
/// The nearest point of the bone's segment.
supVec3 supNearestOnBone( const supFleshElement* element, supVec3 point );
