// Order and shape of a factor.
// SPDX-License-Identifier: MIT
//
// Nested dissection (George, "Nested dissection of a regular finite element mesh", 1973): the nodes are cut in two
// halves by a plane across their longest side; those of one half that touch the other part them, and are eliminated
// last, after both halves, which are cut the same way. Each such wall, and each small rest, is one front: its columns
// of the factor have the same rows, so everything that follows works on dense blocks.

#include "base/memory.h"
#include "base/ranked.h"
#include "block_matrix.h"

#include <stdlib.h>
#include <string.h>

enum
{
    supSmallEnough = 20 ///< nodes that are not cut any further
};

typedef struct supOrderWork
{
    const supBlockMatrix* a;
    const supVec3d* places;
    int32_t* side;  ///< of each node: which half it lies in, 0 or 1, within the piece `piece`
    int32_t* piece; ///< of each node: the latest piece that it was part of
    int32_t pieces;
    int32_t* order;
    int32_t placed; ///< nodes that have their place in the order
    supArray fronts;
    bool failed;
} supOrderWork;

static double supAlong( supVec3d p, int axis )
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/// The axis along which they reach farthest.
static int supLongestAxis( const supOrderWork* plan, const supRanked* nodes, int32_t count )
{
    int best = 0;
    double longest = -1.0;
    for ( int axis = 0; axis < 3; ++axis )
    {
        double least = supAlong( plan->places[nodes[0].item], axis ), most = least;
        for ( int32_t i = 1; i < count; ++i )
        {
            double x = supAlong( plan->places[nodes[i].item], axis );
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        if ( most - least > longest )
        {
            longest = most - least;
            best = axis;
        }
    }
    return best;
}

/// Whether a node has a neighbour in the other half of its piece.
static bool supTouchesOther( const supOrderWork* plan, int32_t node )
{
    bool touches = false;
    for ( int64_t k = plan->a->starts[node]; k < plan->a->starts[node + 1] && !touches; ++k )
    {
        int32_t other = plan->a->columns[k];
        touches = plan->piece[other] == plan->piece[node] && plan->side[other] != plan->side[node];
    }
    return touches;
}

static int32_t supCountWall( const supOrderWork* plan, const supRanked* nodes, int32_t count )
{
    int32_t wall = 0;
    for ( int32_t i = 0; i < count; ++i )
    {
        wall += supTouchesOther( plan, nodes[i].item );
    }
    return wall;
}

/// Sorts them along the longest axis and marks the halves; gives how many lie in the first. Places that are the same
/// along the axis stay together, where they can.
static int32_t supHalve( supOrderWork* plan, supRanked* nodes, int32_t count )
{
    int axis = supLongestAxis( plan, nodes, count );
    for ( int32_t i = 0; i < count; ++i )
    {
        nodes[i].key = supAlong( plan->places[nodes[i].item], axis );
    }
    supSortRanked( nodes, (size_t)count );
    int32_t cut = count / 2, up = cut;
    while ( up < count && nodes[up].key == nodes[cut].key )
    {
        ++up;
    }
    while ( cut > 0 && nodes[cut - 1].key == nodes[up - 1].key )
    {
        --cut;
    }
    cut = cut == 0 || ( up < count && up - count / 2 < count / 2 - cut ) ? up : cut;
    cut = cut == count ? count / 2 : cut;
    int32_t piece = ++plan->pieces;
    for ( int32_t i = 0; i < count; ++i )
    {
        plan->piece[nodes[i].item] = piece;
        plan->side[nodes[i].item] = i >= cut;
    }
    return cut;
}

static void supAddFront( supOrderWork* plan, const supRanked* nodes, int32_t count )
{
    if ( count == 0 )
    {
        return;
    }
    supFront* front = supArray_Add( &plan->fronts, 1 );
    if ( front == NULL )
    {
        plan->failed = true;
        return;
    }
    front->first = plan->placed;
    front->count = count;
    front->parent = -1;
    for ( int32_t i = 0; i < count; ++i )
    {
        plan->order[plan->placed++] = nodes[i].item;
    }
}

/// Puts those that touch the other half last; gives how many do not.
static int32_t supSplitWall( const supOrderWork* plan, supRanked* nodes, int32_t count )
{
    int32_t kept = 0, wall = count;
    while ( kept < wall )
    {
        if ( supTouchesOther( plan, nodes[kept].item ) )
        {
            supRanked last = nodes[--wall];
            nodes[wall] = nodes[kept];
            nodes[kept] = last;
        }
        else
        {
            ++kept;
        }
    }
    return kept;
}

/// Orders one piece: both halves without the wall, then the wall. As deep as the logarithm of the count.
static void supDissect( supOrderWork* plan, supRanked* nodes, int32_t count )
{
    if ( count <= supSmallEnough )
    {
        supAddFront( plan, nodes, count );
        return;
    }
    int32_t cut = supHalve( plan, nodes, count );
    int32_t low = supCountWall( plan, nodes, cut ), high = supCountWall( plan, nodes + cut, count - cut );
    bool fromLow = low <= high;
    supRanked* half = fromLow ? nodes : nodes + cut;
    int32_t halfCount = fromLow ? cut : count - cut;
    int32_t kept = supSplitWall( plan, half, halfCount );
    supDissect( plan, half, kept );
    supDissect( plan, fromLow ? nodes + cut : nodes, count - halfCount );
    supAddFront( plan, half + kept, halfCount - kept );
}

// ---------------------------------------------------------------------------------------------------------------
// What each front is tied to

static int supCompareInts( const void* a, const void* b )
{
    int32_t p = *(const int32_t*)a, q = *(const int32_t*)b;
    return ( p > q ) - ( p < q );
}

typedef struct supBorders
{
    const supBlockMatrix* a;
    const int32_t *order, *places; ///< place of each node in the order
    supFront* fronts;
    int32_t* frontOf; ///< of each place in the order
    int32_t* marks;   ///< of each place: the front that has listed it last, plus 1
    int32_t *children, *siblings;
    supArray list;
} supBorders;

static bool supListBorder( supBorders* borders, int32_t f, int32_t place )
{
    const supFront* front = borders->fronts + f;
    if ( place < front->first + front->count || borders->marks[place] == f + 1 )
    {
        return true;
    }
    int32_t* entry = supArray_Add( &borders->list, 1 );
    if ( entry == NULL )
    {
        return false;
    }
    *entry = place;
    borders->marks[place] = f + 1;
    return true;
}

/// Later nodes that the pivots of a front touch, and what is left over from its children.
static bool supFindBorder( supBorders* borders, int32_t f )
{
    supFront* front = borders->fronts + f;
    front->border = (int64_t)borders->list.count;
    bool done = true;
    for ( int32_t i = front->first; i < front->first + front->count; ++i )
    {
        int32_t node = borders->order[i];
        for ( int64_t k = borders->a->starts[node]; k < borders->a->starts[node + 1] && done; ++k )
        {
            done = supListBorder( borders, f, borders->places[borders->a->columns[k]] );
        }
    }
    for ( int32_t child = borders->children[f]; child >= 0 && done; child = borders->siblings[child] )
    {
        const supFront* below = borders->fronts + child;
        for ( int32_t i = 0; i < below->borderCount && done; ++i )
        {
            done = supListBorder( borders, f, ( (const int32_t*)borders->list.data )[below->border + i] );
        }
    }
    front->borderCount = (int32_t)( (int64_t)borders->list.count - front->border );
    if ( done && front->borderCount > 0 )
    {
        int32_t* own = (int32_t*)borders->list.data + front->border; // not before: an empty list has no data
        qsort( own, (size_t)front->borderCount, sizeof( int32_t ), supCompareInts );
        front->parent = borders->frontOf[own[0]];
        borders->siblings[f] = borders->children[front->parent];
        borders->children[front->parent] = f;
    }
    return done;
}

static supBlockFactor* supKeepPlan( const supOrderWork* plan, const supArray* borders, const supAllocator* allocator )
{
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supBlockFactor, factor, 1 );
    SUP_PUT_NEW( &layout, int32_t, order, plan->placed );
    SUP_PUT_NEW( &layout, supFront, fronts, plan->fronts.count );
    SUP_PUT_NEW( &layout, int32_t, bordersRoom, borders->count + 1 );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    *factor = ( supBlockFactor ){ .count = plan->placed,
        .order = order,
        .frontCount = (int32_t)plan->fronts.count,
        .fronts = fronts,
        .borders = bordersRoom,
        .blockSize = layout.size };
    memcpy( factor->order, plan->order, sizeof( int32_t ) * (size_t)plan->placed );
    memcpy( factor->fronts, plan->fronts.data, sizeof( supFront ) * plan->fronts.count );
    if ( borders->count > 0 )
    {
        memcpy( factor->borders, borders->data, sizeof( int32_t ) * borders->count );
    }
    for ( int32_t f = 0; f < factor->frontCount; ++f )
    {
        supFront* front = factor->fronts + f;
        int32_t rows = front->count + front->borderCount;
        front->at = factor->valueCount;
        factor->valueCount += 9 * (int64_t)rows * front->count;
        factor->widest = rows > factor->widest ? rows : factor->widest;
    }
    return factor;
}

