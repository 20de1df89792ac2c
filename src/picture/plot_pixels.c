// SPDX-License-Identifier: MIT
#include "picture/plot_pen.h"
#include "supple/io.h"
#include "supple/lab/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const float sup_dashOn = 7.0f, sup_dashOff = 5.0f;

/// Walks along the line and lays down every other piece.
static void supDrawDashes( supPixels* pixels, const float* points, int32_t count, float width, supColor color )
{
    float left = sup_dashOn; // of the piece that has begun
    bool on = true;
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        float x = points[2 * i], y = points[2 * i + 1], dx = points[2 * i + 2] - x, dy = points[2 * i + 3] - y;
        float length = sqrtf( dx * dx + dy * dy ), at = 0.0f;
        while ( at < length )
        {
            float step = fminf( left, length - at ), t0 = at / length, t1 = ( at + step ) / length;
            if ( on )
            {
                supPixels_Line( pixels, x + t0 * dx, y + t0 * dy, x + t1 * dx, y + t1 * dy, width, color );
            }
            at += step;
            left -= step;
            if ( left <= 0.0f )
            {
                on = on == false;
                left = on ? sup_dashOn : sup_dashOff;
            }
        }
    }
}

/// Straight lines of one pixel stand on whole pixels, or they would be grey.
static void supPixelsPolyline(
    const float* points, int32_t count, float width, bool dashed, supColor color, void* user )
{
    supPixels* pixels = user;
    if ( dashed )
    {
        supDrawDashes( pixels, points, count, width, color );
        return;
    }
    bool straight = width == 1.0f;
    for ( int32_t i = 0; i + 1 < count && straight; ++i )
    {
        straight = points[2 * i] == points[2 * i + 2] || points[2 * i + 1] == points[2 * i + 3];
    }
    if ( straight == false )
    {
        supPixels_Polyline( pixels, points, count, width, color );
        return;
    }
    for ( int32_t i = 0; i + 1 < count; ++i )
    {
        const float* p = points + 2 * (size_t)i;
        float x0 = floorf( fminf( p[0], p[2] ) ), x1 = floorf( fmaxf( p[0], p[2] ) ) + 1.0f;
        float y0 = floorf( fminf( p[1], p[3] ) ), y1 = floorf( fmaxf( p[1], p[3] ) ) + 1.0f;
        supPixels_Box( pixels, x0, y0, x1, y1, color );
    }
}

static void supPixelsDot( float x, float y, float diameter, supColor color, void* user )
{
    supPixels_Line( user, x, y, x, y, diameter, color );
}

static void supPixelsBox( float x0, float y0, float x1, float y1, supColor color, void* user )
{
    supPixels_Box( user, x0, y0, x1, y1, color );
}

static void supPixelsText(
    float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color, void* user )
{
    supPixels_Text( user, x, y, height, align, turn, text, color );
}

supResult supDrawPlot( const supPlotDef* def, supPixels* out, supError* error )
{
    *out = ( supPixels ){ 0 };
    supResult result = supCheckPlot( def, error );
    result = result == sup_success ? supCreatePixels( def->width, def->height, out, error ) : result;
    if ( result != sup_success )
    {
        return result;
    }
    supPixels_Fill( out, ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f } );
    const supPlotPen pen = { supPixelsPolyline, supPixelsDot, supPixelsBox, supPixelsText, out };
    result = supDrawPlotWith( def, &pen, error );
    if ( result != sup_success )
    {
        supDestroyPixels( out );
    }
    return result;
}

static bool supEndsWith( const char* text, const char* ending )
{
    size_t length = strlen( text ), tail = strlen( ending );
    return length > tail && strcasecmp( text + length - tail, ending ) == 0;
}

supResult supWritePlot( const supPlotDef* def, const char* path, supError* error )
{
    if ( supEndsWith( path, ".svg" ) )
    {
        char* text = NULL;
        size_t size = 0;
        supResult result = supMakePlotSvg( def, &text, &size, error );
        result = result == sup_success ? supWriteFile( path, text, size, error ) : result;
        free( text );
        return result;
    }
    if ( supEndsWith( path, ".png" ) == false )
    {
        return supFail( error, sup_errorArgument, "%s: a plot is written as .png or .svg", path );
    }
    supPixels pixels;
    supResult result = supDrawPlot( def, &pixels, error );
    if ( result == sup_success )
    {
        result = supWritePng( &pixels, path, error );
        supDestroyPixels( &pixels );
    }
    return result;
}
