// Drawings of curves by themselves.
// SPDX-License-Identifier: MIT
#include "curve_plots.h"

#ifdef SUP_HAS_SUPPLE_PICTURE
#    include "supple/lab/plot.h"

#    include <math.h>
#    include <stdio.h>

// A knot whose strands run unevenly, and a spiral that opens: neither is a series of a few terms.
static void supSpacePoint( bool open, double v, double p[3] )
{
    double turn = 6.283185307179586 * v, r = open ? 0.3 + 0.9 * v * v : 0.5 / ( 1.4 + cos( 3.0 * turn ) ) + 0.4;
    p[0] = open ? r * cos( 2.2 * turn ) : r * ( sin( turn ) + 2.0 * sin( 2.0 * turn ) ) * 0.5;
    p[1] = open ? 2.0 * v - 1.0 : r * ( cos( turn ) - 2.0 * cos( 2.0 * turn ) ) * 0.5;
    p[2] = open ? r * sin( 2.2 * turn ) : -sin( 3.0 * turn );
}

// A closed and an open space curve, and their series.
static supResult supPlotTwoCurves( const char* folder, supError* error )
{
    enum
    {
        supDense = 120
    };
    static double points[2][3 * supDense], x[4][supDense + 1], y[4][supDense + 1];
    static double series[3 * 64];
    supSeries lines[4];
    supResult result = sup_success;
    supPlotDef plot = supDefaultPlotDef();
    plot.title = "space curves (dots) and their series (lines)";
    plot.series = lines;
    plot.seriesCount = 4;
    for ( int k = 0; result == sup_success && k < 2; ++k )
    {
        bool open = k == 1;
        double shift = 3.4 * k;
        for ( int i = 0; i < supDense; ++i )
        {
            double* p = points[k] + 3 * i;
            supSpacePoint( open, (double)i / ( open ? supDense - 1 : supDense ), p );
            x[2 * k][i] = p[0] + 0.35 * p[2] + shift; // seen a little from the side
            y[2 * k][i] = p[1] + 0.25 * p[2];
        }
        supCurveFit fit;
        supCurveFitDef def = { .open = open, .terms = open ? 24 : 20, .pointCount = supDense, .points = points[k] };
        result = supFitCurve( &def, series, &fit, error );
        printf( "%s space curve, %d terms: rms %.2g of its size\n", open ? "open" : "closed", (int)def.terms,
            fit.rmsError );
        for ( int i = 0; i < supDense; ++i )
        {
            double p[3];
            supCurve_At( open, def.terms, series, (double)i / ( supDense - 1 ), p, NULL );
            x[2 * k + 1][i] = p[0] + 0.35 * p[2] + shift;
            y[2 * k + 1][i] = p[1] + 0.25 * p[2];
        }
        lines[2 * k] = ( supSeries ){ .x = x[2 * k], .y = y[2 * k], .count = supDense, .marker = 5.0f, .noLine = true };
        lines[2 * k + 1] =
            ( supSeries ){ .name = open ? "open" : "closed", .x = x[2 * k + 1], .y = y[2 * k + 1], .count = supDense };
    }
    char path[512];
    snprintf( path, sizeof( path ), "%s/space_curves.png", folder );
    return result == sup_success ? supWritePlot( &plot, path, error ) : result;
}

