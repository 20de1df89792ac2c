// Pictures as a plan says.
// SPDX-License-Identifier: MIT
#pragma once

#include "render_words.h"

#include <jansson.h>

/// What was drawn.
typedef struct supRenderReport
{
    char clip[128]; ///< "" where there was none
    char driver[128];
    int32_t width, height; ///< of the file's picture: a contact sheet's is the whole of it. Pixels
    supVec3 front, up;     ///< of the first figure, as the camera has it
    double yaw, pitch;     ///< of the camera. Degrees
    int32_t frames;
    double seconds;   ///< of a moving picture
    json_t* times;    ///< of the moments of a still or a contact sheet; an array, to be released. Seconds
    long long bytes;  ///< of the file
    char unseen[200]; ///< what --show asked for and nothing was drawn of
} supRenderReport;

/// Draws it all and writes the file; progress on the terminal.
supResult supDrawPlan( const supRenderPlan* plan, supRenderReport* report, supError* error );
