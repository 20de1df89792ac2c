// The body as a graph: its parts, which is the skin on each joint, and what hangs together.
// SPDX-License-Identifier: MIT
//
// Skeletons are made for animators. Feet hang on IK targets beside the body, legs on the root, breasts on a joint in
// the middle of the chest, a body's own joint floats above it. The skin knows better: what is blended together belongs
// together. A part is a joint with skin of its own; joints with hardly any belong to the part above them.
#pragma once

#include "supple/character.h"

enum
{
    supMostParts = 320,
    supMostSamples = 1536,
};

typedef struct supPart
{
    int32_t joint;
    float area;       ///< of the surface that hangs on it
    float soft;       ///< of that, what is not in a hard piece
    supVec3 center;   ///< of that surface
    int8_t side;      ///< -1, 0 (in the plane of symmetry) or 1
    int32_t twin;     ///< the part that is its mirror image, or -1
    int32_t kin;      ///< without one: its twin by the skeleton and by names, on the other side, or -1
    int32_t parent;   ///< in the tree of the body, or -1
    int32_t limb;     ///< that it is part of, or -1
    float samples;    ///< weight of what its centre was taken of
    bool meetsMiddle; ///< of a side: shares skin with parts in the middle
} supPart;

/// A place on the skin, for a share of its area.
typedef struct supSample
{
    supVec3 at;
    float area;
    int32_t part; ///< that holds most of it
    bool hard;
} supSample;

/// A way from a part to another.
typedef struct supPartBond
{
    int32_t a, b;
    float strength;
} supPartBond;

typedef struct supBodyGraph
{
    const supCharacter* character;
    float size;
    int32_t jointCount;
    int32_t partCount;
    supPart parts[supMostParts];
    int32_t* partOf; ///< a joint: the part that its skin is counted with, or -1
    int32_t sampleCount;
    supSample samples[supMostSamples];
    float totalArea;
    supVec3 center;    ///< of the surface
    supVec3 normal;    ///< of the plane of symmetry
    float offset;      ///< of that plane
    float mirrorError; ///< mean distance of the skin's mirror image from the skin. Share of the size
    int32_t bondCount;
    supPartBond bonds[supMostParts - 1]; ///< a tree
    float* strengths;                    ///< partCount x partCount; how much skin two parts share
} supBodyGraph;

struct supPlan;

/// Parts, samples and bonds of a body. `plan` has areas and hard pieces. False: no memory.
bool supMakeBodyGraph( const struct supPlan* plan, const supAllocator* allocator, supBodyGraph* graph );
void supDropBodyGraph( supBodyGraph* graph, const supAllocator* allocator );

/// For each part its twin by the skeleton and by names, or -1; room for all parts. False: no memory.
bool supFindKin( const supBodyGraph* graph, const struct supPlan* plan, const supAllocator* allocator, int32_t* twins );

/// The plane about which skin and joints are most alike; then sides and twins of all parts. False: no memory.
bool supFindSymmetry( supBodyGraph* graph, const struct supPlan* plan, const supAllocator* allocator );

/// Bonds between parts, the strongest first, as many as make a tree.
bool supFindBonds( supBodyGraph* graph, const struct supPlan* plan, const supAllocator* allocator );

/// Signed distance from the plane of symmetry.
static inline float supBodyGraph_Away( const supBodyGraph* graph, supVec3 p )
{
    return p.x * graph->normal.x + p.y * graph->normal.y + p.z * graph->normal.z - graph->offset;
}
