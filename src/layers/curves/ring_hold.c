// Supple: what neighbouring curves hold.
// SPDX-License-Identifier: MIT

#include "ring_hold.h"

#include <string.h>

// Volume between two rings, A and B, scaled by a and b about their means: with D from mean to mean and the points a_k,
// b_k about them, the section at a share r of the way has the vector area
//     S(r) = 1/2 sum_k p_k x p_(k+1),    p_k = (1 - r) a_k + r b_k,
// and the volume is the integral of S(r) . D: a^2 [0] + a b [1] + b^2 [2]. Exact where the rings lie in parallel
// planes.
typedef struct supPieceVolume
{
    float squares[3];
} supPieceVolume;

/// All that a frame needs, in the caller's scratch.
typedef struct supHoldWork
{
    supVec3* before; ///< stations on the skin
    supVec3* places; ///< where they are to be
    supVec3* means;  ///< of rings
    supVec3* ways;   ///< of rings: along the row
    supPieceVolume* pieces;
    float* targets;
    float *scales, *wanted, *least, *most; ///< of rings
    float* column;                         ///< 3 a ring
} supHoldWork;

static supHoldWork supHoldScratch( const supRingHold* hold, void* scratch, size_t* size )
{
    size_t n = (size_t)hold->ringCount;
    supHoldWork work = { 0 };
    supLayout layout = supLayoutIn( scratch );
    SUP_PUT( &layout, work.before, n * supRingStations );
    SUP_PUT( &layout, work.places, n * supRingStations );
    SUP_PUT( &layout, work.means, n );
    SUP_PUT( &layout, work.ways, n );
    SUP_PUT( &layout, work.pieces, n );
    SUP_PUT( &layout, work.targets, n );
    SUP_PUT( &layout, work.scales, n );
    SUP_PUT( &layout, work.wanted, n );
    SUP_PUT( &layout, work.least, n );
    SUP_PUT( &layout, work.most, n );
    SUP_PUT( &layout, work.column, 4 * n );
    *size = layout.size;
    return work;
}

size_t supRingHold_ScratchSize( const supRingHold* hold )
{
    size_t size;
    supHoldScratch( hold, NULL, &size );
    return size;
}

// ---------------------------------------------------------------------------------------------------------------
// Order: curves that may not cross

// Pools of neighbours that break the order take their mean (pool adjacent violators: Ayer, Brunk, Ewing, Reid,
// Silverman, "An empirical distribution function for sampling with incomplete information", 1955).
void supKeepOrder( float* values, int32_t count, float* work )
{
    float *means = work, *sizes = work + count;
    int32_t pools = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        means[pools] = values[i];
        sizes[pools++] = 1.0f;
        while ( pools > 1 && means[pools - 2] > means[pools - 1] )
        {
            float both = sizes[pools - 2] + sizes[pools - 1];
            means[pools - 2] = ( sizes[pools - 2] * means[pools - 2] + sizes[pools - 1] * means[pools - 1] ) / both;
            sizes[--pools - 1] = both;
        }
    }
    int32_t at = 0;
    for ( int32_t p = 0; p < pools; ++p )
    {
        for ( int32_t k = 0; k < (int32_t)sizes[p]; ++k )
        {
            values[at++] = means[p];
        }
    }
}

static supVec3 supRingMean( const supVec3* places )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t k = 0; k < supRingStations; ++k )
    {
        sum = supAdd( sum, places[k] );
    }
    return supScale( sum, 1.0f / supRingStations );
}

// Twice the vector area.
static supVec3 supRingArea( const supVec3* places )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t k = 0; k < supRingStations; ++k )
    {
        sum = supAdd( sum, supCross( places[k], places[( k + 1 ) % supRingStations] ) );
    }
    return sum;
}

// The way along a row at a ring. A closed one knows it by itself, also where it has gone past its neighbours; an open
// one goes from the one before to the one after.
static void supFindWays( const supRingHold* hold, const supRingRow* row, supHoldWork* work )
{
    const int32_t* order = hold->order + row->first;
    for ( int32_t i = 0; i < row->count; ++i )
    {
        const supVec3* places = work->places + order[i] * supRingStations;
        int32_t from = i > 0 ? i - 1 : 0, to = i + 1 < row->count ? i + 1 : i;
        supVec3 along = row->open ? supSub( work->means[order[to]], work->means[order[from]] )
                                  : supScale( supRingArea( places ), hold->facing[order[i]] );
        work->ways[order[i]] = supNormalize( along );
    }
}

