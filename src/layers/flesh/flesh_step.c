// The springs of a body: stepped, idle, taken over from another body.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "base/wide_target.h"
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
        case sup_simdScalar:
            return &supFleshKernelsScalar;
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
        case sup_simdWasm:
            return &supFleshKernelsWasm;
#endif
        default:
            return &supFleshKernelsScalar;
    }
}
