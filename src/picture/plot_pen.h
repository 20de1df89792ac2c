// SPDX-License-Identifier: MIT
#pragma once

#include "supple/base.h"
#include "supple/lab/plot.h"

/// What a plot is drawn with: pixels, or a text of SVG. Coordinates in pixels from the upper left corner.
typedef struct supPlotPen
{
    void ( *polyline )( const float* points, int32_t count, float width, bool dashed, supColor color, void* user );
    void ( *dot )( float x, float y, float diameter, supColor color, void* user );
    void ( *box )( float x0, float y0, float x1, float y1, supColor color, void* user );
    void ( *text )(
        float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color, void* user );
    void* user;
} supPlotPen;

/// Draws a plot with any pen. `def` has been checked.
supResult supDrawPlotWith( const supPlotDef* def, const supPlotPen* pen, supError* error );

/// Fails as supWritePlot says.
supResult supCheckPlot( const supPlotDef* def, supError* error );

/// The plot as SVG, from malloc.
supResult supMakePlotSvg( const supPlotDef* def, char** text, size_t* size, supError* error );

// ---------------------------------------------------------------------------------------------------------------

enum
{
    sup_maxTickCount = 160,
    sup_tickText = 24,
};

typedef struct supTick
{
    double value;
    bool minor; ///< a line without a number
    char text[sup_tickText];
} supTick;

/// One direction of a plot: which values it shows, where they fall, where its ticks are.
typedef struct supAxis
{
    double lower, upper; ///< values at its ends
    float from, to;      ///< pixels of these
    bool logarithmic;
    int32_t tickCount;
    supTick ticks[sup_maxTickCount];
} supAxis;

/// Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them; powers of ten on a logarithmic axis.
void supAxis_MakeTicks( supAxis* axis, int32_t wanted );
/// Where a value falls. Pixels.
float supAxis_Place( const supAxis* axis, double value );
