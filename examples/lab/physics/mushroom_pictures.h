// Strips and plots of the two mushrooms: figures 8 and 9.
// SPDX-License-Identifier: MIT
#pragma once

#include "mushroom_pair.h"

/// Draws both mushrooms through the three motions and under the three gravities into a folder. 0: it went well, or
/// supple_picture was not built.
int supDrawMushroom( supPair* pair, const char* folder );
/// The elongations of both through a motion, along an axis, as FOLDER/name.svg. 0: it went well.
int supPlotMotion(
    supPair* pair, supMotion* motion, int axis, const char* title, const char* name, const char* folder );
