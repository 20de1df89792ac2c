// SPDX-License-Identifier: MIT
#include "picture/plot_pen.h"

#include "supple/lab/drawing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    sup_plotCookie = 0x504c4f54
};

static const supColor sup_ink = { 0.02f, 0.025f, 0.03f, 1.0f };
static const supColor sup_gridInk = { 0.70f, 0.72f, 0.75f, 1.0f };
static const supColor sup_minorInk = { 0.87f, 0.88f, 0.89f, 1.0f };

/// Letters, as the height of a capital. Pixels.
static const float sup_titleHeight = 11.0f, sup_labelHeight = 9.0f, sup_tickHeight = 8.0f;

supPlotDef supDefaultPlotDef( void )
{
    return ( supPlotDef ){ .width = 720, .height = 440, .cookie = sup_plotCookie };
}

static double supValueX( const supSeries* series, int32_t i )
{
    return series->x != NULL ? series->x[i] : (double)i;
}

static bool supIsShown( const supPlotDef* def, double x, double y )
{
    return isfinite( x ) && isfinite( y ) && ( def->xLog == false || x > 0.0 ) && ( def->yLog == false || y > 0.0 );
}

/// The extent of all values that can be shown. False: there is none.
static bool supFindExtent( const supPlotDef* def, double lower[2], double upper[2] )
{
    bool any = false;
    for ( int32_t s = 0; s < def->seriesCount; ++s )
    {
        const supSeries* series = def->series + s;
        for ( int32_t i = 0; i < series->count; ++i )
        {
            double v[2] = { supValueX( series, i ), series->y[i] };
            if ( supIsShown( def, v[0], v[1] ) == false )
            {
                continue;
            }
            for ( int k = 0; k < 2; ++k )
            {
                lower[k] = any ? fmin( lower[k], v[k] ) : v[k];
                upper[k] = any ? fmax( upper[k], v[k] ) : v[k];
            }
            any = true;
        }
    }
    return any;
}

supResult supCheckPlot( const supPlotDef* def, supError* error )
{
    double lower[2], upper[2];
    if ( def->cookie != sup_plotCookie )
    {
        return supFail( error, sup_errorArgument, "a plot was not made by supDefaultPlotDef" );
    }
    if ( def->width < 160 || def->height < 160 || def->width > 8000 || def->height > 8000 )
    {
        return supFail(
            error, sup_errorArgument, "a plot of %d x %d pixels: sides go from 160 to 8000", def->width, def->height );
    }
    if ( supFindExtent( def, lower, upper ) == false )
    {
        return supFail(
            error, sup_errorArgument, "plot '%s' has no value to show", def->title != NULL ? def->title : "" );
    }
    bool xGiven = def->xLower != 0.0 || def->xUpper != 0.0, yGiven = def->yLower != 0.0 || def->yUpper != 0.0;
    bool xBad = xGiven && ( !( def->xUpper > def->xLower ) || ( def->xLog && !( def->xLower > 0.0 ) ) );
    bool yBad = yGiven && ( !( def->yUpper > def->yLower ) || ( def->yLog && !( def->yLower > 0.0 ) ) );
    if ( xBad || yBad || isfinite( def->xLower + def->xUpper + def->yLower + def->yUpper ) == 0 )
    {
        return supFail( error, sup_errorArgument,
            "plot '%s': the range of %s is empty, or not positive on a logarithmic axis",
            def->title != NULL ? def->title : "", xBad ? "x" : "y" );
    }
    return sup_success;
}

/// Leaves air around the values; `pad` as a share of their extent.
static void supSpread( bool logarithmic, double pad, double* lower, double* upper )
{
    if ( logarithmic )
    {
        double ratio = *upper / *lower;
        double factor = ratio > 1.0 ? pow( ratio, pad ) : 3.0;
        *lower /= factor;
        *upper *= factor;
        return;
    }
    double extent = *upper - *lower;
    extent = extent > 1e-12 * fmax( fabs( *lower ), fabs( *upper ) ) ? pad * extent : fmax( 0.5 * fabs( *upper ), 0.5 );
    *lower -= extent;
    *upper += extent;
}

