// Triangles in a tree of boxes.
// SPDX-License-Identifier: MIT
#include "layers/triangle_tree.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/ranked.h"
#include "base/unions.h"

enum
{
    supLeafTriangles = 4,  ///< about, in a leaf
    supMostTreeLevels = 32 ///< more than a count of 32 bits can ask for
};

// ---------------------------------------------------------------------------------------------------------------
// Making

static int32_t supFirstOf( const supTriangleTree* tree, int32_t leaf )
{
    return (int32_t)( (int64_t)leaf * tree->count / tree->leafCount );
}

static supVec3 supCornerSum( const supTriangleTree* tree, const supVec3* points, int32_t triangle )
{
    const int32_t* c = tree->corners + 3 * (size_t)triangle;
    return supAdd( supAdd( points[c[0]], points[c[1]] ), points[c[2]] );
}

/// Sorts the triangles of some leaves along the longest side of their middles, so that the two halves lie apart.
static void supSortLeaves(
    const supTriangleTree* tree, const supVec3* points, int32_t firstLeaf, int32_t leaves, supRanked* keys )
{
    int32_t first = supFirstOf( tree, firstLeaf ), count = supFirstOf( tree, firstLeaf + leaves ) - first;
    supVec3 low = supVec3_zero, high = supVec3_zero;
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3 m = supCornerSum( tree, points, tree->order[first + i] );
        low = i == 0 ? m : supMinVec3( low, m );
        high = i == 0 ? m : supMaxVec3( high, m );
    }
    supVec3 sides = supSub( high, low );
    supVec3 axis = sides.x >= sides.y && sides.x >= sides.z ? supMakeVec3( 1.0f, 0.0f, 0.0f )
                   : sides.y >= sides.z                     ? supMakeVec3( 0.0f, 1.0f, 0.0f )
                                                            : supMakeVec3( 0.0f, 0.0f, 1.0f );
    for ( int32_t i = 0; i < count; ++i )
    {
        int32_t triangle = tree->order[first + i];
        keys[i] = ( supRanked ){ supDot( supCornerSum( tree, points, triangle ), axis ), triangle };
    }
    supSortRanked( keys, (size_t)count );
    for ( int32_t i = 0; i < count; ++i )
    {
        tree->order[first + i] = keys[i].item;
    }
}

/// Triangles that share a place belong to one piece. False: no memory.
static bool supFindPieces( supTriangleTree* tree, const int32_t* welds, const supAllocator* allocator )
{
    int32_t places = 1;
    for ( int32_t i = 0; i < 3 * tree->count; ++i )
    {
        places = tree->corners[i] >= places ? tree->corners[i] + 1 : places;
    }
    size_t bytes = (size_t)places * sizeof( int32_t );
    int32_t* parents = supAlloc( allocator, bytes, _Alignof( int32_t ) );
    for ( int32_t v = 0; parents != NULL && v < places; ++v )
    {
        parents[v] = v;
    }
    for ( int32_t i = 0; parents != NULL && i < 3 * tree->count; ++i )
    {
        supJoinRoots( parents, welds[tree->corners[i - i % 3]], welds[tree->corners[i]] );
    }
    for ( int32_t t = 0; parents != NULL && t < tree->count; ++t )
    {
        tree->pieces[t] = supFindRoot( parents, welds[tree->corners[3 * (size_t)t]] );
    }
    supFree( allocator, parents, bytes );
    return parents != NULL;
}

static void supSortTree( supTriangleTree* tree, supRanked* keys )
{
    for ( int32_t i = 0; i < tree->count; ++i )
    {
        tree->order[i] = i;
    }
    for ( int32_t leaves = tree->leafCount; leaves > 1; leaves /= 2 )
    {
        for ( int32_t leaf = 0; leaf < tree->leafCount; leaf += leaves )
        {
            supSortLeaves( tree, tree->points, leaf, leaves, keys );
        }
    }
}

