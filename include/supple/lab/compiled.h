// Supple: what a model was compiled to: the vertices of a layer, the voxels of fat.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/model.h"

/// Vertices that a layer may move, of the whole character, rising. Gives how many.
SUP_API int32_t supModel_LayerVertices( const supModel* model, int32_t layer, const int32_t** vertices );

/// What an item of fat was cut into.
typedef struct supFatView
{
    const char* name;
    int32_t nodeCount, anchoredCount; ///< nodes, and those of them that the inner border holds
    int32_t hangingCount;             ///< and those that follow the corners of a large voxel: they cost next to nothing
    int32_t voxelCount, largeCount;   ///< voxels, and those of them that stand for eight
    int32_t modeCount, jointCount;
    int32_t outsideCount;   ///< places where the inner border lies outside the skin: no fat there
    int32_t outsideAt;      ///< the vertex where it does most, or -1
    float outsideBy;        ///< how far. Metres
    int32_t droppedCount;   ///< voxels that nothing would hold: left out
    int32_t vertexCount;    ///< that it moves
    float restOff;          ///< with restShape: how far its sag ends from the modelled skin. A share of the sag
    float voxel;            ///< edge of the smallest. Metres
    float thickest;         ///< largest distance between the borders. Metres
    double volume;          ///< m^3
    double factorBytes;     ///< that compiling needed for the factor
    double bytes;           ///< that the model keeps of it
    bool onMuscles;         ///< the inner border is another layer's, not the bones' own shape
    const supVec3* places;  ///< of the nodes at rest, model space. Metres. The model's own, as those below
    const int32_t* corners; ///< of the voxels, eight each: bit 0 of a corner's number goes along x, 1 y, 2 z
    const int32_t* freeOf; ///< of each node: its number among the free ones; -1: held; -2: between those of a large one
} supFatView;

/// False: there is no such item.
SUP_API bool supModel_Fat( const supModel* model, int32_t item, supFatView* out );
