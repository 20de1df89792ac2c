// What meshes below the fat push, where joints carry them otherwise than the skin above.
// SPDX-License-Identifier: MIT
//
// A node that a mesh holds stands at Y on it at rest. In a pose the mesh carries that point by its own weights v, and
// the fat's frame there by the node's w: apart by sum_m ( v_m - w_m ) M_m Y over all joints, M their motion from rest.
// Weights sum to one, so M_m - M_j may stand for M_m, whichever j: what moves as one gives nothing. Taken back by the
// turns R of the node's joints the held node is displaced by
//
//     u = sum_j w_j R_j^T sum_m ( v_m - w_m ) ( M_m - M_j ) Y
//
// and the solid above follows by -K^-1 pull u. That is linear in the twelve numbers of each R_j^T ( M_m - M_j ), so it
// is solved for each of them when the model is compiled: the vibrations' shares of it pull them, the rest of it is a
// row of its own, as what they leave out of gravity is. A frame costs as many rows as there are pairs of joints.

#include "layers/fat/fat_push.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_motion.h"

#include <stdlib.h>

enum
{
    supMostCarriers = 40, ///< joints of a node and of the three corners that hold it
    supMostPairs = 16,    ///< of joints: those that carry the most nodes
};

/// Weights of joints of the character at one place.
typedef struct supCarriers
{
    int32_t count;
    int32_t joints[supMostCarriers];
    double weights[supMostCarriers];
} supCarriers;

static void supAddCarrier( supCarriers* carriers, int32_t joint, double weight )
{
    int32_t at = 0;
    while ( at < carriers->count && carriers->joints[at] != joint )
    {
        ++at;
    }
    if ( at == carriers->count && at < supMostCarriers )
    {
        carriers->joints[at] = joint;
        carriers->weights[at] = 0.0;
        carriers->count += 1;
    }
    if ( at < carriers->count )
    {
        carriers->weights[at] += weight;
    }
}

/// Adds what carries a vertex, times a share.
static void supAddVertex( const supCharacter* character, int32_t vertex, double share, supCarriers* carriers )
{
    const int32_t* paletteJoints = supCharacter_Info( character )->paletteJoints;
    for ( int32_t m = 0; m < supCharacter_Info( character )->meshCount; ++m )
    {
        supMeshView mesh = supCharacter_Mesh( character, m );
        int32_t own = vertex - mesh.firstVertex;
        if ( own < 0 || own >= mesh.vertexCount )
        {
            continue;
        }
        for ( int32_t k = 0; k < mesh.influenceCount && mesh.skin >= 0; ++k )
        {
            int32_t at = own * mesh.influenceCount + k;
            supAddCarrier(
                carriers, paletteJoints[mesh.firstPalette + mesh.jointIndices[at]], share * mesh.weights[at] );
        }
        if ( mesh.skin < 0 )
        {
            supAddCarrier( carriers, mesh.joint, share );
        }
    }
}

/// Of a node that a mesh holds: by how much more each joint carries the mesh than the node, and where it is held.
static supCarriers supComparedCarriers(
    const supFatNode* node, const supFatHold* hold, const supFatRegion* region, supVec3d* place )
{
    supCarriers carriers = { 0 };
    *place = ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int k = 0; k < supFatHolds; ++k )
    {
        if ( hold->weights[k] > 0.0f )
        {
            supAddCarrier( &carriers, region->joints[hold->joints[k]], -(double)hold->weights[k] );
        }
    }
    for ( int c = 0; c < 3; ++c )
    {
        int32_t point = region->inner.corners[3 * (size_t)node->anchor.triangle + (size_t)c];
        double share = node->anchor.shares[c];
        *place = supMulAddD( *place, share, supToDouble( region->inner.points[point] ) );
        supAddVertex( region->character, region->innerVertices[point], share, &carriers );
    }
    return carriers;
}

static bool supIsHeldByMesh( const supFatRegion* region, const supFatNode* node )
{
    return node->anchored && node->anchor.triangle >= 0 &&
           region->inner.corners[3 * (size_t)node->anchor.triangle] >= region->firstMeshPoint;
}

/// How much a pair of joints has to do with a held node: its weight among all that displaces it.
static double supPairShare( const supFatPair* pair, const supFatHold* hold, const supCarriers* carriers )
{
    double own = 0.0, other = 0.0;
    for ( int k = 0; k < supFatHolds; ++k )
    {
        own += hold->joints[k] == pair->hold ? hold->weights[k] : 0.0f;
    }
    for ( int32_t m = 0; m < carriers->count; ++m )
    {
        other += carriers->joints[m] == pair->joint ? carriers->weights[m] : 0.0;
    }
    return own * other;
}

// ---------------------------------------------------------------------------------------------------------------
// Pairs of joints

static bool supCountPair( supArray* pairs, supFatPair pair )
{
    supFatPair* all = pairs->data;
    size_t at = 0, before = pairs->count;
    while ( at < before && ( all[at].hold != pair.hold || all[at].joint != pair.joint ) )
    {
        ++at;
    }
    supFatPair* own = at < before ? all + at : supArray_Add( pairs, 1 );
    if ( own == NULL )
    {
        return false;
    }
    pair.weight += at < before ? own->weight : 0.0;
    *own = pair;
    return true;
}

static int supComparePairs( const void* a, const void* b )
{
    const supFatPair *p = a, *q = b;
    return p->weight > q->weight   ? -1
           : p->weight < q->weight ? 1
           : p->hold != q->hold    ? p->hold - q->hold
                                   : p->joint - q->joint;
}

