// Muscles that tense, and the fat above them that stiffens with it.
// SPDX-License-Identifier: MIT
//
// Full tension of muscle i makes each voxel above it four times as stiff, in the measure w_i in which it lies above it.
// Fat is held all over its inner border and thin against its breadth, so what a place does is decided by the stiffness
// right there: it is tau = 1 + sum_i 3 a_i w_i times what it was, and a small piece there obeys, per unit of mass,
//
//     u'' + omega^2 tau u = f       or, in v = tau u,       v'' + omega^2 tau v = tau f.
//
// v at rest is what u would be without tension, whatever the tension: so the few shapes that the solid moves in
// (columns of S; S^T M S = 1, S^T K S = Omega^2) hold it as well as before, and tension is not smeared beyond the
// muscle. Among the shapes omega^2 tau is
//
//     A = Omega^2 + sum_i 3 a_i P_i,     P_i = S^T K_i S, K_i: the stiffness of the voxels above muscle i
//
// small dense matrices, P_i worked out when the model is compiled; and tau f is A Omega^-2 f. Where there are many
// shapes only those that move the same places are coupled (fat_modes.c): whatever A is, v rests where it should. The
// eigenvectors of A, found anew whenever tension has changed, are vibrations that are stepped exactly as before
// (fat_tension.c). Nodes show v / tau. docs/fat-results.md compares it with the solid whose voxels are stiffer.
#include "layers/fat/fat_tension.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_reference.h"
#include "solve/dense.h"
#include "solve/lanes.h"

#include <string.h>

enum
{
    supCornerNumbers = 3 * supHexCorners
};

/// In what measure a voxel lies above each muscle: all to the nearest, shared where two are about as near, less where
/// even that is farther than the fat is thick.
static void supWeighMuscles( const float* distances, int32_t count, float thickness, float edge, float* weights )
{
    float least = 1e30f, total = 0.0f;
    for ( int32_t m = 0; m < count; ++m )
    {
        least = supMinF( least, distances[m] );
    }
    for ( int32_t m = 0; m < count; ++m )
    {
        float behind = ( distances[m] - least ) / edge, near = supMaxF( 1.0f - behind * behind, 0.0f );
        weights[m] = near * near;
        total += weights[m];
    }
    float past = ( least - thickness - edge ) / ( thickness + edge );
    float share = past < 0.0f ? 1.0f : past < 1.0f ? 1.0f - past * past * ( 3.0f - 2.0f * past ) : 0.0f;
    for ( int32_t m = 0; m < count; ++m )
    {
        weights[m] *= total > 0.0f ? share / total : 0.0f;
    }
}

/// Weights of all voxels, muscleCount each. False: no memory.
static bool supWeighVoxels( const supFat* fat, const supTenseSource* source, float* weights )
{
    const supFatMesh* mesh = source->mesh;
    const supAllocator* allocator = source->context->allocator;
    size_t room = sizeof( supVec3 ) * ( (size_t)mesh->elementCount + 1 );
    supVec3* middles = supAlloc( allocator, room, SUP_MAX_ALIGNMENT );
    bool done = middles != NULL;
    for ( int32_t e = 0; e < mesh->elementCount && done; ++e )
    {
        const int32_t* corners = mesh->corners + supHexCorners * (size_t)e;
        middles[e] = supLerp( mesh->nodes[corners[0]].place, mesh->nodes[corners[7]].place, 0.5f );
    }
    done = done && source->muscles->layer->tension->distances(
                       source->muscles, source->context, middles, mesh->elementCount, weights );
    for ( int32_t e = 0; e < mesh->elementCount && done; ++e )
    {
        const int32_t* corners = mesh->corners + supHexCorners * (size_t)e;
        float thickness = 0.0f, *own = weights + (size_t)e * (size_t)fat->partCount;
        for ( int c = 0; c < supHexCorners; ++c )
        {
            thickness = supMaxF( thickness, source->nodes->holds[corners[c]].room );
        }
        supWeighMuscles( own, fat->partCount, thickness, mesh->edge, own );
    }
    supFree( allocator, middles, room );
    return done;
}

