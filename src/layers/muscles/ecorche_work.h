// The écorché being compiled: what its steps hand to one another.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/muscles/ecorche_data.h"

/// The skin that the écorché lies under, at rest. One entry a vertex of the character.
typedef struct supEcorcheSkin
{
    const supCharacter* character;
    const supAllocator* allocator;
    int32_t vertexCount;
    const supVec3* rest;
    const int32_t* welds;
    int32_t* parts;   ///< the joint that carries most of it; -1: no skin, or a mesh that is left out
    supVec3* normals; ///< by the triangles' areas, those of seams together; not of unit length
    float* areas;     ///< m^2
    size_t blockSize;
} supEcorcheSkin;

/// Meshes by name; none: all that have a skin. NULL: no memory.
supEcorcheSkin* supReadEcorcheSkin(
    const supCharacter* character, const supNameList* meshes, const supAllocator* allocator );
/// The influences of a vertex.
supRayHold supEcorcheSkin_Hold( const supEcorcheSkin* skin, int32_t vertex );
/// Corners of the triangle whose first index is the mesh's `first`, those of seams as one. False: it is left out.
bool supEcorcheSkin_Corners( const supEcorcheSkin* skin, const supMeshView* mesh, int32_t first, int32_t c[3] );

/// A line inside the body, and the joints whose skin is around it.
typedef struct supCoreLine
{
    int32_t jointA, jointB;
    supVec3 a, b; ///< model space at rest
} supCoreLine;

/// `lines`: of supCoreLine, grows. False: no memory.
bool supDrawCore( const supEcorcheSkin* skin, supArray* lines );

/// The écorché's mesh on the skin: which vertices rays end on, and triangles of them.
typedef struct supEcorcheMesh
{
    int32_t rayCount, triangleCount;
    int32_t* vertices;  ///< neighbours next to one another
    int32_t* triangles; ///< places in `vertices`
    size_t blockSize;
} supEcorcheMesh;

/// About `rays` vertices spread evenly, or all where there are fewer. NULL: no memory.
supEcorcheMesh* supMakeEcorcheMesh( const supEcorcheSkin* skin, int32_t rays );
