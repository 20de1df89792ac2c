// What `supple curves` works on: a surface, its network, and the shapes it goes through.
// SPDX-License-Identifier: MIT
#pragma once

#include "input.h"
#include "options.h"
#include "supple/lab/curves.h"

typedef struct supCurvesOptions
{
    const char *in, *out, *clip, *times, *parts, *forces;
    supTextList shapes; ///< OBJ files, or morph:N
    int terms, points, curves, parameters, stages, source;
    float tolerance, at, a1, a2, density, damping, apart, volume, folds;
    bool hasAt, smooth, paperMean, noDetail, json;
} supCurvesOptions;

typedef struct supCurvesJob
{
    const supCurvesOptions* words;
    supInput input;    ///< a glTF file or a built-in character
    supCharacter* obj; ///< instead: an OBJ file
    const supCharacter* character;
    uint32_t* indices; ///< of all meshes as one
    int32_t indexCount;
    supCurveNetwork* network;
    supCurveMotion* motion; ///< through all shapes; of one alone: under forces
    float* shapes[64];
    const char* shapeNames[64];
    int32_t shapeCounts[64];
    double times[64];
    int32_t shapeCount;
    double unseenRms, unseenMax; ///< frames of the clip between the stages' ends. Metres; below 0: none
} supCurvesJob;

/// Parts by a list in a file: {"ear": [12, [40, 60], "Ear.L"], ...}: vertices, ranges of them (both ends included), and
/// joints, whose skin it is. `parts`: one for each vertex, -1 where none is named. `names` are allocated, and the list
/// too; the caller frees them.
supResult supReadPartList(
    const char* path, const supCharacter* character, int32_t* parts, char*** names, int32_t* count, supError* error );

/// Reads, finds the curves, fits them to the shapes. Close it in either case.
supResult supOpenCurvesJob( supCurvesJob* job, const supCurvesOptions* words, supError* error );
void supCloseCurvesJob( supCurvesJob* job );
