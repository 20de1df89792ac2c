// Supple: line plots with axes and labels, as PNG or SVG (library supple_picture). Needs no graphics driver.
// SPDX-License-Identifier: MIT
//
// May change in any release: hosts and examples do without it. The stable headers are those of supple/supple.h.
//
//     supPlotDef plot = supDefaultPlotDef();
//     plot.title = "Elongation";  plot.xLabel = "time (s)";  plot.yLabel = "u (mm)";
//     plot.series = (supSeries[]){ { .name = "belly", .x = t, .y = u, .count = n } };
//     plot.seriesCount = 1;
//     supWritePlot( &plot, "elongation.svg", &error );
#pragma once

#include "supple/pixels.h"

/// One line of a plot. Values that are not finite (and, on a logarithmic axis, not positive) leave a gap.
typedef struct supSeries
{
    const char* name; ///< for the legend; NULL: not in it
    const double* x;  ///< count values; NULL: 0, 1, 2, ...
    const double* y;  ///< count values
    int32_t count;
    supColor color; ///< alpha 0: the next of supDraw_Distinct
    float width;    ///< of the line. Pixels; 0: 2
    float marker;   ///< diameter of a dot on each value. Pixels; 0: none
    bool dashed;
    bool noLine; ///< markers alone
} supSeries;

typedef struct supPlotDef
{
    const char* title;  ///< NULL: none
    const char* xLabel; ///< with its unit: "time (s)"; NULL: none
    const char* yLabel;
    int32_t seriesCount;
    const supSeries* series;
    int32_t width, height; ///< pixels. Default 720 x 440
    bool xLog, yLog;       ///< powers of ten. Default false
    double xLower, xUpper; ///< both 0: from the values
    double yLower, yUpper;
    int32_t cookie; ///< set by supDefaultPlotDef
} supPlotDef;

SUP_API supPlotDef supDefaultPlotDef( void );

/// Writes .png or .svg by the name's ending. Fails with words when: the def was not made by supDefaultPlotDef; a side
/// is below 160 or above 8000 pixels; there is no finite value at all; a range is empty, or not positive on a
/// logarithmic axis.
SUP_API supResult supWritePlot( const supPlotDef* def, const char* path, supError* error );
/// The same into pixels, which are created.
SUP_API supResult supDrawPlot( const supPlotDef* def, supPixels* out, supError* error );
