// Fat that is carried elsewhere, taken over by another model, tuned, or at rest.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_step.h"

#include "base/math.h"
#include "layers/fat/fat_reference.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_tension.h"
#include "layers/fat/fat_voxels.h"

#include <string.h>

/// Vertices that tell how well another solid's skin fits.
enum
{
    supFittedVertices = 400
};

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

/// Bytes of an item's state.
static size_t supFatStateBytes( const supFat* fat )
{
    size_t size;
    supFatPlaces_In( fat, NULL, &size );
    return size;
}

/// The place among another fat's muscles of one that this one lies above, by its name; -1: it knew none such.
static int32_t supOldPart( const supFat* fat, int32_t tense, const supFat* old )
{
    return supFindAdopted( supFatTensingName, fat, fat->partCount, fat->tenseParts[tense], old, old->partCount );
}

/// Lies above the same muscles, in the same order.
static bool supSameTense( const supFat* a, const supFat* b )
{
    bool same = a->partCount == b->partCount && a->tenseCount == b->tenseCount;
    for ( int32_t t = 0; t < a->tenseCount && same; ++t )
    {
        same = supOldPart( a, t, b ) == b->tenseParts[t];
    }
    return same;
}

/// And vibrates the same way, on the same inner border and muscles, by the same solver: one's state is good for the
/// other, byte for byte.
static bool supSameMotion( const supFat* a, const supFat* b )
{
    return supSameSolid( a, b ) && a->modeCount == b->modeCount && a->rayCount == b->rayCount &&
           a->shownCount == b->shownCount && ( a->elastic == NULL ) == ( b->elastic == NULL ) && supSameTense( a, b ) &&
           supFatStateBytes( a ) == supFatStateBytes( b ) &&
           memcmp( a->omegas, b->omegas, sizeof( float ) * (size_t)a->modeCount ) == 0;
}

/// What another fat was doing.
typedef struct supOldFat
{
    const supFat* fat;
    supFatPlaces at;
    const float* shown;
} supOldFat;

/// Displacement and speed of a free node, rest space.
typedef struct supNodeMotion
{
    supVec3d moved, speed;
} supNodeMotion;

static supVec3d supRowAt( const supFat* fat, int32_t row, int32_t node )
{
    const float* u = fat->rows + (size_t)row * fat->rowSize + 3 * (size_t)node;
    return ( supVec3d ){ u[0], u[1], u[2] };
}

static supNodeMotion supOldMotion( const supOldFat* old, int32_t node )
{
    const supFat* fat = old->fat;
    supNodeMotion motion = { 0 };
    if ( fat->elastic != NULL )
    {
        supFatReference_Node( fat, &old->at, node, &motion.moved, &motion.speed );
        return motion;
    }
    for ( int32_t r = 0; r < fat->rowCount; ++r )
    {
        motion.moved = supMulAddD( motion.moved, old->shown[r], supRowAt( fat, r, node ) );
    }
    for ( int32_t m = 0; m < fat->modeCount; ++m )
    {
        motion.speed = supMulAddD( motion.speed, old->at.speeds[m], supRowAt( fat, m, node ) );
    }
    if ( fat->factor != NULL )
    {
        const float* dent = old->shown + fat->rowCount + 3 * (size_t)node;
        motion.moved = supAddD( motion.moved, ( supVec3d ){ dent[0], dent[1], dent[2] } );
    }
    return motion;
}

/// The same at any place: between the corners of the old solid's voxel there, held ones included.
static supNodeMotion supOldMotionAt( const supOldFat* old, supVec3 p )
{
    const supFat* fat = old->fat;
    const int32_t* corners = fat->corners + 8 * (size_t)supFindVoxel( fat, p );
    supVec3 low = fat->places[corners[0]], size = supSub( fat->places[corners[7]], low );
    const float t[3] = { supClampF( ( p.x - low.x ) / size.x, 0.0f, 1.0f ),
        supClampF( ( p.y - low.y ) / size.y, 0.0f, 1.0f ), supClampF( ( p.z - low.z ) / size.z, 0.0f, 1.0f ) };
    supNodeMotion sum = { 0 };
    double total = 0.0;
    for ( int c = 0; c < 8; ++c )
    {
        double weight = (double)( c & 1 ? t[0] : 1.0f - t[0] ) * (double)( c & 2 ? t[1] : 1.0f - t[1] ) *
                        (double)( c & 4 ? t[2] : 1.0f - t[2] );
        int32_t node = fat->freeOf[corners[c]];
        if ( node >= -1 && weight > 0.0 ) // those that hang between others say nothing of their own
        {
            supNodeMotion own = node >= 0 ? supOldMotion( old, node ) : ( supNodeMotion ){ 0 };
            sum.moved = supMulAddD( sum.moved, weight, own.moved );
            sum.speed = supMulAddD( sum.speed, weight, own.speed );
            total += weight;
        }
    }
    double share = total > 0.0 ? 1.0 / total : 0.0;
    return ( supNodeMotion ){ supScaleD( sum.moved, share ), supScaleD( sum.speed, share ) };
}

