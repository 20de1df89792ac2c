// What meshes below the fat push, where joints carry them otherwise than the skin above.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat_border.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_state.h"

/// What the rows are worked out from.
typedef struct supFatSolid
{
    const supFatRegion* region;
    const supFatMesh* mesh;
    const supFatHold* holds; ///< of all nodes
    const supElastic* elastic;
    const supBlockFactor* factor;
    const supElasticModes* modes;
    supWatched* watched; ///< or NULL
} supFatSolid;

/// Adds the pairs of joints (supFatPair) that move meshes against the nodes that they hold. False: no memory.
bool supFindMeshPairs( const supFatRegion* region, const supFatMesh* mesh, const supFatHold* holds, supArray* pairs );
/// Fills in the rows of the fat's pairs. False: no memory, or it was to stop.
bool supFillMeshPushes( supFat* fat, const supFatSolid* solid );

/// Adds to the pulls on the modes what the meshes push in a frame whose joints have been read, and gives twelve numbers
/// a pair to show.
void supPushByMeshes(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, float speed, float* pulls, float* shown );
