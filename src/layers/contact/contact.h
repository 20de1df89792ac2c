// Contact: flesh that presses against the body's other parts and does not pass through them.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/contact/posed_clusters.h"
#include "layers/layer.h"

extern const supLayer sup_contactLayer;

// ---------------------------------------------------------------------------------------------------------------
// Which vertices of a skin lie inside a closed piece of it, as few rays as can be.

/// In scratch memory of supInsides_ScratchSize bytes.
typedef struct supInsides
{
    supPosedClusters* posed;
    const supVec3* shifts; ///< of vertices: what flesh has moved them
    supVec3* means;        ///< of clusters: the mean of their vertices' shifts
    float* spreads;        ///< of clusters: how far a vertex's shift is from that at most. Metres
    int32_t nearCount, nearRoom;
    int32_t *nearStarts, *near; ///< of clusters, and the end: others that it touches, by their balls
    bool* matters;              ///< of clusters: flesh moves it against one of these
    int32_t* arounds;           ///< of clusters: the closed piece around all of it, -1: none; or its vertices are asked
    int32_t* queue;             ///< of clusters
    int32_t* vertexArounds;     ///< of vertices of clusters that touch others
    bool* loose;                ///< of vertices: no other skin is as near as its neighbours
} supInsides;

size_t supInsides_ScratchSize( const supSkinClusters* clusters );
/// Looks at the whole skin.
void supFindInsides( supPosedClusters* posed, const supVec3* shifts, void* scratch, supInsides* insides );
/// The closed piece around a vertex that stands for others, as found; -1: none, or none that flesh moves it against.
int32_t supInsides_Around( const supInsides* insides, int32_t vertex );
/// A place a hair outside a vertex: where that is inside a piece, so is the vertex.
supVec3 supOutsideOf( const supPosedClusters* posed, int32_t vertex );
