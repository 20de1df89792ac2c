// Supple: half a surface whose edges can be split, joined and flipped, with all that keeps it closed when mirrored.
// SPDX-License-Identifier: MIT
#pragma once

#include "creatures/mesher.h"

/// The most triangles around a vertex; edits that would make more are refused.
#define SUP_MAX_FAN 24

typedef struct supFan
{
    int32_t count;
    int32_t triangles[SUP_MAX_FAN];
} supFan;

typedef struct supEdgeMesh
{
    const supSolid* field;
    int32_t pointCount, triangleCount; ///< with those that were removed
    int32_t pointCapacity, triangleCapacity;
    int32_t livePoints, livePlane; ///< in use; those of them in the plane x = 0
    supVec3d* points;
    double* sizes; ///< wanted length of edges at each point
    bool* onPlane;
    supFan* fans;
    int32_t ( *triangles )[3]; ///< first corner -1: removed
    supAllocator allocator;
} supEdgeMesh;

/// Refuses a vertex with more than SUP_MAX_FAN triangles, which marching tetrahedra do not make.
supResult supEdgeMesh_Init( supEdgeMesh* mesh, const supHalfMesh* half, const supSolid* field, int32_t room,
    const supAllocator* allocator, supError* error );
void supEdgeMesh_Destroy( supEdgeMesh* mesh );

/// The triangles (one or two) at an edge; gives their number.
int32_t supEdgeMesh_Sides( const supEdgeMesh* mesh, int32_t a, int32_t b, int32_t sides[2] );
/// The corner of a triangle that is neither a nor b.
int32_t supEdgeMesh_Third( const supEdgeMesh* mesh, int32_t triangle, int32_t a, int32_t b );
double supEdgeMesh_Length( const supEdgeMesh* mesh, int32_t a, int32_t b );
supVec3d supEdgeMesh_Normal( const supEdgeMesh* mesh, int32_t triangle ); ///< twice the area long

/// Puts a vertex in the middle of an edge. False: no room.
bool supEdgeMesh_Split( supEdgeMesh* mesh, int32_t a, int32_t b );
/// Makes one vertex of two. False, and nothing changed: it would fold the surface, tear it, or make an edge longer than
/// `longest` times what is wanted.
bool supEdgeMesh_Join( supEdgeMesh* mesh, int32_t a, int32_t b, double longest );
/// Turns an edge to the other diagonal of its two triangles. False: it cannot be.
bool supEdgeMesh_Flip( supEdgeMesh* mesh, int32_t a, int32_t b );

/// Vertices of both halves together.
static inline int32_t supEdgeMesh_WholeCount( const supEdgeMesh* mesh )
{
    return 2 * mesh->livePoints - mesh->livePlane;
}
