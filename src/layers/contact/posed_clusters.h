// A skin's clusters at a moment: what is near a place, and which pieces go around it.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/closest_point.h"
#include "layers/contact/skin_clusters.h"

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

/// Boxes around clusters as seen along the rays that are asked first: two sides across, the third along.
typedef struct supSeenBoxes
{
    float *low[3], *high[3];
} supSeenBoxes;

/// In scratch memory of supPosedClusters_ScratchSize bytes.
typedef struct supPosedClusters
{
    const supSkinClusters* clusters;
    const supVec3* places; ///< of vertices
    supClusterBalls balls, blocks;
    supSeenBoxes seen;
    supClusterSlab* slabs; ///< of clusters
    float* triangles;      ///< of clusters, once asked for: the corners' coordinates, nine rows of sixteen
    bool* gathered;        ///< of clusters
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
/// The closest triangle of a cluster with no corner of that part; triangle -1: it has none.
supFootPoint supPosedClusters_Closest( supPosedClusters* posed, int32_t cluster, supVec3 place, int32_t part );
/// The closest triangle of a piece with no corner of that part; -1: it has none. `guess`: a cluster that may be close,
/// or -1, and then the one that it was in.
supFootPoint supPosedClusters_WayOut(
    supPosedClusters* posed, supVec3 place, int32_t part, int32_t piece, int32_t* guess );
/// The closest triangle of any cluster that is not around that vertex, or `reach` if there is none so close. Metres
float supPosedClusters_Clearance( supPosedClusters* posed, supVec3 place, int32_t vertex, float reach );
/// The closed piece that goes around a place, or -1. By a ray across the body; where that says yes, the one the other
/// way is asked too, and a third one where the two do not agree.
int32_t supPosedClusters_Around( supPosedClusters* posed, supVec3 place );
