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

// ---------------------------------------------------------------------------------------------------------------
// Where curves put the surface.
//
// The paper puts p' at the same ratio of the straight line from A' to B'. Under a twist that line cuts through the
// limb, the candy wrapper again, only smaller. So the two curves are first laid over one another: each is seen from its
// own center in its own turned frame; there the ratio is taken, and the result is turned by the same share of the turn
// from A's frame to B's. The centers are joined by a cubic that leaves each curve as its frame says. With no turn
// between the curves all of this is the paper's straight line.

static supVec3d supLocalPoint( const supCurveNetwork* network, int32_t c, const supVec3d* locals, double v )
{
    const supKeptCurve* curve = &network->curves[c];
    return supTrigPoint( curve->open, curve->terms, locals + curve->firstCoefficient, v );
}

static supVec3d supCenterBetween( const supCurveNetwork* network, const supHang* hang, const supCurvePose* poses )
{
    const supCurvePose *a = &poses[hang->a], *b = &poses[hang->b];
    supVec3d rest = supSubD( network->curves[hang->b].center, network->curves[hang->a].center );
    supVec3d now = supSubD( b->center, a->center );
    double length = supLengthD( rest ), r = hang->ratio;
    double stretch = length > 0.0 ? supClamp( supLengthD( now ) / length, 0.0, 2.0 ) : 1.0;
    supVec3d leave = supScaleD( supRotateD( a->turn, rest ), stretch );
    supVec3d arrive = supScaleD( supRotateD( b->turn, rest ), stretch );
    supVec3d center = supMulAddD( a->center, r * ( 1.0 - r ) * ( 1.0 - r ), leave );
    center = supMulAddD( center, r * r * ( 3.0 - 2.0 * r ), now );
    return supMulAddD( center, r * r * ( r - 1.0 ), arrive );
}

supVec3d supNetwork_Place(
    const supCurveNetwork* network, int32_t place, const supCurvePose* poses, const supVec3d* locals, supMat34d* blend )
{
    supVec3d sum = { 0.0, 0.0, 0.0 };
    if ( blend != NULL )
    {
        *blend = ( supMat34d ){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
    }
    for ( int32_t i = network->hangStart[place]; i < network->hangStart[place + 1]; ++i )
    {
        const supHang* hang = &network->hangs[i];
        supVec3d local = supLocalPoint( network, hang->a, locals, hang->vA );
        supVec3d center = poses[hang->a].center;
        supQuatd turn = poses[hang->a].turn;
        if ( hang->b >= 0 )
        {
            local = supLerpD( local, supLocalPoint( network, hang->b, locals, hang->vB ), hang->ratio );
            center = supCenterBetween( network, hang, poses );
            turn = supSlerpD( turn, poses[hang->b].turn, hang->ratio );
        }
        supVec3d put = supAddD( center, supRotateD( turn, local ) );
        sum = supMulAddD( sum, hang->weight, put );
        if ( blend != NULL )
        {
            supMat34d m = supMatFromQuatD( turn );
            blend->x = supMulAddD( blend->x, hang->weight, m.x );
            blend->y = supMulAddD( blend->y, hang->weight, m.y );
            blend->z = supMulAddD( blend->z, hang->weight, m.z );
        }
    }
    return sum;
}
