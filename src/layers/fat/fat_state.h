// What a moving body keeps of each fat.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/fat/fat.h"
#include "solve/swing.h"

enum
{
    supStepNumbers = 4 + SUP_PATH_SPANS, ///< of a spring step, for q and for s
    supModeRows = 4 + 2 * supStepNumbers + ( SUP_PATH_SPANS + 1 ) + ( SUP_PATH_SPANS + 1 ),
};

typedef struct supFatState
{
    supSwingClock clock;
    supVec3 worldOrigin; ///< of the last frame
    bool started, stale, moved;
    bool tensing;                ///< tension is on its way
    bool tense;                  ///< muscles below are: vibrations are those of `turn`
    bool fresh;                  ///< taken over from another model: what pulled and pushed it then is not known
    bool forced;                 ///< forces from outside wait for the next step
    int64_t cutCount;            ///< frames that the reference has cut short
    bool carried[supMostBlocks]; ///< of each block: tension has changed in this step, and `oldTurn` was before that
    float easing; ///< for so long corrections go over to what live fields, or another model, ask for. Seconds
} supFatState;

/// Rows of one number a mode, and matrices of one a joint, in an item's state.
typedef struct supFatPlaces
{
    supFatState* own;
    float *q, *speeds, *pulls;
    float *steps, *stepSpeeds; ///< supStepNumbers rows each
    float* anchors;            ///< D_j, and the anchor's speed when the frame began
    float* pushDeltas; ///< by what the inner border's shares of each mode changed in the last frames, newest first
    float* pushSpeed;  ///< at the end of the last frame
    float* forced;     ///< what forces from outside give to each mode in this step
    supMat34 *last, *motions; ///< of joints; deltas, newest first, and speeds
    supMat34* turns;          ///< of joints, at the last frame
    double* forces;           ///< from outside, on the free nodes, in rest space. Newtons at the model's own size
    float* partTensions;      ///< of all muscles, in this frame
    float* wanted;            ///< tensions that those of the muscles below are on their way to
    float* tensions;          ///< of these as `turn` has them, of each block
    float* tenseOmegas;       ///< of the vibrations of the tense solid. 1/s
    double* turn;             ///< these, a row each, in shares of the loose ones, block by block
    float* oldOmegas;         ///< both of the solid as tense as it was before tension changed
    double* oldTurn;
    double* tenseWork; ///< scratch
    double* solved;    ///< scratch, where what the modes leave out of them is solved for
    float* shares;     ///< of the inner border's rays at the last frame
    supMat34* starts;  ///< of joints: their speeds when the frame began; of the reference alone
    float* live;       ///< shown floats of the live solver, kept apart by the reference
    void* reference;
} supFatPlaces;

/// Where an item's state stands in the layer's. `state` NULL: only its size, if that is wanted. Bytes
supFatPlaces supFatPlaces_In( const supFat* fat, void* state, size_t* size );
