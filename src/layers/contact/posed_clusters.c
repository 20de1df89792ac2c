// A skin's clusters at a moment: what is near a place, and which pieces go around it.
// SPDX-License-Identifier: MIT

#include "layers/contact/posed_clusters.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/wide_vec.h"

#include <string.h>

enum
{
    supRows = 9,       ///< of a gathered cluster: x, y, z of each corner
    supMostPieces = 8, ///< that one ray tells apart
    supFacingStep = 4, ///< every fourth triangle says where a cluster faces
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
    SUP_PUT_WIDE( &layout, posed->triangles, (size_t)clusters->clusterCount * supRows * supClusterTriangles );
    supLayBalls( &layout, clusters->clusterCount, &posed->balls );
    supLayBalls( &layout, clusters->blockCount, &posed->blocks );
    size_t step = (size_t)clusters->clusterCount + supClusterPad;
    for ( int i = 0; i < 3; ++i )
    {
        SUP_PUT_WIDE( &layout, posed->seen.low[i], step );
        SUP_PUT_WIDE( &layout, posed->seen.high[i], step );
    }
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

/// Rays are a little off the axes, so that the edges of models that are made along axes do not lie on them.
static const float supAslant[2] = { 0.0137f, 0.0071f };

/// A place as seen along the ray: x and y across it, z along.
static supVec3 supSee( supVec3 p, int axis )
{
    float along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    float u = axis == 0 ? p.y : axis == 1 ? p.z : p.x, v = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
    return ( supVec3 ){ u - supAslant[0] * along, v - supAslant[1] * along, along };
}

static void supPoseSeen( supPosedClusters* posed, int32_t cluster )
{
    const supSkinClusters* clusters = posed->clusters;
    int32_t from = clusters->cornerStarts[cluster], to = clusters->cornerStarts[cluster + 1];
    supVec3 low = supSee( posed->places[clusters->clusterCorners[from]], clusters->thinAxis ), high = low;
    for ( int32_t i = from; i < to; ++i )
    {
        supVec3 seen = supSee( posed->places[clusters->clusterCorners[i]], clusters->thinAxis );
        low = supMinVec3( low, seen );
        high = supMaxVec3( high, seen );
    }
    posed->seen.low[0][cluster] = low.x;
    posed->seen.low[1][cluster] = low.y;
    posed->seen.low[2][cluster] = low.z;
    posed->seen.high[0][cluster] = high.x;
    posed->seen.high[1][cluster] = high.y;
    posed->seen.high[2][cluster] = high.z;
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
    supPoseSeen( posed, cluster );
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

void supPoseClusters( const supSkinClusters* clusters, const supVec3* places, void* scratch, supPosedClusters* posed )
{
    supLayPosed( clusters, scratch, posed );
    posed->places = places;
    for ( int32_t i = 0; i < clusters->clusterCount; ++i )
    {
        supPoseCluster( posed, i );
    }
    for ( int32_t i = 0; i < clusters->blockCount; ++i )
    {
        supPoseBlock( posed, i );
    }
    memset( posed->gathered, 0, sizeof( bool ) * (size_t)clusters->clusterCount );
}

void supPosedClusters_Update( supPosedClusters* posed, const bool* moved )
{
    const supSkinClusters* clusters = posed->clusters;
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
    float* rows = posed->triangles + (size_t)cluster * supRows * supClusterTriangles;
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

static supVecW supLoadCorner( const float* rows, int corner, int at )
{
    const float* from = rows + 3 * corner * supClusterTriangles + at;
    return ( supVecW ){ supLoadW( from ), supLoadW( from + supClusterTriangles ),
        supLoadW( from + 2 * supClusterTriangles ) };
}

/// The square of the distance to a point of a segment that begins `off` before the place and runs along `way`. No
/// length: its beginning.
static supW supToSegmentW( supVecW off, supVecW way )
{
    supW t = supDivW( supDotVecW( off, way ), supDotVecW( way, way ) );
    supW clamped = supMinW( supMaxW( t, supZeroW() ), supSplatW( 1.0f ) );
    supVecW left = supSubVecW( off, supScaleVecW( way, clamped ) );
    return supDotVecW( left, left );
}

/// Squares of the distances to triangles: to the plane where the foot is inside, else to the closest side.
static supW supToTriangleW( supVecW p, supVecW a, supVecW b, supVecW c )
{
    supVecW ab = supSubVecW( b, a ), ac = supSubVecW( c, a ), bc = supSubVecW( c, b ), ap = supSubVecW( p, a );
    supW abab = supDotVecW( ab, ab ), abac = supDotVecW( ab, ac ), acac = supDotVecW( ac, ac );
    supW d1 = supDotVecW( ab, ap ), d2 = supDotVecW( ac, ap );
    supW det = supSubW( supMulW( abab, acac ), supMulW( abac, abac ) );
    supW v = supDivW( supSubW( supMulW( acac, d1 ), supMulW( abac, d2 ) ), det );
    supW w = supDivW( supSubW( supMulW( abab, d2 ), supMulW( abac, d1 ) ), det );
    supVecW left = supSubVecW( ap, supAddVecW( supScaleVecW( ab, v ), supScaleVecW( ac, w ) ) );
    supMaskW inside = supAndW( supAndW( supLessEqualW( supZeroW(), v ), supLessEqualW( supZeroW(), w ) ),
        supLessEqualW( supAddW( v, w ), supSplatW( 1.0f ) ) );
    supW sides =
        supMinW( supToSegmentW( ap, ab ), supMinW( supToSegmentW( ap, ac ), supToSegmentW( supSubVecW( p, b ), bc ) ) );
    return supBlendW( inside, supDotVecW( left, left ), sides );
}

/// Squares of the distances to all triangles of a cluster.
static void supToTriangles(
    supPosedClusters* posed, int32_t cluster, supVec3 place, float squares[supClusterTriangles] )
{
    const float* rows = supGatherCluster( posed, cluster );
    for ( int i = 0; i < supClusterTriangles; i += SUP_WIDTH )
    {
        supStoreW( squares + i, supToTriangleW( supSplatVecW( place ), supLoadCorner( rows, 0, i ),
                                    supLoadCorner( rows, 1, i ), supLoadCorner( rows, 2, i ) ) );
    }
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

supFootPoint supPosedClusters_WayOut(
    supPosedClusters* posed, supVec3 place, int32_t part, int32_t piece, int32_t* guess )
{
    const supSkinClusters* clusters = posed->clusters;
    supFootPoint best = { .triangle = -1, .distance = 1e30f };
    int32_t first = *guess;
    if ( first >= 0 && clusters->pieces[first] == piece && clusters->clusterParts[first] != part )
    {
        supFootPoint foot = supPosedClusters_Closest( posed, first, place, part );
        best = foot.triangle >= 0 ? foot : best;
    }
    for ( int32_t b = 0; b < clusters->blockCount; ++b )
    {
        int32_t from = clusters->blockStarts[b], to = clusters->blockStarts[b + 1];
        float bound = supDistance( place, supBallMiddle( &posed->blocks, b ) ) - posed->blocks.radius[b];
        // a block has one piece, and one part
        bool worth = bound < best.distance && clusters->pieces[from] == piece && clusters->clusterParts[from] != part;
        for ( int32_t p = from; worth && p < to; ++p )
        {
            if ( p != first && supPosedClusters_Bound( posed, p, place ) < best.distance )
            {
                supFootPoint foot = supPosedClusters_Closest( posed, p, place, part );
                *guess = foot.triangle >= 0 && foot.distance < best.distance ? p : *guess;
                best = foot.triangle >= 0 && foot.distance < best.distance ? foot : best;
            }
        }
    }
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

// ---------------------------------------------------------------------------------------------------------------
// What goes around

/// A place as seen along the ray: x and y across it, z along.
static supVecW supSeeW( supVecW p, int axis )
{
    supW along = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
    supW u = axis == 0 ? p.y : axis == 1 ? p.z : p.x, v = axis == 0 ? p.z : axis == 1 ? p.x : p.y;
    return ( supVecW ){ supSubW( u, supMulW( supSplatW( supAslant[0] ), along ) ),
        supSubW( v, supMulW( supSplatW( supAslant[1] ), along ) ), along };
}

/// A ray from a place, as seen along an axis.
typedef struct supRay
{
    int axis;
    bool back; ///< against the axis
    supVecW seen;
} supRay;

/// Clusters whose boxes a ray along the thin axis meets on its way, as bits.
static uint32_t supInBoxBits( const supSeenBoxes* boxes, int32_t from, int32_t to, const supRay* ray )
{
    supMaskW u = supAndW( supLessEqualW( supLoadW( boxes->low[0] + from ), ray->seen.x ),
        supLessEqualW( ray->seen.x, supLoadW( boxes->high[0] + from ) ) );
    supMaskW v = supAndW( supLessEqualW( supLoadW( boxes->low[1] + from ), ray->seen.y ),
        supLessEqualW( ray->seen.y, supLoadW( boxes->high[1] + from ) ) );
    supMaskW ahead = ray->back ? supLessW( supLoadW( boxes->low[2] + from ), ray->seen.z )
                               : supLessW( ray->seen.z, supLoadW( boxes->high[2] + from ) );
    uint32_t bits = supBitsW( supAndW( supAndW( u, v ), ahead ) );
    return to - from < SUP_WIDTH ? bits & ( ( 1u << ( to - from ) ) - 1u ) : bits;
}

/// Balls that a ray meets on its way, as bits.
static uint32_t supOnRayBits( const supClusterBalls* balls, int32_t from, int32_t to, const supRay* ray )
{
    supVecW middle = { supLoadW( balls->x + from ), supLoadW( balls->y + from ), supLoadW( balls->z + from ) };
    supVecW off = supSubVecW( supSeeW( middle, ray->axis ), ray->seen );
    // seen aslant a ball is a little larger
    supW radius = supMulW( supLoadW( balls->radius + from ), supSplatW( 1.02f ) );
    supW across = supAddW( supMulW( off.x, off.x ), supMulW( off.y, off.y ) );
    supW ahead = ray->back ? supSubW( radius, off.z ) : supAddW( off.z, radius );
    uint32_t bits =
        supBitsW( supAndW( supLessEqualW( across, supMulW( radius, radius ) ), supLessW( supZeroW(), ahead ) ) );
    return to - from < SUP_WIDTH ? bits & ( ( 1u << ( to - from ) ) - 1u ) : bits;
}

static int supCountBits( uint32_t bits )
{
    int count = 0;
    for ( ; bits != 0; bits &= bits - 1u )
    {
        ++count;
    }
    return count;
}

/// Twice the area of (a, b, 0) as seen: the very opposite for (b, a, 0), so that no ray passes between two triangles.
static supW supSeenAreaW( supVecW a, supVecW b )
{
    return supSubW( supMulW( a.x, b.y ), supMulW( a.y, b.x ) );
}

/// How often a ray comes out of a cluster more than it goes in.
static int supClusterTurns( supPosedClusters* posed, int32_t cluster, const supRay* ray )
{
    supVecW seen = ray->seen;
    const float* rows = supGatherCluster( posed, cluster );
    int32_t count = posed->clusters->starts[cluster + 1] - posed->clusters->starts[cluster];
    int turns = 0;
    for ( int i = 0; i < count; i += SUP_WIDTH )
    {
        supVecW a = supSubVecW( supSeeW( supLoadCorner( rows, 0, i ), ray->axis ), seen );
        supVecW b = supSubVecW( supSeeW( supLoadCorner( rows, 1, i ), ray->axis ), seen );
        supVecW c = supSubVecW( supSeeW( supLoadCorner( rows, 2, i ), ray->axis ), seen );
        supW ofA = supSeenAreaW( b, c ), ofB = supSeenAreaW( c, a ), ofC = supSeenAreaW( a, b ), zero = supZeroW();
        supMaskW out = supAndW( supLessW( zero, ofA ), supAndW( supLessW( zero, ofB ), supLessW( zero, ofC ) ) );
        supMaskW in = supAndW( supLessW( ofA, zero ), supAndW( supLessW( ofB, zero ), supLessW( ofC, zero ) ) );
        // the triangle's place on the ray, times the three areas, which have one sign
        supW along = supMulAddW( ofC, c.z, supMulAddW( ofB, b.z, supMulW( ofA, a.z ) ) );
        along = ray->back ? supNegW( along ) : along;
        uint32_t kept = count - i < SUP_WIDTH ? ( 1u << ( count - i ) ) - 1u : ~0u;
        turns += supCountBits( supBitsW( supAndW( out, supLessW( zero, along ) ) ) & kept );
        turns -= supCountBits( supBitsW( supAndW( in, supLessW( along, zero ) ) ) & kept );
    }
    return ray->back ? -turns : turns;
}

/// How often each piece goes around a place.
typedef struct supPieceTurns
{
    int32_t count;
    int32_t pieces[supMostPieces];
    int turns[supMostPieces];
} supPieceTurns;

static void supAddTurns( supPieceTurns* all, int32_t piece, int turns )
{
    int32_t at = 0;
    while ( at < all->count && all->pieces[at] != piece )
    {
        ++at;
    }
    if ( at == all->count && at < supMostPieces )
    {
        all->pieces[at] = piece;
        all->turns[at] = 0;
        all->count += 1;
    }
    if ( at < supMostPieces )
    {
        all->turns[at] += turns;
    }
}

static void supTurnsAlong( supPosedClusters* posed, supVec3 place, int axis, bool back, supPieceTurns* all )
{
    const supSkinClusters* clusters = posed->clusters;
    supRay ray = { axis, back, supSeeW( supSplatVecW( place ), axis ) };
    all->count = 0;
    for ( int32_t b = 0; b < clusters->blockCount; b += SUP_WIDTH )
    {
        uint32_t blocks = supOnRayBits( &posed->blocks, b, clusters->blockCount, &ray );
        for ( int32_t i = b; blocks != 0; ++i, blocks >>= 1 )
        {
            int32_t first = clusters->blockStarts[i], piece = clusters->pieces[first], turns = 0;
            int32_t to = ( blocks & 1u ) != 0 && piece >= 0 ? clusters->blockStarts[i + 1] : first;
            for ( int32_t p = first; p < to; p += SUP_WIDTH )
            {
                uint32_t hits = axis == clusters->thinAxis ? supInBoxBits( &posed->seen, p, to, &ray )
                                                           : supOnRayBits( &posed->balls, p, to, &ray );
                for ( int32_t hit = p; hits != 0; ++hit, hits >>= 1 )
                {
                    turns += ( hits & 1u ) != 0 ? supClusterTurns( posed, hit, &ray ) : 0;
                }
            }
            if ( turns != 0 )
            {
                supAddTurns( all, piece, turns );
            }
        }
    }
}

static bool supGoesAround( const supPieceTurns* all, int32_t piece )
{
    for ( int32_t i = 0; i < all->count; ++i )
    {
        if ( all->pieces[i] == piece )
        {
            return all->turns[i] > 0;
        }
    }
    return false;
}

int32_t supPosedClusters_Around( supPosedClusters* posed, supVec3 place )
{
    int axis = posed->clusters->thinAxis;
    supPieceTurns first, second, third;
    supTurnsAlong( posed, place, axis, false, &first );
    for ( int32_t i = 0; i < first.count; ++i )
    {
        if ( first.turns[i] <= 0 )
        {
            continue;
        }
        // a ray through a small hole is wrong
        supTurnsAlong( posed, place, axis, true, &second );
        if ( supGoesAround( &second, first.pieces[i] ) )
        {
            return first.pieces[i];
        }
        supTurnsAlong( posed, place, ( axis + 1 ) % 3, false, &third );
        if ( supGoesAround( &third, first.pieces[i] ) )
        {
            return first.pieces[i];
        }
    }
    return -1;
}