/// What of the old displacement u the new shapes can show, shape_k . M u.
static void supAdoptMotion( const supFat* fat, const supFatPlaces* at, const supOldFat* old, bool sameSolid )
{
    double q[supMostFatModes] = { 0 }, speeds[supMostFatModes] = { 0 };
    for ( int32_t n = 0; n < fat->nodeCount; ++n )
    {
        int32_t node = fat->freeOf[n];
        if ( node < 0 )
        {
            continue;
        }
        supNodeMotion motion = sameSolid ? supOldMotion( old, node ) : supOldMotionAt( old, fat->places[n] );
        for ( int32_t k = 0; k < fat->modeCount; ++k )
        {
            supVec3d shape = supScaleD( supRowAt( fat, k, node ), (double)fat->masses[node] );
            q[k] += supDotD( shape, motion.moved );
            speeds[k] += supDotD( shape, motion.speed );
        }
    }
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        at->q[k] = (float)q[k];
        at->speeds[k] = (float)speeds[k];
    }
}

/// How far a vertex of the skin is moved, rest space; false: it hangs on none of its nodes.
static bool supSkinMotion_At( const supOldFat* of, int32_t vertex, supVec3d* out )
{
    const supFat* fat = of->fat;
    int32_t low = 0, high = fat->skinCount;
    while ( low < high )
    {
        int32_t middle = low + ( high - low ) / 2;
        low = fat->skin[middle] < vertex ? middle + 1 : low;
        high = fat->skin[middle] < vertex ? high : middle;
    }
    bool found = low < fat->skinCount && fat->skin[low] == vertex;
    *out = ( supVec3d ){ 0.0, 0.0, 0.0 };
    for ( int32_t k = found ? fat->starts[low] : 0; found && k < fat->starts[low + 1]; ++k )
    {
        *out = supMulAddD( *out, (double)fat->shares[k], supOldMotion( of, fat->links[k] ).moved );
    }
    return found;
}

/// Skin hangs on voxels of another size otherwise: the same displacement of the solid would show as another one of the
/// skin. So the whole of it is made larger or smaller, as fits the skin best.
static void supFitSkin( const supFat* fat, const supFatPlaces* at, const supOldFat* old, const float* shown )
{
    supOldFat now = { fat, *at, shown };
    double both = 0.0, own = 0.0;
    int32_t step = 1 + fat->skinCount / supFittedVertices;
    for ( int32_t i = 0; i < fat->skinCount; i += step )
    {
        supVec3d before, after;
        if ( supSkinMotion_At( old, fat->skin[i], &before ) && supSkinMotion_At( &now, fat->skin[i], &after ) )
        {
            both += supDotD( before, after );
            own += supDotD( after, after );
        }
    }
    float scale = own > 0.0 ? (float)supClamp( both / own, 0.2, 5.0 ) : 1.0f;
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        at->q[k] *= scale;
        at->speeds[k] *= scale;
    }
}

/// How its joints have moved. One that the old fat did not hang on begins where it will be seen first.
static void supAdoptJoints( const supFat* fat, const supFatPlaces* at, const supOldFat* old )
{
    const size_t spans = SUP_PATH_SPANS + 1;
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        int32_t o = 0;
        while ( o < old->fat->jointCount && old->fat->joints[o] != fat->joints[j] )
        {
            ++o;
        }
        at->last[j].x.x = supUnseen();
        if ( o < old->fat->jointCount )
        {
            at->last[j] = old->at.last[o];
            at->turns[j] = old->at.turns[o];
            memcpy( at->motions + (size_t)j * spans, old->at.motions + (size_t)o * spans, sizeof( supMat34 ) * spans );
        }
    }
}

