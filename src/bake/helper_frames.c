// Where helper joints are, and what they should do, at one time of a clip.
// SPDX-License-Identifier: MIT

#include "bake/helper_frames.h"

#include "bake/take_data.h"
#include "base/math.h"
#include "body/body_layers.h"

/// Distance of the times that slopes of joints are taken from: small against keys, which are at least a millisecond
/// apart, large against the rounding of a pose. Seconds
static const double supSlopeStep = 4e-4;

supResult supMakeHelperClock(
    supHelperClock* clock, const supJointBake* bake, const supTake* take, bool wantsSlopes, supError* error )
{
    *clock = ( supHelperClock ){ .bake = bake, .take = take, .wantsSlopes = wantsSlopes };
    size_t elements = (size_t)bake->model->offsets.elementCount, motions = (size_t)bake->model->motions->count;
    supLayout layout = supMakeLayout();
    SUP_PUT( &layout, clock->u, elements );
    SUP_PUT( &layout, clock->shifts, motions );
    SUP_PUT( &layout, clock->speeds, motions );
    SUP_PUT( &layout, clock->motions, motions );
    SUP_PUT( &layout, clock->layers, supStackShownCount( bake->model ) );
    clock->blockSize = layout.size;
    char* block = clock->block = supAllocLayout( &bake->allocator, &layout );
    if ( block == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for %zu elements", elements );
    }
    for ( size_t m = 0; m < motions; ++m )
    {
        clock->speeds[m] = ( supVec3d ){ 0.0, 0.0, 0.0 };
    }
    return supCreatePose( bake->model->character, SUP_MAKE_IN( &bake->allocator ), &clock->pose, error );
}

void supHelperClock_Destroy( supHelperClock* clock )
{
    supFree( &clock->bake->allocator, clock->block, clock->blockSize );
    supDestroyPose( clock->pose );
}

// ---------------------------------------------------------------------------------------------------------------
// Into a joint's own space

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

/// The rotation L^-1 R L: about the axis L^-1 n by the same angle, the other way round where L mirrors. Where L has an
/// uneven scale that is no rotation, and this one is near it.
static supQuat supTurnIntoJoint( supMat34d inverse, supQuatd turn )
{
    supVec3d axis = { turn.x, turn.y, turn.z };
    supVec3d local = supTransformVectorD( inverse, axis );
    double length = supLengthD( axis ), own = supLengthD( local );
    if ( !( own > 0.0 ) || !( length > 0.0 ) )
    {
        return ( supQuat ){ 0.0f, 0.0f, 0.0f, 1.0f };
    }
    double scale = supDeterminantD( inverse ) < 0.0 ? -length / own : length / own;
    local = supScaleD( local, scale );
    return supQuatToFloat( ( supQuatd ){ local.x, local.y, local.z, turn.w } );
}

/// A helper that turns: J^-1 M J, taken at its place.
static void supReadTurning( const supHelperClock* clock, int32_t helper, supHelperFrame* frame )
{
    const supBakedHelper* baked = (const supBakedHelper*)clock->bake->helpers.data + helper;
    const supSkinMotion* motion = clock->motions + supHelperTurn( clock->bake, helper );
    supMat34d joint = supMatToDouble( frame->joint ), inverse;
    supVec3d shift = supHelperMoveD( clock->bake, helper, clock->shifts ), place = supToDouble( baked->place );
    supMat34d moved = joint;
    moved.t = supSubD( moved.t, motion->pivot );
    moved = supMulMatD( supMatFromQuatD( motion->turn ), moved );
    moved.t = supAddD( supAddD( moved.t, motion->pivot ), shift );
    frame->target = supMatToFloat( moved );
    frame->move = supToFloat( shift );
    if ( supInvertMatD( joint, &inverse ) )
    {
        frame->value = supToFloat( supTransformPointD( inverse, supTransformPointD( moved, place ) ) );
        frame->turn = supTurnIntoJoint( inverse, motion->turn );
        return;
    }
    frame->value = baked->place;
    frame->turn = ( supQuat ){ 0.0f, 0.0f, 0.0f, 1.0f };
}

