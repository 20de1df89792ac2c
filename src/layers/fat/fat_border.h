// The borders of fat at rest: the skin outside; the écorché, the bones' own shape and meshes of the character inside.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"

enum
{
    supMostFatBodies = 16, ///< of a border; pieces that meet more others than that share the last one
    supMostFatArrays = 12, ///< that live as long as a region
};

/// Triangles at rest. What is inside any of its bodies is inside of it.
typedef struct supFatBorder
{
    int32_t pointCount, triangleCount;
    supVec3* points;
    int32_t* corners; ///< three a triangle, wound as seen from outside
    int32_t bodyCount;
    int32_t* bodyEnds; ///< of each body: past its last triangle
} supFatBorder;

typedef struct supFatRegion
{
    const supCharacter* character;
    const supAllocator* allocator;
    supFatBorder outer; ///< its points: the character's vertices
    /// Its points: the layer's rays, then the character's vertices where bones have a shape, then those of meshes
    supFatBorder inner;
    int32_t* innerVertices; ///< of each point of it: the character's vertex that a ray ends on, or that it is
    int32_t firstMeshPoint; ///< the first of its points that is a mesh's
    uint8_t* boned;         ///< of each vertex: whether the bones' own shape lies below it
    float* members;         ///< of each vertex: how much of it carries fat, 0 to 1
    float* thicknesses;     ///< of each vertex: how far the inner border lies below it. Metres
    float thickest;         ///< of all. Metres
    int32_t thickestAt;     ///< the vertex
    int32_t rayCount;       ///< points of another layer's border where there is fat
    int32_t outsideCount;   ///< those of them, and vertices of inner meshes, that lie outside the skin: no fat there
    int32_t outsideAt;      ///< the vertex above the one farthest outside, or -1
    float outsideBy;        ///< how far it lies outside. Metres
    supVec3 low, high;      ///< the box around what carries fat
    int32_t jointCount;
    int32_t joints[supMostFatJoints]; ///< that carry the vertices
    float* weights;                   ///< of each vertex, supMostFatJoints each
    const supInnerBorder* border;     ///< of a layer before this one, or NULL
    int32_t sizeCount;
    void* blocks[supMostFatArrays];
    size_t sizes[supMostFatArrays];
} supFatRegion;

/// `place`: "fat[0]". sup_errorData: nothing to put fat on.
supResult supReadFatRegion( const supLayerContext* context, const supFatDef* def, const supInnerBorder* border,
    const char* place, supFatRegion* region, supError* error );
void supDropFatRegion( supFatRegion* region );
/// Zeros that live as long as the region. NULL: no memory.
void* supFatRegion_Array( supFatRegion* region, size_t count, size_t itemSize );

/// Whether a mesh is an inner border.
bool supIsInnerMesh( const supFatDef* def, const supMeshView* mesh );
/// Points and triangles that all of them have.
void supCountInnerMeshes( const supFatRegion* region, const supFatDef* def, int32_t* points, int32_t* triangles );

/// Adds them to the region's inner border, as bodies of their own, and takes the thickness above them off the fat's.
/// `place`: "fat[0]". sup_errorData: one is open, inside out, outside the skin, or is skin at the same time.
supResult supAddInnerMeshes( supFatRegion* region, const supFatDef* def, const char* place, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// Connected pieces of a border of fat, and the bodies that they make up.

/// Triangles that hang together, seams welded.
typedef struct supFatPiece
{
    supVec3 low, high; ///< the box around it
    double volume;     ///< of a closed one; below zero: wound inside out. m^3
    int32_t openCount; ///< edges without a twin that runs the other way
    supVec3 openAt;    ///< the middle of one of these
    int32_t body;      ///< that it is measured with
} supFatPiece;

typedef struct supFatPieces
{
    int32_t count;
    supFatPiece* pieces;
    int32_t* of; ///< of each triangle
    size_t size; ///< of one block, which begins with `pieces`
} supFatPieces;

/// Of the triangles from `first` on. `vertices`: of each point of the border, the character's vertex; NULL: the same.
/// False: no memory.
bool supFindFatPieces(
    const supFatRegion* region, const supFatBorder* border, const int32_t* vertices, int32_t first, supFatPieces* out );
void supDropFatPieces( const supFatRegion* region, supFatPieces* pieces );

/// Sorts the triangles from `first` on into bodies, and adds these to the border's. Which side of a surface a place is
/// on, the nearest triangle says; where solids stand in one another, each has to be asked by itself. So closed pieces
/// whose boxes meet go to different bodies. Open ones, and those inside out (a hollow's wall), stay together: nothing
/// is inside one of them alone. False: no memory.
bool supSortFatBodies( supFatRegion* region, supFatBorder* border, int32_t first, supFatPieces* pieces );