void supVoxelStiffness( const supTenseSource* source, int32_t e, double* out )
{
    const int32_t* corners = source->mesh->corners + supHexCorners * (size_t)e;
    supVec3d places[supHexCorners];
    supVec3d fiber = source->nodes->fibers != NULL ? source->nodes->fibers[e] : ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int c = 0; c < supHexCorners; ++c )
    {
        places[c] = source->nodes->places[corners[c]];
    }
    supHexStiffness( places, &source->material, fiber, out );
    for ( int i = 0; i < supHexSize * supHexSize; ++i )
    {
        out[i] *= source->mesh->stiff[e];
    }
}

/// out[i][k] = sum over a voxel's numbers of moved[i] pulled[k], i and k the modes of one block.
static void supProjectBlock(
    const double* moved, const double* pulled, size_t modes, size_t first, size_t size, double* out )
{
    memset( out, 0, sizeof( double ) * size * size );
    for ( size_t i = 0; i < supCornerNumbers * size; ++i )
    {
        const double* row = pulled + i / size * modes + first;
        double share = moved[i / size * modes + first + i % size], *to = out + i % size * size;
        for ( size_t k = 0; k < size; ++k )
        {
            to[k] += share * row[k];
        }
    }
}

/// How the shapes strain one voxel: S^T K_e S, in the modes' blocks. `shapes`: of all nodes, mode by mode.
static void supProjectVoxel(
    const supFat* fat, const supTenseSource* source, int32_t e, const double* shapes, double* block, double* out )
{
    const supFatMesh* mesh = source->mesh;
    const int32_t* corners = mesh->corners + supHexCorners * (size_t)e;
    size_t modes = (size_t)source->modes->count, numbers = 3 * (size_t)mesh->nodeCount;
    double stiffness[supHexSize * supHexSize], *moved = block, *pulled = block + supCornerNumbers * modes;
    for ( int c = 0; c < supHexCorners; ++c )
    {
        for ( size_t k = 0; k < 3 * modes; ++k )
        {
            // rows: numbers of the corners; columns: modes
            moved[( 3 * (size_t)c + k % 3 ) * modes + k / 3] = shapes[k / 3 * numbers + 3 * (size_t)corners[c] + k % 3];
        }
    }
    supVoxelStiffness( source, e, stiffness );
    memset( pulled, 0, sizeof( double ) * supCornerNumbers * modes );
    for ( size_t i = 0; i < (size_t)supCornerNumbers * supCornerNumbers; ++i )
    {
        double share = stiffness[i];
        const double* from = moved + i % supCornerNumbers * modes;
        double* to = pulled + i / supCornerNumbers * modes;
        for ( size_t k = 0; k < modes; ++k )
        {
            to[k] += share * from[k];
        }
    }
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        supProjectBlock( moved, pulled, modes, (size_t)fat->blockStarts[b], (size_t)supBlockSize( fat, b ),
            out + supSquareStart( fat, b ) );
    }
}

/// Lists the muscles that any voxel lies above, and makes room for what is known of them.
static bool supListTense( supFat* fat, const supTenseSource* source, const float* weights )
{
    size_t parts = (size_t)fat->partCount, count = 0, square = supSquareStart( fat, fat->blockCount ), all = 0;
    size_t nodes = 0;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, fat->tenseParts, parts + 1 );
    for ( int pass = 0; pass < 2; ++pass )
    {
        count = 0;
        for ( size_t m = 0; m < parts; ++m )
        {
            bool used = false;
            for ( size_t e = 0; e < (size_t)source->mesh->elementCount && !used; ++e )
            {
                used = weights[e * parts + m] > 0.0f;
            }
            if ( used && pass == 1 )
            {
                fat->tenseParts[count] = (int32_t)m;
            }
            count += used;
        }
        if ( pass == 0 )
        {
            layout.tooLarge = layout.tooLarge || !supMulSize( count, square, &all ) ||
                              !supMulSize( count, (size_t)fat->freeCount, &nodes );
            SUP_PUT_WIDE( &layout, fat->tense, all );
            SUP_PUT_WIDE( &layout, fat->tenseNodes, nodes );
            SUP_PUT_WIDE( &layout, fat->modelledSag, fat->rowSize );
            SUP_PUT_WIDE( &layout, fat->modelledModes, fat->modeSize );
            SUP_PUT_WIDE( &layout, fat->tenseShares, (size_t)fat->blockCount * count );
            fat->tenseBlock = supAllocLayout( source->context->allocator, &layout );
            if ( fat->tenseBlock == NULL )
            {
                return false;
            }
            fat->tenseSize = layout.size;
            fat->tenseCount = (int32_t)count;
        }
    }
    return true;
}

