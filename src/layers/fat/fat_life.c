// Fat that is carried elsewhere, taken over by another model, tuned, or at rest.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_step.h"

#include "base/math.h"
#include "layers/fat/fat_state.h"

#include <string.h>

void supTeleportFats( const void* compiled, void* state, supMat34 motion )
{
    const supFats* fats = compiled;
    supMat34 turn = motion;
    turn.t = supVec3_zero;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat* fat = fats->fats + i;
        supFatPlaces at = supFatPlaces_In( fat, state, NULL );
        for ( int32_t j = 0; j < fat->jointCount; ++j )
        {
            at.last[j] = supMulMat( turn, at.last[j] );
        }
        for ( int32_t j = 0; j < ( SUP_PATH_SPANS + 1 ) * fat->jointCount; ++j )
        {
            at.motions[j] = supMulMat( turn, at.motions[j] );
        }
        at.own->worldOrigin = supTransformPoint( motion, at.own->worldOrigin );
    }
}

/// Modes of one solid in terms of another's: what of the old shapes the new ones can show.
static void supProjectModes( const supFat* fat, const supFatPlaces* at, const supFat* old, const supFatPlaces* from )
{
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        const float* shape = fat->rows + (size_t)k * fat->rowSize;
        double q = 0.0, speed = 0.0, square = 0.0;
        for ( size_t i = 0; i < fat->rowSize; ++i )
        {
            square += (double)shape[i] * shape[i];
        }
        for ( int32_t m = 0; m < old->modeCount; ++m )
        {
            const float* other = old->rows + (size_t)m * old->rowSize;
            double share = 0.0;
            for ( size_t i = 0; i < fat->rowSize; ++i )
            {
                share += (double)shape[i] * other[i];
            }
            q += share * from->q[m];
            speed += share * from->speeds[m];
        }
        at->q[k] = (float)( q / square );
        at->speeds[k] = (float)( speed / square );
    }
}

void supAdoptFats( const void* compiled, void* state, float* shown, const void* oldCompiled, const void* oldState,
    const float* oldShown )
{
    (void)oldShown;
    const supFats *fats = compiled, *old = oldCompiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        for ( int32_t k = 0; k < old->count; ++k )
        {
            const supFat *fat = fats->fats + i, *before = old->fats + k;
            bool same = strcmp( fat->name, before->name ) == 0 && fat->freeCount == before->freeCount &&
                        fat->jointCount == before->jointCount && fat->elastic == NULL && before->elastic == NULL;
            if ( same )
            {
                supFatPlaces at = supFatPlaces_In( fat, state, NULL ),
                             from = supFatPlaces_In( before, (void*)oldState, NULL );
                *at.own = *from.own;
                at.own->stale = true;
                at.own->fresh = true;
                memcpy( at.forces, from.forces, sizeof( double ) * 3 * (size_t)fat->freeCount );
                memcpy( at.turns, from.turns, sizeof( supMat34 ) * (size_t)fat->jointCount );
                memcpy( at.last, from.last, sizeof( supMat34 ) * (size_t)fat->jointCount );
                memcpy(
                    at.motions, from.motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS + 1 ) * (size_t)fat->jointCount );
                supProjectModes( fat, &at, before, &from );
                memcpy( shown + fat->shownAt, at.q, sizeof( float ) * (size_t)fat->modeCount );
            }
        }
    }
}

bool supFatsAreAtRest( const void* compiled, const void* state )
{
    const supFats* fats = compiled;
    bool rests = true;
    for ( int32_t i = 0; i < fats->count && rests; ++i )
    {
        const supFatState* own = supFatPlaces_In( fats->fats + i, (void*)state, NULL ).own;
        rests = own->started && !own->moved && !own->stale && !own->forced;
    }
    return rests;
}

void supTunedFat( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)live;
    supFatPlaces_In( ( (const supFats*)compiled )->fats + item, state, NULL ).own->stale = true;
}