/// What is shown until the next step: vibrations, gravity's corrections and tensions.
static void supAdoptShown( const supFat* fat, const supFatPlaces* at, const supOldFat* old, float* shown )
{
    const float* before = old->fat->elastic != NULL ? old->at.live : old->shown;
    bool sameJoints = fat->jointCount == old->fat->jointCount &&
                      memcmp( fat->joints, old->fat->joints, sizeof( int32_t ) * (size_t)fat->jointCount ) == 0;
    memcpy( shown, at->q, sizeof( float ) * (size_t)fat->modeCount );
    if ( sameJoints )
    {
        int32_t pairs = fat->pairCount == old->fat->pairCount ? fat->pairCount : 0;
        memcpy( shown + fat->modeCount, before + old->fat->modeCount,
            sizeof( float ) * (size_t)( 3 * fat->jointCount + 12 * pairs ) );
    }
    for ( int32_t t = 0; t < fat->tenseCount; ++t )
    {
        int32_t part = old->fat->tenseCount > 0 ? supOldPart( fat, t, old->fat ) : -1;
        for ( int32_t o = 0; o < old->fat->tenseCount; ++o )
        {
            bool same = part == old->fat->tenseParts[o];
            shown[fat->tensionsAt + t] = same ? old->shown[old->fat->tensionsAt + o] : shown[fat->tensionsAt + t];
        }
    }
    if ( fat->tenseCount > 0 && old->fat->tenseCount > 0 )
    {
        shown[fat->tensionsAt + fat->tenseCount] = old->shown[old->fat->tensionsAt + old->fat->tenseCount];
    }
}

/// Takes over what another solid, or another material of the same, was doing.
static void supAdoptFat( const supFat* fat, const supFatPlaces* at, const supOldFat* old, float* shown )
{
    // the reference keeps what the live solver does not know, where its ground is: it starts at rest
    if ( !old->at.own->started || fat->elastic != NULL )
    {
        return;
    }
    *at->own = *old->at.own;
    at->own->fresh = true;
    at->own->moved = true;
    at->own->tense = false; // read anew
    at->own->easing = 8.0f * SUP_FAT_EASE;
    at->own->forced = false;
    bool same = supSameSolid( fat, old->fat );
    if ( same && old->at.own->forced )
    {
        memcpy( at->forces, old->at.forces, sizeof( double ) * 3 * (size_t)fat->freeCount );
        at->own->forced = true;
    }
    supAdoptJoints( fat, at, old );
    supAdoptMotion( fat, at, old, same );
    supAdoptShown( fat, at, old, shown );
    if ( !same )
    {
        supFitSkin( fat, at, old, shown );
        supAdoptShown( fat, at, old, shown );
    }
}

static const char* supFatName( const void* compiled, int32_t item )
{
    return ( (const supFats*)compiled )->fats[item].name;
}

void supAdoptFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown, const void* oldCompiled,
    const void* oldState, const float* oldShown )
{
    (void)frame;
    const supFats *fats = compiled, *old = oldCompiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat* fat = fats->fats + i;
        int32_t o = supFindAdopted( supFatName, fats, fats->count, i, old, old->count );
        if ( o < 0 )
        {
            continue;
        }
        size_t size;
        supOldFat before = { old->fats + o, supFatPlaces_In( old->fats + o, (void*)oldState, NULL ),
            oldShown + old->fats[o].shownAt };
        supFatPlaces at = supFatPlaces_In( fat, state, &size );
        if ( supSameMotion( fat, before.fat ) )
        {
            memcpy( (char*)state + fat->stateAt, (const char*)oldState + before.fat->stateAt, size );
            memcpy( shown + fat->shownAt, before.shown, sizeof( float ) * (size_t)fat->shownCount );
        }
        else
        {
            supAdoptFat( fat, &at, &before, shown + fat->shownAt );
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
    supFatState* own = supFatPlaces_In( ( (const supFats*)compiled )->fats + item, state, NULL ).own;
    own->stale = true;
    own->easing = 8.0f * SUP_FAT_EASE;
}
