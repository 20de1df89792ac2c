// Plots: values fall where the axes say, gaps stay gaps, SVG is well formed, wrong calls are refused with words.
#include "picture/plot_pen.h"
#include "supple/lab/plot.h"
#include "support/gltf_files.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka wants the headers above first
#include <cmocka.h>

enum
{
    sup_count = 101
};

static supPlotDef supMakePlot( supSeries* series, double* x, double* y )
{
    for ( int i = 0; i < sup_count; ++i )
    {
        x[i] = 0.05 * i;
        y[i] = exp( -0.5 * x[i] ) * cos( 6.0 * x[i] );
    }
    *series = ( supSeries ){ .name = "u < 1 & falling", .x = x, .y = y, .count = sup_count };
    supPlotDef def = supDefaultPlotDef();
    def.title = "A damped spring";
    def.xLabel = "time (s)";
    def.yLabel = "elongation (mm)";
    def.series = series;
    def.seriesCount = 1;
    return def;
}

static void supTestTicks( void** state )
{
    (void)state;
    supAxis axis = { .lower = -0.7, .upper = 1.0, .from = 0.0f, .to = 170.0f };
    supAxis_MakeTicks( &axis, 8 );
    assert_true( axis.tickCount >= 4 && axis.tickCount <= 10 );
    for ( int32_t i = 0; i < axis.tickCount; ++i )
    {
        const supTick* tick = axis.ticks + i;
        assert_true( fabs( atof( tick->text ) - tick->value ) < 1e-9 ); // the text is the value
        assert_true( tick->value >= axis.lower - 1e-9 && tick->value <= axis.upper + 1e-9 );
    }
    assert_true( fabsf( supAxis_Place( &axis, 0.0 ) - 70.0f ) < 1e-3f );
    supAxis decades = { .lower = 1e-3, .upper = 1e5, .from = 0.0f, .to = 80.0f, .logarithmic = true };
    supAxis_MakeTicks( &decades, 8 );
    assert_true( fabsf( supAxis_Place( &decades, 10.0 ) - 40.0f ) < 1e-3f );
    int numbered = 0;
    for ( int32_t i = 0; i < decades.tickCount; ++i )
    {
        numbered += decades.ticks[i].text[0] != '\0';
    }
    assert_int_equal( numbered, 9 );
}

typedef struct supSeen
{
    float points[4096];
    int32_t count, pieces, dots, texts;
    float box[4]; ///< of the legend
} supSeen;

static void supSeePolyline( const float* points, int32_t count, float width, bool dashed, supColor color, void* user )
{
    supSeen* seen = user;
    (void)dashed;
    (void)color;
    if ( width == 3.0f ) // the series; axes are drawn with 1
    {
        assert_true( 2 * ( seen->count + count ) < 4096 );
        memcpy( seen->points + 2 * seen->count, points, 2 * sizeof( float ) * (size_t)count );
        seen->count += count;
        seen->pieces += 1;
    }
}

static void supSeeDot( float x, float y, float diameter, supColor color, void* user )
{
    (void)x, (void)y, (void)diameter, (void)color;
    ( (supSeen*)user )->dots += 1;
}

static void supSeeBox( float x0, float y0, float x1, float y1, supColor color, void* user )
{
    (void)color;
    const float box[4] = { x0, y0, x1, y1 };
    memcpy( ( (supSeen*)user )->box, box, sizeof( box ) );
}

static void supSeeText(
    float x, float y, float height, supAlign align, int32_t turn, const char* text, supColor color, void* user )
{
    (void)x, (void)y, (void)height, (void)align, (void)turn, (void)text, (void)color;
    ( (supSeen*)user )->texts += 1;
}

static void supTestPlaces( void** state )
{
    (void)state;
    double x[sup_count], y[sup_count];
    supSeries series;
    supPlotDef def = supMakePlot( &series, x, y );
    supSeen* seen = calloc( 1, sizeof( *seen ) );
    const supPlotPen pen = { supSeePolyline, supSeeDot, supSeeBox, supSeeText, seen };
    series.width = 3.0f;
    series.name = NULL;
    assert_int_equal( supDrawPlotWith( &def, &pen, NULL ), sup_success );
    assert_int_equal( seen->pieces, 1 );
    assert_int_equal( seen->count, sup_count );
    // One linear map in each direction takes values to places: three points fix it, all others obey
    float scaleX = ( seen->points[2 * 100] - seen->points[0] ) / (float)( x[100] - x[0] );
    float scaleY = ( seen->points[2 * 10 + 1] - seen->points[1] ) / (float)( y[10] - y[0] );
    assert_true( scaleX > 0.0f && scaleY < 0.0f ); // up is up
    for ( int i = 0; i < sup_count; ++i )
    {
        assert_true( fabsf( seen->points[2 * i] - seen->points[0] - scaleX * (float)( x[i] - x[0] ) ) < 0.02f );
        assert_true( fabsf( seen->points[2 * i + 1] - seen->points[1] - scaleY * (float)( y[i] - y[0] ) ) < 0.02f );
    }
    // A value that is no number leaves a gap; values outside a given range are cut off at the frame
    *seen = ( supSeen ){ 0 };
    y[50] = NAN;
    assert_int_equal( supDrawPlotWith( &def, &pen, NULL ), sup_success );
    assert_int_equal( seen->pieces, 2 );
    *seen = ( supSeen ){ 0 };
    def.yLower = -0.2;
    def.yUpper = 0.2;
    assert_int_equal( supDrawPlotWith( &def, &pen, NULL ), sup_success );
    float top = 1e9f, bottom = -1e9f;
    for ( int i = 0; i < seen->count; ++i )
    {
        top = fminf( top, seen->points[2 * i + 1] );
        bottom = fmaxf( bottom, seen->points[2 * i + 1] );
    }
    assert_true( seen->pieces > 2 );
    assert_true( top >= 39.99f && bottom <= (float)def.height - 51.99f );
    free( seen );
}