static void supMakeAxes( const supPlotDef* def, supAxis* x, supAxis* y )
{
    double lower[2] = { 0.0, 0.0 }, upper[2] = { 1.0, 1.0 };
    supFindExtent( def, lower, upper );
    *x = ( supAxis ){ .lower = lower[0], .upper = upper[0], .logarithmic = def->xLog };
    *y = ( supAxis ){ .lower = lower[1], .upper = upper[1], .logarithmic = def->yLog };
    if ( def->xLower != 0.0 || def->xUpper != 0.0 )
    {
        x->lower = def->xLower;
        x->upper = def->xUpper;
    }
    else
    {
        supSpread( def->xLog, lower[0] < upper[0] ? 0.0 : 0.5, &x->lower, &x->upper );
    }
    if ( def->yLower != 0.0 || def->yUpper != 0.0 )
    {
        y->lower = def->yLower;
        y->upper = def->yUpper;
    }
    else
    {
        supSpread( def->yLog, 0.05, &y->lower, &y->upper );
    }
    supAxis_MakeTicks( x, def->width / 90 );
    supAxis_MakeTicks( y, def->height / 55 );
}

static void supPlaceAxes( const supPlotDef* def, supAxis* x, supAxis* y )
{
    float widest = 0.0f;
    for ( int32_t i = 0; i < y->tickCount; ++i )
    {
        widest = fmaxf( widest, supTextWidth( y->ticks[i].text, sup_tickHeight ) );
    }
    x->from = widest + 20.0f + ( def->yLabel != NULL ? 22.0f : 0.0f );
    x->to = (float)def->width - 20.0f;
    y->from = (float)def->height - 30.0f - ( def->xLabel != NULL ? 22.0f : 0.0f );
    y->to = def->title != NULL ? 40.0f : 18.0f;
}

static void supDrawAxes( const supPlotDef* def, const supAxis* x, const supAxis* y, const supPlotPen* pen )
{
    for ( int pass = 0; pass < 2; ++pass ) // fine lines first
    {
        for ( int32_t i = 0; i < x->tickCount + y->tickCount; ++i )
        {
            bool vertical = i < x->tickCount;
            const supTick* tick = vertical ? x->ticks + i : y->ticks + ( i - x->tickCount );
            if ( tick->minor != ( pass == 0 ) )
            {
                continue;
            }
            float at = supAxis_Place( vertical ? x : y, tick->value );
            const float line[4] = { vertical ? at : x->from, vertical ? y->from : at, vertical ? at : x->to,
                vertical ? y->to : at };
            pen->polyline( line, 2, 1.0f, false, tick->minor ? sup_minorInk : sup_gridInk, pen->user );
            if ( tick->text[0] != '\0' && vertical )
            {
                pen->text( at, y->from + 17.0f, sup_tickHeight, sup_alignCenter, 0, tick->text, sup_ink, pen->user );
            }
            else if ( tick->text[0] != '\0' )
            {
                pen->text( x->from - 7.0f, at + 0.5f * sup_tickHeight, sup_tickHeight, sup_alignRight, 0, tick->text,
                    sup_ink, pen->user );
            }
        }
    }
    const float frame[10] = { x->from, y->from, x->to, y->from, x->to, y->to, x->from, y->to, x->from, y->from };
    pen->polyline( frame, 5, 1.0f, false, sup_ink, pen->user );
    float middleX = 0.5f * ( x->from + x->to ), middleY = 0.5f * ( y->from + y->to );
    if ( def->title != NULL )
    {
        pen->text( middleX, 25.0f, sup_titleHeight, sup_alignCenter, 0, def->title, sup_ink, pen->user );
    }
    if ( def->xLabel != NULL )
    {
        pen->text(
            middleX, (float)def->height - 14.0f, sup_labelHeight, sup_alignCenter, 0, def->xLabel, sup_ink, pen->user );
    }
    if ( def->yLabel != NULL )
    {
        pen->text( 21.0f, middleY, sup_labelHeight, sup_alignCenter, 1, def->yLabel, sup_ink, pen->user );
    }
}

static supColor supSeriesColor( const supPlotDef* def, int32_t s )
{
    return def->series[s].color.a > 0.0f ? def->series[s].color : supDraw_Distinct( s );
}

