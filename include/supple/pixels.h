// Supple: images in memory, text on them, PNG and WebP files (library supple_picture). Needs no graphics driver.
// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/draw.h"

/// The largest side of an image. Pixels. WebP ends here.
#define SUP_MAX_PIXELS 16383

/// An image: rows from the top, 4 bytes per pixel: red, green, blue in sRGB, straight alpha.
typedef struct supPixels
{
    int32_t width, height; ///< pixels
    uint8_t* data;         ///< 4 * width * height bytes
} supPixels;

/// Transparent black. Refuses sides below 1 or above SUP_MAX_PIXELS.
SUP_API supResult supCreatePixels( int32_t width, int32_t height, supPixels* out, supError* error );
SUP_API void supDestroyPixels( supPixels* pixels );

/// Fills everything with one colour (linear, as supColor always is).
SUP_API void supPixels_Fill( supPixels* pixels, supColor color );
/// Puts `from` with its upper left corner at (x, y); what stands out is cut off. Replaces, does not blend.
SUP_API void supPixels_Paste( supPixels* pixels, const supPixels* from, int32_t x, int32_t y );

// ---------------------------------------------------------------------------------------------------------------
// Antialiased strokes and text, blended over what is there. Coordinates in pixels from the upper left corner.

/// A round-ended line. `width` in pixels.
SUP_API void supPixels_Line( supPixels* pixels, float x0, float y0, float x1, float y1, float width, supColor color );
/// A line through points (x, y each), with no darker spots where its pieces meet, also where `color` is translucent.
SUP_API void supPixels_Polyline( supPixels* pixels, const float* points, int32_t count, float width, supColor color );
/// A filled box.
SUP_API void supPixels_Box( supPixels* pixels, float x0, float y0, float x1, float y1, supColor color );

/// A line along the border of what is opaque in `mask`, which has the same size: the outline of a figure that was drawn
/// before a transparent background.
SUP_API void supPixels_Outline( supPixels* pixels, const supPixels* mask, supColor color );

/// Where a text's (x, y) stands.
typedef enum supAlign
{
    sup_alignLeft = 0,
    sup_alignCenter = 1,
    sup_alignRight = 2,
} supAlign;

/// How wide a text becomes. Pixels. `height` is that of a capital letter, in pixels.
SUP_API float supTextWidth( const char* text, float height );
/// One line of UTF-8 in a built-in stroke font: ASCII and a few signs; accents are left off, what is unknown becomes a
/// box. (x, y) is on the baseline. `turn`: counter-clockwise, in quarter turns.
SUP_API void supPixels_Text(
    supPixels* pixels, float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color );

// ---------------------------------------------------------------------------------------------------------------
// Files. Written beside the name and renamed when complete; the same pixels give the same bytes.

/// Writes a PNG; without an alpha channel where every pixel is opaque.
SUP_API supResult supWritePng( const supPixels* pixels, const char* path, supError* error );
/// Writes a still WebP. `quality` 0 to 100; 100 is lossless.
SUP_API supResult supWriteWebp( const supPixels* pixels, float quality, const char* path, supError* error );

/// Decodes PNG, JPEG or WebP by content. `name` is for messages. Refuses images with a side above SUP_MAX_PIXELS.
SUP_API supResult supReadPixels( const void* data, size_t size, const char* name, supPixels* out, supError* error );
/// The same, where the pixels take no more than `most` bytes: sup_errorLimit beyond.
SUP_API supResult supReadPixelsWithin(
    const void* data, size_t size, const char* name, size_t most, supPixels* out, supError* error );

/// A moving WebP in the making.
typedef struct supMovie supMovie;

typedef struct supMovieDef
{
    int32_t width, height; ///< pixels
    float quality;         ///< 0 to 100; 100 is lossless. Default 75
    int32_t effort;        ///< 0 quick to 6 small. Default 2
    int32_t loops;         ///< how often it plays; 0: for ever (default)
    int32_t cookie;        ///< set by supDefaultMovieDef
} supMovieDef;

SUP_API supMovieDef supDefaultMovieDef( void );
SUP_API supResult supCreateMovie( const supMovieDef* def, supMovie** out, supError* error );
SUP_API void supDestroyMovie( supMovie* movie );
/// Adds a frame of the movie's size that stays until `until`, in seconds from the start. WebP counts milliseconds:
/// times are rounded one by one, so a long clip does not drift.
SUP_API supResult supMovie_Add( supMovie* movie, const supPixels* frame, double until, supError* error );
/// Writes the file. The movie takes no more frames afterwards.
SUP_API supResult supMovie_Write( supMovie* movie, const char* path, supError* error );
