// Supple: where a body's time goes.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
#pragma once

#include "supple/body.h"

/// As many layers as a profile tells apart.
#define SUP_PROFILE_LAYERS 16

/// Where a body's time goes. The library itself reads no clock: the host lends one. Sums since the numbers were last
/// set to 0.
typedef struct supProfile
{
    double ( *clock )( void* user ); ///< seconds, from any start
    void* user;
    double pose; ///< checking joints, making the palette. Seconds
    double skin; ///< vertices: smooth skin and offsets in one pass, and the layers that apply. Seconds
    /// Stepping and applying of each layer, by its place in the list (supGetLayerInfo): flesh is 0. Part of `skin`
    /// where they apply. Seconds
    double layers[SUP_PROFILE_LAYERS];
    int64_t steps; ///< calls of supBody_Step that were not refused
    int64_t skins; ///< calls that wrote vertices
} supProfile;

/// From now on the body adds up its times in `profile`, which is the caller's and outlives it or is taken away with
/// NULL. One thread at a time may then use the body.
SUP_API void supBody_SetProfile( supBody* body, supProfile* profile );
/// A copy; zeros where there is none.
SUP_API supProfile supBody_GetProfile( const supBody* body );
