// A skin in patches of a few triangles each, so that what comes close to a vertex is found in little time.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/layer.h"

enum
{
    supPatchTriangles = 16, ///< of a patch, at most
    supBlockPatches = 16,   ///< of a block, at most
};

/// What does not move.
typedef struct supSkinPatches
{
    int32_t vertexCount, triangleCount, patchCount, blockCount;
    int32_t* corners; ///< three a triangle; neighbours at rest that hang on one joint stand together
    int32_t* starts;  ///< of patches, and the end
    int32_t* welds;   ///< of vertices
    int32_t* parts;   ///< of vertices: the joint that carries most of it
    float size;
    int thinAxis; ///< along which the body is thinnest at rest
    size_t blockSize;
} supSkinPatches;

/// A ball around some triangles, and how far flesh has moved any of them.
typedef struct supPatchBall
{
    supVec3 middle;
    float radius, moved;
} supPatchBall;

/// A moment: in scratch memory of supSkinPatches_ScratchSize bytes.
typedef struct supPosedPatches
{
    const supSkinPatches* patches;
    supVec3* normals; ///< of vertices; unit length
    float* moved;     ///< of vertices: how far from the smooth skin. Metres
    supPatchBall *balls, *blocks;
} supPosedPatches;

/// What a vertex has come close to.
typedef struct supNearSkin
{
    bool found;
    int32_t triangle;
    float shares[3];
    float distance;
    float gate; ///< how far the closest triangle is of any part, but for those around the vertex; <= distance
} supNearSkin;

/// Of all meshes. NULL: no memory.
supSkinPatches* supMakeSkinPatches( const supCharacter* character, const supAllocator* allocator );
void supDropSkinPatches( supSkinPatches* patches, const supAllocator* allocator );

size_t supSkinPatches_ScratchSize( const supSkinPatches* patches );
/// Gives how far the skin has been moved at most; 0: the smooth skin, and then nothing else is filled.
float supPoseSkinPatches( const supSkinPatches* patches, const supVec3* smooth, const supVec3* positions, void* scratch,
    supPosedPatches* posed );
/// The closest triangle of another part, within `reach` and what both have moved.
supNearSkin supFindNearSkin( const supPosedPatches* posed, const supVec3* positions, int32_t vertex, float reach );