static void supSumTense(
    supFat* fat, const supTenseSource* source, const float* weights, double* shapes, double* block )
{
    size_t modes = (size_t)fat->modeCount, square = supSquareStart( fat, fat->blockCount ),
           parts = (size_t)fat->partCount;
    double* own = block + 2 * (size_t)supCornerNumbers * modes;
    for ( size_t m = 0; m < modes; ++m )
    {
        supElastic_Expand( source->elastic, source->modes->shapes + m * source->modes->size, NULL,
            shapes + m * 3 * (size_t)source->mesh->nodeCount );
    }
    for ( int32_t e = 0; e < source->mesh->elementCount; ++e )
    {
        bool projected = false;
        for ( int32_t t = 0; t < fat->tenseCount; ++t )
        {
            float weight = weights[(size_t)e * parts + (size_t)fat->tenseParts[t]];
            if ( weight > 0.0f && !projected )
            {
                supProjectVoxel( fat, source, e, shapes, block, own );
                projected = true;
            }
            for ( size_t i = 0; i < square && weight > 0.0f; ++i )
            {
                fat->tense[(size_t)t * square + i] += (float)( weight * own[i] );
            }
        }
    }
}

/// How much stiffer each muscle makes any vibration of each block, at most.
static void supFillShares( supFat* fat )
{
    size_t square = supSquareStart( fat, fat->blockCount );
    for ( int32_t i = 0; i < fat->blockCount * fat->tenseCount; ++i )
    {
        int32_t b = i / fat->tenseCount, size = supBlockSize( fat, b );
        const float* own = fat->tense + (size_t)( i % fat->tenseCount ) * square + supSquareStart( fat, b );
        for ( int32_t k = 0; k < size; ++k )
        {
            float omega = fat->omegas[fat->blockStarts[b] + k];
            fat->tenseShares[i] = supMaxF( fat->tenseShares[i], own[k * size + k] / ( omega * omega ) );
        }
    }
}

/// In what measure each free node lies above the muscles: as the mean of its voxels does.
static void supWeighNodes( supFat* fat, const supFatMesh* mesh, const float* weights, float* counts )
{
    size_t parts = (size_t)fat->partCount, nodes = (size_t)fat->freeCount;
    for ( int pass = 0; pass < 2; ++pass )
    {
        for ( int32_t i = 0; i < supHexCorners * mesh->elementCount; ++i )
        {
            int32_t node = fat->freeOf[mesh->corners[i]];
            counts[node >= 0 ? node : 0] += pass == 0 && node >= 0 ? 1.0f : 0.0f;
            for ( int32_t t = 0; t < fat->tenseCount && node >= 0 && pass == 1; ++t )
            {
                float weight = weights[(size_t)( i / supHexCorners ) * parts + (size_t)fat->tenseParts[t]];
                fat->tenseNodes[(size_t)t * nodes + (size_t)node] += weight / counts[node];
            }
        }
    }
}

/// The displacement that one unit of gravity's gain gives at rest: what the model holds already, where it is relative.
static void supFillModelledSag( supFat* fat, const supElastic* elastic )
{
    supVec3 g = fat->restGravity;
    const float pull[3] = { g.x, g.y, g.z };
    for ( int32_t r = 0; r < fat->modeCount + 3 * fat->jointCount; ++r )
    {
        const float* row = fat->rows + (size_t)r * fat->rowSize;
        double share = r >= fat->modeCount ? (double)pull[( r - fat->modeCount ) % 3] : 0.0;
        for ( int32_t i = 0; i < 3 * fat->freeCount && r < fat->modeCount; ++i )
        {
            share += elastic->masses[i / 3] * row[i] * pull[i % 3];
        }
        share /= r < fat->modeCount ? (double)fat->omegas[r] * fat->omegas[r] : 1.0;
        fat->modelledModes[r < fat->modeCount ? r : 0] += r < fat->modeCount ? (float)share : 0.0f;
        for ( size_t i = 0; i < fat->rowSize; ++i )
        {
            fat->modelledSag[i] += (float)( share * row[i] );
        }
    }
}

