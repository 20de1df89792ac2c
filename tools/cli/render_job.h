// A picture in the making: shots on a stage, one camera for all of them, the moments to draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "render_draw.h"
#include "render_shot.h"

enum
{
    sup_maxPanelCount = 3 // smooth, living, and how far they are apart
};

typedef struct supRender
{
    const supRenderPlan* plan;
    supProgress progress;
    supStage* stage;
    supShot shots[sup_maxShotCount];
    double duration;   ///< of the longest clip. Seconds
    bool follow;       ///< the camera goes along with the figures
    supVec3 front, up; ///< of the first figure: the camera's angles count from there

    int32_t frameCount;
    double* times; ///< of a still or a contact sheet, from the start of the clips. Seconds. NULL: of a film

    int32_t panelCount; ///< the shots, and their difference where it is asked for
    float* ways;        ///< one a vertex, from the first skin to the last. Metres
    supColor* heat;     ///< the same in colours
    double largestWay;  ///< of all moments that are drawn, or of a film's. Metres

    bool seen[sup_maxFleshShown]; ///< what --show names of the flesh: something of it was drawn

    float yaw, pitch;                   ///< of the camera. Radians
    supView views[sup_maxPanelCount];   ///< the same camera for all, widths that add up
    supPixels parts[sup_maxPanelCount]; ///< one for each panel
    supPixels mask;                     ///< the first figure alone, for its outline
    supPixels frame;                    ///< the panels side by side; not of a contact sheet
    int32_t band;                       ///< rows below the panels of a frame, for captions. Pixels
    int32_t width, height;              ///< of what is written. Pixels
} supRender;

// Moments

/// Shots play from their own start; a clip that is longer than another goes on, the other repeats.
double supShotTime( const supShot* shot, double time );
/// Times from the start of the clips at which pictures are drawn.
double supRender_FrameTime( const supRender* render, int32_t frame );
/// The shot that is compared with the first one, or that one where it is alone.
supShot* supRender_LastShot( const supRender* render );
/// The clip in which the flesh moves most, where none was named; shots play it.
supResult supRender_ChooseClip( supRender* render, supError* error );
/// Moments of a still or a contact sheet; how many frames a film has.
supResult supRender_ChooseMoments( supRender* render, supError* error );
/// So many moments of the clip, in order, in which the two skins are far apart, and each time in another way. A quarter
/// of an even share of the clip lies between them at least.
supResult supRender_PickMoments( supRender* render, int32_t count, double* times, supError* error );
/// Whether there are two skins to be told apart at all.
bool supRender_Differs( const supRender* render );
/// Fills in `ways`; gives their root mean square. Metres
double supRender_Measure( supRender* render, double time );
/// The same for two skins.
double supRender_MeasureWays( supRender* render, const float* from, const float* to );

// The camera

/// Finds out where the first figure looks and which way is up.
void supRender_FindFront( supRender* render );
/// Sizes of panels and frame, and a camera that sees all that is drawn.
supResult supRender_Frame( supRender* render, supError* error );
/// Whether the camera goes where the two skins are best told apart: where none was named.
bool supRender_ChoosesCamera( const supRender* render );
/// Chooses the camera's angles.
supResult supRender_ChooseAngles( supRender* render, supError* error );
/// Lists the skin that moves and what is around it, for the camera to frame; nothing where that is most of the figure.
supResult supRender_CloseIn( supRender* render, supError* error );
/// Keeps the eye of a close-up outside of the rest of the figure: before all of it, whatever is framed.
void supFraming_StandBack( supFraming* framing, const float* positions, int32_t count, supVec3 offset );
/// How far a shot is shifted before it is framed: the camera goes along.
supVec3 supRender_OffsetOf( const supRender* render, const supShot* shot );
/// Below this nothing moves: what is left is rounding. Metres
double supRender_LeastWay( const supRender* render );

// Drawing

supResult supRender_DrawPanel( supRender* render, int32_t panel, double time, supError* error );
/// All panels side by side, captions below, into `frame`.
supResult supRender_DrawFrame( supRender* render, double time, supError* error );
/// What stands below a panel; empty for nothing.
void supRender_Caption( const supRender* render, int32_t panel, char* text, size_t size );
bool supRender_HasCaptions( const supRender* render );
/// Height of the letters beside pictures of that height. Pixels
float supCaptionHeight( int32_t height );
/// A line of text in the middle of a box that is filled with the background's colour. `turn`: in quarter turns.
void supDrawCaption(
    const supRender* render, supPixels* pixels, const float box[4], float height, int32_t turn, const char* text );
/// A contact sheet.
supResult supRender_Sheet( supRender* render, supError* error );
