// SPDX-License-Identifier: MIT
#include "picture/drawn_pixels.h"
#include "supple/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A stroke covers a pixel by how far its middle is from the stroke's spine: coverage = radius - distance + 1/2, from 0
// to 1. The pieces of one line or text take the maximum of their coverages in a mask, which is blended once, so
// translucent lines have no dark joints. Blending is done in linear light, as everywhere else.

/// How much of each pixel of a part of the image is covered.
typedef struct supMask
{
    int32_t x, y, width, height;
    float* cover;
} supMask;

static supMask supMakeMask( const supPixels* pixels, float x0, float y0, float x1, float y1 )
{
    supMask mask = { 0 };
    float left = fmaxf( floorf( x0 ), 0.0f ), top = fmaxf( floorf( y0 ), 0.0f );
    float right = fminf( ceilf( x1 ), (float)pixels->width ), bottom = fminf( ceilf( y1 ), (float)pixels->height );
    if ( right > left && bottom > top )
    {
        mask = ( supMask ){ (int32_t)left, (int32_t)top, (int32_t)( right - left ), (int32_t)( bottom - top ), NULL };
        mask.cover = calloc( (size_t)mask.width * (size_t)mask.height, sizeof( float ) );
    }
    return mask;
}

static void supStroke( supMask* mask, float x0, float y0, float x1, float y1, float radius )
{
    float reach = radius + 1.0f;
    int32_t left = (int32_t)fmaxf( fminf( x0, x1 ) - reach - (float)mask->x, 0.0f );
    int32_t top = (int32_t)fmaxf( fminf( y0, y1 ) - reach - (float)mask->y, 0.0f );
    int32_t right = (int32_t)fminf( fmaxf( x0, x1 ) + reach + 1.0f - (float)mask->x, (float)mask->width );
    int32_t bottom = (int32_t)fminf( fmaxf( y0, y1 ) + reach + 1.0f - (float)mask->y, (float)mask->height );
    float dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    for ( int32_t y = top; y < bottom; ++y )
    {
        for ( int32_t x = left; x < right; ++x )
        {
            float px = (float)( x + mask->x ) + 0.5f - x0, py = (float)( y + mask->y ) + 0.5f - y0;
            float t = square > 0.0f ? fmaxf( 0.0f, fminf( ( px * dx + py * dy ) / square, 1.0f ) ) : 0.0f;
            float ex = px - t * dx, ey = py - t * dy;
            float cover = radius + 0.5f - sqrtf( ex * ex + ey * ey );
            // A line thinner than a pixel covers only its width's share
            cover = fmaxf( 0.0f, fminf( cover, fminf( 1.0f, 2.0f * radius ) ) );
            float* to = mask->cover + (size_t)y * (size_t)mask->width + (size_t)x;
            *to = fmaxf( *to, cover );
        }
    }
}

/// Straight alpha over straight alpha, in linear light.
static void supBlendPixel( uint8_t* pixel, supColor color, float cover, const float* linear )
{
    float a = fmaxf( 0.0f, fminf( color.a, 1.0f ) ) * cover, below = (float)pixel[3] / 255.0f * ( 1.0f - a );
    float sum = a + below;
    if ( sum <= 0.0f || a <= 0.0f )
    {
        return;
    }
    pixel[0] = supEncodeSrgb( ( color.r * a + linear[pixel[0]] * below ) / sum );
    pixel[1] = supEncodeSrgb( ( color.g * a + linear[pixel[1]] * below ) / sum );
    pixel[2] = supEncodeSrgb( ( color.b * a + linear[pixel[2]] * below ) / sum );
    pixel[3] = (uint8_t)( sum * 255.0f + 0.5f );
}

static void supBlendMask( supPixels* pixels, supMask* mask, supColor color )
{
    float linear[256];
    supFillSrgbTable( linear );
    for ( int32_t y = 0; y < mask->height; ++y )
    {
        const float* cover = mask->cover + (size_t)y * (size_t)mask->width;
        uint8_t* row = pixels->data + 4 * ( (size_t)( y + mask->y ) * (size_t)pixels->width + (size_t)mask->x );
        for ( int32_t x = 0; x < mask->width; ++x )
        {
            if ( cover[x] > 0.0f )
            {
                supBlendPixel( row + 4 * (size_t)x, color, cover[x], linear );
            }
        }
    }
    free( mask->cover );
}

