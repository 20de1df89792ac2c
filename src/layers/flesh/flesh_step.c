// The springs of a body: stepped, idle, taken over from another body.
// SPDX-License-Identifier: MIT
#include "base/math.h"

#include "base/compiler.h"
#include "base/math_double.h"
#include "flesh_kernel.h"
#include "layers/flesh/flesh.h"
#include "supple/lab/machine.h"

#include <string.h>

void supFlesh_Show( supFleshState* state )
{
    state->limitedCount += supFindFleshKernels( state->simd )->show( state );
}

/// Elongations as they are shown, from world to model space.
static void supReadShown( const supFleshState* state, const supLayerFrame* frame, float* shown )
{
    supFindFleshKernels( state->simd )->readShown( state, *frame->inverse, (supVec3*)shown );
}

/// Arms, turns and pulls of a frame that nothing is stepped to.
static void supFlesh_Stand( const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world )
{
    supFleshJob job = { flesh, state, joints, world, supVec3_zero, sup_rowSpare };
    supFindFleshKernels( state->simd )->readFrame( &job );
    state->newestTurn = 1 - state->newestTurn;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supSetFleshVec3( state, sup_rowPull, e, supFleshVec3( state, sup_rowNextPull, e ) );
    }
}

/// The first frame after a reset: settled, as if it had always stood like this.
static void supStart( const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world )
{
    supFlesh_Stand( flesh, state, joints, world );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supSetFleshVec3( state, sup_rowU, e, supFleshSettled( state, e ) );
    }
    supFlesh_Show( state );
    state->times.count = 0;
    state->worldOrigin = world.t;
    state->started = true;
}

static bool supSameTimes( const supFrameTimes* a, const supFrameTimes* b )
{
    bool same = a->count == b->count;
    for ( int i = 0; i < SUP_PATH_SPANS && same; ++i )
    {
        same = a->spans[i] == b->spans[i];
    }
    return same;
}

/// Works out the steps that this frame needs again: all where its length is new, else those that were edited.
static void supRefreshSteps( const supFlesh* flesh, supFleshState* state, float dt )
{
    supFrameTimes before = state->times;
    supFrameTimes_Push( &state->times, dt );
    bool same = supSameTimes( &before, &state->times );
    if ( !same )
    {
        state->basis = supMakePathBasis( &state->times );
    }
    bool any = !same || state->anyStale;
    state->anyStale = false;
    for ( int32_t e = 0; e < flesh->elementCount && any; ++e )
    {
        if ( !same || supFleshStale( state )[e] )
        {
            supSpringStep step = supMakeSpringStep( &supFleshTunes( state )[e].spring, &state->basis, dt );
            for ( int i = 0; i < 4 + SUP_PATH_SPANS; ++i )
            {
                *supFleshFloat( state, (supFleshRow)( sup_rowSteps + i ), e ) = step.u[i];
                *supFleshFloat( state, (supFleshRow)( sup_rowSteps + 4 + SUP_PATH_SPANS + i ), e ) = step.s[i];
            }
            supFleshStale( state )[e] = false;
        }
    }
}

/// From the last frame to one that has been read.
static void supAdvanceAll( const supFlesh* flesh, supFleshState* state, float dt, const supJointJumps* jumps )
{
    bool first = state->times.count == 0;
    if ( jumps != NULL )
    {
        supFlesh_CarryJumps( flesh, state, jumps, dt );
    }
    supRefreshSteps( flesh, state, dt );
    for ( int32_t e = 0; e < flesh->elementCount && first; ++e )
    {
        // settled so far: u' = 0 but for pushes, whatever the anchor's speed is
        supVec3 delta = supFleshVec3( state, supDeltaRow( state, 0 ), e );
        float gain = supFleshTunes( state )[e].spring.amount / dt;
        supSetFleshVec3( state, sup_rowS, e, supMulAdd( supFleshVec3( state, sup_rowS, e ), gain, delta ) );
    }
    supFindFleshKernels( state->simd )->advance( state );
    if ( jumps != NULL && jumps->forgets )
    {
        state->times.count = 0;
    }
}

void supStepFlesh( const void* compiled, void* block, const supLayerFrame* frame, float* shown )
{
    const supFlesh* flesh = compiled;
    supFleshState* state = block;
    state->simd = frame->simd;
    state->gravity = frame->gravity;
    state->wind = frame->wind;
    state->worldScale = supLength( frame->world.x );
    if ( !state->started )
    {
        supStart( flesh, state, frame->joints, frame->world );
        supReadShown( state, frame, shown );
        return;
    }

    if ( frame->jumps != NULL )
    {
        supFlesh_LeavePath( flesh, state, frame->jumps, frame->dt );
    }
    // the oldest delta makes room for the newest; a frame without time leaves no trace
    supFleshRow oldest = supDeltaRow( state, SUP_PATH_SPANS - 1 );
    supFleshJob job = { flesh, state, frame->joints, frame->world, supSub( frame->world.t, state->worldOrigin ),
        frame->dt > 0.0f ? oldest : sup_rowSpare };
    supFindFleshKernels( state->simd )->readFrame( &job );
    if ( frame->dt > 0.0f )
    {
        state->newestDelta = ( state->newestDelta + SUP_PATH_SPANS - 1 ) % SUP_PATH_SPANS;
        supAdvanceAll( flesh, state, frame->dt, frame->jumps );
    }
    else if ( frame->jumps != NULL )
    {
        supFlesh_CarryJumps( flesh, state, frame->jumps, 0.0f );
    }
    state->newestTurn = 1 - state->newestTurn;
    supFlesh_Show( state );
    state->worldOrigin = frame->world.t;
    supReadShown( state, frame, shown );
}

static bool supIsZero( supVec3 v )
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