/// Names of all muscles: another model may have them in another order. False: no memory.
static bool supKeepPartNames( supFat* fat, const supTenseSource* source )
{
    const supEarlierLayer* muscles = source->muscles;
    fat->partNamesSize = 1;
    for ( int32_t m = 0; m < fat->partCount; ++m )
    {
        fat->partNamesSize += strlen( muscles->layer->tension->name( muscles->compiled, m ) ) + 1;
    }
    char* at = fat->partNames = supAlloc( source->context->allocator, fat->partNamesSize, 1 );
    for ( int32_t m = 0; m < fat->partCount && at != NULL; ++m )
    {
        const char* name = muscles->layer->tension->name( muscles->compiled, m );
        size_t bytes = strlen( name ) + 1;
        memcpy( at, name, bytes );
        at += bytes;
    }
    return fat->partNames != NULL;
}

const char* supFatTensingName( const void* fat, int32_t part )
{
    const char* name = ( (const supFat*)fat )->partNames;
    for ( int32_t m = 0; m < part; ++m )
    {
        name += strlen( name ) + 1;
    }
    return name;
}

bool supFillTension( supFat* fat, const supTenseSource* source )
{
    const supAllocator* allocator = source->context->allocator;
    size_t modes = (size_t)fat->modeCount, nodes = (size_t)source->mesh->nodeCount, weightCount = 0, shapeCount = 0;
    fat->partCount = source->muscles->layer->tension->count( source->muscles->compiled );
    supLayout layout = supMakeLayout();
    layout.tooLarge = !supMulSize( (size_t)source->mesh->elementCount + 1, (size_t)fat->partCount + 1, &weightCount ) ||
                      !supMulSize( 3 * nodes, modes, &shapeCount );
    SUP_PUT_NEW_WIDE( &layout, float, weights, weightCount );
    SUP_PUT_NEW_WIDE( &layout, double, shapes, shapeCount );
    SUP_PUT_NEW_WIDE( &layout, double, ofBlock, 2 * supCornerNumbers * modes + supSquareStart( fat, fat->blockCount ) );
    SUP_PUT_NEW_WIDE( &layout, float, counts, fat->freeCount + 1 );
    char* block = supAllocLayout( allocator, &layout );
    bool done = block != NULL;
    if ( done )
    {
        done = supKeepPartNames( fat, source ) && supWeighVoxels( fat, source, weights ) &&
               supListTense( fat, source, weights );
        if ( done )
        {
            supSumTense( fat, source, weights, shapes, ofBlock );
            supFillShares( fat );
            supWeighNodes( fat, source->mesh, weights, counts );
            supFillModelledSag( fat, source->elastic );
            done = !source->reference || supKeepTenseVoxels( fat, source, weights );
        }
        supFree( allocator, block, layout.size );
    }
    return done;
}

void supDropTension( supFat* fat, const supAllocator* allocator )
{
    supFree( allocator, fat->tenseBlock, fat->tenseSize );
    fat->tenseBlock = NULL;
    supFree( allocator, fat->tenseVoxels, fat->tenseVoxels != NULL ? fat->tenseVoxels->blockSize : 0 );
    fat->tenseVoxels = NULL;
    supFree( allocator, fat->partNames, fat->partNamesSize );
    fat->partNames = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Fat above muscles that tense, in a frame.
//
// See fat_tension.c for what A, v and tau are. Where tension changes the solid stays where it is, u and u' go on, and
// so v = tau u does not: tau is A Omega^-2 among the shapes, so v becomes A A_old^-1 v. It is on its way back to where
// it rests from there, as fat that a muscle stiffens under itself is.

/// Tensions that changed by less are the same.
static const float supTensionStep = 1.0f / 128.0f;
/// In this time tension follows its muscle, to a third. Seconds
static const float supTensionLag = 0.04f;

static supTurnedShapes supTurnOf( const supFat* fat, double* turns, float* omegas, int32_t block )
{
    return ( supTurnedShapes ){ (size_t)supBlockSize( fat, block ), turns + supSquareStart( fat, block ),
        omegas + fat->blockStarts[block] };
}

supTurnedShapes supTenseTurn( const supFat* fat, const supFatPlaces* at, int32_t block )
{
    return supTurnOf( fat, at->turn, at->tenseOmegas, block );
}

supTurnedShapes supOldTurn( const supFat* fat, const supFatPlaces* at, int32_t block )
{
    return supTurnOf( fat, at->oldTurn, at->oldOmegas, block );
}

/// Of the loose solid.
static void supFillLooseTurn( const supFat* fat, supTurnedShapes turn, int32_t block )
{
    memset( turn.rows, 0, sizeof( double ) * turn.size * turn.size );
    memcpy( turn.omegas, fat->omegas + fat->blockStarts[block], sizeof( float ) * turn.size );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turn.rows[k * ( turn.size + 1 )] = 1.0;
    }
}

