// Where helper joints are, and what they should do, at one time of a clip.
// SPDX-License-Identifier: MIT

#include "bake/helper_frames.h"

#include "base/math.h"

/// Distance of the times that slopes of joints are taken from: small against keys, which are at least a millisecond
/// apart, large against the rounding of a pose. Seconds
static const double supSlopeStep = 4e-4;

supResult supMakeHelperClock(
    supHelperClock* clock, const supJointBake* bake, const supTake* take, bool wantsSlopes, supError* error )
{
    *clock = ( supHelperClock ){ .bake = bake, .take = take, .wantsSlopes = wantsSlopes };
    size_t elements = (size_t)bake->model->flesh->elementCount;
    clock->blockSize = 2 * elements * sizeof( supVec3d );
    clock->u = supAllocZeroed( &bake->allocator, 2 * elements, sizeof( supVec3d ), _Alignof( supVec3d ) );
    if ( clock->u == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu elements", elements );
    }
    clock->speeds = clock->u + elements;
    return supCreatePose( bake->model->character, &bake->allocator, &clock->pose, error );
}

void supHelperClock_Destroy( supHelperClock* clock )
{
    supFree( &clock->bake->allocator, clock->u, clock->blockSize );
    supDestroyPose( clock->pose );
}

/// L_j^-1 v. Zero where the joint is scaled to nothing: there is no way to move there.
static supVec3d supIntoJoint( supMat34 joint, supVec3d v )
{
    supMat34d inverse;
    if ( !supInvertMatD( supMatToDouble( joint ), &inverse ) )
    {
        return ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    return supTransformVectorD( inverse, v );
}

// d(L^-1 u) = L^-1 u' + (L^-1)' u. The first part is exact; joints have corners at their keys, so the second is taken
// on each side by itself, from three times: (-3 f(t) + 4 f(t + h) - f(t + 2h)) / 2h.
static void supReadSlopes( supHelperClock* clock, double time, supHelperFrame* frames )
{
    const supJointBake* bake = clock->bake;
    int32_t count = supBakedHelperCount( bake );
    const supMat34* joints = supPose_Joints( clock->pose );
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d own = supIntoJoint( frames[i].joint, supHelperMoveD( bake, i, clock->speeds ) );
        frames[i].before = frames[i].after = supToFloat( own );
    }
    bool atStart = time <= clock->take->info.start, atEnd = time >= clock->take->info.end;
    for ( int side = -1; side <= 1; side += 2 )
    {
        if ( ( side < 0 && atStart ) || ( side > 0 && atEnd ) )
        {
            continue; // held outside: that side is taken from the other below
        }
        for ( int k = 0; k <= 2; ++k )
        {
            static const double shares[3] = { -1.5, 2.0, -0.5 };
            supPose_Sample( clock->pose, clock->take->clip, time + side * k * supSlopeStep );
            for ( int32_t i = 0; i < count; ++i )
            {
                supVec3d value = supIntoJoint( joints[supHelperJoint( bake, i )], supToDouble( frames[i].move ) );
                supVec3* slope = side < 0 ? &frames[i].before : &frames[i].after;
                *slope = supMulAdd( *slope, (float)( side * shares[k] / supSlopeStep ), supToFloat( value ) );
            }
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        frames[i].before = atStart ? frames[i].after : frames[i].before;
        frames[i].after = atEnd ? frames[i].before : frames[i].after;
    }
}

void supHelperClock_Read( supHelperClock* clock, double time, supHelperFrame* frames )
{
    const supJointBake* bake = clock->bake;
    supPose_Sample( clock->pose, clock->take->clip, time );
    const supMat34* joints = supPose_Joints( clock->pose );
    for ( int32_t e = 0; e < bake->model->flesh->elementCount; ++e )
    {
        clock->u[e] = supTakeElement( clock->take, e, time, clock->speeds + e );
    }
    for ( int32_t i = 0; i < supBakedHelperCount( bake ); ++i )
    {
        supVec3d move = supHelperMoveD( bake, i, clock->u );
        frames[i].joint = joints[supHelperJoint( bake, i )];
        frames[i].move = supToFloat( move );
        frames[i].value = supToFloat( supIntoJoint( frames[i].joint, move ) );
    }
    if ( clock->wantsSlopes )
    {
        supReadSlopes( clock, time, frames );
        supPose_Sample( clock->pose, clock->take->clip, time );
    }
}

supVec3 supPlayKeys( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta )
{
    float t = (float)theta;
    if ( form == sup_keysLinear )
    {
        return supLerp( a->value, b->value, t );
    }
    float tt = t * t, ttt = tt * t, d = (float)span;
    supVec3 value = supScale( a->value, 2.0f * ttt - 3.0f * tt + 1.0f );
    value = supMulAdd( value, d * ( ttt - 2.0f * tt + t ), a->after );
    value = supMulAdd( value, 3.0f * tt - 2.0f * ttt, b->value );
    return supMulAdd( value, d * ( ttt - tt ), b->before );
}

supVec3 supHelperError( const supHelperFrame* frame, supVec3 value )
{
    return supSub( supTransformVector( frame->joint, value ), frame->move );
}
