// The springs of a body, stepped.
// SPDX-License-Identifier: MIT

#include "base/math.h"
#include "flesh.h"

#include <string.h>

/// Gravity that `sag` is measured in. m/s^2
static const float supStandardGravity = 9.81f;
/// Below this share of the limit an elongation that nothing drives is put to rest: it cannot be seen, and numbers that
/// small are slow.
static const float supStill = 1e-7f;
/// A jump is taken for a teleport if it is this many times what the recent speed would give.
static const float supTeleportRatio = 8.0f;

// ---------------------------------------------------------------------------------------------------------------
// Small pieces

// With r = |u| / limit the shown length is r / (1 + r^8)^(1/8) limits: below half of the limit the identity to 0.05%,
// never above it.
supVec3 supSaturate( supVec3 u, float limit )
{
    float length = supLength( u );
    if ( !( length > 0.0f ) || !( limit > 0.0f ) )
    {
        return supVec3_zero;
    }
    float r = length / limit;
    bool beyond = r > 1.0f;
    float q = beyond ? 1.0f / r : r; // so that powers stay small
    float q2 = q * q, q4 = q2 * q2;
    float root = supSqrtF( supSqrtF( supSqrtF( 1.0f + q4 * q4 ) ) );
    return supScale( u, beyond ? q / root : 1.0f / root );
}

static supVec3 supClampLength( supVec3 u, float limit )
{
    float length = supLength( u );
    return length > limit ? supScale( u, limit / length ) : u;
}

/// Rotation nearest to the driver's motion from rest, carried into the world. Columns are made orthonormal one after
/// the other: cheap, smooth, and exact for a rotation with a uniform scale, which drivers nearly always are.
static supMat34 supDriverTurn( const supFleshElement* element, const supMat34* joints, supMat34 world )
{
    supMat34 m = supMulMat( world, supMulMat( joints[element->driver], element->driverFromRest ) );
    supVec3 y = supNormalize( m.y );
    supVec3 x = supNormalize( supSub( m.x, supScale( y, supDot( m.x, y ) ) ) );
    return ( supMat34 ){ x, y, supCross( x, y ), supVec3_zero };
}

supVec3 supFleshPull( const supFleshElement* element, const supFleshTune* tune, float worldScale, supMat34 turn,
    supVec3 gravity, supVec3 wind )
{
    // sag * thickness is how far standard gravity would pull it; omega^2 makes an acceleration of it
    float size = tune->sag * element->thickness * worldScale * tune->spring.omega * tune->spring.omega;
    float gain = size * tune->gravityScale / supStandardGravity;
    supVec3 felt = gravity;
    if ( element->gravity == sup_gravityRelative )
    {
        felt = supSub( gravity, supTransformVector( turn, gravity ) );
    }
    return supAdd( supScale( felt, gain ), supScale( wind, tune->spring.airFriction ) );
}

static float supLimitOf( const supFleshElement* element, const supFleshTune* tune, float worldScale )
{
    return element->thickness * tune->limitScale * worldScale;
}

/// What gravity alone would hold it at.
static supVec3 supSettled( const supFleshSpringState* spring, const supFleshTune* tune )
{
    return supScale( spring->pull, 1.0f / ( tune->spring.omega * tune->spring.omega ) );
}

static void supShow(
    const supFleshElement* element, const supFleshTune* tune, float worldScale, supFleshSpringState* spring )
{
    float limit = supLimitOf( element, tune, worldScale );
    if ( element->limit == sup_limitClamp )
    {
        spring->limited = supLengthSquared( spring->u ) > limit * limit;
        spring->u = supClampLength( spring->u, limit ); // the paper's rule: the speed is left alone
        spring->shown = spring->u;
    }
    else
    {
        spring->shown = supSaturate( spring->u, limit );
        spring->limited = supLengthSquared( spring->shown ) < 0.98f * supLengthSquared( spring->u );
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

/// Where an element is at this frame.
typedef struct supFleshFrame
{
    supVec3 arm; ///< the world's linear part times the anchor in model space
    supMat34 turn;
    supVec3 pull;
} supFleshFrame;

static supFleshFrame supReadFrame( const supFleshElement* element, const supFleshTune* tune, const supFleshState* state,
    const supMat34* joints, supMat34 world )
{
    supFleshFrame frame;
    frame.arm = supTransformVector( world, supTransformPoint( joints[element->driver], element->anchor ) );
    frame.turn = supDriverTurn( element, joints, world );
    frame.pull = supFleshPull( element, tune, state->worldScale, frame.turn, state->gravity, state->wind );
    return frame;
}

/// The first frame after a reset: settled, as if it had always stood like this.
static void supStart( const supFlesh* flesh, supFleshState* state, const supMat34* joints, supMat34 world )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supFleshSpringState* spring = state->springs + e;
        supFleshFrame frame = supReadFrame( flesh->elements + e, state->tunes + e, state, joints, world );
        memset( spring, 0, sizeof( *spring ) );
        spring->anchorArm = frame.arm;
        spring->turn = frame.turn;
        spring->pull = frame.pull;
        spring->u = supSettled( spring, state->tunes + e );
        supShow( flesh->elements + e, state->tunes + e, state->worldScale, spring );
        state->limitedCount += spring->limited;
    }
    state->times.count = 0;
    state->recentSpeed = 0.0f;
    state->started = true;
}

