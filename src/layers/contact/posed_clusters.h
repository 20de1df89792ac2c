// A skin's clusters at a moment: what is near a place, and which pieces go around it.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/memory.h"
#include "layers/contact/triangle_kernel.h"
#include "layers/layer.h"
#include "layers/triangle_tree.h"

// ---------------------------------------------------------------------------------------------------------------
// A skin in clusters of a few triangles each, and these in blocks: what comes close to a vertex is found in little
// time.
//
// Vertices that seams have split stand for one here, by the first of them (supCharacter_Welds).

enum
{
    supBlockClusters = 16, ///< of a block, at most
    supClusterSides = 12,  ///< neighbours of a cluster that are listed
    supClusterPad = 16,    ///< arrays over clusters and blocks have room for so many more, for wide loads
};

typedef struct supClusterBall
{
    supVec3 middle;
    float radius;
} supClusterBall;

/// What does not move.
typedef struct supSkinClusters
{
    int32_t vertexCount, triangleCount, clusterCount, blockCount;
    int32_t* corners;      ///< three a triangle; neighbours at rest that hang on one joint stand together
    int32_t* starts;       ///< of clusters: the first triangle; and the end
    int32_t* clusterParts; ///< of clusters: the part of most corners of each triangle
    int32_t* pieces;       ///< of clusters: as supFindClosedPieces has it
    int32_t* sides;        ///< of clusters: supClusterSides others that share a vertex with it each, -1 behind the last
    supClusterBall* rest;  ///< of clusters, at rest
    int32_t* blockStarts;  ///< of blocks: the first cluster; and the end. All of a block is of one piece
    int32_t* cornerStarts; ///< of clusters, and the end, in clusterCorners
    int32_t* clusterCorners; ///< the vertices of a cluster, each once
    int32_t* ownStarts;      ///< of clusters, and the end, in own
    int32_t* own;            ///< vertices, each in one cluster, one of its part where there is one
    int32_t* owners;         ///< of vertices: that cluster; -1: in no triangle
    float* edges;            ///< of vertices: the longest edge at it, at rest. Metres
    int32_t* aroundStarts;   ///< of vertices, and the end, in around
    int32_t* around;         ///< triangles around each vertex
    int32_t *welds, *parts;  ///< of vertices: the first that stands for it, the joint that carries most of it
    float size;
    int thinAxis; ///< along which the body is thinnest at rest
    size_t blockSize;
} supSkinClusters;

/// Of all meshes. NULL: no memory.
supSkinClusters* supMakeSkinClusters( const supCharacter* character, const supAllocator* allocator );
/// Around a cluster's vertices.
supClusterBall supSkinClusters_Ball( const supSkinClusters* clusters, int32_t cluster, const supVec3* positions );
/// Whether two clusters are neighbours at rest: their balls overlap there.
bool supSkinClusters_AreNeighbours( const supSkinClusters* clusters, int32_t a, int32_t b );
/// The cluster that a triangle is in.
int32_t supSkinClusters_ClusterOf( const supSkinClusters* clusters, int32_t triangle );
void supDropSkinClusters( supSkinClusters* clusters, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// The same at a moment.

/// Balls around clusters or around blocks, side by side for wide loads.
typedef struct supClusterBalls
{
    float *x, *y, *z, *radius;
} supClusterBalls;

/// What a cluster is between: two planes across the mean of some of its triangles' normals.
typedef struct supClusterSlab
{
    supVec3 normal; ///< unit length
    float low, high;
} supClusterSlab;

/// Where something is seen, in steps across the skin; and between what.
typedef struct supSeenStep
{
    uint16_t at[2];
} supSeenStep;

typedef struct supSeenBox
{
    supSeenStep from, to;
} supSeenBox;

/// The triangles of closed pieces as they are seen along the thin axis, listed by columns (posed_around.c).
typedef struct supSeenColumns
{
    supVec3* seen;             ///< of vertices: two coordinates across, the third along
    supSeenStep* steps;        ///< of vertices
    supSeenBox* boxes;         ///< of triangles
    float low[2], perMetre[2]; ///< where steps begin, and how many there are to a metre
    int shift[2];              ///< of steps: columns
    int32_t *starts, *entries; ///< of columns, and the end, in entries: triangles
    int32_t staleCount,
        *stale;    ///< triangles that have left their columns since: their entries do not count, every ray tries them
    bool* isStale; ///< of triangles
} supSeenColumns;

/// In scratch memory of supPosedClusters_ScratchSize bytes.
typedef struct supPosedClusters
{
    const supSkinClusters* clusters;
    const supVec3* places; ///< of vertices
    supClusterBalls balls, blocks;
    supSeenColumns columns;
    supClusterSlab* slabs; ///< of clusters
    float* triangles;      ///< of clusters, once asked for: the corners' coordinates, nine rows of sixteen
    bool* gathered;        ///< of clusters
    supTrianglesFunction* measure;
} supPosedClusters;

size_t supPosedClusters_ScratchSize( const supSkinClusters* clusters );
/// `places` is kept by address, and may change as long as nothing else is asked.
void supPoseClusters( const supSkinClusters* clusters, const supVec3* places, void* scratch, supPosedClusters* posed );

/// Some vertices have moved since.
void supPosedClusters_Update( supPosedClusters* posed, const bool* moved );

/// Clusters whose ball comes closer to a place than `reach`, rising, `most` at most. Gives how many.
int32_t supPosedClusters_Near(
    const supPosedClusters* posed, supVec3 place, float reach, int32_t most, int32_t* clusters );
/// How far a place is from a cluster at least; below zero inside its ball and its slab.
float supPosedClusters_Bound( const supPosedClusters* posed, int32_t cluster, supVec3 place );
/// The closest triangle of a piece with no corner of that part; -1: it has none. `guess`: a cluster that may be close,
/// or -1, and then the one that it was in.
supFootPoint supPosedClusters_WayOut(
    supPosedClusters* posed, supVec3 place, int32_t part, int32_t piece, int32_t* guess );
/// The closest triangle of any cluster that is not around that vertex, or `reach` if there is none so close. Metres
float supPosedClusters_Clearance( supPosedClusters* posed, supVec3 place, int32_t vertex, float reach );
/// Arrays of columns, in the memory of a posed skin.
void supLayColumns( supLayout* layout, const supSkinClusters* clusters, supSeenColumns* columns );
/// Looks at a skin along its thin axis.
void supPosedClusters_See( supPosedClusters* posed );
/// Some vertices have moved since; then each cluster of theirs has.
void supPosedClusters_SeeMoved( supPosedClusters* posed, const bool* moved );
void supPosedClusters_SeeCluster( supPosedClusters* posed, int32_t cluster );
/// The closed piece that goes around a place, or -1. By a ray across the body; where that says yes, the one the other
/// way is asked too, and a third one where the two do not agree.
int32_t supPosedClusters_Around( supPosedClusters* posed, supVec3 place );
