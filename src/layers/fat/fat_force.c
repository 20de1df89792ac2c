// Forces from outside that reach fat through the skin.
// SPDX-License-Identifier: MIT
//
// A vertex moves by sum_i s_i sum_j w_ij R_j u_i over the nodes i that it hangs on. A force F on it does work on them,
// so what each node feels is the transpose of that: f_i = s_i sum_j w_ij R_j^T F. What hangs on the inner border, where
// fat is thin, is carried by that.
//
// Vibrations answer by shape_k . f each. Few of them are wide shapes: a finger's dent is not among these. With a factor
// at hand the rest is added as it would be at rest, K^-1 f - sum_k shape_k ( shape_k . f ) / omega_k^2: what is left
// out is faster than all that is followed, and follows the force at once.

#include "layers/fat/fat_force.h"

#include "base/math.h"
#include "layers/fat/fat_step.h"
#include "solve/block_matrix.h"
#include "solve/lanes.h"

#include <string.h>

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
