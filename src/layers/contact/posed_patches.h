// A skin's patches at a moment: what is near a place, and which pieces go around it.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/closest_point.h"
#include "layers/contact/skin_patches.h"

/// Balls around patches or around blocks, side by side for wide loads.
typedef struct supPatchBalls
{
    float *x, *y, *z, *radius;
} supPatchBalls;

/// What a patch is between: two planes across the mean of some of its triangles' normals.
typedef struct supPatchSlab
{
    supVec3 normal; ///< unit length
    float low, high;
} supPatchSlab;

/// Boxes around patches as seen along the rays that are asked first: two sides across, the third along.
typedef struct supSeenBoxes
{
    float *low[3], *high[3];
} supSeenBoxes;

/// In scratch memory of supPosedPatches_ScratchSize bytes.
typedef struct supPosedPatches
{
    const supSkinPatches* patches;
    const supVec3* places; ///< of vertices
    supPatchBalls balls, blocks;
    supSeenBoxes seen;
    supPatchSlab* slabs; ///< of patches
    float* triangles;    ///< of patches, once asked for: the corners' coordinates, nine rows of sixteen
    bool* gathered;      ///< of patches
} supPosedPatches;

size_t supPosedPatches_ScratchSize( const supSkinPatches* patches );
/// `places` is kept by address, and may change as long as nothing else is asked.
void supPosePatches( const supSkinPatches* patches, const supVec3* places, void* scratch, supPosedPatches* posed );

/// Some vertices have moved since.
void supPosedPatches_Update( supPosedPatches* posed, const bool* moved );

/// Patches whose ball comes closer to a place than `reach`, rising, `most` at most. Gives how many.
int32_t supPosedPatches_Near(
    const supPosedPatches* posed, supVec3 place, float reach, int32_t most, int32_t* patches );
/// How far a place is from a patch at least; below zero inside its ball and its slab.
float supPosedPatches_Bound( const supPosedPatches* posed, int32_t patch, supVec3 place );
/// The closest triangle of a patch with no corner of that part; triangle -1: it has none.
supFootPoint supPosedPatches_Closest( supPosedPatches* posed, int32_t patch, supVec3 place, int32_t part );
/// The closest triangle of a piece with no corner of that part; -1: it has none. `guess`: a patch that may be close, or
/// -1, and then the one that it was in.
supFootPoint supPosedPatches_WayOut(
    supPosedPatches* posed, supVec3 place, int32_t part, int32_t piece, int32_t* guess );
/// The closest triangle of any patch that is not around that vertex, or `reach` if there is none so close. Metres
float supPosedPatches_Clearance( supPosedPatches* posed, supVec3 place, int32_t vertex, float reach );
/// The closed piece that goes around a place, or -1. By a ray across the body; where that says yes, the one the other
/// way is asked too, and a third one where the two do not agree.
int32_t supPosedPatches_Around( supPosedPatches* posed, supVec3 place );
