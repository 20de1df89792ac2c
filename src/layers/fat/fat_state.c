// What a moving body keeps of each fat.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_state.h"

#include "base/math.h"
#include "base/memory.h"
#include "layers/fat/fat_modes.h"
#include "layers/fat/fat_reference.h"
#include "layers/fat/fat_step.h"

#include <string.h>

supFatPlaces supFatPlaces_In( const supFat* fat, void* state, size_t* size )
{
    supFatPlaces places = { 0 };
    supLayout layout = supLayoutIn( state != NULL ? (char*)state + fat->stateAt : NULL );
    size_t modes = fat->modeSize, joints = (size_t)fat->jointCount;
    SUP_PUT_WIDE( &layout, places.own, 1 );
    SUP_PUT_NEW_WIDE( &layout, float, rows, supModeRows* modes );
    SUP_PUT_WIDE( &layout, places.last, joints );
    SUP_PUT_WIDE( &layout, places.motions, ( SUP_PATH_SPANS + 1 ) * joints );
    SUP_PUT_WIDE( &layout, places.turns, joints );
    SUP_PUT_WIDE( &layout, places.forces, fat->rowSize );
    SUP_PUT_WIDE( &layout, places.solved, supFatSolveCount( fat ) );
    size_t tenseModes = fat->tenseCount > 0 ? (size_t)fat->modeCount : 0, ofBlock = supMostOfBlock;
    size_t squares = fat->tenseCount > 0 ? supSquareStart( fat, fat->blockCount ) : 0;
    SUP_PUT_WIDE( &layout, places.partTensions, fat->tenseCount > 0 ? fat->partCount : 0 );
    SUP_PUT_WIDE( &layout, places.wanted, fat->tenseCount );
    SUP_PUT_WIDE( &layout, places.tensions, fat->blockCount * fat->tenseCount );
    SUP_PUT_WIDE( &layout, places.tenseOmegas, tenseModes );
    SUP_PUT_WIDE( &layout, places.turn, squares );
    SUP_PUT_WIDE( &layout, places.oldOmegas, tenseModes );
    SUP_PUT_WIDE( &layout, places.oldTurn, squares );
    SUP_PUT_WIDE( &layout, places.tenseWork, fat->tenseCount > 0 ? ofBlock * ( ofBlock + 4 ) : 0 );
    SUP_PUT_WIDE( &layout, places.shares, fat->rayCount );
    bool reference = fat->elastic != NULL;
    SUP_PUT_WIDE( &layout, places.starts, reference ? joints : 0 );
    SUP_PUT_WIDE( &layout, places.live, reference ? fat->rowCount : 0 );
    SUP_PUT_BYTES( &layout, places.reference, supFatReferenceSize( fat ) );
    if ( size != NULL )
    {
        *size = ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    }
    if ( state == NULL )
    {
        return places;
    }
    float** each[9] = { &places.q, &places.speeds, &places.pulls, &places.steps, &places.stepSpeeds, &places.anchors,
        &places.pushDeltas, &places.pushSpeed, &places.forced };
    static const int counts[9] = { 1, 1, 1, supStepNumbers, supStepNumbers, SUP_PATH_SPANS + 1, SUP_PATH_SPANS, 1, 1 };
    for ( int i = 0; i < 9; ++i )
    {
        *each[i] = rows;
        rows += (size_t)counts[i] * modes;
    }
    return places;
}

void supPlaceFatStates( supFats* fats )
{
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFat* fat = fats->fats + i;
        size_t size;
        supFatPlaces_In( fat, NULL, &size );
        fat->stateAt = fats->stateSize;
        fat->shownAt = fats->shownCount;
        fats->stateSize += size;
        fats->shownCount += fat->shownCount;
        // displacements before and after they are carried; for pictures places of all nodes, and how far they moved
        size_t scratch = sizeof( float ) * ( fat->rowSize + (size_t)fat->nodeCount ) +
                         sizeof( supVec3 ) * (size_t)( fat->freeCount + fat->nodeCount ) + SUP_MAX_ALIGNMENT;
        fats->scratchSize = scratch > fats->scratchSize ? scratch : fats->scratchSize;
    }
}

int32_t supFatsShownCount( const void* compiled )
{
    return ( (const supFats*)compiled )->shownCount;
}

size_t supFatsStateSize( const void* compiled )
{
    return ( (const supFats*)compiled )->stateSize;
}

size_t supFatsScratchSize( const void* compiled )
{
    return ( (const supFats*)compiled )->scratchSize;
}

int64_t supFatsCutCount( const void* compiled, const void* state )
{
    const supFats* fats = compiled;
    int64_t count = 0;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        count += supFatPlaces_In( fats->fats + i, (void*)state, NULL ).own->cutCount;
    }
    return count;
}

void supResetFats( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supFatsStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supFatsShownCount( compiled ) );
}

// ---------------------------------------------------------------------------------------------------------------
// What the body's motion and the inner border's own give to the vibrations of fat.

supMat34 supFatTurn( const supFat* fat, int32_t joint, supMat34 carried )
{
    supMat34d rest = supMatToDouble( supMulMat( carried, fat->fromRest[joint] ) );
    return supMatToFloat( supMatFromQuatD( supNearestRotationD( rest ) ) );
}

void supMotionNumbers( supMat34 turn, supMat34 motion, float scale, float out[12] )
{
    const supVec3 columns[4] = { motion.x, motion.y, motion.z, motion.t };
    for ( int e = 0; e < 12; ++e )
    {
        supVec3 back = supTransposeVector( turn, columns[e % 4] );
        out[e] = scale * ( e < 4 ? back.x : e < 8 ? back.y : back.z );
    }
}