// Three shapes in a row, and those between them from the forces that carry one to the next.
static supResult supPlotSequence( const char* folder, supError* error )
{
    enum
    {
        supDense = 120,
        supShown = 9,
    };
    static double x[supShown][supDense + 1], y[supShown][supDense + 1];
    supSeries lines[supShown];
    supResult result = sup_success;
    supPlotDef plot = supDefaultPlotDef();
    supWireDef wire = supDefaultWireDef();
    double constant[3 * 7], rate[3 * 7], shape[3 * 7];
    static const double keys[3][3 * 7] = { { 0, 0, 0, 1, 0, 0, 0, 1 },
        { 0, 0, 0, 0.8, 0, 0, 0, 0.8, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0, -0.3 },
        { 0, 0, 0, 0.5, 0, 0, 0, 1.2, 0, 0, 0.35, 0, 0.2 } };
    for ( int i = 0; result == sup_success && i < supShown; ++i )
    {
        int span = i < 5 ? 0 : 1;
        double t = i / 4.0;
        result = supWire_ReadForces( &wire, 3, span, keys[span], span + 1, keys[span + 1], constant, rate, error );
        supWire_FromForces( &wire, 3, constant, rate, span, keys[span], t, shape, NULL );
        for ( int k = 0; k <= supDense; ++k )
        {
            double p[3];
            supCurve_At( false, 3, shape, k / (double)supDense, p, NULL );
            x[i][k] = p[0] + 2.4 * i;
            y[i][k] = p[1];
        }
        bool given = i % 4 == 0;
        lines[i] = ( supSeries ){ .x = x[i],
            .y = y[i],
            .count = supDense + 1,
            .color = given ? ( supColor ){ 0.75f, 0.1f, 0.1f, 1.0f } : ( supColor ){ 0.1f, 0.25f, 0.7f, 1.0f },
            .width = given ? 4.0f : 2.0f };
    }
    plot.series = lines;
    plot.title = "three given shapes (red) and those between";
    plot.seriesCount = supShown;
    plot.width = 1100;
    plot.height = 220;
    char path[512];
    snprintf( path, sizeof( path ), "%s/curve_sequence.png", folder );
    return result == sup_success ? supWritePlot( &plot, path, error ) : result;
}