supTriangleTree* supMakeTriangleTree(
    const supVec3* points, const int32_t* welds, const int32_t* corners, int32_t count, const supAllocator* allocator )
{
    int32_t leaves = 1;
    while ( leaves < count / supLeafTriangles )
    {
        leaves *= 2;
    }
    supTriangleTree made = { .count = count, .corners = corners, .points = points, .leafCount = leaves };
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supTriangleTree, tree, 1 );
    SUP_PUT( &layout, made.order, count );
    SUP_PUT( &layout, made.boxes, supTriangleTree_BoxCount( &made ) );
    if ( welds != NULL )
    {
        SUP_PUT( &layout, made.pieces, count );
    }
    supAllocLayout( allocator, &layout );
    size_t keysSize = ( (size_t)count + 1 ) * sizeof( supRanked );
    supRanked* keys = supAlloc( allocator, keysSize, _Alignof( supRanked ) );
    made.blockSize = layout.size;
    bool fits = tree != NULL && keys != NULL;
    if ( fits )
    {
        *tree = made;
        supSortTree( tree, keys );
        supTriangleTree_Fit( tree, points, tree->boxes );
        fits = welds == NULL || supFindPieces( tree, welds, allocator );
    }
    supFree( allocator, keys, keysSize );
    if ( !fits )
    {
        supFree( allocator, tree, layout.size );
    }
    return fits ? tree : NULL;
}

void supDropTriangleTree( supTriangleTree* tree, const supAllocator* allocator )
{
    supFree( allocator, tree, tree != NULL ? tree->blockSize : 0 );
}

// ---------------------------------------------------------------------------------------------------------------
// Each frame

int32_t supTriangleTree_BoxCount( const supTriangleTree* tree )
{
    return 2 * tree->leafCount - 1;
}

