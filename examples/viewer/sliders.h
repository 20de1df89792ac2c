// A slider for each region of a body.
// SPDX-License-Identifier: MIT
#pragma once

#include "card.h"
#include "supple/auto.h"

enum
{
    supMostSliders = 16,
};

typedef struct supSliders
{
    int32_t count;
    supRegion regions[supMostSliders];
    float factors[supMostSliders]; ///< 0 to 2
    int32_t held;                  ///< under the mouse, counted from 1; 0: none
} supSliders;

/// A region that has one already is passed over.
void supSliders_Add( supSliders* sliders, supRegion region );
float supSliders_Factor( const supSliders* sliders, supRegion region );
/// As if one had been moved: "belly=0.5". False: there is no such region.
bool supSliders_Set( supSliders* sliders, const char* words );
/// What the mouse does. True: a slider is held, and may have been moved.
bool supSliders_Take( supSliders* sliders, const SDL_Event* event );
void supSliders_Draw( const supSliders* sliders, supCard* card );
