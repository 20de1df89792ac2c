// Vertices sorted for skinning: blocks of 16 that share their joints.
// SPDX-License-Identifier: MIT
//
// Skinning is bound by fetching matrices. Vertices that hang on the same joints are put side by side; a block of 16
// then needs three or four matrices in all, each number of which is broadcast once, and weights stand in rows, zero
// where a vertex does not use a joint: no index is looked at in the inner loop.
//
//   data of a block         x[16] y[16] z[16]   weight of joint 0 [16], of joint 1 [16] …   alpha2 of element 0 [16] …
//   directions of a block   nx[16] ny[16] nz[16]   gradient of element 0: gx[16] gy[16] gz[16] …
#pragma once

#include "base/memory.h"
#include "layers/skin_offsets.h"
#include "supple/character.h"

#define SUP_BLOCK 16

typedef struct supSkinBlock
{
    int32_t count; ///< vertices, the last block of a mesh may be short; the rest of it repeats the last one
    int32_t jointCount, elementCount;
    int32_t firstJoint, firstElement; ///< in `joints` and `elements`
    size_t firstData, firstDirection; ///< floats
    bool hasNormals;
    bool sameJoints;            ///< as the block before it, in the same order
    bool isRigid;               ///< one joint carries all of it, with a weight of one
    bool hasUnitNormals;        ///< all of its normals have unit length to rounding
    int32_t offsets[SUP_BLOCK]; ///< three times the vertex of the character, rising
} supSkinBlock;

typedef struct supSkinBlocks
{
    int32_t count;
    supSkinBlock* blocks;
    int32_t* firstOfMesh; ///< one a mesh, and the end: its blocks
    int32_t* joints;      ///< palette entries
    int32_t* elements;
    float* data;
    float* directions;
    uint8_t* pivots;   ///< 16 a block: which of the block's joints has the most weight
    size_t jointsUsed; ///< sum over blocks, for reports
    size_t blockSize;  ///< bytes of the memory that all of this lives in
} supSkinBlocks;

/// NULL: no memory. Freed by supFree( allocator, blocks, blocks->blockSize ).
supSkinBlocks* supMakeSkinBlocks(
    const supCharacter* character, const supSkinOffsets* offsets, const supAllocator* allocator );

// ---------------------------------------------------------------------------------------------------------------
// The order of vertices in which 16 neighbours need few joints and elements.

enum
{
    supMostTouches = 8, ///< elements of one vertex that count for the order; more are sorted by the first ones
};

/// What a vertex is sorted by: the joints that it uses, by number, then the elements that touch it.
typedef struct supSkinKey
{
    uint16_t joints[SUP_MAX_INFLUENCES]; ///< rising; 0xffff: none
    uint16_t elements[supMostTouches];   ///< likewise
    int32_t vertex;                      ///< of the character
    int32_t row;                         ///< in the rows of the offsets, or -1
} supSkinKey;

/// Puts the keys of a mesh in order. `scratch`: room for as many.
void supOrderKeys( supSkinKey* keys, int32_t count, supSkinKey* scratch );