supResult supPlotSpaceCurves( const char* folder, supError* error )
{
    supResult result = supPlotTwoCurves( folder, error );
    return result == sup_success ? supPlotSequence( folder, error ) : result;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 6

/// Two curves from above, as series of open curves in the picture's plane.
typedef struct supTwoWires
{
    double lower[3 * 3], upper[3 * 3]; // N = 1: both ends and one sine
    float left;                        // where it stands in the picture. Pixels
} supTwoWires;

/// The place at a share v along both curves and a ratio r of the way from the lower one to the upper.
static void supBetween( const supTwoWires* wires, double v, double r, float out[2] )
{
    double a[3], b[3];
    supCurve_At( true, 1, wires->lower, v, a, NULL );
    supCurve_At( true, 1, wires->upper, v, b, NULL );
    out[0] = wires->left + (float)( 400.0 * ( a[0] + r * ( b[0] - a[0] ) ) );
    out[1] = 350.0f - (float)( 400.0 * ( a[1] + r * ( b[1] - a[1] ) ) );
}

static void supDrawLine( supPixels* pixels, const supTwoWires* wires, double v0, double r0, double v1, double r1,
    float width, supColor color )
{
    float points[2 * 33];
    for ( int i = 0; i <= 32; ++i )
    {
        supBetween( wires, v0 + ( v1 - v0 ) * i / 32, r0 + ( r1 - r0 ) * i / 32, points + 2 * i );
    }
    supPixels_Polyline( pixels, points, 33, width, color );
}

static void supDrawPlace( supPixels* pixels, const supTwoWires* wires, double v, double r, float x, float y,
    const char* word, supColor color )
{
    float at[2];
    supBetween( wires, v, r, at );
    supPixels_Line( pixels, at[0], at[1], at[0], at[1], 8.0f, color );
    supPixels_Text( pixels, at[0] + x, at[1] + y, 11.0f, sup_alignCenter, 0, word, color );
}

// The quadrilateral 1 2 3 4 is cut in four, then the quarter that p is in, and again: each round halves v and r.
// (0.5625, 0.03125) is what the paper's own p comes to after three rounds: 9/16 along, 1/32 of the way.
static void supDrawHalving( supPixels* pixels, const supTwoWires* wires, double v, double r )
{
    const supColor grey = { 0.35f, 0.35f, 0.35f, 1.0f };
    double v0 = 0.0, v1 = 1.0, r0 = 0.0, r1 = 1.0;
    supDrawLine( pixels, wires, 0.0, 0.0, 0.0, 1.0, 1.5f, grey );
    supDrawLine( pixels, wires, 1.0, 0.0, 1.0, 1.0, 1.5f, grey );
    for ( int round = 0; round < 3; ++round )
    {
        double vm = 0.5 * ( v0 + v1 ), rm = 0.5 * ( r0 + r1 );
        supDrawLine( pixels, wires, vm, r0, vm, r1, 1.5f, grey );
        supDrawLine( pixels, wires, v0, rm, v1, rm, 1.5f, grey );
        v0 = v > vm ? vm : v0;
        v1 = v > vm ? v1 : vm;
        r0 = r > rm ? rm : r0;
        r1 = r > rm ? r1 : rm;
    }
    static const struct
    {
        double v, r;
        float x, y;
        const char* name;
    } marks[] = { { 0.0, 0.0, -14.0f, 16.0f, "1" }, { 0.0, 1.0, -14.0f, -6.0f, "2" }, { 1.0, 1.0, 14.0f, -6.0f, "3" },
        { 1.0, 0.0, 14.0f, 16.0f, "4" }, { 0.5, 0.0, 0.0f, 24.0f, "5" }, { 0.0, 0.5, -16.0f, 5.0f, "6" },
        { 0.5, 1.0, 0.0f, -10.0f, "7" }, { 1.0, 0.5, 16.0f, 5.0f, "8" }, { 0.5, 0.5, -14.0f, -6.0f, "9" },
        { 1.0, 0.25, 18.0f, 5.0f, "10" }, { 0.75, 0.0, 4.0f, 24.0f, "11" }, { 0.5, 0.25, -16.0f, -4.0f, "12" },
        { 0.75, 0.5, 6.0f, -8.0f, "13" }, { 0.75, 0.25, 14.0f, -6.0f, "14" } };
    for ( size_t i = 0; i < sizeof( marks ) / sizeof( marks[0] ); ++i )
    {
        supDrawPlace( pixels, wires, marks[i].v, marks[i].r, marks[i].x, marks[i].y, marks[i].name, grey );
    }
}

supResult supDrawQuadrilateral( const char* folder, supError* error )
{
    const supTwoWires wires[2] = { { { 0.0, 0.0, 0.0, 1.0, 0.05, 0.0, 0.0, -0.05, 0.0 },
                                       { 0.05, 0.62, 0.0, 1.05, 0.70, 0.0, 0.0, 0.08, 0.0 }, 60.0f },
        { { 0.0, 0.12, 0.0, 0.95, -0.02, 0.0, 0.02, 0.07, 0.0 }, { 0.15, 0.66, 0.0, 1.05, 0.52, 0.0, 0.0, 0.14, 0.0 },
            590.0f } };
    const supColor black = { 0.0f, 0.0f, 0.0f, 1.0f }, pink = { 0.8f, 0.02f, 0.3f, 1.0f },
                   blue = { 0.02f, 0.1f, 0.6f, 1.0f };
    const double v = 0.5625, r = 0.03125;
    supPixels pixels;
    supResult result = supCreatePixels( 1120, 410, &pixels, error );
    if ( result != sup_success )
    {
        return result;
    }
    supPixels_Fill( &pixels, ( supColor ){ 1.0f, 1.0f, 1.0f, 1.0f } );
    supDrawHalving( &pixels, &wires[0], v, r );
    for ( int i = 0; i < 2; ++i )
    {
        supDrawLine( &pixels, &wires[i], 0.0, 0.0, 1.0, 0.0, 4.0f, blue );
        supDrawLine( &pixels, &wires[i], 0.0, 1.0, 1.0, 1.0, 4.0f, blue );
        supDrawLine( &pixels, &wires[i], v, 0.0, v, 1.0, 2.0f, pink );
        supDrawPlace( &pixels, &wires[i], v, 0.0, 20.0f, 24.0f, i == 0 ? "A" : "A'", black );
        supDrawPlace( &pixels, &wires[i], v, 1.0, 18.0f, -10.0f, i == 0 ? "B" : "B'", black );
        supDrawPlace( &pixels, &wires[i], v, r, 14.0f, -4.0f, i == 0 ? "p" : "p'", pink );
    }
    supPixels_Text( &pixels, 60.0f, 400.0f, 11.0f, sup_alignLeft, 0,
        "p lies at 9/16 along both curves, at 1/32 of the way from A to B: three rounds of halving", black );
    supPixels_Text( &pixels, 640.0f, 30.0f, 11.0f, sup_alignLeft, 0, "the curves have moved: the same shares", black );
    char path[512];
    snprintf( path, sizeof( path ), "%s/quadrilateral.png", folder );
    result = supWritePng( &pixels, path, error );
    supDestroyPixels( &pixels );
    return result;
}
#endif
