// Supple: every place of a surface hung on the curves around it.
// SPDX-License-Identifier: MIT
//
// You, Yang, Zhang, 2008, figure 6: a point p between two curves is the point at a ratio of the way from A on the one
// to B on the other, A and B being found by halving the quadrilateral around p again and again. Halving finds the
// nearest places of the two curves; so does a search over the curves with a few steps of Newton's, which is what is
// done here. In a thin part (an ear) the nearest place may be on the other side: a normal that looks the other way
// counts as distance. At a fork, p hangs on pairs of the fork's curves, each weighed by how near p is to the line AB.

#include "network_data.h"

enum
{
    supSampleCount = 96, ///< of a curve, for the search
    supMostEnds = 8,     ///< curves of a fork that a place looks at, the nearest
    supMostHangs = 3,
};

typedef struct supCurveSamples
{
    supVec3d points[supSampleCount + 1];
    supVec3d normals[supSampleCount + 1];
    double radius; ///< length over 2 pi
} supCurveSamples;

/// The nearest place on a curve.
typedef struct supNearPlace
{
    int32_t curve;
    double v, cost;
    supVec3d point;
} supNearPlace;

static void supSampleCurve(
    const supCurveNetwork* network, const supCurveMesh* mesh, const supKeptCurve* curve, supCurveSamples* out )
{
    const supVec3d* series = network->coefficients + curve->firstCoefficient;
    double length = 0.0;
    for ( int32_t i = 0; i <= supSampleCount; ++i )
    {
        double v = (double)i / supSampleCount;
        out->points[i] = supTrigPoint( curve->open, curve->terms, series, v );
        int32_t steps = curve->open ? curve->pointCount - 1 : curve->pointCount;
        int32_t point = curve->firstPoint + (int32_t)supFloor( v * steps + 0.5 ) % curve->pointCount;
        supVec3d sum = { 0.0, 0.0, 0.0 };
        for ( int32_t k = 0; k < 4; ++k )
        {
            int32_t place = mesh->welded[network->vertices[4 * point + k]];
            sum = supMulAddD( sum, network->shares[4 * point + k], mesh->normals[place] );
        }
        out->normals[i] = supNormalizeD( sum );
        length += i > 0 ? supLengthD( supSubD( out->points[i], out->points[i - 1] ) ) : 0.0;
    }
    out->radius = length / ( 2.0 * SUP_PI );
}

static supNearPlace supNearestPlace(
    const supCurveNetwork* network, int32_t c, const supCurveSamples* samples, supVec3d p, supVec3d normal )
{
    const supKeptCurve* curve = &network->curves[c];
    const supVec3d* series = network->coefficients + curve->firstCoefficient;
    if ( curve->tip )
    {
        supVec3d off = supSubD( series[0], p );
        return ( supNearPlace ){ c, 0.0, supDotD( off, off ), series[0] };
    }
    int32_t best = 0;
    double least = supInfinity(), away = samples->radius * samples->radius;
    for ( int32_t i = 0; i < supSampleCount + curve->open; ++i )
    {
        supVec3d off = supSubD( samples->points[i], p );
        double cost = supDotD( off, off ) + away * ( 1.0 - supDotD( normal, samples->normals[i] ) );
        if ( cost < least )
        {
            least = cost;
            best = i;
        }
    }
    supVec3d off = supSubD( samples->points[best], p );
    double squared = supDotD( off, off );
    double v = supTrigPolish(
        curve->open, curve->terms, series, p, (double)best / supSampleCount, 1.0 / supSampleCount, &squared );
    return ( supNearPlace ){ c, v, squared, supTrigPoint( curve->open, curve->terms, series, v ) };
}