/// What the anchors moved by on average since the last frame.
static supVec3 supMeanMove( const supFlesh* flesh, const supFleshState* state, const supMat34* joints, supMat34 world )
{
    supVec3 sum = supVec3_zero;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        supVec3 arm = supTransformVector( world, supTransformPoint( joints[element->driver], element->anchor ) );
        sum = supAdd( sum, supSub( arm, state->springs[e].anchorArm ) );
    }
    supVec3 travel = supSub( world.t, state->worldOrigin );
    return supMulAdd( travel, 1.0f / (float)flesh->elementCount, sum );
}

/// Elongation, speed and path are carried over to where the driver is now, turned with it, and the path goes on at the
/// speed it had: so that a runner who is put elsewhere runs on.
static void supCarry( supFleshSpringState* spring, const supFleshFrame* frame, float dt, float lastSpan )
{
    supMat34 back = spring->turn;
    supVec3* carried[2 + SUP_PATH_SPANS] = { &spring->u, &spring->s };
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        carried[2 + i] = spring->deltas + i;
    }
    for ( int i = 0; i < 2 + SUP_PATH_SPANS; ++i )
    {
        *carried[i] = supTransformVector( frame->turn, supTransposeVector( back, *carried[i] ) );
    }
    float ratio = lastSpan > 0.0f ? dt / lastSpan : 0.0f;
    spring->deltas[0] = supScale( spring->deltas[1], ratio );
    spring->turn = frame->turn;
}

static void supPushDelta( supFleshSpringState* spring, supVec3 delta )
{
    for ( int i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        spring->deltas[i] = spring->deltas[i - 1];
    }
    spring->deltas[0] = delta;
}

/// The linear map of spring_step.h.
static void supAdvance( supFleshSpringState* spring, const supSpringStep* step, supVec3 pull )
{
    supVec3 inputs[4 + SUP_PATH_SPANS];
    inputs[0] = spring->u;
    inputs[1] = spring->s;
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        inputs[2 + i] = spring->deltas[i];
    }
    inputs[2 + SUP_PATH_SPANS] = spring->pull;
    inputs[3 + SUP_PATH_SPANS] = pull;
    supVec3 u = supVec3_zero, s = supVec3_zero;
    for ( int i = 0; i < 4 + SUP_PATH_SPANS; ++i )
    {
        u = supMulAdd( u, step->u[i], inputs[i] );
        s = supMulAdd( s, step->s[i], inputs[i] );
    }
    spring->u = u;
    spring->s = s;
    spring->pull = pull;
}

/// Puts an elongation to rest that has faded: by itself it would become denormal, and slow.
static void supStillIfFaded(
    const supFleshElement* element, const supFleshTune* tune, float worldScale, supFleshSpringState* spring )
{
    float least = supStill * element->thickness * worldScale;
    supVec3 off = supSub( spring->u, supSettled( spring, tune ) );
    supVec3 speed = supScale( spring->s, 1.0f / tune->spring.omega );
    bool still = supLengthSquared( off ) + supLengthSquared( speed ) < least * least;
    for ( int i = 0; i < SUP_PATH_SPANS && still; ++i )
    {
        still = supLengthSquared( spring->deltas[i] ) < least * least;
    }
    if ( still )
    {
        spring->u = supSettled( spring, tune );
        spring->s = supVec3_zero;
    }
}

