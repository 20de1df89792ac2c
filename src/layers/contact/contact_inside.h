// Which vertices of a skin lie inside a closed piece of it, as few rays as can be.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/contact/posed_patches.h"

/// In scratch memory of supInsides_ScratchSize bytes.
typedef struct supInsides
{
    supPosedPatches* posed;
    const supVec3* shifts; ///< of vertices: what flesh has moved them
    supVec3* means;        ///< of patches: the mean of their vertices' shifts
    float* spreads;        ///< of patches: how far a vertex's shift is from that at most. Metres
    int32_t nearCount, nearRoom;
    int32_t *nearStarts, *near; ///< of patches, and the end: others that it touches, by their balls
    bool* matters;              ///< of patches: flesh moves it against one of these
    int32_t* arounds;           ///< of patches: the closed piece around all of it, -1: none; or its vertices are asked
    int32_t* queue;             ///< of patches
    int32_t* vertexArounds;     ///< of vertices of patches that touch others
    bool* loose;                ///< of vertices: no other skin is as near as its neighbours
} supInsides;

size_t supInsides_ScratchSize( const supSkinPatches* patches );
/// Looks at the whole skin.
void supFindInsides( supPosedPatches* posed, const supVec3* shifts, void* scratch, supInsides* insides );
/// The closed piece around a vertex that stands for others, as found; -1: none, or none that flesh moves it against.
int32_t supInsides_Around( const supInsides* insides, int32_t vertex );
/// A place a hair outside a vertex: where that is inside a piece, so is the vertex.
supVec3 supOutsideOf( const supPosedPatches* posed, int32_t vertex );
