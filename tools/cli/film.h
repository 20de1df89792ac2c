// GIF and MP4: frames are handed to the program ffmpeg, where it is installed.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/pixels.h"

/// Whether a name is one of a film that ffmpeg makes: .gif or .mp4.
bool supIsFilmName( const char* path );

typedef struct supFilmDef
{
    const char* path; ///< .gif or .mp4
    int32_t width, height;
    double fps;
    float quality; ///< 0 to 100, of .mp4
} supFilmDef;

typedef struct supFilm supFilm;

/// Says whether ffmpeg can be called at all, before the work and not after it.
supResult supFindFilmMaker( const char* path, supError* error );
supResult supStartFilm( const supFilmDef* def, supFilm** out, supError* error );
/// Frames of the film's size, in order.
supResult supFilm_Add( supFilm* film, const supPixels* frame, supError* error );
/// Waits for ffmpeg and puts the film in its place. Must be called; `keep` false, or a failure: no file is left.
supResult supFilm_End( supFilm* film, bool keep, supError* error );