// ---------------------------------------------------------------------------------------------------------------
// One time

void supHelperClock_Set( supHelperClock* clock, double time )
{
    const supModel* model = clock->bake->model;
    supPose_Sample( clock->pose, clock->take->clip, time );
    if ( !model->motions->anyLayers )
    {
        for ( int32_t e = 0; e < model->offsets.elementCount; ++e )
        {
            clock->u[e] = clock->shifts[e] = supTakeSwingState( clock->take, e, time, clock->speeds + e );
        }
        return;
    }
    for ( int32_t e = 0; e < model->offsets.elementCount; ++e )
    {
        clock->u[e] = supTakeSwingState( clock->take, e, time, NULL );
    }
    supTakeLayers( clock->take, time, supPose_Joints( clock->pose ), clock->layers );
    supSkinMotions_At(
        model->motions, &model->stack, supPose_Joints( clock->pose ), clock->u, clock->layers, clock->motions );
    for ( int32_t m = 0; m < model->motions->count; ++m )
    {
        clock->shifts[m] = clock->motions[m].shift;
    }
}

static void supReadValues( const supHelperClock* clock, supHelperFrame* frames )
{
    const supJointBake* bake = clock->bake;
    const supMat34* joints = supPose_Joints( clock->pose );
    for ( int32_t i = 0; i < supBakedHelperCount( bake ); ++i )
    {
        frames[i].joint = joints[supHelperJoint( bake, i )];
        if ( supHelperTurn( bake, i ) >= 0 )
        {
            supReadTurning( clock, i, frames + i );
            continue;
        }
        supVec3d move = supHelperMoveD( bake, i, clock->shifts );
        frames[i].move = supToFloat( move );
        frames[i].value = supToFloat( supIntoJoint( frames[i].joint, move ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Slopes

/// Three times to one side of a time: (-3 f(t) + 4 f(t + h) - f(t + 2h)) / 2h.
static const double sup_sideShares[3] = { -1.5, 2.0, -0.5 };

static supQuat supMulAddQuat( supQuat a, float s, supQuat b )
{
    return ( supQuat ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w };
}

/// What a helper's slope on one side gains by its value at one of the times there.
static void supAddSlope( supHelperFrame* frame, int side, float share, supHelperKey key )
{
    supVec3* slope = side < 0 ? &frame->before : &frame->after;
    supQuat* turn = side < 0 ? &frame->turnBefore : &frame->turnAfter;
    *slope = supMulAdd( *slope, share, key.value );
    *turn = supMulAddQuat( *turn, share, key.turn );
}

/// A helper's key at the clock's time: where layers have no part in it only the joint has moved on since `frame`.
static supHelperKey supKeyNow( const supHelperClock* clock, int32_t helper, const supHelperFrame* frame )
{
    const supJointBake* bake = clock->bake;
    supHelperFrame now = { .joint = supPose_Joints( clock->pose )[supHelperJoint( bake, helper )] };
    if ( supHelperTurn( bake, helper ) >= 0 )
    {
        supReadTurning( clock, helper, &now );
        return ( supHelperKey ){ now.value, now.turn };
    }
    bool moves = bake->model->motions->anyLayers;
    supVec3d move = moves ? supHelperMoveD( bake, helper, clock->shifts ) : supToDouble( frame->move );
    return ( supHelperKey ){ supToFloat( supIntoJoint( now.joint, move ) ), { 0.0f, 0.0f, 0.0f, 0.0f } };
}

// d(L^-1 u) = L^-1 u' + (L^-1)' u. The first part is exact; joints have corners at their keys, so the second is taken
// on each side by itself, from three times. What layers move has no closed form: there both parts are taken so.
static void supReadSlopes( supHelperClock* clock, double time, supHelperFrame* frames )
{
    const supJointBake* bake = clock->bake;
    int32_t count = supBakedHelperCount( bake );
    for ( int32_t i = 0; i < count; ++i )
    {
        supVec3d own = supIntoJoint( frames[i].joint, supHelperMoveD( bake, i, clock->speeds ) );
        frames[i].before = frames[i].after = supToFloat( own );
        frames[i].turnBefore = frames[i].turnAfter = ( supQuat ){ 0.0f, 0.0f, 0.0f, 0.0f };
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
            double at = time + side * k * supSlopeStep;
            if ( bake->model->motions->anyLayers )
            {
                supHelperClock_Set( clock, at );
            }
            else
            {
                supPose_Sample( clock->pose, clock->take->clip, at );
            }
            for ( int32_t i = 0; i < count; ++i )
            {
                float share = (float)( side * sup_sideShares[k] / supSlopeStep );
                supAddSlope( frames + i, side, share, supKeyNow( clock, i, frames + i ) );
            }
        }
    }
    for ( int32_t i = 0; i < count; ++i )
    {
        supHelperFrame* frame = frames + i;
        frame->before = atStart ? frame->after : frame->before;
        frame->after = atEnd ? frame->before : frame->after;
        frame->turnBefore = atStart ? frame->turnAfter : frame->turnBefore;
        frame->turnAfter = atEnd ? frame->turnBefore : frame->turnAfter;
    }
}

void supHelperClock_Read( supHelperClock* clock, double time, supHelperFrame* frames )
{
    supHelperClock_Set( clock, time );
    supReadValues( clock, frames );
    if ( clock->wantsSlopes )
    {
        supReadSlopes( clock, time, frames );
        supHelperClock_Set( clock, time );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What a player makes of it

/// glTF's cubic: shares of value, tangent, next value, next tangent.
static void supCubicShares( double span, double theta, float shares[4] )
{
    float t = (float)theta, tt = t * t, ttt = tt * t, d = (float)span;
    shares[0] = 2.0f * ttt - 3.0f * tt + 1.0f;
    shares[1] = d * ( ttt - 2.0f * tt + t );
    shares[2] = 3.0f * tt - 2.0f * ttt;
    shares[3] = d * ( ttt - tt );
}

supVec3 supPlayKeys( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta )
{
    if ( form == sup_keysLinear )
    {
        return supLerp( a->value, b->value, (float)theta );
    }
    float shares[4];
    supCubicShares( span, theta, shares );
    supVec3 value = supScale( a->value, shares[0] );
    value = supMulAdd( value, shares[1], a->after );
    value = supMulAdd( value, shares[2], b->value );
    return supMulAdd( value, shares[3], b->before );
}

supQuat supPlayTurns( const supHelperFrame* a, const supHelperFrame* b, supKeyForm form, double span, double theta )
{
    if ( form == sup_keysLinear )
    {
        return supSlerp( a->turn, b->turn, (float)theta );
    }
    float shares[4];
    supCubicShares( span, theta, shares );
    supQuat sum = supMulAddQuat( ( supQuat ){ 0.0f, 0.0f, 0.0f, 0.0f }, shares[0], a->turn );
    sum = supMulAddQuat( sum, shares[1], a->turnAfter );
    sum = supMulAddQuat( sum, shares[2], b->turn );
    return supNormalizeQuat( supMulAddQuat( sum, shares[3], b->turnBefore ) );
}

supVec3 supHelperError( const supHelperFrame* frame, supVec3 value )
{
    return supSub( supTransformVector( frame->joint, value ), frame->move );
}

supMat34 supPlayedMatrix( const supHelperFrame* frame, supVec3 place, supVec3 value, supQuat turn )
{
    supMat34d local = supMatFromQuatD( supQuatToDouble( turn ) );
    local.t = supSubD( supToDouble( value ), supTransformVectorD( local, supToDouble( place ) ) );
    return supMatToFloat( supMulMatD( supMatToDouble( frame->joint ), local ) );
}