static supBlockFactor* supPlanBorders( supOrderWork* plan, int32_t* scratch, const supAllocator* allocator )
{
    size_t count = (size_t)plan->placed;
    int32_t fronts = (int32_t)plan->fronts.count;
    // five stretches of `count`; there are no more fronts than nodes
    supBorders borders = { .a = plan->a,
        .order = plan->order,
        .places = scratch,
        .fronts = plan->fronts.data,
        .frontOf = scratch + count,
        .marks = scratch + 2 * count,
        .children = scratch + 3 * count,
        .siblings = scratch + 4 * count,
        .list = supMakeArray( sizeof( int32_t ), allocator ) };
    for ( int32_t f = 0; f < fronts; ++f )
    {
        borders.children[f] = borders.siblings[f] = -1;
        for ( int32_t i = 0; i < borders.fronts[f].count; ++i )
        {
            int32_t place = borders.fronts[f].first + i;
            borders.frontOf[place] = f;
            borders.marks[place] = 0;
            scratch[plan->order[place]] = place;
        }
    }
    bool done = true;
    for ( int32_t f = 0; f < fronts && done; ++f )
    {
        done = supFindBorder( &borders, f );
    }
    supBlockFactor* factor = done ? supKeepPlan( plan, &borders.list, allocator ) : NULL;
    supArray_Destroy( &borders.list );
    return factor;
}

supBlockFactor* supPlanFactor( const supBlockMatrix* a, const supVec3d* places, const supAllocator* allocator )
{
    size_t count = (size_t)a->count;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW( &layout, supRanked, nodes, count );
    SUP_PUT_NEW( &layout, int32_t, ints, 8 * count );
    char* block = supAllocLayout( allocator, &layout );
    if ( block == NULL )
    {
        return NULL;
    }
    supOrderWork plan = { .a = a,
        .places = places,
        .order = ints,
        .side = ints + count,
        .piece = ints + 2 * count,
        .fronts = supMakeArray( sizeof( supFront ), allocator ) };
    for ( int32_t i = 0; i < a->count; ++i )
    {
        nodes[i] = ( supRanked ){ 0.0, i };
    }
    supDissect( &plan, nodes, a->count );
    supBlockFactor* factor = plan.failed ? NULL : supPlanBorders( &plan, ints + 3 * count, allocator );
    supArray_Destroy( &plan.fronts );
    supFree( allocator, block, layout.size );
    return factor;
}
