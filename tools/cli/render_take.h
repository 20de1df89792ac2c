// A take: a character on stage, and where its skin is at any time.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/io.h"
#include "supple/picture.h"

typedef struct supTake supTake;

/// Smooth skinning is one way to get a skin for a time. Whoever has another one (a body with flesh on it) sets these
/// two and `user`, and everything that draws takes goes on as before.
typedef struct supTakeSource
{
    /// The skin at a time of the clip. Asked in rising order after each rewind.
    supShape ( *shapeAt )( supTake* take, double time );
    /// Before a clip is played from its start, again or for the first time.
    void ( *rewind )( supTake* take );
    void* user;
} supTakeSource;

struct supTake
{
    const char* path;
    supGltf* document;
    supCharacter* character;
    supPose* pose; ///< at the time that was asked for last
    supFigure* figure;
    int32_t clip;      ///< -1: the file has none, or none is wanted
    double start, end; ///< of the clip. Seconds
    supTakeSource source;
};

/// Opens a file and puts its character on stage. `clip` NULL: the first one; "none": as the file stands. Notes go to
/// stderr. The take must be released in either case.
supResult supOpenTake( supTake* take, supStage* stage, const char* path, const char* clip, supError* error );
void supReleaseTake( supTake* take );

/// Fails where the time is outside the clip, and names what is inside.
supResult supTake_CheckTime( const supTake* take, double time, supError* error );
