// Offsets that the skinning pass adds by itself: sets of weighted vertices, each shifted by one vector.
// SPDX-License-Identifier: MIT
//
// An element is such a set. With its elongation u in model space it moves a vertex by weight * u, and turns normals by
// the gradient of that. Blocks of the skin (rig/skin_blocks.h), helper joints (rig/skin_motions.h) and bakes know the
// elements by this alone; what moves them is the layer's own (supLayer.offsets).
#pragma once

#include "base/math_double.h"
#include "supple/model.h"
#include "supple/lab/skin.h"

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

/// Adds weight * u to the positions of one mesh's smooth skin, and turns normals and tangents by the displacement's own
/// gradient. `shown`: elongations in model space, one an element. `palette` is the character's, all streams are as long
/// as the character has vertices; normals and tangents may be missing.
void supSkinOffsets_Apply( const supSkinOffsets* offsets, const supMeshView* mesh, const supMat34* palette,
    supSkinning method, const supVec3* shown, supOutStream positions, supOutStream normals, supOutStream tangents );

/// The living normal of a touched vertex, unit length: `smooth`, as the smooth skin has it, turned as
/// supSkinOffsets_Apply turns it. `blended`: the vertex's matrix.
supVec3 supSkinOffsets_LivingNormal(
    const supSkinOffsets* offsets, int32_t row, supMat34d blended, const supVec3* shown, supVec3 smooth );