/// The vibrations of a block of the solid as tense as its tensions say.
static void supFillTenseTurn(
    const supFat* fat, supTurnedShapes turn, int32_t block, const float* tensions, double* work )
{
    size_t square = turn.size * turn.size, all = supSquareStart( fat, fat->blockCount );
    const float *omegas = fat->omegas + fat->blockStarts[block], *tense = fat->tense + supSquareStart( fat, block );
    double *matrix = work, *values = matrix + square, *scratch = values + turn.size;
    memset( matrix, 0, sizeof( double ) * square );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        matrix[k * ( turn.size + 1 )] = (double)omegas[k] * omegas[k];
    }
    for ( int32_t t = 0; t < fat->tenseCount; ++t )
    {
        double share = (double)tensions[t];
        const float* own = tense + (size_t)t * all;
        for ( size_t i = 0; i < square && share > 0.0; ++i )
        {
            matrix[i] += share * own[i];
        }
    }
    supSymmetricQl( (int32_t)turn.size, matrix, values, turn.rows, scratch );
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turn.omegas[k] = (float)supSqrt( supMax( values[k], 1e-12 ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Turns

static void supTurnBlock( supTurnedShapes turn, float* row )
{
    double turned[supMostOfBlock];
    for ( size_t k = 0; k < turn.size; ++k )
    {
        turned[k] = supDotRows( turn.rows + k * turn.size, row, turn.size );
    }
    for ( size_t k = 0; k < turn.size; ++k )
    {
        row[k] = (float)turned[k];
    }
}

static void supTurnBlockBack( supTurnedShapes turn, float* row )
{
    double turned[supMostOfBlock] = { 0 };
    for ( size_t k = 0; k < turn.size; ++k )
    {
        const double* own = turn.rows + k * turn.size;
        for ( size_t i = 0; i < turn.size; ++i )
        {
            turned[i] += own[i] * row[k];
        }
    }
    for ( size_t k = 0; k < turn.size; ++k )
    {
        row[k] = (float)turned[k];
    }
}

void supTurnToTense( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        supTurnBlock( supTenseTurn( fat, at, b ), row + fat->blockStarts[b] );
    }
}

void supTurnFromTense( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        supTurnBlockBack( supTenseTurn( fat, at, b ), row + fat->blockStarts[b] );
    }
}

void supTurnForce( const supFat* fat, const supFatPlaces* at, float* row )
{
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        row[k] /= fat->omegas[k] * fat->omegas[k];
    }
    supTurnToTense( fat, at, row );
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        row[k] *= at->tenseOmegas[k] * at->tenseOmegas[k];
    }
}

/// A A_old^-1, of one block.
static void supCarryRow( supTurnedShapes old, supTurnedShapes now, float* row )
{
    supTurnBlock( old, row );
    for ( size_t k = 0; k < old.size; ++k )
    {
        row[k] /= old.omegas[k] * old.omegas[k];
    }
    supTurnBlockBack( old, row );
    supTurnBlock( now, row );
    for ( size_t k = 0; k < now.size; ++k )
    {
        row[k] *= now.omegas[k] * now.omegas[k];
    }
    supTurnBlockBack( now, row );
}

