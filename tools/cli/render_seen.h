// Whether anything was drawn at all.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/draw.h"

/// Hands on what it is given, and remembers that there was something.
typedef struct supSeenDraw
{
    const supDraw* to;
    bool seen;
} supSeenDraw;

supDraw supWatchDraw( supSeenDraw* watch );