/// Cuts the segment from p to q (x, y each) to the frame; Liang and Barsky, "A new concept and method for line
/// clipping", 1984. False: nothing is left.
static bool supClipSegment( const supAxis* x, const supAxis* y, float* p, float* q )
{
    float d[2] = { q[0] - p[0], q[1] - p[1] }, t0 = 0.0f, t1 = 1.0f;
    const float bounds[2][2] = { { x->from, x->to }, { y->to, y->from } };
    for ( int k = 0; k < 4; ++k )
    {
        int axis = k / 2;
        float step = k % 2 == 0 ? -d[axis] : d[axis];
        float room = k % 2 == 0 ? p[axis] - bounds[axis][0] : bounds[axis][1] - p[axis];
        if ( step == 0.0f && room < 0.0f )
        {
            return false;
        }
        if ( step < 0.0f )
        {
            t0 = fmaxf( t0, room / step );
        }
        else if ( step > 0.0f )
        {
            t1 = fminf( t1, room / step );
        }
    }
    if ( t0 > t1 )
    {
        return false;
    }
    const float start[2] = { p[0], p[1] };
    for ( int k = 0; k < 2; ++k )
    {
        p[k] = start[k] + t0 * d[k];
        q[k] = start[k] + t1 * d[k];
    }
    return true;
}

/// The pieces of a series inside the frame, each as one polyline.
static void supDrawSeriesLine(
    const supPlotDef* def, int32_t s, const supAxis* x, const supAxis* y, float* points, const supPlotPen* pen )
{
    const supSeries* series = def->series + s;
    float width = series->width > 0.0f ? series->width : 2.0f;
    int32_t count = 0;
    for ( int32_t i = 0; i + 1 < series->count; ++i )
    {
        double x0 = supValueX( series, i ), x1 = supValueX( series, i + 1 );
        bool shown = supIsShown( def, x0, series->y[i] ) && supIsShown( def, x1, series->y[i + 1] );
        float p[2] = { 0.0f, 0.0f }, q[2] = { 0.0f, 0.0f };
        if ( shown )
        {
            p[0] = supAxis_Place( x, x0 );
            p[1] = supAxis_Place( y, series->y[i] );
            q[0] = supAxis_Place( x, x1 );
            q[1] = supAxis_Place( y, series->y[i + 1] );
            shown = supClipSegment( x, y, p, q );
        }
        bool joined = shown && count > 0 && points[2 * count - 2] == p[0] && points[2 * count - 1] == p[1];
        if ( count > 0 && joined == false )
        {
            pen->polyline( points, count, width, series->dashed, supSeriesColor( def, s ), pen->user );
            count = 0;
        }
        if ( shown && joined == false )
        {
            memcpy( points, p, sizeof( p ) );
            count = 1;
        }
        if ( shown )
        {
            memcpy( points + 2 * (size_t)count, q, sizeof( q ) );
            count += 1;
        }
    }
    if ( count > 0 )
    {
        pen->polyline( points, count, width, series->dashed, supSeriesColor( def, s ), pen->user );
    }
}

static void supDrawMarkers(
    const supPlotDef* def, int32_t s, const supAxis* x, const supAxis* y, const supPlotPen* pen )
{
    const supSeries* series = def->series + s;
    float diameter = series->marker > 0.0f ? series->marker : 5.0f;
    for ( int32_t i = 0; i < series->count; ++i )
    {
        double vx = supValueX( series, i ), vy = series->y[i];
        if ( supIsShown( def, vx, vy ) && vx >= x->lower && vx <= x->upper && vy >= y->lower && vy <= y->upper )
        {
            pen->dot( supAxis_Place( x, vx ), supAxis_Place( y, vy ), diameter, supSeriesColor( def, s ), pen->user );
        }
    }
}

/// How much of a series lies in a box of the picture: pixels of its line, and a dot's width for each of its values.
static float supLengthInside(
    const supPlotDef* def, const supSeries* series, const supAxis* x, const supAxis* y, const float box[4] )
{
    const supAxis across = { .from = box[0], .to = box[2] }, up = { .from = box[3], .to = box[1] };
    const float dot = 5.0f;
    float length = 0.0f, before[2] = { 0.0f, 0.0f };
    bool joined = false;
    for ( int32_t i = 0; i < series->count; ++i )
    {
        bool shown = supIsShown( def, supValueX( series, i ), series->y[i] );
        float at[2] = { 0.0f, 0.0f };
        if ( shown )
        {
            at[0] = supAxis_Place( x, supValueX( series, i ) );
            at[1] = supAxis_Place( y, series->y[i] );
            length += at[0] > box[0] && at[0] < box[2] && at[1] > box[1] && at[1] < box[3] ? dot : 0.0f;
        }
        float p[2] = { before[0], before[1] }, q[2] = { at[0], at[1] };
        if ( shown && joined && series->noLine == false && supClipSegment( &across, &up, p, q ) )
        {
            length += hypotf( q[0] - p[0], q[1] - p[1] );
        }
        memcpy( before, at, sizeof( at ) );
        joined = shown;
    }
    return length;
}

