// A skin's clusters at a moment: what is near a place, and which pieces go around it.
// SPDX-License-Identifier: MIT

#include "layers/contact/posed_clusters.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/wide_vec.h"
#include "supple/lab/machine.h"

#include <string.h>

enum
{
    supFacingStep = 4, ///< every fourth triangle says where a cluster faces
    supMostWays = 64,  ///< clusters that are looked at together
};

// ---------------------------------------------------------------------------------------------------------------
// Posing

static void supLayBalls( supLayout* layout, int32_t count, supClusterBalls* balls )
{
    size_t step = (size_t)count + supClusterPad;
    SUP_PUT_WIDE( layout, balls->x, step );
    SUP_PUT( layout, balls->y, step );
    SUP_PUT( layout, balls->z, step );
    SUP_PUT( layout, balls->radius, step );
}

static size_t supLayPosed( const supSkinClusters* clusters, void* block, supPosedClusters* posed )
{
    supLayout layout = supLayoutIn( block );
    SUP_PUT_WIDE( &layout, posed->triangles, (size_t)clusters->clusterCount * supClusterRows * supClusterTriangles );
    supLayBalls( &layout, clusters->clusterCount, &posed->balls );
    supLayBalls( &layout, clusters->blockCount, &posed->blocks );
    supLayColumns( &layout, clusters, &posed->columns );
    SUP_PUT( &layout, posed->slabs, clusters->clusterCount );
    SUP_PUT( &layout, posed->gathered, clusters->clusterCount );
    posed->clusters = clusters;
    return layout.size;
}

size_t supPosedClusters_ScratchSize( const supSkinClusters* clusters )
{
    supPosedClusters posed;
    return supLayPosed( clusters, NULL, &posed );
}

static void supSetBall( supClusterBalls* balls, int32_t i, supVec3 middle, float radius )
{
    balls->x[i] = middle.x;
    balls->y[i] = middle.y;
    balls->z[i] = middle.z;
    balls->radius[i] = radius;
}

static void supPoseCluster( supPosedClusters* posed, int32_t cluster )
{
    const supSkinClusters* clusters = posed->clusters;
    const int32_t *from = clusters->clusterCorners + clusters->cornerStarts[cluster],
                  *to = clusters->clusterCorners + clusters->cornerStarts[cluster + 1];
    supClusterBall ball = supSkinClusters_Ball( clusters, cluster, posed->places );
    supVec3 normal = supVec3_zero;
    for ( int32_t t = clusters->starts[cluster]; t < clusters->starts[cluster + 1]; t += supFacingStep )
    {
        const int32_t* c = clusters->corners + 3 * (size_t)t;
        supVec3 a = posed->places[c[0]];
        normal = supAdd( normal, supCross( supSub( posed->places[c[1]], a ), supSub( posed->places[c[2]], a ) ) );
    }
    supClusterSlab slab = { supNormalize( normal ), 1e30f, -1e30f };
    for ( const int32_t* v = from; v < to; ++v )
    {
        float at = supDot( slab.normal, posed->places[*v] );
        slab.low = supMinF( slab.low, at );
        slab.high = supMaxF( slab.high, at );
    }
    posed->slabs[cluster] = slab;
    supSetBall( &posed->balls, cluster, ball.middle, ball.radius );
}

static supVec3 supBallMiddle( const supClusterBalls* balls, int32_t i )
{
    return ( supVec3 ){ balls->x[i], balls->y[i], balls->z[i] };
}

static void supPoseBlock( supPosedClusters* posed, int32_t block )
{
    int32_t from = posed->clusters->blockStarts[block], to = posed->clusters->blockStarts[block + 1];
    supVec3 middle = supVec3_zero;
    float radius = 0.0f;
    for ( int32_t i = from; i < to; ++i )
    {
        middle = supMulAdd( middle, 1.0f / (float)( to - from ), supBallMiddle( &posed->balls, i ) );
    }
    for ( int32_t i = from; i < to; ++i )
    {
        float off = supDistance( middle, supBallMiddle( &posed->balls, i ) );
        radius = supMaxF( radius, off + posed->balls.radius[i] );
    }
    supSetBall( &posed->blocks, block, middle, radius );
}

static supTrianglesFunction* supChooseMeasure( void )
{
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx2 ) )
    {
        return supMeasureTrianglesAvx2;
    }
#endif
    return supMeasureTrianglesPlain;
}

void supPoseClusters( const supSkinClusters* clusters, const supVec3* places, void* scratch, supPosedClusters* posed )
{
    supLayPosed( clusters, scratch, posed );
    posed->places = places;
    posed->measure = supChooseMeasure();
    for ( int32_t i = 0; i < clusters->clusterCount; ++i )
    {
        supPoseCluster( posed, i );
    }
    for ( int32_t i = 0; i < clusters->blockCount; ++i )
    {
        supPoseBlock( posed, i );
    }
    memset( posed->gathered, 0, sizeof( bool ) * (size_t)clusters->clusterCount );
    supPosedClusters_See( posed );
}