void supTriangleTree_Fit( const supTriangleTree* tree, const supVec3* points, supBounds* boxes )
{
    static const supBounds none = { { 1e30f, 1e30f, 1e30f }, { -1e30f, -1e30f, -1e30f } };
    for ( int32_t leaf = 0; leaf < tree->leafCount; ++leaf )
    {
        supBounds box = none;
        int32_t end = supFirstOf( tree, leaf + 1 );
        for ( int32_t i = supFirstOf( tree, leaf ); i < end; ++i )
        {
            const int32_t* c = tree->corners + 3 * (size_t)tree->order[i];
            for ( int k = 0; k < 3; ++k )
            {
                box.low = supMinVec3( box.low, points[c[k]] );
                box.high = supMaxVec3( box.high, points[c[k]] );
            }
        }
        boxes[tree->leafCount - 1 + leaf] = box;
    }
    for ( int32_t n = tree->leafCount - 2; n >= 0; --n )
    {
        boxes[n] = supUnite( boxes[2 * n + 1], boxes[2 * n + 2] );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Places

/// One walk down the tree, nearer boxes first.
typedef struct supTreeWalk
{
    const supTriangleTree* tree;
    const supVec3* points;
    const supBounds* boxes;
    supVec3 p;
    int32_t piece; ///< whose triangles count; -1: all
    float reach;   ///< what is farther does not count
    int32_t most, count;
    supFootPoint* feet; ///< `most` of them: those that are closest; NULL: normals of all within reach are summed
    supVec3 sum;
} supTreeWalk;

/// Whether a comes before b: nearer, or as near and earlier in the mesh, so that the order of search does not matter.
static bool supIsNearer( supFootPoint a, supFootPoint b )
{
    return a.distance < b.distance || ( a.distance == b.distance && a.triangle < b.triangle );
}

/// Takes a triangle among the closest so far, if it is one.
static void supKeepFoot( supTreeWalk* walk, supFootPoint foot )
{
    if ( walk->count == walk->most && !supIsNearer( foot, walk->feet[walk->most - 1] ) )
    {
        return;
    }
    int32_t at = walk->count < walk->most ? walk->count++ : walk->most - 1;
    for ( ; at > 0 && supIsNearer( foot, walk->feet[at - 1] ); --at )
    {
        walk->feet[at] = walk->feet[at - 1];
    }
    walk->feet[at] = foot;
    walk->reach = walk->count == walk->most ? walk->feet[walk->most - 1].distance : walk->reach;
}

/// How much a triangle's normal counts for the side, where its closest point has these shares: at a corner as much as
/// its angle there, at an edge or within it half a turn. So weighted, the sum points away from a closed surface
/// whichever way its corners are cut into triangles. After Baerentzen, Aanaes, "Signed distance computation using the
/// angle weighted pseudonormal", 2005.
static float supAngleAt( const float shares[3], supVec3 a, supVec3 b, supVec3 c )
{
    const supVec3 corners[3] = { a, b, c };
    for ( int k = 0; k < 3; ++k )
    {
        if ( shares[k] > 0.9999f )
        {
            supVec3 u = supSub( corners[( k + 1 ) % 3], corners[k] ), v = supSub( corners[( k + 2 ) % 3], corners[k] );
            return (float)supAtan2( (double)supLength( supCross( u, v ) ), (double)supDot( u, v ) );
        }
    }
    return (float)SUP_PI;
}

static void supVisitLeaf( supTreeWalk* walk, int32_t leaf )
{
    int32_t end = supFirstOf( walk->tree, leaf + 1 );
    for ( int32_t i = supFirstOf( walk->tree, leaf ); i < end; ++i )
    {
        int32_t triangle = walk->tree->order[i];
        if ( walk->piece >= 0 && walk->tree->pieces[triangle] != walk->piece )
        {
            continue;
        }
        const int32_t* c = walk->tree->corners + 3 * (size_t)triangle;
        supVec3 a = walk->points[c[0]], b = walk->points[c[1]], d = walk->points[c[2]];
        supFootPoint foot = supClosestOnTriangle( walk->p, a, b, d );
        foot.triangle = triangle;
        if ( foot.distance <= walk->reach && walk->feet != NULL )
        {
            supKeepFoot( walk, foot );
        }
        else if ( foot.distance <= walk->reach )
        {
            walk->sum = supMulAdd( walk->sum, supAngleAt( foot.shares, a, b, d ), supFaceNormal( a, b, d ) );
        }
    }
}

static void supWalkTree( supTreeWalk* walk )
{
    static const float slack = 1.000001f; // for rounding: what is as close as the closest one is looked at too
    int32_t stack[supMostTreeLevels], depth = 0, leaves = walk->tree->leafCount;
    stack[depth++] = 0;
    while ( depth > 0 )
    {
        int32_t n = stack[--depth];
        if ( supBoxDistance( walk->boxes + n, walk->p ) > slack * walk->reach * walk->reach )
        {
            continue;
        }
        if ( n >= leaves - 1 )
        {
            supVisitLeaf( walk, n - ( leaves - 1 ) );
            continue;
        }
        int32_t left = 2 * n + 1;
        bool leftFirst =
            supBoxDistance( walk->boxes + left, walk->p ) <= supBoxDistance( walk->boxes + left + 1, walk->p );
        stack[depth++] = leftFirst ? left + 1 : left;
        stack[depth++] = leftFirst ? left : left + 1;
    }
}

int32_t supTriangleTree_Nearest( const supTriangleTree* tree, supVec3 p, float reach, int32_t most, supFootPoint* feet )
{
    supTreeWalk walk = { .tree = tree,
        .points = tree->points,
        .boxes = tree->boxes,
        .p = p,
        .piece = -1,
        .reach = reach,
        .most = most,
        .feet = feet };
    supWalkTree( &walk );
    return walk.count;
}

supFootPoint supTriangleTree_Closest( const supTriangleTree* tree, supVec3 p, float reach )
{
    supFootPoint best = { -1, { 0.0f, 0.0f, 0.0f }, reach };
    supTriangleTree_Nearest( tree, p, reach, 1, &best );
    return best;
}

supTreeSide supTriangleTree_Side(
    const supTriangleTree* tree, const supVec3* points, const supBounds* boxes, supVec3 p, float reach, int32_t piece )
{
    supFootPoint foot = { -1, { 0.0f, 0.0f, 0.0f }, reach };
    supTreeWalk walk = {
        .tree = tree, .points = points, .boxes = boxes, .p = p, .piece = piece, .reach = reach, .most = 1, .feet = &foot
    };
    supWalkTree( &walk );
    if ( !( foot.distance < reach ) )
    {
        return ( supTreeSide ){ -1, -1, reach, supVec3_zero };
    }
    const int32_t* c = tree->corners + 3 * (size_t)foot.triangle;
    supVec3 a = points[c[0]], b = points[c[1]], d = points[c[2]];
    bool within = supMinF( supMinF( foot.shares[0], foot.shares[1] ), foot.shares[2] ) > 1e-3f; // not at its border
    walk.sum = within ? supFaceNormal( a, b, d ) : supVec3_zero;
    if ( !within )
    {
        // at an edge or a corner several are as close: all of them tell the side
        walk.reach = foot.distance * 1.00001f;
        walk.feet = NULL;
        supWalkTree( &walk );
    }
    supVec3 normal = supNormalize( walk.sum );
    supVec3 at = supMulAdd( supMulAdd( supScale( a, foot.shares[0] ), foot.shares[1], b ), foot.shares[2], d );
    bool inside = supDot( supSub( p, at ), normal ) < 0.0f;
    return (
        supTreeSide ){ foot.triangle, tree->pieces[foot.triangle], inside ? -foot.distance : foot.distance, normal };
}

// ---------------------------------------------------------------------------------------------------------------
// Rays

/// The way along a ray to a triangle, or -1. After Moller, Trumbore, "Fast, minimum storage ray/triangle
/// intersection", 1997.
static float supMeetTriangle( supVec3 from, supVec3 way, supVec3 a, supVec3 b, supVec3 c )
{
    supVec3 ab = supSub( b, a ), ac = supSub( c, a ), p = supCross( way, ac );
    float det = supDot( ab, p );
    if ( supAbsF( det ) < 1e-20f )
    {
        return -1.0f;
    }
    supVec3 t = supSub( from, a ), q = supCross( t, ab );
    float u = supDot( t, p ) / det, v = supDot( way, q ) / det;
    return u >= 0.0f && v >= 0.0f && u + v <= 1.0f ? supDot( ac, q ) / det : -1.0f;
}

/// Whether a ray comes within the ball around a box: what is in others it cannot meet.
static bool supPassesNear( const supBounds* box, supVec3 from, supVec3 way )
{
    static const float slack = 1.001f; // for rounding
    supVec3 across = supSub( box->high, box->low );
    supVec3 off = supCross( supSub( supMulAdd( box->low, 0.5f, across ), from ), way );
    return supDot( off, off ) <= slack * 0.25f * supDot( across, across ) * supDot( way, way );
}

float supTriangleTree_Meet( const supTriangleTree* tree, supVec3 from, supVec3 way, float low, float high )
{
    int32_t stack[supMostTreeLevels], depth = 0;
    float nearest = -1.0f;
    stack[depth++] = 0;
    while ( depth > 0 )
    {
        int32_t n = stack[--depth], leaf = n - ( tree->leafCount - 1 );
        if ( !supPassesNear( tree->boxes + n, from, way ) )
        {
            continue;
        }
        if ( leaf < 0 )
        {
            stack[depth++] = 2 * n + 1;
            stack[depth++] = 2 * n + 2;
            continue;
        }
        for ( int32_t i = supFirstOf( tree, leaf ); i < supFirstOf( tree, leaf + 1 ); ++i )
        {
            const int32_t* c = tree->corners + 3 * (size_t)tree->order[i];
            float t = supMeetTriangle( from, way, tree->points[c[0]], tree->points[c[1]], tree->points[c[2]] );
            nearest = t > low && t < high && ( nearest < 0.0f || t < nearest ) ? t : nearest;
        }
    }
    return nearest;
}

// ---------------------------------------------------------------------------------------------------------------
// The point of a triangle that lies closest to a place.

static supFootPoint supFootAt( supVec3 p, supVec3 a, supVec3 b, supVec3 c, float u, float v, float w )
{
    supVec3 q = supMulAdd( supMulAdd( supScale( a, u ), v, b ), w, c );
    return ( supFootPoint ){ 0, { u, v, w }, supDistance( p, q ) };
}

supFootPoint supClosestOnTriangle( supVec3 p, supVec3 a, supVec3 b, supVec3 c )
{
    supVec3 ab = supSub( b, a ), ac = supSub( c, a ), ap = supSub( p, a );
    float d1 = supDot( ab, ap ), d2 = supDot( ac, ap );
    if ( d1 <= 0.0f && d2 <= 0.0f )
    {
        return supFootAt( p, a, b, c, 1.0f, 0.0f, 0.0f );
    }
    supVec3 bp = supSub( p, b );
    float d3 = supDot( ab, bp ), d4 = supDot( ac, bp );
    if ( d3 >= 0.0f && d4 <= d3 )
    {
        return supFootAt( p, a, b, c, 0.0f, 1.0f, 0.0f );
    }
    supVec3 cp = supSub( p, c );
    float d5 = supDot( ab, cp ), d6 = supDot( ac, cp );
    if ( d6 >= 0.0f && d5 <= d6 )
    {
        return supFootAt( p, a, b, c, 0.0f, 0.0f, 1.0f );
    }
    float vc = d1 * d4 - d3 * d2;
    if ( vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f )
    {
        float v = d1 - d3 > 0.0f ? d1 / ( d1 - d3 ) : 0.0f;
        return supFootAt( p, a, b, c, 1.0f - v, v, 0.0f );
    }
    float vb = d5 * d2 - d1 * d6;
    if ( vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f )
    {
        float w = d2 - d6 > 0.0f ? d2 / ( d2 - d6 ) : 0.0f;
        return supFootAt( p, a, b, c, 1.0f - w, 0.0f, w );
    }
    float va = d3 * d6 - d5 * d4, along = ( d4 - d3 ) + ( d5 - d6 );
    if ( va <= 0.0f && d4 - d3 >= 0.0f && d5 - d6 >= 0.0f )
    {
        float w = along > 0.0f ? ( d4 - d3 ) / along : 0.0f;
        return supFootAt( p, a, b, c, 0.0f, 1.0f - w, w );
    }
    float sum = va + vb + vc, share = sum > 0.0f ? 1.0f / sum : 0.0f;
    float v = vb * share, w = vc * share;
    return supFootAt( p, a, b, c, 1.0f - v - w, v, w );
}

supVec3 supFaceNormal( supVec3 a, supVec3 b, supVec3 c )
{
    return supNormalize( supCross( supSub( b, a ), supSub( c, a ) ) );
}

float supSignedDistance( supVec3 p, const supVec3* points, const int32_t* corners, int32_t count, supVec3* normal )
{
    enum
    {
        supMostCorners = 192
    };
    float distances[supMostCorners], best = 1e30f;
    supVec3 foot = supVec3_zero;
    count = count < supMostCorners ? count : supMostCorners;
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = corners + 3 * (size_t)i;
        supFootPoint at = supClosestOnTriangle( p, points[c[0]], points[c[1]], points[c[2]] );
        distances[i] = at.distance;
        if ( at.distance < best )
        {
            best = at.distance;
            foot = supMulAdd( supMulAdd( supScale( points[c[0]], at.shares[0] ), at.shares[1], points[c[1]] ),
                at.shares[2], points[c[2]] );
        }
    }
    // at an edge or a corner several are as close: their mean tells the side
    supVec3 sum = supVec3_zero;
    for ( int32_t i = 0; i < count; ++i )
    {
        const int32_t* c = corners + 3 * (size_t)i;
        if ( distances[i] <= best * 1.0001f )
        {
            sum = supAdd( sum, supFaceNormal( points[c[0]], points[c[1]], points[c[2]] ) );
        }
    }
    *normal = supNormalize( sum );
    return supDot( supSub( p, foot ), *normal ) < 0.0f ? -best : best;
}
