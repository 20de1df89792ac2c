// Fitting fewer influences than a vertex needs: what its stages share.
// SPDX-License-Identifier: MIT
#pragma once

#include "bake/joint_bake_data.h"

/// The most frames, of all clips together, by which weights are judged: whole blocks…
#define SUP_REFIT_FRAMES 384
/// …of this many, so that loops over frames are wide ones…
#define SUP_FRAME_BLOCK 32
/// …and every how many-th of them they are fitted to.
#define SUP_FIT_STRIDE 4
/// The most motions of a model for which mixes are made: elements and the parts of modes.
#define SUP_MAX_MIXED 1024

/// Frames of all clips. Numbers that every vertex runs over are stored with all frames side by side, `stride` of them,
/// in tracks: count rounded up to whole blocks, with zeros beyond.
typedef struct supRefitFrames
{
    int32_t count;
    size_t stride;
    float* palettes;     ///< entry after entry, 12 tracks each: the columns x, y, z, t
    supVec3* shown;      ///< shifts of all motions, frame after frame
    float* turns;        ///< motion after motion, where any turn, 12 tracks each: as palettes
    float* morphWeights; ///< frame after frame
    float* moves;        ///< helper after helper, 3 tracks each
    size_t movesSize;    ///< bytes
    float* reaches;      ///< of each motion the largest shift in all frames, and about what its turn does. Metres
    size_t paletteCount, motionCount, morphCount;
    size_t blockSize;
} supRefitFrames;

typedef struct supRefitWork
{
    supJointBake* bake;
    const supRefitFrames* frames;
    const supTasks* tasks;
    float* dented;        ///< of each refitted vertex: its error where that differs much from a neighbour's, else 0
    float* errors;        ///< of each refitted vertex, the largest of all frames. Metres
    supVec3* frameErrors; ///< of each refitted vertex in every frame
} supRefitWork;

/// At most `most` frames.
supResult supMakeFrames(
    supRefitFrames* frames, const supJointBake* bake, const supJointBakeDef* def, int32_t most, supError* error );

void supRefitFrames_Destroy( supRefitFrames* frames, const supAllocator* allocator );
/// Works out `moves`, again when there are new helpers.
supResult supMoveHelpers( supRefitFrames* frames, const supJointBake* bake, supError* error );

/// The weights of a touched vertex on every motion that does not turn. Gives the sum of those on others.
float supAlphasOf( const supSkinMotions* motions, int32_t row, float* alphas );

/// Room to fit a vertex in: too much for a stack.
typedef struct supFitting supFitting;
size_t supFittingSize( void );

/// Fits one vertex, and notes its errors. Keeps what it has where that is better.
void supRefitVertex( const supRefitWork* work, int32_t index, supFitting* fitting );

/// Adds at most `most` helpers that are a mix of elements, for the vertices whose `errors` (one a refitted vertex,
/// metres) are above a share of the size.
supResult supAddMixes( supRefitWork* work, const float* errors, double target, int32_t most, supError* error );

/// Fills in what the bake says about all this. `dented` (one a refitted vertex): its error where an edge at it has a
/// jump above `seen` (metres), else 0.
supResult supMeasureRefits( const supRefitWork* work, float seen, float* dented, supError* error );

// ---------------------------------------------------------------------------------------------------------------
// The best few of many influences.

/// The cost of weights w is w^T costs w; they are at least 0 and sum to 1.
typedef struct supWeightProblem
{
    int32_t count;
    double costs[SUP_MAX_CANDIDATES][SUP_MAX_CANDIDATES];
} supWeightProblem;

/// A choice of candidates and their weights.
typedef struct supWeightChoice
{
    int32_t count;
    int32_t chosen[SUP_MAX_CANDIDATES];
    double weights[SUP_MAX_CANDIDATES];
    double cost;
} supWeightChoice;

/// The best weights on the chosen candidates alone; those that would be negative are dropped one by one.
void supSolveWeights( const supWeightProblem* problem, supWeightChoice* choice );
/// The best `room` candidates. `start`: a choice that is good but too large.
supWeightChoice supChooseWeights( const supWeightProblem* problem, const supWeightChoice* start, int32_t room );