void supPosedClusters_Update( supPosedClusters* posed, const bool* moved )
{
    const supSkinClusters* clusters = posed->clusters;
    supPosedClusters_SeeMoved( posed, moved );
    for ( int32_t p = 0; p < clusters->clusterCount; ++p )
    {
        bool any = false;
        for ( int32_t i = clusters->cornerStarts[p]; i < clusters->cornerStarts[p + 1] && !any; ++i )
        {
            any = moved[clusters->clusterCorners[i]];
        }
        if ( any )
        {
            supPoseCluster( posed, p );
            supPosedClusters_SeeCluster( posed, p );
            posed->gathered[p] = false;
        }
    }
    for ( int32_t i = 0; i < clusters->blockCount; ++i )
    {
        supPoseBlock( posed, i );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is near

/// Balls `from` up to `from` + SUP_WIDTH that come closer to a place than `reach`, as bits. Those from `to` on are
/// none.
static uint32_t supNearBits( const supClusterBalls* balls, int32_t from, int32_t to, supVecW place, supW reach )
{
    supVecW middle = { supLoadW( balls->x + from ), supLoadW( balls->y + from ), supLoadW( balls->z + from ) };
    supVecW off = supSubVecW( middle, place );
    supW within = supAddW( reach, supLoadW( balls->radius + from ) );
    uint32_t bits = supBitsW( supLessW( supDotVecW( off, off ), supMulW( within, within ) ) );
    return to - from < SUP_WIDTH ? bits & ( ( 1u << ( to - from ) ) - 1u ) : bits;
}

int32_t supPosedClusters_Near( const supPosedClusters* posed, supVec3 place, float reach, int32_t most, int32_t* out )
{
    const supSkinClusters* clusters = posed->clusters;
    supVecW at = supSplatVecW( place );
    supW within = supSplatW( reach );
    int32_t count = 0;
    for ( int32_t b = 0; b < clusters->blockCount; b += SUP_WIDTH )
    {
        uint32_t blocks = supNearBits( &posed->blocks, b, clusters->blockCount, at, within );
        for ( int32_t i = b; blocks != 0; ++i, blocks >>= 1 )
        {
            int32_t to = ( blocks & 1u ) != 0 ? clusters->blockStarts[i + 1] : 0;
            for ( int32_t p = clusters->blockStarts[i]; p < to; p += SUP_WIDTH )
            {
                uint32_t hits = supNearBits( &posed->balls, p, to, at, within );
                for ( int32_t hit = p; hits != 0 && count < most; ++hit, hits >>= 1 )
                {
                    out[count] = hit;
                    count += ( hits & 1u ) != 0;
                }
            }
        }
    }
    return count;
}

float supPosedClusters_Bound( const supPosedClusters* posed, int32_t cluster, supVec3 place )
{
    const supClusterSlab* slab = posed->slabs + cluster;
    float at = supDot( slab->normal, place );
    float ball = supDistance( place, supBallMiddle( &posed->balls, cluster ) ) - posed->balls.radius[cluster];
    return supMaxF( ball, supMaxF( at - slab->high, slab->low - at ) );
}

/// A cluster's corners side by side; the last triangle stands for those that lack to sixteen.
static const float* supGatherCluster( supPosedClusters* posed, int32_t cluster )
{
    const supSkinClusters* clusters = posed->clusters;
    float* rows = posed->triangles + (size_t)cluster * supClusterRows * supClusterTriangles;
    if ( posed->gathered[cluster] )
    {
        return rows;
    }
    posed->gathered[cluster] = true;
    for ( int32_t i = 0; i < supClusterTriangles; ++i )
    {
        int32_t t = clusters->starts[cluster] + i, last = clusters->starts[cluster + 1] - 1;
        const int32_t* c = clusters->corners + 3 * (size_t)( t < last ? t : last );
        for ( int k = 0; k < 3; ++k )
        {
            supVec3 p = posed->places[c[k]];
            rows[( 3 * k + 0 ) * supClusterTriangles + i] = p.x;
            rows[( 3 * k + 1 ) * supClusterTriangles + i] = p.y;
            rows[( 3 * k + 2 ) * supClusterTriangles + i] = p.z;
        }
    }
    return rows;
}

/// Squares of the distances to all triangles of a cluster.
static void supToTriangles(
    supPosedClusters* posed, int32_t cluster, supVec3 place, float squares[supClusterTriangles] )
{
    posed->measure( supGatherCluster( posed, cluster ), place, squares );
}

/// The closest triangle of a cluster with no corner of that part; triangle -1: it has none.
static supFootPoint supPosedClusters_Closest( supPosedClusters* posed, int32_t cluster, supVec3 place, int32_t part )
{
    const supSkinClusters* clusters = posed->clusters;
    float squares[supClusterTriangles];
    int32_t from = clusters->starts[cluster], count = clusters->starts[cluster + 1] - from, best = -1;
    supToTriangles( posed, cluster, place, squares );
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = clusters->corners + 3 * (size_t)( from + i );
        bool closer = best < 0 || squares[i] < squares[best];
        if ( closer && clusters->parts[c[0]] != part && clusters->parts[c[1]] != part && clusters->parts[c[2]] != part )
        {
            best = i;
        }
    }
    if ( best < 0 )
    {
        return ( supFootPoint ){ .triangle = -1 };
    }
    const int32_t* c = clusters->corners + 3 * (size_t)( from + best );
    supFootPoint foot = supClosestOnTriangle( place, posed->places[c[0]], posed->places[c[1]], posed->places[c[2]] );
    foot.triangle = from + best;
    return foot;
}

/// Clusters that may have the way out, and how far each of them is at least.
typedef struct supNearWays
{
    int32_t count;
    int32_t clusters[supMostWays];
    float bounds[supMostWays];
} supNearWays;

/// Tries those that were found, the closest first, as long as one of them may be closer than `best`.
static void supTryWays(
    supPosedClusters* posed, supNearWays* ways, supVec3 place, int32_t part, supFootPoint* best, int32_t* guess )
{
    for ( int32_t left = ways->count; left > 0; --left )
    {
        int32_t at = 0;
        for ( int32_t i = 1; i < left; ++i )
        {
            at = ways->bounds[i] < ways->bounds[at] ? i : at;
        }
        if ( !( ways->bounds[at] < best->distance ) )
        {
            break;
        }
        supFootPoint foot = supPosedClusters_Closest( posed, ways->clusters[at], place, part );
        bool closer = foot.triangle >= 0 && foot.distance < best->distance;
        *guess = closer ? ways->clusters[at] : *guess;
        *best = closer ? foot : *best;
        ways->clusters[at] = ways->clusters[left - 1];
        ways->bounds[at] = ways->bounds[left - 1];
    }
    ways->count = 0;
}

supFootPoint supPosedClusters_WayOut(
    supPosedClusters* posed, supVec3 place, int32_t part, int32_t piece, int32_t* guess )
{
    const supSkinClusters* clusters = posed->clusters;
    supFootPoint best = { .triangle = -1, .distance = 1e30f };
    supVecW at = supSplatVecW( place );
    supNearWays ways = { 0 };
    int32_t first = *guess;
    if ( first >= 0 && clusters->pieces[first] == piece && clusters->clusterParts[first] != part )
    {
        supFootPoint foot = supPosedClusters_Closest( posed, first, place, part );
        best = foot.triangle >= 0 ? foot : best;
    }
    for ( int32_t b = 0; b < clusters->blockCount; b += SUP_WIDTH )
    {
        uint32_t blocks = supNearBits( &posed->blocks, b, clusters->blockCount, at, supSplatW( best.distance ) );
        for ( int32_t i = b; blocks != 0; ++i, blocks >>= 1 )
        {
            // a block has one piece, and one part
            int32_t from = clusters->blockStarts[i];
            bool worth =
                ( blocks & 1u ) != 0 && clusters->pieces[from] == piece && clusters->clusterParts[from] != part;
            int32_t to = worth ? clusters->blockStarts[i + 1] : from;
            for ( int32_t p = from; p < to; p += SUP_WIDTH )
            {
                uint32_t hits = supNearBits( &posed->balls, p, to, at, supSplatW( best.distance ) );
                for ( int32_t hit = p; hits != 0; ++hit, hits >>= 1 )
                {
                    float bound =
                        ( hits & 1u ) != 0 && hit != first ? supPosedClusters_Bound( posed, hit, place ) : 1e30f;
                    ways.clusters[ways.count] = hit;
                    ways.bounds[ways.count] = bound;
                    ways.count += bound < best.distance;
                }
            }
            if ( ways.count > supMostWays - supBlockClusters )
            {
                supTryWays( posed, &ways, place, part, &best, guess );
            }
        }
    }
    supTryWays( posed, &ways, place, part, &best, guess );
    return best;
}

float supPosedClusters_Clearance( supPosedClusters* posed, supVec3 place, int32_t vertex, float reach )
{
    enum
    {
        supMostClose = 64
    };
    const supSkinClusters* clusters = posed->clusters;
    int32_t close[supMostClose], all = supPosedClusters_Near( posed, place, reach, supMostClose, close );
    float square = reach * reach;
    for ( int32_t i = 0; i < all; ++i )
    {
        float squares[supClusterTriangles];
        int32_t from = clusters->starts[close[i]], count = clusters->starts[close[i] + 1] - from;
        if ( supPosedClusters_Bound( posed, close[i], place ) >= reach )
        {
            continue;
        }
        supToTriangles( posed, close[i], place, squares );
        for ( int32_t t = 0; t < count; ++t )
        {
            const int32_t* c = clusters->corners + 3 * (size_t)( from + t );
            bool around = c[0] == vertex || c[1] == vertex || c[2] == vertex;
            square = around ? square : supMinF( square, squares[t] );
        }
    }
    return supSqrtF( square );
}