/// Works out the steps that this frame needs again: all where its length is new, else those that were edited.
static void supRefreshSteps( const supFlesh* flesh, supFleshState* state, float dt )
{
    supFrameTimes before = state->times;
    supFrameTimes_Push( &state->times, dt );
    bool same = memcmp( &before, &state->times, sizeof( before ) ) == 0;
    if ( !same )
    {
        state->basis = supMakePathBasis( &state->times );
    }
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        if ( !same || state->stale[e] )
        {
            state->steps[e] = supMakeSpringStep( &state->tunes[e].spring, &state->basis, dt );
            state->stale[e] = false;
        }
    }
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
        state->worldOrigin = world.t;
        return;
    }

    float jump = supLength( supMeanMove( flesh, state, joints, world ) );
    bool teleported = jump > size * state->worldScale && jump > supTeleportRatio * state->recentSpeed * dt;
    float lastSpan = state->times.count > 0 ? state->times.spans[0] : 0.0f;
    bool first = state->times.count == 0;
    supVec3 travel = supSub( world.t, state->worldOrigin );
    if ( dt > 0.0f )
    {
        supRefreshSteps( flesh, state, dt );
        state->recentSpeed = teleported ? state->recentSpeed : jump / dt;
    }

    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        const supFleshTune* tune = state->tunes + e;
        supFleshSpringState* spring = state->springs + e;
        supFleshFrame frame = supReadFrame( element, tune, state, joints, world );
        supVec3 delta = supAdd( supSub( frame.arm, spring->anchorArm ), travel );
        spring->anchorArm = frame.arm;
        if ( dt > 0.0f )
        {
            supPushDelta( spring, delta );
            if ( teleported )
            {
                supCarry( spring, &frame, dt, lastSpan );
            }
            if ( first )
            {
                // settled so far: u' = 0 but for pushes, whatever the anchor's speed is
                spring->s = supMulAdd( spring->s, tune->spring.amount / dt, spring->deltas[0] );
            }
            supAdvance( spring, state->steps + e, frame.pull );
            supStillIfFaded( element, tune, state->worldScale, spring );
        }
        spring->turn = frame.turn;
        supShow( element, tune, state->worldScale, spring );
        state->limitedCount += spring->limited;
    }
    state->worldOrigin = world.t;
}

static bool supIsZero( supVec3 v )
{
    return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f;
}

bool supFlesh_IsAtRest( const supFlesh* flesh, const supFleshState* state )
{
    bool rests = state->started && state->recentSpeed == 0.0f;
    for ( int32_t e = 0; e < flesh->elementCount && rests; ++e )
    {
        const supFleshSpringState* spring = state->springs + e;
        supVec3 off = supSub( spring->u, supSettled( spring, state->tunes + e ) );
        supVec3 pull = supFleshPull(
            flesh->elements + e, state->tunes + e, state->worldScale, spring->turn, state->gravity, state->wind );
        // gravity and wind may have changed since the last step
        rests =
            !state->stale[e] && supIsZero( spring->s ) && supIsZero( off ) && supIsZero( supSub( pull, spring->pull ) );
        for ( int i = 0; i < SUP_PATH_SPANS && rests; ++i )
        {
            rests = supIsZero( spring->deltas[i] );
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
        state->limitedCount += state->springs[e].limited;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

void supFlesh_Reset( const supFlesh* flesh, supFleshState* state )
{
    memset( state->springs, 0, sizeof( supFleshSpringState ) * (size_t)flesh->elementCount );
    memset( &state->times, 0, sizeof( state->times ) );
    state->started = false;
    state->recentSpeed = 0.0f;
}

void supFlesh_Init( const supFlesh* flesh, supFleshState* state, supVec3 gravity )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        state->tunes[e] = ( supFleshTune ){ element->spring, element->sag, element->mass, element->gravityScale,
            element->limitScale };
        state->stale[e] = true;
    }
    state->gravity = gravity;
    state->wind = supVec3_zero;
    state->worldScale = 1.0f;
    state->limitedCount = 0;
    supFlesh_Reset( flesh, state );
}

/// The anchor's speed at the end of the last frame, from the path's own slope there; zero before there is a path.
static supVec3 supAnchorSpeed( const supFleshState* state, const supFleshSpringState* spring )
{
    supVec3 slope = supVec3_zero;
    for ( int j = 0; j < SUP_PATH_SPANS && state->times.count > 0; ++j )
    {
        double sum = 0.0;
        for ( int k = 0; k < SUP_PATH_SPANS; ++k )
        {
            sum += ( k + 1 ) * state->basis.m[k][j];
        }
        slope = supMulAdd( slope, (float)( sum / state->times.spans[0] ), spring->deltas[j] );
    }
    return slope;
}

supVec3 supFleshVelocity( const supFleshState* state, int32_t element )
{
    const supFleshSpringState* spring = state->springs + element;
    return supMulAdd( spring->s, -state->tunes[element].spring.amount, supAnchorSpeed( state, spring ) );
}

void supFlesh_Tune( const supFlesh* flesh, supFleshState* state, int32_t element, supFleshTune tune )
{
    supFleshSpringState* spring = state->springs + element;
    float more = tune.spring.amount - state->tunes[element].spring.amount;
    // s = u' + amount * x' with the same u'
    spring->s = more != 0.0f ? supMulAdd( spring->s, more, supAnchorSpeed( state, spring ) ) : spring->s;
    state->tunes[element] = tune;
    state->stale[element] = true;
    if ( state->started )
    {
        spring->pull = supFleshPull(
            flesh->elements + element, &tune, state->worldScale, spring->turn, state->gravity, state->wind );
    }
}

float supSagOfGravity( double omega, float thickness )
{
    return (float)( supStandardGravity / ( omega * omega ) / thickness );
}

void supFlesh_Teleport( const supFlesh* flesh, supFleshState* state, supMat34 motion )
{
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        supFleshSpringState* spring = state->springs + e;
        spring->u = supTransformVector( motion, spring->u );
        spring->s = supTransformVector( motion, spring->s );
        spring->shown = supTransformVector( motion, spring->shown );
        spring->anchorArm = supTransformVector( motion, spring->anchorArm );
        spring->pull = supTransformVector( motion, spring->pull );
        for ( int i = 0; i < SUP_PATH_SPANS; ++i )
        {
            spring->deltas[i] = supTransformVector( motion, spring->deltas[i] );
        }
        supMat34 turn = supMulMat( motion, spring->turn );
        spring->turn =
            ( supMat34 ){ supNormalize( turn.x ), supNormalize( turn.y ), supNormalize( turn.z ), supVec3_zero };
    }
    state->worldOrigin = supTransformPoint( motion, state->worldOrigin );
}

