// Rows of pictures beside each other, as the paper prints its motions. Draws only where supple_picture was built.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/body.h"
#include "supple/look.h"

#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/picture.h"

enum
{
    supStripMargin = 34, // above each row, for its words. Pixels
};

typedef struct supFilmStrip
{
    supStage* stage;
    supFigure* figure;
    supView view; // of one cell
    supFraming framing;
    supPixels cell, sheet;
    int columns, rows;
} supFilmStrip;

/// What is drawn over a cell's skin: things that a body knows (supBody_DrawNames), and the way from one skin to the
/// shown one as blue dashes.
typedef struct supStripOverlay
{
    const supBody* body;
    const char* names[4]; // up to the first NULL
    bool wordless;        // without the names of elements, where the cell is too small for them
    const float *from, *to;
    int32_t vertexCount; // of `from` and `to`
    float shortest;      // dashes below this are left out. Metres
} supStripOverlay;

/// `yaw` and `pitch` in degrees. `look` NULL: clay.
supResult supBeginFilmStrip( supFilmStrip* strip, const supCharacter* character, const supLook* look, int columns,
    int rows, int width, int height, float yaw, float pitch, supError* error );
void supEndFilmStrip( supFilmStrip* strip );

/// Every cell has the same camera: all that is to be seen is added before the first is drawn. `offset` moves
/// a skin, here and when it is drawn.
void supFilmStrip_Frame( supFilmStrip* strip, const float* positions, supVec3 offset );
/// The same for a close-up: only what is within `radius` of a place is to be seen, and the rest may be cut off. Without
/// ground. For cells that are drawn after this; what was to be seen before no longer counts.
void supFilmStrip_FrameNear( supFilmStrip* strip, const float* positions, supVec3 offset, supVec3 place, float radius );
/// Draws a cell. `overlay` may be NULL; `words` stand above it, NULL: none.
supResult supFilmStrip_Draw( supFilmStrip* strip, int column, int row, const float* positions, supVec3 offset,
    supStripOverlay* overlay, const char* words, supError* error );
/// A WebP at FOLDER/name.webp.
supResult supFilmStrip_Write( const supFilmStrip* strip, const char* folder, const char* name, supError* error );
#endif
