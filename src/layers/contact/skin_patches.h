// A skin in patches of a few triangles each, and these in blocks: what comes close to a vertex is found in little time.
// SPDX-License-Identifier: MIT
//
// Vertices that seams have split stand for one here, by the first of them (supCharacter_Welds).
#pragma once

#include "layers/layer.h"

enum
{
    supPatchTriangles = 16, ///< of a patch, at most
    supBlockPatches = 16,   ///< of a block, at most
    supPatchSides = 12,     ///< neighbours of a patch that are listed
    supPatchPad = 16,       ///< arrays over patches and blocks have room for so many more, for wide loads
};

typedef struct supPatchBall
{
    supVec3 middle;
    float radius;
} supPatchBall;

/// What does not move.
typedef struct supSkinPatches
{
    int32_t vertexCount, triangleCount, patchCount, blockCount;
    int32_t* corners;       ///< three a triangle; neighbours at rest that hang on one joint stand together
    int32_t* starts;        ///< of patches: the first triangle; and the end
    int32_t* patchParts;    ///< of patches: the part of most corners of each triangle
    int32_t* pieces;        ///< of patches: as supFindClosedPieces has it
    int32_t* sides;         ///< of patches: supPatchSides others that share a vertex with it each, -1 behind the last
    supPatchBall* rest;     ///< of patches, at rest
    int32_t* blockStarts;   ///< of blocks: the first patch; and the end. All of a block is of one piece
    int32_t* cornerStarts;  ///< of patches, and the end, in patchCorners
    int32_t* patchCorners;  ///< the vertices of a patch, each once
    int32_t* ownStarts;     ///< of patches, and the end, in own
    int32_t* own;           ///< vertices, each in one patch, one of its part where there is one
    int32_t* owners;        ///< of vertices: that patch; -1: in no triangle
    float* edges;           ///< of vertices: the longest edge at it, at rest. Metres
    int32_t* aroundStarts;  ///< of vertices, and the end, in around
    int32_t* around;        ///< triangles around each vertex
    int32_t *welds, *parts; ///< of vertices: the first that stands for it, the joint that carries most of it
    float size;
    int thinAxis; ///< along which the body is thinnest at rest
    size_t blockSize;
} supSkinPatches;

/// Of all meshes. NULL: no memory.
supSkinPatches* supMakeSkinPatches( const supCharacter* character, const supAllocator* allocator );
/// Around a patch's vertices.
supPatchBall supSkinPatches_Ball( const supSkinPatches* patches, int32_t patch, const supVec3* positions );
/// Whether two patches are neighbours at rest: their balls overlap there.
bool supSkinPatches_AreNeighbours( const supSkinPatches* patches, int32_t a, int32_t b );
void supDropSkinPatches( supSkinPatches* patches, const supAllocator* allocator );
