// Sections of a surface by planes across a line, and their areas.
#include "support/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void supCurveCenter( const supCurveNetwork* network, int32_t curve, const float* positions, double* center )
{
    supNetworkCurve view = supCurveNetwork_Curve( network, curve );
    double* points = malloc( 3 * sizeof( double ) * (size_t)view.pointCount );
    supCurveNetwork_Points( network, curve, positions, points );
    memset( center, 0, 3 * sizeof( double ) );
    for ( int32_t i = 0; i < 3 * view.pointCount; ++i )
    {
        center[i % 3] += points[i] / view.pointCount;
    }
    free( points );
}

void supMakeStations( const supCurveNetwork* network, const float* positions, int32_t count, supStation* stations )
{
    double centers[64][3];
    int32_t n = 0;
    for ( int32_t c = 0; c < supCurveNetwork_CurveCount( network ) && n < 64; ++c )
    {
        if ( !supCurveNetwork_Curve( network, c ).tip )
        {
            supCurveCenter( network, c, positions, centers[n++] );
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        double at = ( n - 1 ) * ( i + 0.5 ) / count;
        int32_t k = (int32_t)at;
        double s = at - k, length = 0.0;
        for ( int32_t a = 0; a < 3; ++a )
        {
            // Catmull and Rom's cubic; at the ends the line goes on straight
            double p1 = centers[k][a], p2 = centers[k + 1][a];
            double p0 = k > 0 ? centers[k - 1][a] : 2.0 * p1 - p2, p3 = k + 2 < n ? centers[k + 2][a] : 2.0 * p2 - p1;
            double m1 = 0.5 * ( p2 - p0 ), m2 = 0.5 * ( p3 - p1 ), d = p2 - p1;
            stations[i].center[a] =
                p1 + m1 * s + ( 3.0 * d - 2.0 * m1 - m2 ) * s * s + ( m1 + m2 - 2.0 * d ) * s * s * s;
            stations[i].along[a] = m1 + 2.0 * ( 3.0 * d - 2.0 * m1 - m2 ) * s + 3.0 * ( m1 + m2 - 2.0 * d ) * s * s;
            length += stations[i].along[a] * stations[i].along[a];
        }
        for ( int32_t a = 0; a < 3; ++a )
        {
            stations[i].along[a] /= sqrt( length );
        }
    }
}

/// A cut through one triangle, from the edge where it goes up to the one where it goes down.
typedef struct supCut
{
    uint64_t from, to;
    double a[3], b[3];
    bool used;
} supCut;

static uint64_t supEdgeKey( uint32_t a, uint32_t b )
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int supCompareCuts( const void* a, const void* b )
{
    uint64_t x = ( (const supCut*)a )->from, y = ( (const supCut*)b )->from;
    return x < y ? -1 : x > y;
}

static int32_t supCutTriangles(
    const supStation* station, const float* positions, const uint32_t* indices, int32_t indexCount, supCut* cuts )
{
    int32_t count = 0;
    for ( int32_t i = 0; i + 2 < indexCount; i += 3 )
    {
        double d[3];
        for ( int32_t c = 0; c < 3; ++c )
        {
            d[c] = 0.0;
            for ( int32_t a = 0; a < 3; ++a )
            {
                d[c] += ( positions[3 * indices[i + c] + (uint32_t)a] - station->center[a] ) * station->along[a];
            }
        }
        supCut cut = { .used = false };
        int32_t ends = 0;
        for ( int32_t c = 0; c < 3; ++c )
        {
            int32_t n = ( c + 1 ) % 3;
            if ( ( d[c] < 0.0 ) != ( d[n] < 0.0 ) )
            {
                double t = d[c] / ( d[c] - d[n] );
                bool up = d[c] < 0.0;
                double* p = up ? cut.a : cut.b;
                for ( int32_t a = 0; a < 3; ++a )
                {
                    p[a] = positions[3 * indices[i + c] + (uint32_t)a] * ( 1.0 - t ) +
                           positions[3 * indices[i + n] + (uint32_t)a] * t;
                }
                *( up ? &cut.from : &cut.to ) = supEdgeKey( indices[i + c], indices[i + n] );
                ++ends;
            }
        }
        if ( ends == 2 )
        {
            cuts[count++] = cut;
        }
    }
    qsort( cuts, (size_t)count, sizeof( supCut ), supCompareCuts );
    return count;
}

static supCut* supFindCut( supCut* cuts, int32_t count, uint64_t from )
{
    supCut key = { .from = from };
    return bsearch( &key, cuts, (size_t)count, sizeof( supCut ), supCompareCuts );
}

// The loop's area and whether it goes round the station: its winding as seen along the plane's normal.
static double supLoopArea( const supStation* s, supCut* cuts, int32_t count, supCut* start, double* winding )
{
    double twice = 0.0;
    *winding = 0.0;
    for ( supCut* cut = start; cut != NULL && !cut->used; cut = supFindCut( cuts, count, cut->to ) )
    {
        cut->used = true;
        double p[3], q[3], cross = 0.0, dot = 0.0;
        for ( int32_t a = 0; a < 3; ++a )
        {
            p[a] = cut->a[a] - s->center[a];
            q[a] = cut->b[a] - s->center[a];
        }
        for ( int32_t a = 0; a < 3; ++a )
        {
            int32_t b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
            cross += ( p[b] * q[c] - p[c] * q[b] ) * s->along[a];
            dot += p[a] * q[a];
        }
        twice += cross;
        *winding += atan2( cross, dot ) / 6.28318530717958648;
    }
    return fabs( 0.5 * twice );
}

double supSectionArea( const supStation* station, const float* positions, const uint32_t* indices, int32_t indexCount )
{
    supCut* cuts = malloc( sizeof( supCut ) * (size_t)indexCount );
    int32_t count = supCutTriangles( station, positions, indices, indexCount, cuts );
    double sum = 0.0;
    for ( int32_t i = 0; i < count; ++i )
    {
        if ( !cuts[i].used )
        {
            double winding, area = supLoopArea( station, cuts, count, &cuts[i], &winding );
            sum += fabs( winding ) > 0.5 ? area : 0.0;
        }
    }
    free( cuts );
    return sum;
}
