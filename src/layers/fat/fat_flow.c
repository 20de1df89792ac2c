// Volume kept: what the skin gains beyond its solid is taken back, and displacements follow their own flow.
// SPDX-License-Identifier: MIT
//
// Two things make the skin gain or lose volume where the solid does not.
//
// In first order, the skin is not the solid. Where fat is thin the inner border has a say in it, so what flows there
// below it is missing. The flux of displacements through the resting skin, `flux . u`, less what the solid itself gains
// is known when the model is compiled; an even swelling, along the skin's normal and with the thickness, takes it back.
//
// In second order, linear elasticity with lambda = 200 mu finds a displacement u without divergence. Taken as a
// straight way, x = X + u, it gains volume all the same, in second order:
//
//     det( I + grad u ) = 1 + div u + ( ( div u )^2 - tr( ( grad u )^2 ) ) / 2 + ...      of pure turns: + |curl u|^2 / 4
//
// A point of a round breast that goes sideways goes straight on where it should go round. The flow of a field without
// divergence, dx/dt = u( x ) for a time of one, keeps volume exactly, whatever its size, and turns what u turns. Its
// second order is what is taken here, node by node:
//
//     x = X + u + 1/2 ( u . grad ) u                                                      of third order: left out
//
// The gradient is that of neighbours along the grid's axes, by central differences where there are two of them. What
// this adds is never more than half of u: where displacements change by their own size from node to node nothing is
// linear any more.

#include "layers/fat/fat_step.h"

#include "base/math.h"

#include <string.h>

/// Of |u|: the most that the second order adds.
static const float supMostFlow = 0.5f;

/// A neighbour of node a is known along an axis: the nearest one is kept.
static void supMeetNeighbour( const supFat* fat, supFatSlope* slope, int32_t axis, int32_t a, int32_t b )
{
    const float *from = &fat->places[a].x, *to = &fat->places[b].x;
    float offset = to[axis] - from[axis];
    supFatSide* side = &slope->sides[axis][offset > 0.0f];
    bool nearer = side->distance == 0.0f || supAbsF( offset ) < side->distance;
    // a hanging node has no displacement of its own; that of a held one is not known where meshes below may move
    bool known = fat->freeOf[b] >= 0 || ( fat->freeOf[b] == -1 && fat->pairCount == 0 );
    if ( known && nearer )
    {
        *side = ( supFatSide ){ fat->freeOf[b], supAbsF( offset ) };
    }
}

