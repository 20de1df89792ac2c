// Supple: a surface for curves to run over: seams closed, edges known, in connected pieces.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math_double.h"
#include "base/memory.h"

/// Points are those of the given vertices that stand in different places; triangles that lose a corner by that are
/// left out, and so are all but the first of those with the same three corners.
typedef struct supCurveMesh
{
    int32_t sourceCount; ///< vertices as given
    int32_t* welded;     ///< for each of them its point
    int32_t pointCount;  ///< places
    int32_t* sources;    ///< for each point the first vertex that stands there
    supVec3d* points;    ///< metres
    supVec3d* normals;   ///< unit length, or zero
    int32_t* pieces;     ///< for each point its connected piece, -1: no triangle uses it
    int32_t pieceCount;
    int32_t triangleCount;
    int32_t ( *triangles )[3];
    int32_t ( *edgesOf )[3]; ///< of a triangle: edge i runs from corner i to corner i + 1
    int32_t edgeCount;
    int32_t ( *edges )[2]; ///< points, the lower index first
    int32_t ( *sides )[2]; ///< triangles at an edge; the second is -1 at a border
    int32_t* fanStart;     ///< pointCount + 1 of them: a point's triangles in `fan`
    int32_t* fan;
    bool* border;    ///< for each point: it lies on a border
    double meanEdge; ///< metres
    double size;     ///< diagonal of the bounding box. Metres
    void* block;
    size_t blockSize;
    supAllocator allocator;
} supCurveMesh;

/// An edge of three triangles or more is taken for a border of each. Refuses indices out of range, NaN, and meshes
/// without a triangle; `name` stands in the error.
supResult supCreateCurveMesh( const char* name, int32_t vertexCount, const float* positions, int32_t indexCount,
    const uint32_t* indices, const supAllocator* allocator, supCurveMesh* out, supError* error );
void supCurveMesh_Destroy( supCurveMesh* mesh );

/// Geodesic distance over the surface from the points with `distance` 0 (all others must be infinite): a front that
/// marches over unfolded triangles. Points that it does not reach stay infinite. `heap`: room for 2 * pointCount.
void supMarchDistance( const supCurveMesh* mesh, double* distance, int32_t* heap );
