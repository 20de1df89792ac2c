// What the body's motion and the inner border's own give to the vibrations of fat.
// SPDX-License-Identifier: MIT

#include "layers/fat/fat_motion.h"

#include "base/math.h"
#include "layers/fat/fat_step.h"

#include <string.h>

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

void supReadJoint( const supFat* fat, const supFatPlaces* at, int32_t j, supMat34 carried, supMat34 turn,
    supVec3 travel, float worldScale )
{
    // deltas of joint j stand together, then the speed
    supMat34* motions = at->motions + (size_t)j * ( SUP_PATH_SPANS + 1 );
    supMat34 now = supMulMat( carried, fat->fromRest[j] );
    at->last[j] = at->last[j].x.x == at->last[j].x.x ? at->last[j] : now; // never seen before: it has not moved
    memmove( motions + 1, motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS - 1 ) );
    motions[0] = supMatDifference( now, at->last[j] );
    motions[0].t = supAdd( motions[0].t, travel );
    at->last[j] = now;
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
