// What `supple render` was asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"
#include "supple/picture.h"

#include <stdint.h>

typedef enum supRenderForm
{
    sup_renderStill,
    sup_renderStrip, ///< several moments in one picture
    sup_renderMovie,
} supRenderForm;

enum
{
    sup_maxTakeCount = 2
};

/// The call in words that are understood.
typedef struct supRenderPlan
{
    const char* inputs[sup_maxTakeCount];
    int32_t inputCount;
    const char* output;
    bool webp;
    supRenderForm form;

    const char* clip; ///< NULL: the first
    bool hasTime;
    double time; ///< seconds, of a still
    int32_t stripCount;
    double fps;            ///< frames a second of a movie
    double duration;       ///< of a movie. Seconds; 0: the clip once
    int32_t width, height; ///< of the whole picture, of one moment where there are several. Pixels
    float quality;         ///< of WebP, 0 to 100

    supView view; ///< angles, background, ground
    bool follow;  ///< the camera goes along with the figure
    bool skin, bones, wireframe;
    supTextList captions;
    bool json;
} supRenderPlan;

/// Reads the words; prints help and mistakes itself. sup_parseOk: go on.
supParseResult supReadRenderWords( int argc, char** args, supRenderPlan* plan );
