// Offsets that the skinning pass adds by itself: sets of weighted vertices, each shifted by one vector.
// SPDX-License-Identifier: MIT
//
// An element is such a set. With its elongation u in model space it moves a vertex by weight * u, and turns normals by
// the gradient of that. Blocks of the skin (rig/skin_blocks.h), helper joints (rig/skin_motions.h) and bakes know the
// elements by this alone; what moves them is the layer's own (supLayer.offsets).
#pragma once

#include "base/math_double.h"
#include "character/skin_blend.h"
#include "supple/lab/skin.h"
#include "supple/model.h"

/// How one element moves one vertex.
typedef struct supOffsetTouch
{
    int32_t element;
    float weight;
    supVec3 gradient; ///< of the weight along the surface, in the mesh's own space. 1/length
} supOffsetTouch;

/// The line that an element's skin stays on its side of.
typedef struct supOffsetBone
{
    supVec3 from, to;        ///< at rest, model space
    supMat34 driverFromRest; ///< inverse of the driver's rest matrix
} supOffsetBone;

/// All elements of a model. Empty: all zero.
typedef struct supSkinOffsets
{
    int32_t elementCount;
    supElementView* elements;
    supOffsetBone* bones; ///< one an element
    int32_t touchCount;   ///< of all elements together

    // by vertex: those that are touched at all, rising; touches[firsts[i]] to touches[firsts[i + 1] - 1] belong to
    // touched[i]
    int32_t touchedCount;
    int32_t* touched;
    int32_t* firsts;
    supOffsetTouch* touches;
} supSkinOffsets;

/// The first row whose vertex is not before `vertex`.
int32_t supSkinOffsets_FirstRow( const supSkinOffsets* offsets, int32_t vertex );

/// What offsets are added to: a skin, and how it was posed.
typedef struct supOffsetTarget
{
    const supMat34* palette; ///< the character's
    supSkinning method;
    const supVec3* shown;                      ///< elongations in model space, one an element
    supOutStream positions, normals, tangents; ///< smooth so far; normals and tangents may be missing
} supOffsetTarget;

/// Adds weight * u to the position of a touched vertex (`row`) of `mesh`, and turns normal and tangent by the
/// displacement's own gradient. `to`: where in the streams the vertex stands. `cache`: of the mesh's palette.
void supSkinOffsets_ApplyRow( const supSkinOffsets* offsets, const supMeshView* mesh, int32_t row,
    const supOffsetTarget* target, int32_t to, supDualCache* cache );
/// The same for all vertices of a mesh, in streams as long as the character has vertices.
void supSkinOffsets_Apply( const supSkinOffsets* offsets, const supMeshView* mesh, const supOffsetTarget* target );

/// The living normal of a touched vertex, unit length: `smooth`, as the smooth skin has it, turned as
/// supSkinOffsets_Apply turns it. `blended`: the vertex's matrix.
supVec3 supSkinOffsets_LivingNormal(
    const supSkinOffsets* offsets, int32_t row, supMat34d blended, const supVec3* shown, supVec3 smooth );