static supHang supHangBetween( const supNearPlace* a, const supNearPlace* b, supVec3d p, double* squared )
{
    supVec3d ab = supSubD( b->point, a->point );
    double length = supDotD( ab, ab );
    double ratio = length > 0.0 ? supClamp( supDotD( supSubD( p, a->point ), ab ) / length, 0.0, 1.0 ) : 0.0;
    supVec3d off = supSubD( p, supMulAddD( a->point, ratio, ab ) );
    *squared = supDotD( off, off );
    return ( supHang ){ a->curve, b->curve, a->v, b->v, ratio, 1.0 };
}

// Keeps the heaviest few, in falling order.
static void supInsertHang( supHang* hangs, int32_t* count, supHang hang )
{
    int32_t at = *count;
    if ( at > supMostHangs )
    {
        at = supMostHangs;
        if ( !( hang.weight > hangs[at].weight ) )
        {
            return;
        }
    }
    else
    {
        ++*count;
    }
    hangs[at] = hang;
    for ( ; at > 0 && hangs[at].weight > hangs[at - 1].weight; --at )
    {
        supHang swap = hangs[at];
        hangs[at] = hangs[at - 1];
        hangs[at - 1] = swap;
    }
}

// Pairs weighed by nearness, the best few; the next one's weight is taken off all, so that none comes or goes with a
// jump from place to place.
static int32_t supHangAtFork( const supNearPlace* ends, int32_t count, supVec3d p, double small, supHang* out )
{
    supHang hangs[supMostHangs + 1];
    int32_t found = 0;
    for ( int32_t a = 0; a < count; ++a )
    {
        for ( int32_t b = a + 1; b < count; ++b )
        {
            double squared;
            supHang hang = supHangBetween( &ends[a], &ends[b], p, &squared );
            supVec3d ab = supSubD( ends[b].point, ends[a].point );
            hang.weight = 1.0 / ( ( squared + small * small ) * ( supDotD( ab, ab ) + small * small ) );
            supInsertHang( hangs, &found, hang );
        }
    }
    double floor = found > supMostHangs ? hangs[supMostHangs].weight : 0.0, sum = 0.0;
    int32_t kept = (int32_t)supMin( found, supMostHangs );
    for ( int32_t i = 0; i < kept; ++i )
    {
        hangs[i].weight -= floor;
        sum += hangs[i].weight;
    }
    for ( int32_t i = 0; i < kept; ++i )
    {
        out[i] = hangs[i];
        out[i].weight = sum > 0.0 ? hangs[i].weight / sum : ( i == 0 ? 1.0 : 0.0 );
    }
    return kept;
}

// Keeps the nearest few, in rising order.
static void supInsertPlace( supNearPlace* ends, int32_t* count, supNearPlace near )
{
    int32_t at = *count;
    if ( at == supMostEnds )
    {
        at = supMostEnds - 1;
        if ( !( near.cost < ends[at].cost ) )
        {
            return;
        }
    }
    else
    {
        ++*count;
    }
    ends[at] = near;
    for ( ; at > 0 && ends[at].cost < ends[at - 1].cost; --at )
    {
        supNearPlace swap = ends[at];
        ends[at] = ends[at - 1];
        ends[at - 1] = swap;
    }
}

static int32_t supHangPlace( const supCurveNetwork* network, const supCurveMesh* mesh, const supCurveSamples* samples,
    int32_t place, supHang* out, bool* covered )
{
    supVec3d p = mesh->points[place], normal = mesh->normals[place];
    supNearPlace ends[supMostEnds];
    int32_t count = 0, region = network->regionOf[place];
    for ( int32_t pass = 0; pass < 2 && count == 0; ++pass )
    {
        for ( int32_t c = 0; c < network->curveCount; ++c )
        {
            const supKeptCurve* curve = &network->curves[c];
            bool touches = region >= 0 && ( curve->lower == region || curve->upper == region );
            if ( !touches && pass == 0 )
            {
                continue;
            }
            supNearPlace near = supNearestPlace( network, c, &samples[c], p, normal );
            supInsertPlace( ends, &count, near );
        }
        *covered = pass == 0;
        count = pass == 1 && count > 1 ? 1 : count; // of no region: on the nearest curve alone
    }
    if ( count == 1 )
    {
        out[0] = ( supHang ){ ends[0].curve, -1, ends[0].v, 0.0, 0.0, 1.0 };
        return 1;
    }
    if ( count == 2 )
    {
        double squared;
        // from the lower curve to the upper
        bool swap = ends[0].curve > ends[1].curve;
        out[0] = supHangBetween( &ends[swap], &ends[!swap], p, &squared );
        return 1;
    }
    return supHangAtFork( ends, count, p, 1e-4 * mesh->size, out );
}