/// Whether the line of a series passes below the legend, whose own line is the last that was drawn.
static bool supLegendHides( const supSeen* seen )
{
    bool hides = false;
    for ( int32_t i = 0; i + 3 < seen->count; ++i )
    {
        const float *p = seen->points + 2 * i, *q = p + 2;
        for ( int k = 0; k <= 1000; ++k )
        {
            float x = p[0] + 0.001f * (float)k * ( q[0] - p[0] ), y = p[1] + 0.001f * (float)k * ( q[1] - p[1] );
            hides = hides || ( x > seen->box[0] && x < seen->box[2] && y > seen->box[1] && y < seen->box[3] );
        }
    }
    return hides;
}

/// A line of few values passes corners that hold none of them, and a closed one all corners: no legend lies on either.
static void supTestLegend( void** state )
{
    (void)state;
    double x[sup_count] = { 0.0, 5.0, 10.0 }, y[sup_count] = { 0.0, 0.1, 10.0 };
    supSeries series = { .name = "a line", .x = x, .y = y, .count = 3, .width = 3.0f };
    supPlotDef def = supDefaultPlotDef();
    def.series = &series;
    def.seriesCount = 1;
    supSeen* seen = calloc( 1, sizeof( *seen ) );
    const supPlotPen pen = { supSeePolyline, supSeeDot, supSeeBox, supSeeText, seen };
    assert_int_equal( supDrawPlotWith( &def, &pen, NULL ), sup_success );
    assert_true( seen->box[2] > seen->box[0] );
    assert_false( supLegendHides( seen ) );
    *seen = ( supSeen ){ 0 };
    for ( int i = 0; i < sup_count; ++i ) // nearly a rectangle
    {
        double angle = 2.0 * 3.14159265358979 * i / ( sup_count - 1 ), c = cos( angle ), s = sin( angle );
        double scale = pow( pow( c, 8.0 ) + pow( s, 8.0 ), -0.125 );
        x[i] = scale * c;
        y[i] = scale * s;
    }
    series.count = sup_count;
    assert_int_equal( supDrawPlotWith( &def, &pen, NULL ), sup_success );
    assert_false( supLegendHides( seen ) );
    free( seen );
}

static void supTestFiles( void** state )
{
    (void)state;
    double x[sup_count], y[sup_count];
    supSeries series;
    supPlotDef def = supMakePlot( &series, x, y );
    char folder[300], png[340], svg[340], other[340];
    supMakeTestFolder( folder, sizeof( folder ) );
    snprintf( png, sizeof( png ), "%s/a.png", folder );
    snprintf( svg, sizeof( svg ), "%s/a.svg", folder );
    snprintf( other, sizeof( other ), "%s/a.gif", folder );
    supError error = { 0 };
    assert_int_equal( supWritePlot( &def, png, &error ), sup_success );
    assert_int_equal( supWritePlot( &def, svg, &error ), sup_success );
    assert_int_equal( supWritePlot( &def, other, &error ), sup_errorArgument );
    size_t size;
    uint8_t* bytes = supReadWhole( png, &size );
    supPixels pixels;
    assert_int_equal( supReadPixels( bytes, size, "a.png", &pixels, NULL ), sup_success );
    assert_int_equal( pixels.width, 720 );
    assert_int_equal( pixels.height, 440 );
    supDestroyPixels( &pixels );
    free( bytes );
    bytes = supReadWhole( svg, &size );
    bytes = realloc( bytes, size + 1 );
    bytes[size] = 0;
    assert_non_null( strstr( (char*)bytes, "u &lt; 1 &amp; falling" ) );
    assert_non_null( strstr( (char*)bytes, "A damped spring" ) );
    assert_non_null( strstr( (char*)bytes, "</svg>" ) );
    free( bytes );
    supRemoveTestFolder( folder );
}

static void supTestRefusals( void** state )
{
    (void)state;
    double x[sup_count], y[sup_count];
    supSeries series;
    const supPlotDef good = supMakePlot( &series, x, y );
    supError error = { 0 };
    assert_int_equal( supCheckPlot( &good, &error ), sup_success );
    supPlotDef def = good;
    def.cookie = 0;
    assert_int_equal( supCheckPlot( &def, &error ), sup_errorArgument );
    def = good;
    def.width = 0;
    assert_int_equal( supCheckPlot( &def, &error ), sup_errorArgument );
    def = good;
    def.seriesCount = 0;
    assert_int_equal( supCheckPlot( &def, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "A damped spring" ) );
    def = good;
    def.yLower = 1.0;
    def.yUpper = -1.0;
    assert_int_equal( supCheckPlot( &def, &error ), sup_errorArgument );
    def = good;
    def.xLog = true;
    def.xLower = -1.0;
    def.xUpper = 1.0;
    assert_int_equal( supCheckPlot( &def, &error ), sup_errorArgument );
}

int main( void )
{
    const struct CMUnitTest tests[] = { cmocka_unit_test( supTestTicks ), cmocka_unit_test( supTestPlaces ),
        cmocka_unit_test( supTestLegend ), cmocka_unit_test( supTestFiles ), cmocka_unit_test( supTestRefusals ) };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