bool supFindMeshPairs( const supFatRegion* region, const supFatMesh* mesh, const supFatHold* holds, supArray* pairs )
{
    bool done = true;
    for ( int32_t i = 0; i < mesh->nodeCount && done; ++i )
    {
        if ( !supIsHeldByMesh( region, mesh->nodes + i ) )
        {
            continue;
        }
        supVec3d place;
        supCarriers carriers = supComparedCarriers( mesh->nodes + i, holds + i, region, &place );
        for ( int32_t k = 0; k < supFatHolds * carriers.count && done; ++k )
        {
            int32_t h = holds[i].joints[k % supFatHolds], m = carriers.joints[k / supFatHolds];
            double share = supAbs( holds[i].weights[k % supFatHolds] * carriers.weights[k / supFatHolds] );
            supFatPair pair = { .hold = h, .joint = m, .weight = share };
            done = region->joints[h] == m || share < 1e-3 || supCountPair( pairs, pair );
        }
    }
    if ( pairs->count > 0 )
    {
        qsort( pairs->data, pairs->count, sizeof( supFatPair ), supComparePairs );
    }
    pairs->count = pairs->count < supMostPairs ? pairs->count : supMostPairs;
    for ( size_t p = 0; p < pairs->count; ++p )
    {
        supFatPair* pair = (supFatPair*)pairs->data + p;
        supInvertMat( supCharacter_Info( region->character )->restJoints[pair->joint], &pair->fromRest );
    }
    return done;
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

/// The force on the free nodes for one of a pair's twelve numbers: -pull u.
static void supPairForce( const supFatSolid* solid, const supFatPair* pair, int e, double* held, double* force )
{
    const supElastic* elastic = solid->elastic;
    for ( int32_t a = 0; a < elastic->anchorCount; ++a )
    {
        const supFatNode* node = solid->mesh->nodes + elastic->anchors[a];
        double *own = held + 3 * (size_t)a, share = 0.0;
        supVec3d place = { 0.0, 0.0, 0.0 };
        if ( supIsHeldByMesh( solid->region, node ) )
        {
            const supFatHold* hold = solid->holds + elastic->anchors[a];
            supCarriers carriers = supComparedCarriers( node, hold, solid->region, &place );
            share = supPairShare( pair, hold, &carriers );
        }
        const double factors[4] = { place.x, place.y, place.z, 1.0 };
        for ( int d = 0; d < 3; ++d )
        {
            own[d] = d == e / 4 ? -share * factors[e % 4] : 0.0;
        }
    }
    supBlockMatrix_Multiply( &elastic->pull, held, force );
}

/// The vibrations' shares of a displacement, as pulls, into row r of the pairs'; what they leave out, into `row`.
static void supSplitRow( supFat* fat, const supFatSolid* solid, size_t r, double* u, float* row )
{
    const supElasticModes* modes = solid->modes;
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        double share = 0.0;
        for ( int32_t i = 0; i < 3 * solid->elastic->freeCount; ++i )
        {
            share += solid->elastic->masses[i / 3] * shape[i] * u[i];
        }
        for ( int32_t i = 0; i < 3 * solid->elastic->freeCount; ++i )
        {
            u[i] -= share * shape[i];
        }
        fat->pairRows[r * fat->modeSize + (size_t)m] = (float)( share * modes->omegas[m] * modes->omegas[m] );
    }
    for ( int32_t i = 0; i < 3 * solid->elastic->freeCount; ++i )
    {
        row[i] = (float)u[i];
    }
}

bool supFillMeshPushes( supFat* fat, const supFatSolid* solid )
{
    const supFatRegion* region = solid->region;
    size_t size = solid->modes->size, held = 3 * (size_t)solid->elastic->anchorCount + 1;
    supLayout layout = supMakeLayout();
    SUP_PUT_NEW_WIDE( &layout, double, force, size );
    SUP_PUT_NEW_WIDE( &layout, double, heldArray, held );
    SUP_PUT_NEW_WIDE( &layout, double, scratch, supBlockFactor_ScratchCount( solid->factor ) + 2 * size + 8 );
    char* block = fat->pairCount > 0 ? supAllocLayout( region->allocator, &layout ) : NULL;
    if ( block == NULL )
    {
        return fat->pairCount == 0;
    }
    size_t rows = 12 * (size_t)fat->pairCount;
    for ( size_t r = 0; r < rows && supWatched_Tell( solid->watched, NULL, (double)r / (double)rows ); ++r )
    {
        supPairForce( solid, fat->pairs + r / 12, (int)( r % 12 ), heldArray, force );
        supBlockFactor_SolveOne( solid->factor, force, scratch );
        size_t row = (size_t)fat->modeCount + 3 * (size_t)fat->jointCount + r;
        supSplitRow( fat, solid, r, force, fat->rows + row * fat->rowSize );
    }
    supFree( region->allocator, block, layout.size );
    return supWatched_Tell( solid->watched, NULL, 1.0 );
}

void supPushByMeshes(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, float speed, float* pulls, float* shown )
{
    supMat34 world = frame->world;
    float scale = 1.0f / supLength( world.x );
    world.t = supVec3_zero;
    for ( int32_t p = 0; p < fat->pairCount; ++p )
    {
        const supFatPair* pair = fat->pairs + p;
        supMat34 moved = supMulMat( supMulMat( world, frame->joints[pair->joint] ), pair->fromRest );
        supMat34 apart = supMatDifference( moved, at->last[pair->hold] );
        supMotionNumbers( at->turns[pair->hold], apart, scale, shown + 12 * (size_t)p );
        for ( size_t e = 0; e < 12; ++e )
        {
            const float* row = fat->pairRows + ( 12 * (size_t)p + e ) * fat->modeSize;
            for ( size_t k = 0; k < fat->modeSize; ++k )
            {
                pulls[k] += speed * speed * shown[12 * (size_t)p + e] * row[k];
            }
        }
    }
}