/// The state of an element that the old body did not have: settled, and moving with the rest of the body.
static supFleshSpringState supNewcomer(
    const supFleshState* oldState, const supFleshTune* tune, const supFleshFrame* frame )
{
    supFleshSpringState spring = { .turn = frame->turn, .pull = frame->pull };
    memcpy( spring.deltas, oldState->springs[0].deltas, sizeof( spring.deltas ) );
    spring.s = supScale( supAnchorSpeed( oldState, &spring ), tune->spring.amount );
    spring.u = supSettled( &spring, tune );
    return spring;
}

/// The state of an element of the old body, whose u' it keeps: s = u' + amount * x'.
static supFleshSpringState supSuccessor( const supFleshState* oldState, int32_t old, const supFleshTune* tune )
{
    supFleshSpringState spring = oldState->springs[old];
    float more = tune->spring.amount - oldState->tunes[old].spring.amount;
    spring.s = more != 0.0f ? supMulAdd( spring.s, more, supAnchorSpeed( oldState, &spring ) ) : spring.s;
    return spring;
}

void supFlesh_Adopt( const supFlesh* flesh, supFleshState* state, const supFlesh* oldFlesh,
    const supFleshState* oldState, const supMat34* joints, supMat34 world )
{
    if ( oldFlesh->elementCount == 0 || !oldState->started )
    {
        return;
    }
    state->times = oldState->times;
    state->basis = oldState->basis;
    state->worldOrigin = oldState->worldOrigin;
    state->worldScale = oldState->worldScale;
    state->recentSpeed = oldState->recentSpeed;
    state->gravity = oldState->gravity;
    state->wind = oldState->wind;
    state->started = true;
    for ( int32_t e = 0; e < flesh->elementCount; ++e )
    {
        const supFleshElement* element = flesh->elements + e;
        const supFleshTune* tune = state->tunes + e;
        supFleshFrame frame = supReadFrame( element, tune, state, joints, world );
        supFleshSpringState spring = supNewcomer( oldState, tune, &frame );
        for ( int32_t o = 0; o < oldFlesh->elementCount; ++o )
        {
            if ( strcmp( element->name, oldFlesh->elements[o].name ) == 0 )
            {
                spring = supSuccessor( oldState, o, tune );
            }
        }
        spring.anchorArm = frame.arm;
        spring.turn = frame.turn;
        spring.pull = frame.pull;
        supShow( element, tune, state->worldScale, &spring ); // the new limit may be a narrower one
        state->springs[e] = spring;
        state->stale[e] = true;
    }
}