static void supFillSlopes( supFat* fat )
{
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        fat->slopes[i] = ( supFatSlope ){ 0 };
    }
    for ( int32_t i = 0; i < 24 * fat->elementCount; ++i )
    {
        const int32_t* corners = fat->corners + 8 * (size_t)( i / 24 );
        int32_t axis = i % 3, low = i / 3 % 8, a = corners[low], b = corners[low ^ 1 << axis];
        if ( a != b && fat->freeOf[a] >= 0 )
        {
            supMeetNeighbour( fat, fat->slopes + fat->freeOf[a], axis, a, b );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// First order

/// Adds a vector to what a node of the mesh gives. Hanging nodes give to those that they are the mean of.
static void supGiveFlux(
    supFat* fat, const supElastic* elastic, const supHangingNode* hanging, int32_t node, supVec3 c )
{
    int32_t count = hanging != NULL ? hanging->parentCount : 1;
    for ( int32_t p = 0; p < count; ++p )
    {
        int32_t index = elastic->indices[hanging != NULL ? hanging->parents[p] : node];
        for ( int d = 0; d < 3 && index >= 0; ++d )
        {
            fat->flux[3 * (size_t)index + (size_t)d] += ( &c.x )[d] / (float)count;
        }
    }
}

/// Takes off what the solid itself gains: the mean of div u over each voxel, in the measure that it is full. `hangs`:
/// of each node, its place among the hanging ones plus 1.
static void supTakeSolid( supFat* fat, const supFatMesh* mesh, const supElastic* elastic, const int32_t* hangs )
{
    for ( int32_t i = 0; i < 8 * mesh->elementCount; ++i )
    {
        const int32_t* corners = mesh->corners + 8 * (size_t)( i / 8 );
        int32_t node = corners[i % 8];
        float edge = mesh->nodes[corners[1]].place.x - mesh->nodes[corners[0]].place.x;
        float face = -0.25f * edge * edge * mesh->full[i / 8];
        supVec3 c = supMakeVec3( i & 1 ? face : -face, i & 2 ? face : -face, i & 4 ? face : -face );
        supGiveFlux( fat, elastic, hangs[node] > 0 ? mesh->hanging + hangs[node] - 1 : NULL, node, c );
    }
}

/// Outwards at a triangle, as long as twice its area.
static supVec3 supTwiceArea( const supFatBorder* border, int32_t triangle )
{
    const int32_t* c = border->corners + 3 * (size_t)triangle;
    const supVec3* p = border->points;
    return supCross( supSub( p[c[1]], p[c[0]] ), supSub( p[c[2]], p[c[0]] ) );
}

/// What every free node's displacement gives to the flux through the skin. `areas`: of the vertices.
static void supFillFlux( supFat* fat, const supVec3* areas )
{
    for ( int32_t i = 0; i < fat->skinCount; ++i )
    {
        for ( int32_t k = fat->starts[i]; k < fat->starts[i + 1]; ++k )
        {
            supVec3 c = supScale( areas[fat->skin[i]], fat->shares[k] );
            float* flux = fat->flux + 3 * (size_t)fat->links[k];
            flux[0] += c.x;
            flux[1] += c.y;
            flux[2] += c.z;
        }
    }
}

bool supFillFatFlow( supFat* fat, const supFatRegion* region, const supFatMesh* mesh, const supElastic* elastic )
{
    const supFatBorder* skin = &region->outer;
    size_t room = sizeof( supVec3 ) * ( (size_t)skin->pointCount + 1 ) + sizeof( int32_t ) * (size_t)mesh->nodeCount;
    supVec3* areas = supAllocZeroed( region->allocator, 1, room, _Alignof( supVec3 ) );
    if ( areas == NULL )
    {
        return false;
    }
    int32_t* hangs = (int32_t*)( areas + skin->pointCount + 1 );
    for ( int32_t i = 0; i < mesh->hangingCount; ++i )
    {
        hangs[mesh->hanging[i].node] = i + 1;
    }
    for ( int32_t i = 0; i < 3 * skin->triangleCount; ++i )
    {
        supVec3* area = areas + skin->corners[i];
        *area = supMulAdd( *area, 1.0f / 6.0f, supTwiceArea( skin, i / 3 ) );
    }
    memset( fat->flux, 0, sizeof( float ) * fat->rowSize );
    memset( fat->swell, 0, sizeof( float ) * fat->rowSize );
    supFillFlux( fat, areas );
    double gain = 0.0;
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        const supFatNode* node = mesh->nodes + elastic->freeNodes[i];
        bool near = node->skin.triangle >= 0;
        supVec3 n = near ? supNormalize( supTwiceArea( skin, node->skin.triangle ) ) : supVec3_zero;
        for ( int d = 0; d < 3; ++d )
        {
            fat->swell[3 * i + d] = fat->holds[i].room * ( &n.x )[d];
            gain += (double)fat->swell[3 * i + d] * fat->flux[3 * i + d];
        }
    }
    for ( int32_t i = 0; i < 3 * fat->freeCount; ++i )
    {
        fat->swell[i] = gain > 0.0 ? (float)( fat->swell[i] / gain ) : 0.0f;
    }
    supTakeSolid( fat, mesh, elastic, hangs );
    supFillSlopes( fat );
    supFree( region->allocator, areas, room );
    return true;
}

void supEvenFat( const supFat* fat, float amount, float* moved )
{
    // eight sums at a time: the same bits whatever the processor
    float sums[8] = { 0 };
    for ( size_t i = 3 * (size_t)fat->freeCount; i < fat->rowSize; ++i )
    {
        moved[i] = 0.0f;
    }
    for ( size_t i = 0; i < fat->rowSize; i += 8 )
    {
        for ( size_t k = 0; k < 8; ++k )
        {
            sums[k] += fat->flux[i + k] * moved[i + k];
        }
    }
    float all = ( ( sums[0] + sums[1] ) + ( sums[2] + sums[3] ) ) + ( ( sums[4] + sums[5] ) + ( sums[6] + sums[7] ) );
    float back = -amount * all;
    for ( size_t i = 0; i < fat->rowSize; ++i )
    {
        moved[i] += back * fat->swell[i];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Second order

/// Where a neighbour goes: an anchored one nowhere, and where there is none the node itself stands for it.
static supVec3 supMovedSide( const float* moved, supFatSide side, supVec3 own )
{
    const float* u = moved + 3 * (ptrdiff_t)side.node;
    return side.distance == 0.0f ? own : side.node < 0 ? supVec3_zero : supMakeVec3( u[0], u[1], u[2] );
}

supVec3 supFlownNode( const supFat* fat, const float* moved, int32_t i, float amount )
{
    const supFatSlope* slope = fat->slopes + i;
    supVec3 u = supMakeVec3( moved[3 * i], moved[3 * i + 1], moved[3 * i + 2] ), second = supVec3_zero;
    const float along[3] = { u.x, u.y, u.z };
    for ( int axis = 0; axis < 3; ++axis )
    {
        supFatSide behind = slope->sides[axis][0], ahead = slope->sides[axis][1];
        float apart = behind.distance + ahead.distance;
        supVec3 change = supSub( supMovedSide( moved, ahead, u ), supMovedSide( moved, behind, u ) );
        second = supMulAdd( second, apart > 0.0f ? 0.5f * amount * along[axis] / apart : 0.0f, change );
    }
    float square = supLengthSquared( second ), most = supMostFlow * supMostFlow * supLengthSquared( u );
    return supMulAdd( u, square > most ? supSqrtF( most / square ) : 1.0f, second );
}
