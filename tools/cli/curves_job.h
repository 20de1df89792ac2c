// What `supple curves` works on: a surface, its network, and the shapes it goes through.
// SPDX-License-Identifier: MIT
#pragma once

#include "input.h"
#include "options.h"
#include "supple/curves.h"

typedef struct supCurvesWords
{
    const char *in, *out, *clip, *times, *parts;
    supTextList shapes; ///< OBJ files, or morph:N
    int terms, points, curves, parameters, stages;
    float tolerance, at;
    bool hasAt, smooth, json;
} supCurvesWords;

typedef struct supCurvesJob
{
    const supCurvesWords* words;
    supInput input;    ///< a glTF file or a built-in character
    supCharacter* obj; ///< instead: an OBJ file
    const supCharacter* character;
    uint32_t* indices; ///< of all meshes as one
    int32_t indexCount;
    supCurveNetwork* network;
    supCurveMotion* motion; ///< NULL: no shapes were given
    float* shapes[64];
    const char* shapeNames[64];
    int32_t shapeCounts[64];
    double times[64];
    int32_t shapeCount;
    double unseenRms, unseenMax; ///< frames of the clip between the stages' ends. Metres; below 0: none
} supCurvesJob;

/// Reads, finds the curves, fits them to the shapes. Close it in either case.
supResult supOpenCurvesJob( supCurvesJob* job, const supCurvesWords* words, supError* error );
void supCloseCurvesJob( supCurvesJob* job );