void supGatherMotion( const supFat* fat, int32_t joint, supMat34 turn, supMat34 motion, float scale, float* out )
{
    const float* row = fat->gather + 12 * (size_t)joint * fat->modeSize;
    float numbers[12];
    supMotionNumbers( turn, motion, scale, numbers );
    for ( int e = 0; e < 12; ++e )
    {
        for ( size_t k = 0; k < fat->modeSize && numbers[e] != 0.0f; ++k )
        {
            out[k] += numbers[e] * row[(size_t)e * fat->modeSize + k];
        }
    }
}

supMat34 supMatDifference( supMat34 a, supMat34 b )
{
    return ( supMat34 ){ supSub( a.x, b.x ), supSub( a.y, b.y ), supSub( a.z, b.z ), supSub( a.t, b.t ) };
}

static supMat34 supMatSum( supMat34 a, float s, supMat34 b )
{
    return ( supMat34 ){ supMulAdd( a.x, s, b.x ), supMulAdd( a.y, s, b.y ), supMulAdd( a.z, s, b.z ),
        supMulAdd( a.t, s, b.t ) };
}

/// A joint's history in a frame in which something jumped: what is withheld runs on, of what is rebased the path of
/// before has the new speed, and what is forgotten stands.
static void supJumpJoint( supMat34* motions, const supSwingClock* clock, const supJointJumps* jumps, int32_t joint )
{
    const float* spans = clock->times.spans;
    float held = jumps->withheld[joint], rebased = jumps->rebased[joint];
    supMat34 zero = { 0 }, move = motions[0];
    for ( int i = 1; i <= SUP_PATH_SPANS && rebased > 0.0f && clock->times.count > 1; ++i )
    {
        float span = i < SUP_PATH_SPANS ? spans[i] : 1.0f; // the last is the speed
        supMat34 flat = supMatSum( zero, span / spans[0], move );
        motions[i] = supMatSum( motions[i], rebased, supMatDifference( flat, motions[i] ) );
    }
    supMat34 ranOn = supMatSum( zero, clock->times.count > 1 ? spans[0] / spans[1] : 0.0f, motions[1] );
    motions[0] = supMatSum( move, held, supMatDifference( ranOn, move ) );
    for ( int i = 0; i <= SUP_PATH_SPANS && jumps->forgets; ++i )
    {
        motions[i] = zero;
    }
}

void supReadJoint( const supFat* fat, const supFatPlaces* at, int32_t j, supMat34 carried, supMat34 turn,
    supVec3 travel, float worldScale, const supJointJumps* jumps )
{
    // deltas of joint j stand together, then the speed
    supMat34* motions = at->motions + (size_t)j * ( SUP_PATH_SPANS + 1 );
    supMat34 now = supMulMat( carried, fat->fromRest[j] );
    at->last[j] = at->last[j].x.x == at->last[j].x.x ? at->last[j] : now; // never seen before: it has not moved
    memmove( motions + 1, motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS - 1 ) );
    motions[0] = supMatDifference( now, at->last[j] );
    motions[0].t = supAdd( motions[0].t, travel );
    at->last[j] = now;
    if ( jumps != NULL )
    {
        supJumpJoint( motions, &at->own->clock, jumps, fat->joints[j] );
    }
    float slope[SUP_PATH_SPANS];
    supMat34 zero = { 0 }, speed = zero;
    bool first = at->own->clock.times.count == 1;
    if ( first )
    {
        // settled so far, whatever the anchor's speed is
        motions[SUP_PATH_SPANS] = supMatSum( zero, 1.0f / at->own->clock.times.spans[0], motions[0] );
    }
    for ( int i = 0; i <= SUP_PATH_SPANS; ++i )
    {
        supGatherMotion( fat, j, turn, motions[i], 1.0f / worldScale, at->anchors + (size_t)i * fat->modeSize );
    }
    supSwingClock_Slopes( &at->own->clock, slope );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        speed = supMatSum( speed, slope[i], motions[i] );
    }
    if ( fat->elastic != NULL )
    {
        at->starts[j] = motions[SUP_PATH_SPANS];
    }
    motions[SUP_PATH_SPANS] = speed;
}

void supReadBorder( const supFat* fat, const supFatPlaces* at, const float* shares, bool moves )
{
    size_t modes = fat->modeSize;
    if ( moves )
    {
        memmove( at->pushDeltas + modes, at->pushDeltas, sizeof( float ) * modes * ( SUP_PATH_SPANS - 1 ) );
    }
    memset( at->pushDeltas, 0, moves ? sizeof( float ) * modes : 0 );
    for ( int32_t r = 0; r < fat->rayCount; ++r )
    {
        float change = shares[r] - at->shares[r];
        at->shares[r] = shares[r];
        for ( size_t k = 0; k < modes && change != 0.0f && moves && !at->own->fresh; ++k )
        {
            at->pushDeltas[k] += change * fat->pushes[(size_t)r * modes + k];
        }
    }
    if ( !moves )
    {
        return;
    }
    float slope[SUP_PATH_SPANS];
    supSwingClock_Slopes( &at->own->clock, slope );
    bool first = at->own->clock.times.count == 1;
    for ( size_t k = 0; k < modes; ++k )
    {
        float speed = 0.0f, start = first ? at->pushDeltas[k] / at->own->clock.times.spans[0] : at->pushSpeed[k];
        for ( size_t i = 0; i < SUP_PATH_SPANS; ++i )
        {
            at->anchors[i * modes + k] += at->pushDeltas[i * modes + k];
            speed += slope[i] * at->pushDeltas[i * modes + k];
        }
        at->anchors[SUP_PATH_SPANS * modes + k] += start;
        at->pushSpeed[k] = speed;
    }
}
