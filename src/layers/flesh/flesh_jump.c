// What springs make of a jump of their drivers.
// SPDX-License-Identifier: MIT
//
// A spring's answer is linear in its anchor's path, so a step of which the share h is a jump has h times the answer of
// a jump and 1 - h times that of travel. In the jump the anchor runs on, D0 = D1 h0 / h1, with D its moves and h the
// frames' lengths, newest first; and elongation, speed and path turn with the driver.
//
// Of a cut the share b waits for the next pose, which tells the new speed v = D0 / h0. The path before it is then taken
// for one of that speed all along, and s = u' + amount x' follows, so that u' stays what it was.

#include "layers/flesh/flesh.h"

#include "base/math.h"
#include "base/math_double.h"

/// A share of the driver's turn in this frame.
static supMat34 supTurnShare( const supFleshState* state, int32_t e, float share )
{
    supMat34 back = supFleshTurn( state, state->newestTurn, e ), turn = supFleshTurn( state, 1 - state->newestTurn, e );
    supMat34 whole = { supTransformVector( turn, ( supVec3 ){ back.x.x, back.y.x, back.z.x } ),
        supTransformVector( turn, ( supVec3 ){ back.x.y, back.y.y, back.z.y } ),
        supTransformVector( turn, ( supVec3 ){ back.x.z, back.y.z, back.z.z } ), supVec3_zero };
    if ( share >= 1.0f )
    {
        return whole;
    }
    supQuatd none = { 0.0, 0.0, 0.0, 1.0 }, all = supNearestRotationD( supMatToDouble( whole ) );
    return supMatToFloat( supMatFromQuatD( supSlerpD( none, all, share ) ) );
}

/// The anchor's moves and what hangs on them, turned with the driver. `from`: the newest move that is of before.
static void supTurnSpring( supFleshState* state, int32_t e, float share, int from )
{
    supMat34 turn = supTurnShare( state, e, share );
    supFleshRow carried[2 + SUP_PATH_SPANS] = { sup_rowU, sup_rowS };
    int count = 2;
    for ( int i = from; i < SUP_PATH_SPANS; ++i )
    {
        carried[count++] = supDeltaRow( state, i );
    }
    for ( int i = 0; i < count; ++i )
    {
        supSetFleshVec3( state, carried[i], e, supTransformVector( turn, supFleshVec3( state, carried[i], e ) ) );
    }
}

/// What the anchor moved by in the last frame, if it had run on in it: that of the frame before.
static supVec3 supRanOn( const supFleshState* state, int32_t e, int age )
{
    const float* spans = state->times.spans; // without the frame that is being stepped to
    float ratio = state->times.count > 1 ? spans[0] / spans[1] : 0.0f;
    return supScale( supFleshVec3( state, supDeltaRow( state, age + 1 ), e ), ratio );
}

void supFlesh_LeavePath( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt )
{
    for ( int32_t e = 0; e < flesh->elementCount && state->times.count > 0; ++e )
    {
        float share = dt > 0.0f ? jumps->rebased[flesh->elements[e].driver] : 0.0f;
        supFleshRow newest = supDeltaRow( state, 0 );
        supVec3 last = supFleshVec3( state, newest, e );
        if ( !jumps->forgets && !( share > 0.0f ) )
        {
            continue;
        }
        if ( !jumps->forgets )
        {
            supSetFleshVec3( state, newest, e, supRanOn( state, e, 0 ) );
        }
        float left = ( jumps->forgets ? 1.0f : share ) * supFleshTunes( state )[e].spring.amount;
        supVec3 speed = supAnchorSpeed( state, e );
        supSetFleshVec3( state, newest, e, last );
        supSetFleshVec3( state, sup_rowS, e, supMulAdd( supFleshVec3( state, sup_rowS, e ), -left, speed ) );
    }
}

/// The path of before is, for a share, one of the speed that the newest move tells.
static void supRebase( supFleshState* state, int32_t e, float share, float dt )
{
    supVec3 move = supFleshVec3( state, supDeltaRow( state, 0 ), e );
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        supFleshRow row = supDeltaRow( state, i );
        supVec3 old = supFleshVec3( state, row, e ), flat = supScale( move, state->times.spans[i - 1] / dt );
        supSetFleshVec3( state, row, e, supMulAdd( old, share, supSub( flat, old ) ) );
    }
    float gain = share * supFleshTunes( state )[e].spring.amount / dt;
    supSetFleshVec3( state, sup_rowS, e, supMulAdd( supFleshVec3( state, sup_rowS, e ), gain, move ) );
}

/// All of the path is forgotten: it stands still in this frame.
static void supForget( supFleshState* state, int32_t e )
{
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        supSetFleshVec3( state, supDeltaRow( state, i ), e, supVec3_zero );
    }
    supSetFleshVec3( state, sup_rowPull, e, supFleshVec3( state, sup_rowNextPull, e ) );
}

/// A share of the newest move is not felt: the anchor runs on.
static void supWithhold( supFleshState* state, int32_t e, float share, float ratio )
{
    supFleshRow newest = supDeltaRow( state, 0 );
    supVec3 ranOn = supScale( supFleshVec3( state, supDeltaRow( state, 1 ), e ), ratio );
    supVec3 felt = supScale( supFleshVec3( state, newest, e ), 1.0f - share );
    supSetFleshVec3( state, newest, e, supMulAdd( felt, share, ranOn ) );
    supVec3 pull = supFleshVec3( state, sup_rowPull, e ), next = supFleshVec3( state, sup_rowNextPull, e );
    supSetFleshVec3( state, sup_rowPull, e, supMulAdd( pull, share, supSub( next, pull ) ) );
}

void supFlesh_CarryJumps( const supFlesh* flesh, supFleshState* state, const supJointJumps* jumps, float dt )
{
    bool moves = dt > 0.0f;
    float ratio = state->times.count > 0 ? dt / state->times.spans[0] : 0.0f;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        float held = jumps->withheld[flesh->elements[e].driver], share = jumps->rebased[flesh->elements[e].driver];
        if ( share > 0.0f && state->times.count > 0 && moves )
        {
            supRebase( state, e, share, dt );
        }
        if ( held > 0.0f )
        {
            supTurnSpring( state, e, held, moves ? 1 : 0 );
        }
        if ( jumps->forgets )
        {
            supForget( state, e );
        }
        else if ( held > 0.0f && moves )
        {
            supWithhold( state, e, held, ratio );
        }
    }
    state->times.count = jumps->forgets && !moves ? 0 : state->times.count;
}