void supPixels_Polyline( supPixels* pixels, const float* points, int32_t count, float width, supColor color )
{
    if ( count < 1 )
    {
        return;
    }
    float lower[2] = { points[0], points[1] }, upper[2] = { points[0], points[1] };
    for ( int32_t i = 1; i < count; ++i )
    {
        for ( int k = 0; k < 2; ++k )
        {
            lower[k] = fminf( lower[k], points[2 * i + k] );
            upper[k] = fmaxf( upper[k], points[2 * i + k] );
        }
    }
    float reach = 0.5f * width + 1.0f;
    supMask mask = supMakeMask( pixels, lower[0] - reach, lower[1] - reach, upper[0] + reach, upper[1] + reach );
    if ( mask.cover == NULL )
    {
        return;
    }
    for ( int32_t i = 0; i + 1 < count || i == 0; ++i )
    {
        const float *p = points + 2 * (size_t)i, *q = i + 1 < count ? p + 2 : p;
        supStroke( &mask, p[0], p[1], q[0], q[1], 0.5f * width );
    }
    supBlendMask( pixels, &mask, color );
}

void supPixels_Line( supPixels* pixels, float x0, float y0, float x1, float y1, float width, supColor color )
{
    const float points[4] = { x0, y0, x1, y1 };
    supPixels_Polyline( pixels, points, 2, width, color );
}

/// How much of [i, i+1] lies in [a, b].
static float supOverlap( float a, float b, int32_t i )
{
    return fmaxf( 0.0f, fminf( b, (float)i + 1.0f ) - fmaxf( a, (float)i ) );
}

void supPixels_Box( supPixels* pixels, float x0, float y0, float x1, float y1, supColor color )
{
    supMask mask = supMakeMask( pixels, x0, y0, x1, y1 );
    if ( mask.cover == NULL )
    {
        return;
    }
    for ( int32_t y = 0; y < mask.height; ++y )
    {
        for ( int32_t x = 0; x < mask.width; ++x )
        {
            mask.cover[(size_t)y * (size_t)mask.width + (size_t)x] =
                supOverlap( x0, x1, x + mask.x ) * supOverlap( y0, y1, y + mask.y );
        }
    }
    supBlendMask( pixels, &mask, color );
}

/// Opacity at a place, 0 outside. 0 to 1.
static float supAlphaAt( const supPixels* pixels, int32_t x, int32_t y )
{
    bool inside = x >= 0 && y >= 0 && x < pixels->width && y < pixels->height;
    size_t place = inside ? (size_t)y * (size_t)pixels->width + (size_t)x : 0;
    return inside ? (float)pixels->data[4 * place + 3] / 255.0f : 0.0f;
}

void supPixels_Outline( supPixels* pixels, const supPixels* mask, supColor color )
{
    supMask line = supMakeMask( pixels, 0.0f, 0.0f, (float)pixels->width, (float)pixels->height );
    if ( line.cover == NULL || mask->width != pixels->width || mask->height != pixels->height )
    {
        free( line.cover );
        return;
    }
    for ( int32_t y = 0; y < line.height; ++y )
    {
        for ( int32_t x = 0; x < line.width; ++x )
        {
            // the slope of the opacity: 1 on both sides of a hard border, which makes a line two pixels wide
            float dx = supAlphaAt( mask, x + 1, y ) - supAlphaAt( mask, x - 1, y );
            float dy = supAlphaAt( mask, x, y + 1 ) - supAlphaAt( mask, x, y - 1 );
            line.cover[(size_t)y * (size_t)line.width + (size_t)x] = fminf( sqrtf( dx * dx + dy * dy ), 1.0f );
        }
    }
    supBlendMask( pixels, &line, color );
}

float supTextWidth( const char* text, float height )
{
    int32_t units = 0;
    for ( uint32_t c; ( c = supNextCodepoint( &text ) ) != 0; )
    {
        units += supGlyphWidth( c ) + sup_glyphGap;
    }
    return (float)( units > 0 ? units - sup_glyphGap : 0 ) * height / (float)sup_glyphHeight;
}

enum
{
    sup_maxStrokePoints = 24,
    sup_curveSteps = 6,
};

/// Where a text is put: origin, and the images of the font's axes, in pixels.
typedef struct supPen
{
    float x, y, rightX, rightY, upX, upY, radius;
} supPen;

