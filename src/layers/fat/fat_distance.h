// How far the nodes of a grid lie from a border, with a sign.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/closest_point.h"
#include "layers/fat/fat_border.h"

/// A box of nodes.
typedef struct supFatBox
{
    supVec3 low;  ///< place of node (0, 0, 0)
    float edge;   ///< from node to node. Metres
    int32_t n[3]; ///< nodes each way
    int32_t count;
} supFatBox;

static inline int32_t supBoxNode( const supFatBox* box, int32_t x, int32_t y, int32_t z )
{
    return x + box->n[0] * ( y + box->n[1] * z );
}

supVec3 supBoxPlace( const supFatBox* box, int32_t node );

/// Nodes farther from a border than this many edges have a sign alone.
#define SUP_FAT_BAND 2.0f

typedef struct supFatDistance
{
    float inside;      ///< above zero on the inner side. Metres; at most the band
    supFootPoint foot; ///< nearest point of the border; triangle -1: farther than the band
} supFatDistance;

/// Of all nodes of a box, from the union of the border's bodies. False: no memory.
bool supMeasureDistances(
    const supFatBox* box, const supFatBorder* border, const supAllocator* allocator, supFatDistance* out );