bool supFleshIsAtRest( const void* compiled, const void* block )
{
    const supFlesh* flesh = compiled;
    const supFleshState* state = block;
    bool rests = state->started;
    for ( int32_t e = 0; e < flesh->elementCount && rests; ++e )
    {
        supVec3 off = supSub( supFleshVec3( state, sup_rowU, e ), supFleshSettled( state, e ) );
        rests = !supFleshStale( state )[e] && supIsZero( supFleshVec3( state, sup_rowS, e ) ) && supIsZero( off );
        for ( int i = 0; i < SUP_PATH_SPANS && rests; ++i )
        {
            rests = supIsZero( supFleshVec3( state, supDeltaRow( state, i ), e ) );
        }
    }
    return rests;
}

void supIdleFlesh( const void* compiled, void* block, float dt )
{
    const supFlesh* flesh = compiled;
    supFleshState* state = block;
    if ( dt > 0.0f )
    {
        supRefreshSteps( flesh, state, dt );
    }
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        state->limitedCount += *supFleshFloat( state, sup_rowLimited, e ) != 0.0f;
    }
}

/// The element of the same name, or -1.
static int32_t supFindSame( const supFlesh* flesh, const char* name )
{
    int32_t found = -1;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        found = strcmp( name, flesh->elements[e].name ) == 0 ? e : found;
    }
    return found;
}

/// What element `e` takes over from the old body: of its own name's element the elongation and u' (s = u' + amount *
/// x'); where there was none it is settled and moves with the rest of the body.
static void supAdoptOne( supFleshState* state, int32_t e, const supFleshState* oldState, int32_t old )
{
    int32_t from = old >= 0 ? old : 0;
    float amount = supFleshTunes( state )[e].spring.amount;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        supSetFleshVec3(
            state, supDeltaRow( state, i ), e, supFleshVec3( oldState, supDeltaRow( oldState, i ), from ) );
    }
    if ( old >= 0 )
    {
        supSetFleshVec3( state, sup_rowU, e, supFleshVec3( oldState, sup_rowU, old ) );
        supSetFleshVec3( state, sup_rowS, e, supKeepVelocity( oldState, old, amount ) );
    }
    else
    {
        supSetFleshVec3( state, sup_rowU, e, supFleshSettled( state, e ) );
        supSetFleshVec3( state, sup_rowS, e, supScale( supAnchorSpeed( oldState, from ), amount ) );
    }
}

void supAdoptFlesh( const void* compiled, void* block, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldBlock, const float* oldShown )
{
    const supFlesh *flesh = compiled, *oldFlesh = oldCompiled;
    supFleshState* state = block;
    const supFleshState* oldState = oldBlock;
    (void)oldShown;
    if ( !oldState->started )
    {
        return;
    }
    state->times = oldState->times;
    state->basis = oldState->basis;
    state->worldOrigin = oldState->worldOrigin;
    state->worldScale = oldState->worldScale;
    state->gravity = oldState->gravity;
    state->wind = oldState->wind;
    state->simd = oldState->simd;
    state->started = true;
    supFlesh_Stand( flesh, state, frame->joints, frame->world );
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supAdoptOne( state, e, oldState, supFindSame( oldFlesh, flesh->elements[e].name ) );
        supFleshStale( state )[e] = true;
    }
    state->anyStale = true;
    int64_t limited = state->limitedCount;
    supFlesh_Show( state ); // the new limit may be a narrower one
    state->limitedCount = limited;
    supReadShown( state, frame, shown );
}

// ---------------------------------------------------------------------------------------------------------------
// Which path steps the springs.

const supFleshKernels* supFindFleshKernels( supSimd simd )
{
    switch ( simd )
    {
#if SUP_TARGET_X86
        case sup_simdSse2:
            return &supFleshKernelsSse2;
        case sup_simdAvx2:
        case sup_simdAvx512: // rows are padded to eight: bodies have a dozen elements, not hundreds
            return &supFleshKernelsAvx2;
#elif SUP_TARGET_NEON
        case sup_simdNeon:
            return &supFleshKernelsNeon;
#elif SUP_TARGET_WASM
        default: // as in supFindBlockFunction
            return &supFleshKernelsWasm;
#endif
#if !SUP_TARGET_WASM
        default:
            return &supFleshKernelsScalar;
#endif
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What springs make of a jump of their drivers.
//
// A spring's answer is linear in its anchor's path, so a step of which the share h is a jump has h times the answer of
// a jump and 1 - h times that of travel. In the jump the anchor runs on, D0 = D1 h0 / h1, with D its moves and h the
// frames' lengths, newest first; and elongation, speed and path turn with the driver.
//
// Of a cut the share b waits for the next pose, which tells the new speed v = D0 / h0. The path before it is then taken
// for one of that speed all along, and s = u' + amount x' follows, so that u' stays what it was.

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
        if ( !jumps->forgets && !( share > 0.0f ) )
        {
            continue;
        }
        float felt = jumps->forgets ? 1.0f : supMinF( share, jumps->other );
        supVec3 speed = supScale( supAnchorSpeed( state, e ), felt );
        if ( !jumps->forgets )
        {
            supFleshRow newest = supDeltaRow( state, 0 );
            supVec3 last = supFleshVec3( state, newest, e );
            supSetFleshVec3( state, newest, e, supRanOn( state, e, 0 ) );
            speed = supMulAdd( speed, share - felt, supAnchorSpeed( state, e ) );
            supSetFleshVec3( state, newest, e, last );
        }
        float amount = supFleshTunes( state )[e].spring.amount;
        supSetFleshVec3( state, sup_rowS, e, supMulAdd( supFleshVec3( state, sup_rowS, e ), -amount, speed ) );
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
