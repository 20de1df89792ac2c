// Supple: from a distance field to a closed, symmetric, evenly triangulated surface with a given number of vertices.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/solid.h"

#include "base/memory.h"

/// The half of the surface with x >= 0. Its border lies in the plane x = 0.
typedef struct supHalfMesh
{
    supArray points;    ///< supVec3d
    supArray triangles; ///< int32_t[3]
} supHalfMesh;

/// Marching tetrahedra on a grid of `cell` metres.
supResult supMeshSolid(
    const supSolid* field, double cell, const supAllocator* allocator, supHalfMesh* out, supError* error );
void supHalfMesh_Destroy( supHalfMesh* mesh );

/// Splits, joins and flips edges until they have the lengths the field wants and the two halves together have exactly
/// `vertexCount` vertices. `mesh` holds the new half.
supResult supRemesh(
    supHalfMesh* mesh, const supSolid* field, int32_t vertexCount, const supAllocator* allocator, supError* error );
