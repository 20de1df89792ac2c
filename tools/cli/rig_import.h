// Settings that people tuned for swinging bones elsewhere, put on the elements of a rig.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/model.h"

#include <stdio.h>

/// What a bone's settings mean as a damped spring.
typedef struct supTunedSpring
{
    double frequency; ///< undamped. Hertz
    double dampingRatio;
    double sag; ///< that gravity gives. Metres
} supTunedSpring;

/// A bone whose tail keeps `kept` of its way of the last frame, then stays off its rest by `left` of where it would be,
/// sixty times a second; `pull` is the way that gravity adds in a frame. Metres
supTunedSpring supSpringOfFrames( double kept, double left, double pull );

/// Reads a settings file or the spring bones of a VRM file and gives each matching element of the rig their frequency,
/// damping ratio and sag; `model` is the rig compiled. The table of what each meant goes to `out` (or NULL). The rig is
/// replaced.
supResult supImportSettings( const char* path, const supModel* model, supRig** rig, FILE* out, supError* error );