static void supPenStroke( supMask* mask, const supPen* pen, const float* a, const float* b )
{
    supStroke( mask, pen->x + a[0] * pen->rightX + a[1] * pen->upX, pen->y + a[0] * pen->rightY + a[1] * pen->upY,
        pen->x + b[0] * pen->rightX + b[1] * pen->upX, pen->y + b[0] * pen->rightY + b[1] * pen->upY, pen->radius );
}

/// Catmull-Rom through the points (Catmull and Rom, "A class of local interpolating splines", 1974); closed where the
/// ends meet.
static void supPenCurve( supMask* mask, const supPen* pen, float points[][2], int count )
{
    bool closed = points[0][0] == points[count - 1][0] && points[0][1] == points[count - 1][1];
    float last[2] = { points[0][0], points[0][1] };
    for ( int i = 0; i + 1 < count; ++i )
    {
        const float* p0 = i > 0 ? points[i - 1] : closed ? points[count - 2] : points[0];
        const float* p3 = i + 2 < count ? points[i + 2] : closed ? points[1] : points[count - 1];
        for ( int step = 1; step <= sup_curveSteps; ++step )
        {
            float t = (float)step / (float)sup_curveSteps, next[2];
            for ( int k = 0; k < 2; ++k )
            {
                float a = p0[k], b = points[i][k], c = points[i + 1][k], d = p3[k];
                next[k] =
                    b + 0.5f * t *
                            ( c - a + t * ( 2.0f * a - 5.0f * b + 4.0f * c - d + t * ( 3.0f * ( b - c ) + d - a ) ) );
            }
            supPenStroke( mask, pen, last, next );
            last[0] = next[0];
            last[1] = next[1];
        }
    }
}

static void supPenGlyph( supMask* mask, const supPen* pen, const char* strokes )
{
    while ( *strokes != '\0' )
    {
        bool smooth = *strokes == '~';
        strokes += smooth ? 1 : 0;
        float points[sup_maxStrokePoints][2] = { { 0.0f } };
        int count = 0;
        for ( ; *strokes != '\0' && *strokes != ' ' && count < sup_maxStrokePoints; strokes += 2, ++count )
        {
            points[count][0] = (float)( *strokes <= '9' ? *strokes - '0' : *strokes - 'a' + 10 );
            points[count][1] = (float)( strokes[1] - 'E' );
        }
        if ( smooth && count > 1 )
        {
            supPenCurve( mask, pen, points, count );
        }
        for ( int i = 0; smooth == false && i + 1 < count; ++i )
        {
            supPenStroke( mask, pen, points[i], points[i + 1] );
        }
        strokes += *strokes == ' ' ? 1 : 0;
    }
}

void supPixels_Text(
    supPixels* pixels, float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color )
{
    static const float sup_turns[4][4] = { { 1, 0, 0, -1 }, { 0, -1, -1, 0 }, { -1, 0, 0, 1 }, { 0, 1, 1, 0 } };
    const float* axes = sup_turns[turn & 3];
    float unit = height / (float)sup_glyphHeight, width = supTextWidth( text, height );
    float back = align == sup_alignCenter ? 0.5f * width : align == sup_alignRight ? width : 0.0f;
    supPen pen = { x - axes[0] * back, y - axes[1] * back, axes[0] * unit, axes[1] * unit, axes[2] * unit,
        axes[3] * unit, 0.5f * fmaxf( 0.13f * height, 1.1f ) };
    float reach = width + 2.0f * height + 4.0f; // the box around it, roughly; a mask costs little
    supMask mask = supMakeMask( pixels, pen.x - ( axes[0] > 0.0f ? 2.0f * height : reach ),
        pen.y - ( axes[1] > 0.0f ? 2.0f * height : reach ), pen.x + ( axes[0] < 0.0f ? 2.0f * height : reach ),
        pen.y + ( axes[1] < 0.0f ? 2.0f * height : reach ) );
    if ( mask.cover == NULL )
    {
        return;
    }
    for ( uint32_t c; ( c = supNextCodepoint( &text ) ) != 0; )
    {
        supPenGlyph( &mask, &pen, supGlyphStrokes( c ) );
        float advance = (float)( supGlyphWidth( c ) + sup_glyphGap );
        pen.x += advance * pen.rightX;
        pen.y += advance * pen.rightY;
    }
    supBlendMask( pixels, &mask, color );
}
