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
        at.own->moved = true; // gravity may pull another way now
    }
}

/// The same solid: its nodes stand in the same places and hang on the same joints.
static bool supSameSolid( const supFat* a, const supFat* b )
{
    return a->nodeCount == b->nodeCount && a->freeCount == b->freeCount && a->jointCount == b->jointCount &&
           a->pairCount == b->pairCount &&
           memcmp( a->places, b->places, sizeof( supVec3 ) * (size_t)a->nodeCount ) == 0 &&
           memcmp( a->freeOf, b->freeOf, sizeof( int32_t ) * (size_t)a->nodeCount ) == 0 &&
           memcmp( a->joints, b->joints, sizeof( int32_t ) * (size_t)a->jointCount ) == 0;
}

/// And vibrates the same way, on the same inner border, by the same solver: one's state is good for the other.
static bool supSameMotion( const supFat* a, const supFat* b )
{
    return supSameSolid( a, b ) && a->modeCount == b->modeCount && a->rayCount == b->rayCount &&
           a->shownCount == b->shownCount && ( a->elastic == NULL ) == ( b->elastic == NULL ) &&
           memcmp( a->omegas, b->omegas, sizeof( float ) * (size_t)a->modeCount ) == 0;
}

/// Modes of one solid in terms of another's: what of the old displacement u the new shapes can show, shape_k . M u.
static void supProjectModes( const supFat* fat, const supFatPlaces* at, const supFat* old, const supFatPlaces* from )
{
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        const float* shape = fat->rows + (size_t)k * fat->rowSize;
        double q = 0.0, speed = 0.0;
        for ( int32_t m = 0; m < old->modeCount; ++m )
        {
            const float* other = old->rows + (size_t)m * old->rowSize;
            double share = 0.0;
            for ( size_t i = 0; i < 3 * (size_t)fat->freeCount; ++i )
            {
                share += (double)fat->masses[i / 3] * shape[i] * other[i];
            }
            q += share * from->q[m];
            speed += share * from->speeds[m];
        }
        at->q[k] = (float)q;
        at->speeds[k] = (float)speed;
    }
}

/// Takes over what another material of the same solid was doing.
static void supAdoptFat( const supFat* fat, const supFatPlaces* at, const supFat* old, const supFatPlaces* from )
{
    size_t joints = (size_t)fat->jointCount;
    *at->own = *from->own;
    at->own->fresh = true;
    at->own->tense = false; // read anew
    memcpy( at->forces, from->forces, sizeof( double ) * 3 * (size_t)fat->freeCount );
    memcpy( at->turns, from->turns, sizeof( supMat34 ) * joints );
    memcpy( at->last, from->last, sizeof( supMat34 ) * joints );
    memcpy( at->motions, from->motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS + 1 ) * joints );
    supProjectModes( fat, at, old, from );
}

void supAdoptFats( const void* compiled, void* state, float* shown, const void* oldCompiled, const void* oldState,
    const float* oldShown )
{
    const supFats *fats = compiled, *old = oldCompiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat *fat = fats->fats + i, *before = NULL;
        for ( int32_t k = 0; k < old->count; ++k )
        {
            before = strcmp( fat->name, old->fats[k].name ) == 0 ? old->fats + k : before;
        }
        if ( before == NULL || !supSameSolid( fat, before ) )
        {
            continue;
        }
        size_t size;
        supFatPlaces from = supFatPlaces_In( before, (void*)oldState, NULL ), at = supFatPlaces_In( fat, state, &size );
        if ( supSameMotion( fat, before ) )
        {
            memcpy( (char*)state + fat->stateAt, (const char*)oldState + before->stateAt, size );
            memcpy( shown + fat->shownAt, oldShown + before->shownAt, sizeof( float ) * (size_t)fat->shownCount );
        }
        else if ( fat->elastic == NULL && before->elastic == NULL )
        {
            supAdoptFat( fat, &at, before, &from );
            memcpy( shown + fat->shownAt, at.q, sizeof( float ) * (size_t)fat->modeCount );
            memcpy( shown + fat->shownAt + fat->modeCount, oldShown + before->shownAt + before->modeCount,
                sizeof( float ) * (size_t)( fat->rowCount - fat->modeCount ) );
        }
        at.own->stale = true;
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