/// The place of a legend: where it hides the least of the lines and values. Corners first, then the middle of a side; a
/// closed line may leave nothing free but the middle of all.
static void supPlaceLegend(
    const supPlotDef* def, const supAxis* x, const supAxis* y, float width, float height, float out[4] )
{
    static const float places[9][2] = { { 1.0f, 0.0f }, { 0.0f, 0.0f }, { 1.0f, 1.0f }, { 0.0f, 1.0f }, { 0.5f, 0.0f },
        { 0.5f, 1.0f }, { 1.0f, 0.5f }, { 0.0f, 0.5f }, { 0.5f, 0.5f } };
    float least = FLT_MAX;
    for ( int place = 0; place < 9; ++place )
    {
        float left = x->from + 8.0f + places[place][0] * ( x->to - x->from - width - 16.0f );
        float top = y->to + 8.0f + places[place][1] * ( y->from - y->to - height - 16.0f );
        const float box[4] = { left, top, left + width, top + height };
        float hidden = 0.0f;
        for ( int32_t s = 0; s < def->seriesCount; ++s )
        {
            hidden += supLengthInside( def, def->series + s, x, y, box );
        }
        if ( hidden < least )
        {
            least = hidden;
            memcpy( out, box, sizeof( box ) );
        }
    }
}

static void supDrawLegend( const supPlotDef* def, const supAxis* x, const supAxis* y, const supPlotPen* pen )
{
    float widest = 0.0f, row = 17.0f;
    int32_t named = 0;
    for ( int32_t s = 0; s < def->seriesCount; ++s )
    {
        if ( def->series[s].name != NULL )
        {
            named += 1;
            widest = fmaxf( widest, supTextWidth( def->series[s].name, sup_tickHeight ) );
        }
    }
    if ( named == 0 )
    {
        return;
    }
    float width = widest + 46.0f, height = row * (float)named + 8.0f, best[4] = { 0.0f };
    supPlaceLegend( def, x, y, width, height, best );
    pen->box( best[0], best[1], best[2], best[3], ( supColor ){ 1.0f, 1.0f, 1.0f, 0.85f }, pen->user );
    float at = best[1] + 4.0f;
    for ( int32_t s = 0; s < def->seriesCount; ++s )
    {
        const supSeries* series = def->series + s;
        if ( series->name == NULL )
        {
            continue;
        }
        float middle = at + 0.5f * row;
        const float line[4] = { best[0] + 8.0f, middle, best[0] + 32.0f, middle };
        if ( series->noLine == false )
        {
            pen->polyline( line, 2, series->width > 0.0f ? series->width : 2.0f, series->dashed,
                supSeriesColor( def, s ), pen->user );
        }
        if ( series->noLine || series->marker > 0.0f )
        {
            pen->dot( best[0] + 20.0f, middle, series->marker > 0.0f ? series->marker : 5.0f, supSeriesColor( def, s ),
                pen->user );
        }
        pen->text( best[0] + 39.0f, middle + 0.5f * sup_tickHeight, sup_tickHeight, sup_alignLeft, 0, series->name,
            sup_ink, pen->user );
        at += row;
    }
}

