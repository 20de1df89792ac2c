// Triangles of a skin that moves, in a tree of boxes.
// SPDX-License-Identifier: MIT

#include "layers/triangle_tree.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/unions.h"
#include "layers/closest_point.h"

#include <stdlib.h>

enum
{
    supLeafTriangles = 4,  ///< about, in a leaf
    supMostTreeLevels = 32 ///< more than a count of 32 bits can ask for
};

// ---------------------------------------------------------------------------------------------------------------
// Making

typedef struct supTreeKey
{
    float along;
    int32_t triangle;
} supTreeKey;

static int supCompareKeys( const void* a, const void* b )
{
    const supTreeKey *p = a, *q = b;
    return p->along != q->along ? ( p->along < q->along ? -1 : 1 )
                                : ( p->triangle > q->triangle ) - ( p->triangle < q->triangle );
}

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
    const supTriangleTree* tree, const supVec3* points, int32_t firstLeaf, int32_t leaves, supTreeKey* keys )
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
        keys[i] = ( supTreeKey ){ supDot( supCornerSum( tree, points, triangle ), axis ), triangle };
    }
    qsort( keys, (size_t)count, sizeof( supTreeKey ), supCompareKeys );
    for ( int32_t i = 0; i < count; ++i )
    {
        tree->order[first + i] = keys[i].triangle;
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

static void supSortTree( supTriangleTree* tree, const supVec3* points, supTreeKey* keys )
{
    while ( tree->leafCount < tree->count / supLeafTriangles )
    {
        tree->leafCount *= 2;
    }
    for ( int32_t i = 0; i < tree->count; ++i )
    {
        tree->order[i] = i;
    }
    for ( int32_t leaves = tree->leafCount; leaves > 1; leaves /= 2 )
    {
        for ( int32_t leaf = 0; leaf < tree->leafCount; leaf += leaves )
        {
            supSortLeaves( tree, points, leaf, leaves, keys );
        }
    }
}

supTriangleTree* supMakeTriangleTree(
    const supVec3* points, const int32_t* welds, const int32_t* corners, int32_t count, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supTriangleTree, tree, 1 );
    SUP_PUT_NEW( &layout, int32_t, order, count );
    SUP_PUT_NEW( &layout, int32_t, pieces, count );
    char* block = supAllocLayout( allocator, &layout );
    size_t keysSize = ( (size_t)count + 1 ) * sizeof( supTreeKey );
    supTreeKey* keys = supAlloc( allocator, keysSize, _Alignof( supTreeKey ) );
    bool fits = block != NULL && keys != NULL;
    if ( fits )
    {
        *tree = ( supTriangleTree ){ count, corners, order, pieces, 1, layout.size };
        supSortTree( tree, points, keys );
        fits = supFindPieces( tree, welds, allocator );
    }
    supFree( allocator, keys, keysSize );
    if ( !fits )
    {
        supFree( allocator, block, layout.size );
    }
    return fits ? tree : NULL;
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
        const supBounds *a = boxes + 2 * n + 1, *b = a + 1;
        boxes[n] = ( supBounds ){ supMinVec3( a->low, b->low ), supMaxVec3( a->high, b->high ) };
    }
}

/// The square of the distance to a box; 0 inside of it.
static float supBoxDistance( const supBounds* box, supVec3 p )
{
    supVec3 off = supMaxVec3( supMaxVec3( supSub( box->low, p ), supSub( p, box->high ) ), supVec3_zero );
    return supDot( off, off );
}

/// One walk down the tree, nearer boxes first.
typedef struct supTreeWalk
{
    const supTriangleTree* tree;
    const supVec3* points;
    const supBounds* boxes;
    supVec3 p;
    int32_t piece;    ///< whose triangles count; -1: all
    float reach;      ///< what is farther does not count
    bool sums;        ///< second walk: normals of all within reach, else the first looks for the closest
    int32_t triangle; ///< the closest
    bool within;      ///< its closest point lies within it, not at its border
    supVec3 foot, sum;
} supTreeWalk;

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
        supFootPoint at = supClosestOnTriangle( walk->p, a, b, d );
        if ( walk->sums && at.distance <= walk->reach )
        {
            walk->sum = supMulAdd( walk->sum, supAngleAt( at.shares, a, b, d ), supFaceNormal( a, b, d ) );
        }
        // of two that are as close the earlier one, so that the order of the tree does not matter
        bool nearer = at.distance < walk->reach || ( at.distance == walk->reach && triangle < walk->triangle );
        if ( !walk->sums && nearer )
        {
            walk->reach = at.distance;
            walk->triangle = triangle;
            walk->within = supMinF( supMinF( at.shares[0], at.shares[1] ), at.shares[2] ) > 1e-3f;
            walk->foot = supMulAdd( supMulAdd( supScale( a, at.shares[0] ), at.shares[1], b ), at.shares[2], d );
        }
    }
}

static void supWalkTree( supTreeWalk* walk )
{
    int32_t stack[supMostTreeLevels], depth = 0, leaves = walk->tree->leafCount;
    stack[depth++] = 0;
    while ( depth > 0 )
    {
        int32_t n = stack[--depth];
        if ( supBoxDistance( walk->boxes + n, walk->p ) > walk->reach * walk->reach )
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

supTreeSide supTriangleTree_Side(
    const supTriangleTree* tree, const supVec3* points, const supBounds* boxes, supVec3 p, float reach, int32_t piece )
{
    supTreeWalk walk = {
        .tree = tree, .points = points, .boxes = boxes, .p = p, .piece = piece, .reach = reach, .triangle = -1
    };
    supWalkTree( &walk );
    if ( walk.triangle < 0 )
    {
        return ( supTreeSide ){ -1, -1, reach, supVec3_zero };
    }
    float distance = walk.reach;
    const int32_t* c = tree->corners + 3 * (size_t)walk.triangle;
    walk.sum = walk.within ? supFaceNormal( points[c[0]], points[c[1]], points[c[2]] ) : supVec3_zero;
    if ( !walk.within )
    {
        // at an edge or a corner several are as close: all of them tell the side
        walk.reach = distance * 1.00001f;
        walk.sums = true;
        supWalkTree( &walk );
    }
    supVec3 normal = supNormalize( walk.sum );
    bool inside = supDot( supSub( p, walk.foot ), normal ) < 0.0f;
    return ( supTreeSide ){ walk.triangle, tree->pieces[walk.triangle], inside ? -distance : distance, normal };
}
