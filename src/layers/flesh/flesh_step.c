// The springs of a body, stepped.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "flesh_kernel.h"
#include "flesh_tune.h"

/// A jump is taken for a teleport if it is this many times what the recent speed would give.
static const float supTeleportRatio = 8.0f;

void supFlesh_Show( supFleshState* state )
{
    state->limitedCount += supFindFleshKernels( state->simd )->show( state );
}

void supFlesh_ReadShown( const supFleshState* state, supMat34 map, supVec3* out )
{
    supFindFleshKernels( state->simd )->readShown( state, map, out );
}

void supFlesh_Stand( const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world )
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
    state->recentSpeed = 0.0f;
    state->worldOrigin = world.t;
    state->started = true;
}

/// Elongation, speed and path are carried over to where the driver is now, turned with it, and the path goes on at the
/// speed it had: so that a runner who is put elsewhere runs on.
static void supCarry( supFleshState* state, int32_t e, float ratio )
{
    supMat34 back = supFleshTurn( state, state->newestTurn, e ), turn = supFleshTurn( state, 1 - state->newestTurn, e );
    supFleshRow carried[2 + SUP_PATH_SPANS] = { sup_rowU, sup_rowS };
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        carried[2 + i] = supDeltaRow( state, i );
    }
    for ( int i = 0; i < 2 + SUP_PATH_SPANS; ++i )
    {
        supVec3 old = supFleshVec3( state, carried[i], e );
        supSetFleshVec3( state, carried[i], e, supTransformVector( turn, supTransposeVector( back, old ) ) );
    }
    supVec3 before = supFleshVec3( state, supDeltaRow( state, 1 ), e );
    supSetFleshVec3( state, supDeltaRow( state, 0 ), e, supScale( before, ratio ) );
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
        if ( !same || state->stale[e] )
        {
            supSpringStep step = supMakeSpringStep( &state->tunes[e].spring, &state->basis, dt );
            for ( int i = 0; i < 4 + SUP_PATH_SPANS; ++i )
            {
                *supFleshFloat( state, (supFleshRow)( sup_rowSteps + i ), e ) = step.u[i];
                *supFleshFloat( state, (supFleshRow)( sup_rowSteps + 4 + SUP_PATH_SPANS + i ), e ) = step.s[i];
            }
            state->stale[e] = false;
        }
    }
}

/// From the last frame to one that has been read.
static void supAdvanceAll( const supFlesh* flesh, supFleshState* state, float dt, bool teleported )
{
    float lastSpan = state->times.count > 0 ? state->times.spans[0] : 0.0f;
    bool first = state->times.count == 0;
    supRefreshSteps( flesh, state, dt );
    for ( int32_t e = 0; e < flesh->elementCount && teleported; ++e )
    {
        supCarry( state, e, lastSpan > 0.0f ? dt / lastSpan : 0.0f );
    }
    for ( int32_t e = 0; e < flesh->elementCount && first; ++e )
    {
        // settled so far: u' = 0 but for pushes, whatever the anchor's speed is
        supVec3 delta = supFleshVec3( state, supDeltaRow( state, 0 ), e );
        float gain = state->tunes[e].spring.amount / dt;
        supSetFleshVec3( state, sup_rowS, e, supMulAdd( supFleshVec3( state, sup_rowS, e ), gain, delta ) );
    }
    supFindFleshKernels( state->simd )->advance( state );
}

void supFlesh_Step(
    const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world, float dt, float size )
{
    if ( flesh->elementCount == 0 )
    {
        return;
    }
    state->worldScale = supLength( world.x );
    if ( !state->started )
    {
        supStart( flesh, state, joints, world );
        return;
    }

    // the oldest delta makes room for the newest; a frame without time leaves no trace
    supFleshRow oldest = supDeltaRow( state, SUP_PATH_SPANS - 1 );
    supFleshJob job = { flesh, state, joints, world, supSub( world.t, state->worldOrigin ),
        dt > 0.0f ? oldest : sup_rowSpare };
    supVec3 sum = supFindFleshKernels( state->simd )->readFrame( &job );
    float jump = supLength( supScale( sum, 1.0f / (float)flesh->elementCount ) );
    bool teleported = jump > size * state->worldScale && jump > supTeleportRatio * state->recentSpeed * dt;
    if ( dt > 0.0f )
    {
        state->newestDelta = ( state->newestDelta + SUP_PATH_SPANS - 1 ) % SUP_PATH_SPANS;
        state->recentSpeed = teleported ? state->recentSpeed : jump / dt;
        supAdvanceAll( flesh, state, dt, teleported );
    }
    state->newestTurn = 1 - state->newestTurn;
    supFlesh_Show( state );
    state->worldOrigin = world.t;
}

static bool supIsZero( supVec3 v )
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

bool supFlesh_IsAtRest( const supFlesh* flesh, const supFleshState* state )
{
    bool rests = flesh->elementCount == 0 || ( state->started && state->recentSpeed == 0.0f );
    for ( int32_t e = 0; e < flesh->elementCount && rests; ++e )
    {
        supVec3 off = supSub( supFleshVec3( state, sup_rowU, e ), supFleshSettled( state, e ) );
        // gravity and wind may have changed since the last step
        supVec3 change = supSub( supFleshPull( state, e ), supFleshVec3( state, sup_rowPull, e ) );
        rests = !state->stale[e] && supIsZero( supFleshVec3( state, sup_rowS, e ) ) && supIsZero( off ) &&
                supIsZero( change );
        for ( int i = 0; i < SUP_PATH_SPANS && rests; ++i )
        {
            rests = supIsZero( supFleshVec3( state, supDeltaRow( state, i ), e ) );
        }
    }
    return rests;
}

void supFlesh_Idle( const supFlesh* flesh, supFleshState* state, float dt )
{
    if ( dt > 0.0f )
    {
        supRefreshSteps( flesh, state, dt );
    }
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        state->limitedCount += *supFleshFloat( state, sup_rowLimited, e ) != 0.0f;
    }
}