supResult supDrawPlotWith( const supPlotDef* def, const supPlotPen* pen, supError* error )
{
    int32_t most = 1;
    for ( int32_t s = 0; s < def->seriesCount; ++s )
    {
        most = def->series[s].count > most ? def->series[s].count : most;
    }
    supAxis* axes = calloc( 2, sizeof( *axes ) );
    float* points = calloc( (size_t)most + 1, 2 * sizeof( float ) );
    supResult result = sup_success;
    if ( axes == NULL || points == NULL )
    {
        result = supFail( error, sup_errorMemory, "no memory for a plot of %d values", most );
    }
    else
    {
        supMakeAxes( def, axes, axes + 1 );
        supPlaceAxes( def, axes, axes + 1 );
        supDrawAxes( def, axes, axes + 1, pen );
        for ( int32_t s = 0; s < def->seriesCount; ++s )
        {
            if ( def->series[s].noLine == false )
            {
                supDrawSeriesLine( def, s, axes, axes + 1, points, pen );
            }
            if ( def->series[s].noLine || def->series[s].marker > 0.0f )
            {
                supDrawMarkers( def, s, axes, axes + 1, pen );
            }
        }
        supDrawLegend( def, axes, axes + 1, pen );
    }
    free( axes );
    free( points );
    return result;
}

// ---------------------------------------------------------------------------------------------------------------
// Axes: steps and their words.

/// "1e-06" is written "1e-6".
static void supShortenExponent( char* text )
{
    char* e = strchr( text, 'e' );
    if ( e == NULL )
    {
        return;
    }
    int exponent = atoi( e + 1 );
    snprintf( e, (size_t)( text + sup_tickText - e ), "e%d", exponent );
}

static void supAddTick( supAxis* axis, double value, double step, bool minor )
{
    if ( axis->tickCount == sup_maxTickCount )
    {
        return;
    }
    supTick* tick = axis->ticks + axis->tickCount++;
    *tick = ( supTick ){ .value = value, .minor = minor };
    double largest = fmax( fabs( axis->lower ), fabs( axis->upper ) );
    if ( minor )
    {
        return;
    }
    if ( axis->logarithmic || largest >= 1e6 || largest < 1e-3 )
    {
        snprintf( tick->text, sizeof( tick->text ), "%.6g", value );
        supShortenExponent( tick->text );
        return;
    }
    int digits = (int)fmax( 0.0, fmin( 9.0, -floor( log10( step ) + 1e-9 ) ) );
    snprintf( tick->text, sizeof( tick->text ), "%.*f", digits, fabs( value ) < 1e-9 * step ? 0.0 : value );
}

static void supMakeLinearTicks( supAxis* axis, int32_t wanted )
{
    double rough = ( axis->upper - axis->lower ) / (double)( wanted > 1 ? wanted : 1 );
    double power = pow( 10.0, floor( log10( rough ) ) ), share = rough / power;
    double step = power * ( share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0 );
    double first = ceil( axis->lower / step - 1e-9 );
    for ( double i = first; i * step <= axis->upper + 1e-9 * step && axis->tickCount < sup_maxTickCount; i += 1.0 )
    {
        supAddTick( axis, i * step, step, false );
    }
}

static void supMakeLogTicks( supAxis* axis, int32_t wanted )
{
    int first = (int)floor( log10( axis->lower ) + 1e-9 ), last = (int)ceil( log10( axis->upper ) - 1e-9 );
    int every = 1 + ( last - first ) / ( 2 * wanted ); // many decades: not all of them get a number
    bool few = last - first <= 1;                      // one decade or two: numbers between as well
    for ( int decade = first; decade <= last; ++decade )
    {
        for ( int k = 1; k < 10; ++k )
        {
            double value = (double)k * pow( 10.0, (double)decade );
            bool numbered = k == 1 ? decade % every == 0 : few && ( k == 2 || k == 5 );
            bool inside = value >= axis->lower * ( 1.0 - 1e-9 ) && value <= axis->upper * ( 1.0 + 1e-9 );
            if ( inside && ( numbered || every == 1 ) )
            {
                supAddTick( axis, value, value, numbered == false );
            }
        }
    }
}

void supAxis_MakeTicks( supAxis* axis, int32_t wanted )
{
    axis->tickCount = 0;
    if ( axis->logarithmic )
    {
        supMakeLogTicks( axis, wanted );
    }
    else
    {
        supMakeLinearTicks( axis, wanted );
    }
}

float supAxis_Place( const supAxis* axis, double value )
{
    double share = axis->logarithmic ? log( value / axis->lower ) / log( axis->upper / axis->lower )
                                     : ( value - axis->lower ) / ( axis->upper - axis->lower );
    return (float)( (double)axis->from + share * (double)( axis->to - axis->from ) );
}
