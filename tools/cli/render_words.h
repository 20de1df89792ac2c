// What `supple render` was asked for.
// SPDX-License-Identifier: MIT
#pragma once

#include "options.h"
#include "propose_options.h"
#include "supple/picture.h"

#include <stdint.h>

typedef enum supRenderForm
{
    sup_renderStill,
    sup_renderStrip, ///< several moments in one picture
    sup_renderMovie,
} supRenderForm;

/// Whether the camera goes along with a figure that walks off.
typedef enum supCameraWay
{
    sup_cameraChoose, ///< in contact sheets of clips that travel
    sup_cameraFollow,
    sup_cameraStand,
} supCameraWay;

/// Whether a comparison has a third picture: how far the skins are apart.
typedef enum supDifference
{
    sup_differenceChoose, ///< in contact sheets
    sup_differenceOn,
    sup_differenceOff,
} supDifference;

enum
{
    sup_maxShotCount = 2,
    sup_maxFleshShown = 24,
    sup_maxMomentCount = 400, ///< of a contact sheet
};

/// The call in words that are understood.
typedef struct supRenderPlan
{
    const char* inputs[sup_maxShotCount];
    int32_t inputCount;
    const char* output;
    bool webp;
    bool film; ///< .gif or .mp4, by ffmpeg
    supRenderForm form;

    const char* clip;    ///< NULL: the one in which the flesh moves most, or the first
    supTextList motions; ///< files with more clips
    const char* map;     ///< names that differ in them, or NULL
    bool hasTime;
    double time; ///< seconds, of a still
    int32_t stripCount;
    bool hasTimes;                    ///< the moments of a contact sheet were named
    double times[sup_maxMomentCount]; ///< these, as many as stripCount. Seconds
    double fps;                       ///< frames a second of a movie
    double duration;                  ///< of a movie. Seconds; 0: the clip once
    bool hasSize;                     ///< else by form, and by the figure's own shape
    int32_t width, height;            ///< of the whole picture, of one cell of a contact sheet. Pixels
    float quality;                    ///< of WebP, 0 to 100

    supView view;   ///< angles, background, ground
    bool hasCamera; ///< angles were asked for; else of a comparison those that show most
    supCameraWay camera;
    const char* closeUp; ///< joints whose skin is framed, with commas between. NULL: the whole figure
    bool closesIn;       ///< what moves is framed
    bool skin, bones, wireframe;
    bool fleshShown[sup_maxFleshShown]; ///< by place in supBody_DrawNames

    bool living[sup_maxShotCount]; ///< flesh on it, or as the file is
    const char* rig;               ///< NULL: see supInput_Rig
    supProposeChoices choices;     ///< what the call says of body and automatic rig

    supDifference difference;
    supTextList captions;
    bool json;
    bool progress; ///< lines that tell what is being done
} supRenderPlan;

/// A still of one file, nothing else asked for.
supRenderPlan supDefaultRenderPlan( void );

/// Reads the words; prints help and mistakes itself. sup_parseOk: go on.
supParseResult supReadRenderWords( int argc, char** args, supRenderPlan* plan );