// What the curves do not hold at rest: there all turns are none.
static supResult supKeepDetail( supCurveNetwork* network, supError* error )
{
    size_t curves = (size_t)network->curveCount;
    supCurvePose* poses =
        supAllocZeroed( &network->allocator, curves, sizeof( supCurvePose ), _Alignof( supCurvePose ) );
    network->locals = supNetwork_Own( network, (size_t)network->coefficientCount, sizeof( supVec3d ) );
    if ( poses == NULL || network->locals == NULL )
    {
        supFree( &network->allocator, poses, curves * sizeof( supCurvePose ) );
        return supFail( error, sup_errorMemory, "no memory to hang a surface on curves" );
    }
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        const supKeptCurve* curve = &network->curves[c];
        poses[c] = ( supCurvePose ){ curve->center, { 0.0, 0.0, 0.0, 1.0 } };
        for ( int32_t k = 0; k < curve->coefficientCount; ++k )
        {
            bool place = k == 0 || ( curve->open && k == 1 );
            supVec3d value = network->coefficients[curve->firstCoefficient + k];
            network->locals[curve->firstCoefficient + k] = place ? supSubD( value, curve->center ) : value;
        }
    }
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        network->detail[p] = supSubD( network->rest[p], supNetwork_Place( network, p, poses, network->locals, NULL ) );
    }
    supFree( &network->allocator, poses, curves * sizeof( supCurvePose ) );
    return sup_success;
}

supResult supHangPlaces( supCurveNetwork* network, const supCurveMesh* mesh, supError* error )
{
    size_t n = (size_t)network->pointCount, curves = (size_t)network->curveCount;
    supCurveSamples* samples =
        supAllocZeroed( &network->allocator, curves, sizeof( supCurveSamples ), _Alignof( supCurveSamples ) );
    network->hangStart = supNetwork_Own( network, n + 1, sizeof( int32_t ) );
    network->hangs = supNetwork_Own( network, n * supMostHangs, sizeof( supHang ) );
    network->detail = supNetwork_Own( network, n, sizeof( supVec3d ) );
    if ( samples == NULL || network->hangStart == NULL || network->hangs == NULL || network->detail == NULL )
    {
        supFree( &network->allocator, samples, curves * sizeof( supCurveSamples ) );
        return supFail( error, sup_errorMemory, "no memory to hang a surface on curves" );
    }
    for ( int32_t c = 0; c < network->curveCount; ++c )
    {
        if ( !network->curves[c].tip )
        {
            supSampleCurve( network, mesh, &network->curves[c], &samples[c] );
        }
    }
    int32_t count = 0;
    for ( int32_t p = 0; p < network->pointCount; ++p )
    {
        bool covered = true;
        network->hangStart[p] = count;
        count += supHangPlace( network, mesh, samples, p, network->hangs + count, &covered );
        network->regionOf[p] = covered ? network->regionOf[p] : -1;
    }
    network->hangStart[n] = count;
    for ( int32_t v = 0; v < network->vertexCount; ++v )
    {
        network->report.uncovered += network->regionOf[network->welded[v]] < 0;
    }
    supFree( &network->allocator, samples, curves * sizeof( supCurveSamples ) );
    return supKeepDetail( network, error );
}