/// From the shape without gravity on, of which the model holds `sag`.
static void supCarryBlock( const supFat* fat, const supFatPlaces* at, int32_t block, float sag )
{
    supTurnedShapes old = supOldTurn( fat, at, block ), now = supTenseTurn( fat, at, block );
    size_t first = (size_t)fat->blockStarts[block];
    for ( size_t k = first; k < first + now.size; ++k )
    {
        at->q[k] += sag * fat->modelledModes[k];
    }
    supCarryRow( old, now, at->q + first );
    supCarryRow( old, now, at->speeds + first );
    for ( size_t k = first; k < first + now.size; ++k )
    {
        at->q[k] -= sag * fat->modelledModes[k];
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

/// Whether a block has to be worked out again.
static bool supIsBlockStale( const supFat* fat, const supFatPlaces* at, int32_t block, const float* shown )
{
    const float *shares = fat->tenseShares + (size_t)block * (size_t)fat->tenseCount,
                *tensions = at->tensions + (size_t)block * (size_t)fat->tenseCount;
    bool stale = false;
    for ( int32_t t = 0; t < fat->tenseCount && !stale; ++t )
    {
        float change = supAbsF( shown[t] - tensions[t] );
        bool arrived = change > 0.0f && shown[t] == at->wanted[t];
        stale = shares[t] * change >= ( arrived ? 0.01f : 1.0f ) * supTensionStep;
    }
    return stale;
}

/// The vibrations of one block, anew.
static void supTenseBlock( const supFat* fat, const supFatPlaces* at, int32_t block, bool tense, const float* shown )
{
    float sag = shown[fat->tenseCount];
    supTurnedShapes old = supOldTurn( fat, at, block ), now = supTenseTurn( fat, at, block );
    if ( at->own->tense )
    {
        memcpy( old.rows, now.rows, sizeof( double ) * now.size * now.size );
        memcpy( old.omegas, now.omegas, sizeof( float ) * now.size );
    }
    else
    {
        supFillLooseTurn( fat, old, block );
    }
    memcpy( at->tensions + (size_t)block * (size_t)fat->tenseCount, shown, sizeof( float ) * (size_t)fat->tenseCount );
    if ( tense )
    {
        supFillTenseTurn( fat, now, block, shown, at->tenseWork );
    }
    else
    {
        supFillLooseTurn( fat, now, block );
    }
    at->own->carried[block] = at->own->started && !at->own->fresh;
    if ( at->own->carried[block] )
    {
        supCarryBlock( fat, at, block, sag );
    }
    at->own->stale = true;
}

/// Tensions, a little behind the muscles. Gives whether there is any.
static bool supFollowMuscles(
    const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, const float* live, float* shown )
{
    bool tense = false, tensing = false;
    float share = !at->own->started ? 1.0f : 1.0f - supExpF( -frame->dt / supTensionLag );
    for ( int32_t t = 0; t < fat->tenseCount; ++t )
    {
        float wanted = SUP_TENSION_STIFFNESS * live[sup_fatMuscleTension] * at->partTensions[fat->tenseParts[t]];
        float off = wanted - shown[t];
        at->wanted[t] = wanted;
        shown[t] = supAbsF( off ) < supTensionStep ? wanted : shown[t] + share * off;
        tensing = tensing || shown[t] != wanted;
        tense = tense || shown[t] > 0.0f;
    }
    at->own->tensing = tensing;
    return tense;
}

void supReadTension( const supFats* fats, const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame,
    const float* live, float* shown )
{
    const supEarlierLayer* muscles =
        fat->tenseCount > 0 ? supFindEarlier( frame->earlier, frame->earlierCount, fats->muscles ) : NULL;
    if ( muscles == NULL )
    {
        return;
    }
    muscles->layer->tension->tensions( muscles, at->partTensions );
    bool tense = supFollowMuscles( fat, at, frame, live, shown );
    for ( int32_t b = 0; b < fat->blockCount; ++b )
    {
        at->own->carried[b] = false;
        if ( tense != at->own->tense || ( tense && supIsBlockStale( fat, at, b, shown ) ) )
        {
            supTenseBlock( fat, at, b, tense, shown );
        }
    }
    at->own->tense = tense;
}

float supModeOmega( const supFat* fat, const supFatPlaces* at, int32_t k )
{
    return at->own->tense ? at->tenseOmegas[k] : fat->omegas[k];
}

void supShowTense( const supFat* fat, const float* tensions, float* moved )
{
    float sag = tensions[fat->tenseCount];
    for ( int32_t i = 0; i < fat->freeCount; ++i )
    {
        float tau = 1.0f;
        for ( int32_t t = 0; t < fat->tenseCount; ++t )
        {
            tau += tensions[t] * fat->tenseNodes[(size_t)t * (size_t)fat->freeCount + (size_t)i];
        }
        for ( size_t d = 3 * (size_t)i; d < 3 * (size_t)i + 3 && tau != 1.0f; ++d )
        {
            // from the shape without gravity on
            float held = sag * fat->modelledSag[d];
            moved[d] = ( moved[d] + held ) / tau - held;
        }
    }
}
