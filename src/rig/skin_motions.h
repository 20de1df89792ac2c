// The living skin as linear blend skinning: which motions there are, and which helper joints carry them.
// SPDX-License-Identifier: MIT
//
// Flesh adds alpha u to a vertex. A layer of motions (layers/layer.h: modes) adds w ( M x - x ), with x its place in
// the smooth skin and M x = R ( x - c ) + c + s a rigid motion in model space. With x = sum_k w_k P_k v, sum_k w_k = 1,
// and M affine, M x = sum_k w_k M P_k v, so
//
//     x + w ( M x - x ) = sum_k w_k ( 1 - w ) P_k v + sum_k w_k w ( M P_k ) v
//
// which is linear blend skinning with one more joint beside each joint k, that moves as M does with what k has moved:
// exact, with all weights between 0 and 1 and of sum 1. Such a helper is a child of k. With the model matrix J of k its
// own is M J = J ( J^-1 M J ), and J^-1 M J is a rotation and a translation where J has no uneven scale (else the
// nearest one is written, and the errors say so). It stands at the pivot when at rest, T( c ) in J's space, so that its
// rotation turns about itself and its translation hardly moves: between keys it is turned along the great circle
// (slerp), as the frame would be.
//
// Where M does not turn, any share of any of the joints does as well, and the shift may be larger and the weight
// smaller by a gain: the largest weights are taken first, so that most vertices need one more influence. What turns
// needs all the vertex's joints, in proportion, and its weight as it is.
//
// A vertex whose turning weights leave no room for its shifts (a belly that turns, all of it, and the chest's edge on
// top) lets these ride: a helper that turns and has the other's shift besides takes its share from the turning one's.
// With a gain of twice the largest sum of shifts there is always room for one turning element. Weights of several that
// turn and sum to more than 1 are more than joints can do: such vertices are fitted.
#pragma once

#include "layers/skin_offsets.h"
#include "rig/stack.h"

/// The most shares of one vertex.
#define SUP_MOST_SHARES 64

/// How one motion moves one vertex.
typedef struct supMotionTouch
{
    int32_t motion;
    float weight;
} supMotionTouch;

/// What a helper adds to its joint's motion.
typedef struct supHelperKind
{
    int32_t turn;  ///< the motion that it makes, shift and all; -1: none
    int32_t shift; ///< the motion whose shift it adds, times the gain; -1: none
} supHelperKind;

typedef struct supSkinMotions
{
    int32_t count, elementCount; ///< elements come first, then the layers' motions
    int32_t* elements;           ///< of each: whose elongation is part of its shift; -1: none
    bool* turns;
    supVec3* pivots; ///< at rest, model space
    bool anyTurns, anyLayers;

    int32_t* offsets; ///< one a touched vertex of the offsets, and one
    supMotionTouch* touches;

    int32_t kindCount;    ///< kind m < count is motion m by itself; then those that ride
    supHelperKind* kinds; ///< room for count + count^2 where anything turns
    int32_t* pairs;       ///< kind of a turning motion (row) with a shift (column); -1: none
    float gain;           ///< of shifts
    size_t blockSize;
} supSkinMotions;

/// Part of a vertex's weight that goes to a helper.
typedef struct supHelperShare
{
    int32_t influence; ///< of the vertex: which of its joints the helper stands on
    int32_t kind;
    float weight;
} supHelperShare;

/// NULL: no memory. Freed by supFree( allocator, motions, motions->blockSize ).
supSkinMotions* supMakeSkinMotions(
    const supSkinOffsets* offsets, const supStack* stack, const supAllocator* allocator );

/// Whether a vertex (a row of the offsets) has motions that turn.
bool supSkinMotions_RowTurns( const supSkinMotions* motions, int32_t row );
/// How a vertex with `count` influences of weights `rest`, falling, shares them with helpers: what is left of them
/// stays in `rest`. Gives how many `shares` (room for SUP_MOST_SHARES). `isExact` (or NULL): false where several that
/// turn ask for more than the vertex has.
int32_t supSkinMotions_Share(
    const supSkinMotions* motions, int32_t row, int32_t count, float* rest, supHelperShare* shares, bool* isExact );

/// All motions at a moment: `u` the elongations, `shown` what the layers show, stack entry after stack entry.
void supSkinMotions_At( const supSkinMotions* motions, const supStack* stack, const supMat34* joints, const supVec3d* u,
    const float* shown, supSkinMotion* out );
/// How much of motion `motion`'s shift a helper adds.
float supSkinMotions_Mix( const supSkinMotions* motions, int32_t kind, int32_t motion );
/// What a layer calls a motion; NULL: an element's own.
const char* supSkinMotions_Name( const supSkinMotions* motions, const supStack* stack, int32_t motion );