// One station of all rings of a row as a column: how far each stands along the row, less the gaps that are to be kept,
// must rise.
static bool supOrderColumn( const supRingHold* hold, const supRingRow* row, int32_t k, float apart, supHoldWork* work )
{
    const int32_t* order = hold->order + row->first;
    float* column = work->column;
    bool crossed = false;
    column[0] = 0.0f;
    for ( int32_t i = 0; i + 1 < row->count; ++i )
    {
        int32_t a = order[i], b = order[i + 1];
        supVec3 way = supNormalize( supAdd( work->ways[a], work->ways[b] ) );
        int32_t one = a * supRingStations + k, two = b * supRingStations + k;
        float gap = supDot( supSub( work->places[two], work->places[one] ), way );
        column[i + 1] = column[i] + gap - apart * hold->gaps[one];
        crossed = crossed || column[i + 1] < column[i];
    }
    if ( !crossed )
    {
        return false;
    }
    float *kept = column + row->count, *room = kept + row->count;
    memcpy( kept, column, (size_t)row->count * sizeof( float ) );
    supKeepOrder( kept, row->count, room );
    for ( int32_t i = 0; i < row->count; ++i )
    {
        supVec3* place = work->places + order[i] * supRingStations + k;
        *place = supMulAdd( *place, kept[i] - column[i], work->ways[order[i]] );
    }
    return true;
}

