// Supple: looking at a network of curves.
// SPDX-License-Identifier: MIT

#include "network_data.h"
#include "supple/lab/drawing.h"

#include <assert.h>

supNetworkReport supCurveNetwork_Report( const supCurveNetwork* network )
{
    return network->report;
}

int32_t supCurveNetwork_CurveCount( const supCurveNetwork* network )
{
    return network->curveCount;
}

supNetworkCurve supCurveNetwork_Curve( const supCurveNetwork* network, int32_t curve )
{
    assert( curve >= 0 && curve < network->curveCount );
    const supKeptCurve* kept = &network->curves[curve];
    return ( supNetworkCurve ){ .part = network->partNames[kept->part],
        .number = kept->number,
        .open = kept->open,
        .tip = kept->tip,
        .terms = kept->terms,
        .pointCount = kept->pointCount,
        .vertices = network->vertices + 4 * kept->firstPoint,
        .shares = network->shares + 4 * kept->firstPoint,
        .coefficients = &network->coefficients[kept->firstCoefficient].x,
        .rmsError = kept->fit.rmsError,
        .maxError = kept->fit.maxError };
}

void supCurveNetwork_Points( const supCurveNetwork* network, int32_t curve, const float* positions, double* points )
{
    supNetworkCurve view = supCurveNetwork_Curve( network, curve );
    for ( int32_t i = 0; i < 3 * view.pointCount; ++i )
    {
        double sum = 0.0;
        for ( int32_t k = 4 * ( i / 3 ); k < 4 * ( i / 3 ) + 4; ++k )
        {
            sum += view.shares[k] * positions[3 * (size_t)view.vertices[k] + (size_t)( i % 3 )];
        }
        points[i] = sum;
    }
}

static supVec3 supToFloat( supVec3d p )
{
    return ( supVec3 ){ (float)p.x, (float)p.y, (float)p.z };
}

// The series through a surface's points, drawn in short lines.
static void supDrawCurve( const supCurveNetwork* network, int32_t c, const float* positions, const supDraw* draw )
{
    const supKeptCurve* curve = &network->curves[c];
    supColor color = supDraw_Distinct( curve->part );
    supVec3d points[4 * SUP_MAX_CURVE_TERMS + 64], series[SUP_MAX_CURVE_COEFFICIENTS + 1];
    const supVec3d* shown = network->coefficients + curve->firstCoefficient;
    if ( positions != NULL && curve->pointCount <= (int32_t)( sizeof( points ) / sizeof( points[0] ) ) )
    {
        supCurveNetwork_Points( network, c, positions, &points[0].x );
        shown = points;
        if ( !curve->tip )
        {
            supTrigTransform( curve->open, curve->terms, points, curve->pointCount, series );
            shown = series;
        }
    }
    if ( curve->tip )
    {
        if ( draw->point != NULL )
        {
            draw->point( supToFloat( shown[0] ), color, 5.0f, draw->user );
        }
        return;
    }
    supVec3d last = supTrigPoint( curve->open, curve->terms, shown, 0.0 );
    for ( int32_t i = 1; draw->line != NULL && i <= 64; ++i )
    {
        supVec3d next = supTrigPoint( curve->open, curve->terms, shown, i / 64.0 );
        draw->line( supToFloat( last ), supToFloat( next ), color, 2.0f, draw->user );
        last = next;
    }
}

void supCurveNetwork_Draw( const supCurveNetwork* network, const float* positions, const supDraw* draw )
{
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        supDrawCurve( network, c, positions, draw );
    }
}

void supCurveNetwork_DrawParts( const supCurveNetwork* network, bool regions, const supDraw* draw )
{
    size_t size = (size_t)network->vertexCount * sizeof( supColor );
    supColor* colors = supAlloc( &network->allocator, size, _Alignof( supColor ) );
    if ( colors == NULL || draw->colors == NULL )
    {
        supFree( &network->allocator, colors, size );
        return;
    }
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        // the heaviest hang comes first; of its two curves the nearer one
        const supHang* hang = &network->hangs[network->hangStart[network->welded[v]]];
        int32_t near = hang->b >= 0 && hang->ratio > 0.5 ? hang->b : hang->a;
        supColor color = supDraw_Distinct( network->curves[near].part );
        float shade = regions ? 0.45f + 0.55f * (float)( hang->a % 2 ) : 1.0f;
        colors[v] = ( supColor ){ shade * color.r, shade * color.g, shade * color.b, color.a };
    }
    draw->colors( colors, network->vertexCount, draw->user );
    supFree( &network->allocator, colors, size );
}
