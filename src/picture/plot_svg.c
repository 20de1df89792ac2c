// SPDX-License-Identifier: MIT
#include "picture/drawn_pixels.h"
#include "picture/plot_pen.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A text that grows.
typedef struct supSvg
{
    char* text;
    size_t size, capacity;
    bool failed;
} supSvg;

static void supSvgAppend( supSvg* svg, const char* text, size_t length )
{
    if ( svg->size + length + 1 > svg->capacity )
    {
        size_t capacity = 2 * ( svg->size + length + 1 ) + 1024;
        char* block = realloc( svg->text, capacity );
        if ( block == NULL )
        {
            svg->failed = true;
            return;
        }
        svg->text = block;
        svg->capacity = capacity;
    }
    memcpy( svg->text + svg->size, text, length );
    svg->size += length;
    svg->text[svg->size] = '\0';
}

static void SUP_PRINTF( 2, 3 ) supSvgPrint( supSvg* svg, const char* format, ... )
{
    char line[400];
    va_list list;
    va_start( list, format );
    int length = vsnprintf( line, sizeof( line ), format, list );
    va_end( list );
    supSvgAppend( svg, line, length < 0 ? 0 : (size_t)length < sizeof( line ) ? (size_t)length : sizeof( line ) - 1 );
}

static void supSvgEscaped( supSvg* svg, const char* text )
{
    for ( ; *text != '\0'; ++text )
    {
        const char* word = *text == '&'   ? "&amp;"
                           : *text == '<' ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if ( word != NULL )
        {
            supSvgAppend( svg, word, strlen( word ) );
        }
        else if ( (unsigned char)*text >= 32 )
        {
            supSvgAppend( svg, text, 1 );
        }
    }
}

/// Colour and, where it is not opaque, its share, as attributes of `what`: fill or stroke.
static void supSvgColor( supSvg* svg, const char* what, supColor color )
{
    supSvgPrint( svg, " %s=\"#%02x%02x%02x\"", what, supEncodeSrgb( color.r ), supEncodeSrgb( color.g ),
        supEncodeSrgb( color.b ) );
    if ( color.a < 1.0f )
    {
        supSvgPrint( svg, " %s-opacity=\"%.3g\"", what, (double)color.a );
    }
}

static void supSvgPolyline( const float* points, int32_t count, float width, bool dashed, supColor color, void* user )
{
    supSvg* svg = user;
    supSvgPrint( svg, "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"%.3g\"%s", (double)width,
        dashed ? " stroke-dasharray=\"7 5\"" : "" );
    supSvgColor( svg, "stroke", color );
    supSvgPrint( svg, " points=\"" );
    for ( int32_t i = 0; i < count; ++i )
    {
        supSvgPrint( svg, "%s%.2f,%.2f", i > 0 ? " " : "", (double)points[2 * i], (double)points[2 * i + 1] );
    }
    supSvgPrint( svg, "\"/>\n" );
}

static void supSvgDot( float x, float y, float diameter, supColor color, void* user )
{
    supSvgPrint( user, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.3g\"", (double)x, (double)y, 0.5 * (double)diameter );
    supSvgColor( user, "fill", color );
    supSvgPrint( user, "/>\n" );
}

static void supSvgBox( float x0, float y0, float x1, float y1, supColor color, void* user )
{
    supSvgPrint( user, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", (double)x0, (double)y0,
        (double)( x1 - x0 ), (double)( y1 - y0 ) );
    supSvgColor( user, "fill", color );
    supSvgPrint( user, "/>\n" );
}

static void supSvgText(
    float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color, void* user )
{
    const double capitalShare = 0.72; // of a font's size, in the fonts that browsers take for sans-serif
    const char* anchor = align == sup_alignCenter ? "middle" : align == sup_alignRight ? "end" : "start";
    supSvgPrint( user, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\"", (double)x, (double)y,
        (double)height / capitalShare, anchor );
    if ( turn != 0 )
    {
        supSvgPrint( user, " transform=\"rotate(%d %.2f %.2f)\"", -90 * turn, (double)x, (double)y );
    }
    supSvgColor( user, "fill", color );
    supSvgPrint( user, ">" );
    supSvgEscaped( user, text );
    supSvgPrint( user, "</text>\n" );
}

supResult supMakePlotSvg( const supPlotDef* def, char** text, size_t* size, supError* error )
{
    supResult result = supCheckPlot( def, error );
    if ( result != sup_success )
    {
        return result;
    }
    supSvg svg = { 0 };
    supSvgPrint( &svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
        def->width, def->height, def->width, def->height, def->width, def->height );
    const supPlotPen pen = { supSvgPolyline, supSvgDot, supSvgBox, supSvgText, &svg };
    result = supDrawPlotWith( def, &pen, error );
    supSvgPrint( &svg, "</svg>\n" );
    if ( result == sup_success && svg.failed )
    {
        result = supFail( error, sup_errorMemory, "no memory for a plot" );
    }
    if ( result != sup_success )
    {
        free( svg.text );
        return result;
    }
    *text = svg.text;
    *size = svg.size;
    return sup_success;
}
