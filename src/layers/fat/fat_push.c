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

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_step.h"
#include "solve/block_matrix.h"
#include "solve/lanes.h"

#include <stdlib.h>
#include <string.h>

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

// ---------------------------------------------------------------------------------------------------------------
// Forces from outside that reach fat through the skin.
//
// A vertex moves by sum_i s_i sum_j w_ij R_j u_i over the nodes i that it hangs on. A force F on it does work on them,
// so what each node feels is the transpose of that: f_i = s_i sum_j w_ij R_j^T F. What hangs on the inner border, where
// fat is thin, is carried by that.
//
// Vibrations answer by shape_k . f each. Few of them are wide shapes: a finger's dent is not among these. With a factor
// at hand the rest is added as it would be at rest, K^-1 f - sum_k shape_k ( shape_k . f ) / omega_k^2: what is left
// out is faster than all that is followed, and follows the force at once.

/// A dent that is less deep, as a share of the thickness, is gone.
static const float supNothing = 1e-7f;

size_t supFatSolveCount( const supFat* fat )
{
    // the reference feels a force by itself
    return fat->factor != NULL && fat->elastic == NULL ? fat->rowSize + supBlockFactor_ScratchCount( fat->factor ) : 0;
}

/// The place of a vertex among those that a fat moves, or -1.
static int32_t supFindSkin( const supFat* fat, int32_t vertex )
{
    int32_t low = 0, high = fat->skinCount;
    while ( low < high )
    {
        int32_t middle = ( low + high ) / 2;
        low = fat->skin[middle] < vertex ? middle + 1 : low;
        high = fat->skin[middle] < vertex ? high : middle;
    }
    return low < fat->skinCount && fat->skin[low] == vertex ? low : -1;
}

static void supForceFat(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, int32_t skin, supVec3 force )
{
    for ( int32_t j = 0; j < fat->jointCount && !at->own->started; ++j )
    {
        // nobody has stepped yet: as the joints are
        supMat34 world = frame->world;
        world.t = supVec3_zero;
        at->turns[j] = supFatTurn( fat, j, supMulMat( world, frame->joints[fat->joints[j]] ) );
    }
    supVec3 felt = supScale( force, 1.0f / supLength( frame->world.x ) );
    for ( int32_t k = fat->starts[skin]; k < fat->starts[skin + 1]; ++k )
    {
        const supFatHold* hold = fat->holds + fat->links[k];
        double* own = at->forces + 3 * (size_t)fat->links[k];
        for ( int h = 0; h < supFatHolds && hold->weights[h] > 0.0f; ++h )
        {
            supVec3 back = supTransposeVector( at->turns[hold->joints[h]], felt );
            double share = (double)fat->shares[k] * hold->weights[h];
            own[0] += share * back.x;
            own[1] += share * back.y;
            own[2] += share * back.z;
        }
    }
    at->own->forced = true;
}

void supForceFats( const void* compiled, void* state, const supLayerFrame* frame, int32_t vertex, supVec3 force )
{
    const supFats* fats = compiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat* fat = fats->fats + i;
        int32_t skin = supFindSkin( fat, vertex );
        if ( skin >= 0 )
        {
            supFatPlaces at = supFatPlaces_In( fat, state, NULL );
            supForceFat( fat, &at, frame, skin, force );
        }
    }
}

void supGatherForces( const supFat* fat, const supFatPlaces* at, const float* live )
{
    // what is heavier than when it was compiled, at the same frequency, is as much stiffer: forces do less
    double lighter = (double)fat->density / live[sup_fatDensity];
    for ( size_t i = 0; i < 3 * (size_t)fat->freeCount && lighter != 1.0; ++i )
    {
        at->forces[i] *= lighter;
    }
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        at->forced[k] = (float)supDotRows( at->forces, fat->rows + (size_t)k * fat->rowSize, fat->rowSize );
    }
}

/// Where it would come to rest at the stiffness that the fat was compiled at, into at->solved.
static void supSolveRemainder( const supFat* fat, const supFatPlaces* at )
{
    size_t count = 3 * (size_t)fat->freeCount;
    memcpy( at->solved, at->forces, sizeof( double ) * count );
    supBlockFactor_SolveOne( fat->factor, at->solved, at->solved + fat->rowSize );
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        const float* shape = fat->rows + (size_t)k * fat->rowSize;
        double share = (double)at->forced[k] / ( (double)fat->omegas[k] * fat->omegas[k] );
        for ( size_t i = 0; i < count; ++i )
        {
            at->solved[i] -= share * shape[i];
        }
    }
}

bool supFatRemainder( const supFat* fat, const supFatPlaces* at, const supFatLag* lag, bool forced, float* shown )
{
    size_t count = 3 * (size_t)fat->freeCount;
    if ( forced )
    {
        supSolveRemainder( fat, at );
    }
    double square = (double)lag->speed * lag->speed;
    double slowness =
        2.0 * lag->live[sup_fatDampingRatio] * lag->live[sup_fatViscosity] / ( (double)fat->omegas[0] * lag->speed );
    double share = lag->dt >= 0.0f && slowness > 0.0 ? 1.0 - supExp( -(double)lag->dt / slowness ) : 1.0;
    float largest = 0.0f;
    for ( size_t i = 0; i < count; ++i )
    {
        double target = forced ? at->solved[i] / square : 0.0;
        shown[i] = (float)( shown[i] + share * ( target - shown[i] ) );
        largest = supMaxF( largest, supAbsF( shown[i] ) );
    }
    bool rests = !forced && largest < supNothing * fat->thickest;
    memset( shown, 0, rests ? sizeof( float ) * count : 0 );
    return rests;
}
