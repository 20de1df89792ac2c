// Fitting fewer influences than a vertex needs: what its stages share.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"

/// The most frames, of all clips together, that weights are fitted to.
#define SUP_REFIT_FRAMES 128
/// The most elements of a model for which mixes are made.
#define SUP_MAX_MIXED 64
/// Vertices that are off by more than this share of the size get help from mixes.
#define SUP_MIX_ERROR 3e-4

/// Frames of all clips.
typedef struct supRefitFrames
{
    int32_t count;
    supMat34* palettes;  ///< frame after frame
    supVec3* shown;      ///< elongations, frame after frame
    float* morphWeights; ///< frame after frame
    float* reaches;      ///< of each element the largest elongation in all frames. Metres
    size_t paletteCount, elementCount, morphCount;
    size_t blockSize;
} supRefitFrames;

typedef struct supRefitWork
{
    supJointBake* bake;
    const supRefitFrames* frames;
    float* errors; ///< of each refitted vertex, the largest of all frames. Metres
} supRefitWork;

supResult supMakeFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, supError* error );

/// alpha2 of a touched vertex for every element.
void supAlphasOf( const supFlesh* flesh, int32_t row, float* alphas );

/// Adds helpers that are a mix of elements, for the vertices whose `errors` are large.
supResult supAddMixes( supRefitWork* work, supError* error );
