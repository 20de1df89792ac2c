// A skin in clusters of a few triangles each, and these in blocks: what comes close to a vertex is found in little
// time.
// SPDX-License-Identifier: MIT
//
// Vertices that seams have split stand for one here, by the first of them (supCharacter_Welds).
#pragma once

#include "layers/layer.h"

enum
{
    supClusterTriangles = 16, ///< of a cluster, at most
    supBlockClusters = 16,    ///< of a block, at most
    supClusterSides = 12,     ///< neighbours of a cluster that are listed
    supClusterPad = 16,       ///< arrays over clusters and blocks have room for so many more, for wide loads
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
void supDropSkinClusters( supSkinClusters* clusters, const supAllocator* allocator );