// Ways differ a little from ring to ring, so what one round leaves the next one takes.
static void supKeepApart( const supRingHold* hold, const supRingRow* row, float apart, supHoldWork* work )
{
    enum
    {
        supRounds = 4
    };
    for ( int32_t k = 0; k < supRingStations; ++k )
    {
        for ( int32_t round = 0; round < supRounds && supOrderColumn( hold, row, k, apart, work ); ++round )
        {
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Volume

static supPieceVolume supVolumeBetween( const supVec3* a, supVec3 meanA, const supVec3* b, supVec3 meanB )
{
    supVec3 own = supVec3_zero, both = supVec3_zero, other = supVec3_zero;
    for ( int32_t k = 0; k < supRingStations; ++k )
    {
        int32_t next = ( k + 1 ) % supRingStations;
        supVec3 a0 = supSub( a[k], meanA ), a1 = supSub( a[next], meanA );
        supVec3 b0 = supSub( b[k], meanB ), b1 = supSub( b[next], meanB );
        own = supAdd( own, supCross( a0, a1 ) );
        both = supAdd( both, supAdd( supCross( a0, b1 ), supCross( b0, a1 ) ) );
        other = supAdd( other, supCross( b0, b1 ) );
    }
    supVec3 way = supSub( meanB, meanA );
    return (
        supPieceVolume ){ { supDot( own, way ) / 6.0f, supDot( both, way ) / 12.0f, supDot( other, way ) / 6.0f } };
}

static float supVolumeOf( const supPieceVolume* piece, float a, float b )
{
    return piece->squares[0] * a * a + piece->squares[1] * a * b + piece->squares[2] * b * b;
}

// What the pieces below and above a ring should have together, over what they have.
static float supVolumeRatio( const supRingRow* row, const int32_t* order, int32_t i, const supHoldWork* work )
{
    float has = 0.0f, should = 0.0f;
    for ( int32_t side = i > 0 ? -1 : 0; side <= 0 && i + side + 1 < row->count; ++side )
    {
        int32_t a = order[i + side], b = order[i + side + 1];
        has += supVolumeOf( &work->pieces[a], work->scales[a], work->scales[b] );
        should += work->targets[a];
    }
    // both below zero where the mesh's triangles look inwards
    return has * should > 0.0f ? supClampF( should / has, 0.25f, 4.0f ) : 1.0f;
}

// Every ring is made wider or narrower until the pieces below and above it together have what they should. Rings that
// are wide and narrow by turns would hold the pieces' volumes too, and far from where one is lost: so a ring gets wider
// only where volume was lost beside it, narrower only where it was gained, and stays as it is elsewhere.
static void supKeepVolume( const supRingHold* hold, const supRingRow* row, float amount, supHoldWork* work )
{
    enum
    {
        supRounds = 6
    };
    const int32_t* order = hold->order + row->first;
    for ( int32_t i = 0; i < row->count; ++i )
    {
        int32_t a = order[i], b = i + 1 < row->count ? order[i + 1] : a;
        work->scales[a] = 1.0f;
        work->pieces[a] = supVolumeBetween(
            work->places + a * supRingStations, work->means[a], work->places + b * supRingStations, work->means[b] );
        float now = supVolumeOf( &work->pieces[a], 1.0f, 1.0f );
        work->targets[a] = now + amount * ( hold->volumes[a] - now );
    }
    for ( int32_t i = 0; i < row->count; ++i )
    {
        float ratio = supVolumeRatio( row, order, i, work );
        work->least[order[i]] = ratio < 1.0f - 1e-3f ? 0.5f : 1.0f;
        work->most[order[i]] = ratio > 1.0f + 1e-3f ? 2.0f : 1.0f;
    }
    for ( int32_t round = 0; round < supRounds; ++round )
    {
        for ( int32_t i = 0; i < row->count; ++i )
        {
            int32_t a = order[i];
            float wanted = work->scales[a] * supSqrtF( supVolumeRatio( row, order, i, work ) );
            work->wanted[a] = supClampF( wanted, work->least[a], work->most[a] );
        }
        for ( int32_t i = 0; i < row->count; ++i )
        {
            work->scales[order[i]] = work->wanted[order[i]];
        }
    }
    for ( int32_t i = 0; i < row->count; ++i )
    {
        supVec3* places = work->places + order[i] * supRingStations;
        for ( int32_t k = 0; k < supRingStations; ++k )
        {
            supVec3 out = supSub( places[k], work->means[order[i]] );
            places[k] = supMulAdd( places[k], work->scales[order[i]] - 1.0f, out );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Folds

// Half the slope's range is a = pi h. The length, the mean over a quarter wave of sqrt( base^2 + a^2 sin^2 ), rises
// with a: it is halved upon.
double supFoldHeight( double base )
{
    enum
    {
        supSamples = 256
    };
    double squares[supSamples], low = 0.0, high = SUP_PI;
    for ( int32_t i = 0; i < supSamples; ++i )
    {
        double sine = supSin( 0.5 * SUP_PI * ( i + 0.5 ) / supSamples );
        squares[i] = sine * sine;
    }
    for ( int32_t round = 0; round < 40 && base < 1.0; ++round )
    {
        double a = 0.5 * ( low + high ), length = 0.0;
        for ( int32_t i = 0; i < supSamples; ++i )
        {
            length += supSqrt( base * base + a * a * squares[i] ) / supSamples;
        }
        low = length < 1.0 ? a : low;
        high = length < 1.0 ? high : a;
    }
    return base < 1.0 ? 0.5 * ( low + high ) / SUP_PI : 0.0;
}

// The table stands at equal steps of sqrt( 1 - base ), in which heights are nearly straight.
static float supTabledHeight( const supRingHold* hold, float base )
{
    float at = supSqrtF( supClampF( 1.0f - base, 0.0f, 1.0f ) ) * supFoldSteps;
    int32_t low = (int32_t)supMinF( at, supFoldSteps - 1 );
    return hold->heights[low] + ( at - (float)low ) * ( hold->heights[low + 1] - hold->heights[low] );
}

/// Skin gives this much before it folds: the height starts as a root, and rounding must not raise one.
static const float supFoldsFrom = 0.98f;
/// Pushed together farther than this a fold gets no higher: its sides lie on each other.
static const float supFoldsTo = 0.6f;

// Along the surface's normal, which the direction of the ring and the way to the next give.
static bool supRaiseFolds(
    const supRingHold* hold, const supRingRow* row, float amount, const supHoldWork* work, supVec3* folds )
{
    bool any = false;
    for ( int32_t i = 0; i + 1 < row->count; ++i )
    {
        int32_t a = hold->order[row->first + i] * supRingStations,
                b = hold->order[row->first + i + 1] * supRingStations;
        for ( int32_t k = 0; k < supRingStations; ++k )
        {
            int32_t after = row->open ? (int32_t)supMin( k + 1, supRingStations - 1 ) : ( k + 1 ) % supRingStations;
            int32_t before = row->open ? (int32_t)supMax( k - 1, 0 ) : ( k + supRingStations - 1 ) % supRingStations;
            supVec3 up = supSub( work->places[b + k], work->places[a + k] );
            supVec3 around = supSub( supAdd( work->places[a + after], work->places[b + after] ),
                supAdd( work->places[a + before], work->places[b + before] ) );
            float rest = supFoldsFrom * hold->lengths[a + k], now = supLength( up ),
                  kept = now + amount * ( rest - now );
            // curves that have crossed have no skin between them that could fold
            bool crossed = !( supDot( up, work->ways[hold->order[row->first + i]] ) > 0.0f );
            if ( !( now < rest ) || !( kept > 0.0f ) || crossed )
            {
                continue;
            }
            folds[a + k] = supScale( supNormalize( supCross( up, around ) ),
                kept * supTabledHeight( hold, supMaxF( now / kept, supFoldsTo ) ) );
            any = true;
        }
    }
    return any;
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

static supVec3 supStationPlace( const supRingHold* hold, int32_t station, const supVec3* positions )
{
    supVec3 place = supVec3_zero;
    for ( int32_t i = hold->placeStart[station]; i < hold->placeStart[station + 1]; ++i )
    {
        place = supMulAdd( place, hold->places[i].share, positions[hold->places[i].at] );
    }
    return place;
}

bool supRingHold_Apply(
    const supRingHold* hold, const supHoldAmounts* amounts, const supVec3* positions, supVec3* stations, void* scratch )
{
    size_t size;
    supHoldWork work = supHoldScratch( hold, scratch, &size );
    supVec3* folds = stations + hold->ringCount * supRingStations;
    bool any = false;
    memset( folds, 0, (size_t)hold->ringCount * supRingStations * sizeof( supVec3 ) );
    for ( int32_t r = 0; r < hold->rowCount; ++r )
    {
        const supRingRow* row = hold->rows + r;
        const supHoldAmounts* own = amounts + row->item;
        if ( row->count < 2 || !( own->apart > 0.0f || own->volume > 0.0f || own->folds > 0.0f ) )
        {
            continue;
        }
        for ( int32_t i = row->first; i < row->first + row->count; ++i )
        {
            int32_t first = hold->order[i] * supRingStations;
            for ( int32_t k = first; k < first + supRingStations; ++k )
            {
                work.before[k] = supStationPlace( hold, k, positions );
                work.places[k] = supAdd( work.before[k], stations[k] );
            }
            work.means[hold->order[i]] = supRingMean( work.places + first );
        }
        if ( own->volume > 0.0f && !row->open )
        {
            supKeepVolume( hold, row, own->volume, &work );
        }
        supFindWays( hold, row, &work );
        if ( own->apart > 0.0f )
        {
            supKeepApart( hold, row, own->apart, &work );
        }
        any = ( own->folds > 0.0f && supRaiseFolds( hold, row, own->folds, &work, folds ) ) || any;
        for ( int32_t i = row->first; i < row->first + row->count; ++i )
        {
            int32_t first = hold->order[i] * supRingStations;
            for ( int32_t k = first; k < first + supRingStations; ++k )
            {
                stations[k] = supSub( work.places[k], work.before[k] );
            }
        }
    }
    return any;
}

// ---------------------------------------------------------------------------------------------------------------
// Making it

static void supMakeRows( supRingHold* hold, const supCurveNetwork* network, const supRingMap* map )
{
    int32_t count = 0;
    for ( int32_t ring = 0; ring < map->ringCount; ++ring )
    {
        bool first = true;
        for ( int32_t other = 0; other < map->ringCount; ++other )
        {
            first = first && hold->next[other] != ring;
        }
        if ( !first )
        {
            continue;
        }
        supRingRow* row = hold->rows + hold->rowCount++;
        *row = ( supRingRow ){ count, 0, map->itemOf[ring], network->curves[map->curveOf[ring]].open };
        for ( int32_t at = ring; at >= 0 && count < map->ringCount; at = hold->next[at] )
        {
            hold->order[count++] = at;
            ++row->count;
        }
    }
}

// A station of a ring lies between two of the curve's points, each of them between four vertices.
static void supPlaceStation(
    const supCurveNetwork* network, const supKeptCurve* curve, int32_t k, supStationShare* out )
{
    int32_t steps = curve->open ? curve->pointCount - 1 : curve->pointCount;
    double v = (double)k / ( curve->open ? supRingStations - 1 : supRingStations ) * steps;
    int32_t low = (int32_t)supMin( v, steps - 1 );
    double part = v - low;
    for ( int32_t i = 0; i < 8; ++i )
    {
        int32_t point = i < 4 ? low : curve->open ? low + 1 : ( low + 1 ) % curve->pointCount;
        int32_t at = 4 * ( curve->firstPoint + point ) + i % 4;
        out[i] = ( supStationShare ){ network->vertices[at],
            (float)( network->shares[at] * ( i < 4 ? 1.0 - part : part ) ) };
    }
}

static void supListPlaces( supRingHold* hold, const supCurveNetwork* network, const supRingMap* map )
{
    int32_t count = 0;
    for ( int32_t station = 0; station < map->ringCount * supRingStations; ++station )
    {
        supStationShare eight[8];
        hold->placeStart[station] = count;
        supPlaceStation(
            network, &network->curves[map->curveOf[station / supRingStations]], station % supRingStations, eight );
        for ( int32_t i = 0; i < 8; ++i )
        {
            int32_t same = hold->placeStart[station];
            while ( same < count && hold->places[same].at != eight[i].at )
            {
                ++same;
            }
            if ( same < count )
            {
                hold->places[same].share += eight[i].share;
            }
            else if ( eight[i].share != 0.0f )
            {
                hold->places[count++] = eight[i];
            }
        }
    }
    hold->placeStart[map->ringCount * supRingStations] = count;
}

static void supMeasureRest( supRingHold* hold, const supVec3* rest )
{
    for ( int32_t ring = 0; ring < hold->ringCount; ++ring )
    {
        int32_t next = hold->next[ring];
        if ( next < 0 )
        {
            continue;
        }
        supVec3 a[supRingStations], b[supRingStations];
        for ( int32_t k = 0; k < supRingStations; ++k )
        {
            a[k] = supStationPlace( hold, ring * supRingStations + k, rest );
            b[k] = supStationPlace( hold, next * supRingStations + k, rest );
        }
        supVec3 meanA = supRingMean( a ), meanB = supRingMean( b ), way = supNormalize( supSub( meanB, meanA ) );
        hold->facing[ring] = supDot( supRingArea( a ), way ) < 0.0f ? -1.0f : 1.0f;
        hold->facing[next] = supDot( supRingArea( b ), way ) < 0.0f ? -1.0f : 1.0f;
        for ( int32_t k = 0; k < supRingStations; ++k )
        {
            supVec3 up = supSub( b[k], a[k] );
            hold->lengths[ring * supRingStations + k] = supLength( up );
            hold->gaps[ring * supRingStations + k] = supMaxF( supDot( up, way ), 0.0f );
        }
        supPieceVolume piece = supVolumeBetween( a, meanA, b, meanB );
        hold->volumes[ring] = supVolumeOf( &piece, 1.0f, 1.0f );
    }
    for ( int32_t i = 0; i <= supFoldSteps; ++i )
    {
        double root = (double)i / supFoldSteps;
        hold->heights[i] = (float)supFoldHeight( 1.0 - root * root );
    }
}

supResult supMakeRingHold( const supCurveNetwork* network, const supRingMap* map, const supAllocator* allocator,
    supRingHold* out, supError* error )
{
    size_t n = (size_t)map->ringCount, stations = n * supRingStations, vertices = (size_t)network->vertexCount;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supRingRow, rows, n );
    SUP_PUT_NEW( &layout, int32_t, order, n );
    SUP_PUT_NEW( &layout, int32_t, next, n );
    SUP_PUT_NEW( &layout, int32_t, start, stations + 1 );
    SUP_PUT_NEW( &layout, supStationShare, places, 8 * stations );
    SUP_PUT_NEW( &layout, float, gaps, stations );
    SUP_PUT_NEW( &layout, float, lengths, stations );
    SUP_PUT_NEW( &layout, float, facing, n );
    SUP_PUT_NEW( &layout, float, volumes, n );
    char* block = supAllocLayout( allocator, &layout );
    supVec3* rest = supAllocZeroed( allocator, vertices, sizeof( supVec3 ), _Alignof( supVec3 ) );
    if ( block == NULL || rest == NULL )
    {
        supFree( allocator, block, layout.size );
        supFree( allocator, rest, vertices * sizeof( supVec3 ) );
        return supFail( error, sup_errorMemory, "no memory for curves" );
    }
    *out = ( supRingHold ){ .ringCount = map->ringCount,
        .rows = rows,
        .order = order,
        .next = next,
        .placeStart = start,
        .places = places,
        .gaps = gaps,
        .lengths = lengths,
        .facing = facing,
        .volumes = volumes,
        .block = block,
        .blockSize = layout.size };
    for ( int32_t ring = 0; ring < map->ringCount; ++ring )
    {
        out->next[ring] = supNextRing( network, map, ring );
    }
    supMakeRows( out, network, map );
    supListPlaces( out, network, map );
    for ( size_t v = 0; v < vertices; ++v )
    {
        supVec3d p = network->rest[network->welded[v]];
        rest[v] = ( supVec3 ){ (float)p.x, (float)p.y, (float)p.z };
    }
    supMeasureRest( out, rest );
    supFree( allocator, rest, vertices * sizeof( supVec3 ) );
    return sup_success;
}
