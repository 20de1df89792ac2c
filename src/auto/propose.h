// A rig being sketched: elements and what they were meant for, before the clips have been seen.
// SPDX-License-Identifier: MIT
#pragma once

#include "auto/body_plan.h"
#include "supple/auto.h"

enum
{
    supMostElements = 3 + 2 * supMostLimbs,
    supMostNames = 64,
    supNumberLetters = 16, ///< of "#" and a joint's number
};

typedef struct supSketchNames
{
    int32_t count;
    int32_t joints[supMostNames];
    const char* names[supMostNames];
} supSketchNames;

typedef struct supSketchElement
{
    supElementDef def; ///< names point into the character and the sketch
    supRegion region;
    int32_t driver;
    bool isSound;          ///< of the trunk: there is flesh to move
    int32_t limb, segment; ///< of limbs: which, and 0 upper, 1 lower
    int32_t mirror;        ///< the same of the other side, or -1
    supSketchNames ends, joints;
    float ceiling;
    float softness, slowest, fastest; ///< frequency by thickness. Hz
    float firstAmount;                ///< before the clips were seen
    float firstPeak, peak;            ///< shares of the thickness
    int32_t firstClip, worstClip;     ///< where they are
} supSketchElement;

typedef struct supSketch
{
    supPlan plan;
    int32_t count;
    supSketchElement elements[supMostElements];
    const char** spelled; ///< a joint: its name with its number, where that was needed; else NULL
    char* letters;        ///< room for all of them
    size_t lettersUsed;
} supSketch;

/// Elements with the region's own numbers, tempered by the preset.
void supSketchRig( supSketch* sketch, supPreset preset );

/// Compiles the sketch, gives frequencies by thickness, and lowers amounts until every clip stays under the ceilings.
/// Leaves the finished rig in *out.
supResult supTameRig( supSketch* sketch, const supProposeDef* def, supRig** out, supError* error );
