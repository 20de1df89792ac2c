// Modes that move.
// SPDX-License-Identifier: MIT

#include "layers/modes/modes.h"

#include "base/math.h"
#include "base/math_double.h"
#include "solve/swing.h"

#include <string.h>

/// One mode's own.
typedef struct supModeState
{
    supSwing swing; ///< world space. Metres, or radians
    supVec3 arm;    ///< a shift's anchor at the last frame, less its share of the world's origin
    supQuatd turn;  ///< of the driver from rest, world space, at the last frame
    bool stands;    ///< it has had a frame: arm and turn are known
} supModeState;

typedef struct supModesState
{
    supSwingClock clock;
    supVec3 worldOrigin; ///< of the last frame
    bool started;
} supModesState;

/// What moves less is put to rest: a share of the thickness, and radians.
static const float supLeastShift = 1e-7f, supLeastTurn = 1e-8f;

static size_t supModeStatesAt( void )
{
    return ( sizeof( supModesState ) + 63 ) / 64 * 64;
}

static supModeState* supModeStates( const void* state )
{
    return (supModeState*)( (char*)state + supModeStatesAt() );
}

int32_t supModesShownCount( const void* compiled )
{
    return 3 * ( (const supModes*)compiled )->count;
}

size_t supModesStateSize( const void* compiled )
{
    return supModeStatesAt() + sizeof( supModeState ) * (size_t)( (const supModes*)compiled )->count;
}

void supResetModes( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supModesStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supModesShownCount( compiled ) );
}

static supQuatd supTurnOf( const supMode* mode, supMat34 joint )
{
    return supNearestRotationD( supMatToDouble( supMulMat( joint, mode->driverFromRest ) ) );
}

static supSpring supSpringOf( const float* live )
{
    return ( supSpring ){ .omega = (float)( 2.0 * SUP_PI * live[sup_modeFrequency] ),
        .dampingRatio = live[sup_modeDampingRatio],
        .amount = live[sup_modeAmount] };
}

/// From world space to the driver's frame at rest, where the world's place and turn are forgotten; within the limit.
static supVec3 supShownOf( const supMode* mode, supQuatd turn, supVec3d world, const float* live, float worldScale )
{
    supVec3 u = supToFloat( supRotateD( supConjugateD( turn ), world ) );
    if ( supLengthSquared( mode->direction ) > 0.0f )
    {
        u = supScale( mode->direction, supDot( u, mode->direction ) );
    }
    return mode->motion == sup_modeTurn
               ? supSoftLimit( u, live[sup_modeLimitAngle] )
               : supSoftLimit( supScale( u, 1.0f / worldScale ), live[sup_modeLimit] * mode->thickness );
}

/// What a mode moves by in a frame.
typedef struct supModeMove
{
    supVec3 delta;
    float least;
    supQuatd turn; ///< of the driver, now
} supModeMove;

/// A frame in which something jumped: what the mode does turns with its driver, as far as that is a jump.
static void supJumpMode( const supMode* mode, supModeState* own, const supSpring* spring, const supSwingClock* clock,
    const supJointJumps* jumps, const supModeMove* move )
{
    float held = jumps->withheld[mode->driver];
    supQuatd none = { 0.0, 0.0, 0.0, 1.0 }, turned = supMulQuatD( move->turn, supConjugateD( own->turn ) );
    if ( held > 0.0f )
    {
        supQuatd share = held < 1.0f ? supSlerpD( none, turned, held ) : turned;
        supSwing_Turn( &own->swing, supMatToFloat( supMatFromQuatD( share ) ) );
    }
    if ( clock == NULL )
    {
        return; // no time passes
    }
    if ( jumps->forgets )
    {
        supSwing_Forget( &own->swing, clock );
        supSwing_Coast( &own->swing, spring, clock );
        return;
    }
    supSwing_Jump( &own->swing, spring, clock, move->delta, held, jumps->rebased[mode->driver], move->least );
}

/// A cut in a step of no time: the next step begins anew.
static void supForgetStanding( const supModes* modes, void* state, const supJointJumps* jumps, bool moves )
{
    const supModesState* all = state;
    for ( int32_t i = 0; i < modes->count && jumps != NULL && jumps->forgets && !moves && all->started; ++i )
    {
        supSwing_Rehang( &supModeStates( state )[i].swing, &all->clock );
    }
}

void supStepModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supModes* modes = compiled;
    supModesState* all = state;
    float worldScale = supLength( frame->world.x );
    bool moves = all->started && frame->dt > 0.0f;
    supVec3 travel = supSub( frame->world.t, all->worldOrigin );
    if ( moves )
    {
        supSwingClock_Tick( &all->clock, frame->dt );
    }
    for ( int32_t i = 0; i < modes->count; ++i )
    {
        const supMode* mode = modes->modes + i;
        supModeState* own = supModeStates( state ) + i;
        const float* live = frame->live + (size_t)i * sup_modeLiveCount;
        supMat34 joint = frame->joints[mode->driver];
        supVec3 lever = supMulAdd( supTransformVector( joint, mode->lever ), mode->share, joint.t );
        supVec3 arm = supTransformVector( frame->world, lever );
        supQuatd turn = supTurnOf( mode, supMulMat( frame->world, joint ) );
        supSpring spring = supSpringOf( live );
        if ( own->stands && ( moves || frame->jumps != NULL ) )
        {
            bool turns = mode->motion == sup_modeTurn;
            supVec3 delta = turns ? supToFloat( supRotationVectorD( supMulQuatD( turn, supConjugateD( own->turn ) ) ) )
                                  : supMulAdd( supSub( arm, own->arm ), mode->share, travel );
            float least = turns ? supLeastTurn : supLeastShift * mode->thickness * worldScale;
            if ( frame->jumps != NULL )
            {
                supModeMove move = { delta, least, turn };
                supJumpMode( mode, own, &spring, moves ? &all->clock : NULL, frame->jumps, &move );
            }
            else
            {
                supSwing_Step( &own->swing, &spring, &all->clock, delta, least );
            }
        }
        else if ( moves )
        {
            supSwing_Coast( &own->swing, &spring, &all->clock );
        }
        own->stands = true;
        own->arm = arm;
        own->turn = turn;
        supVec3 u = supShownOf( mode, turn, supToDouble( own->swing.u ), live, worldScale );
        memcpy( shown + 3 * (size_t)i, &u, sizeof( u ) );
    }
    supForgetStanding( modes, state, frame->jumps, moves );
    all->worldOrigin = frame->world.t;
    all->started = true;
}

void supTeleportModes( const void* compiled, void* state, supMat34 motion )
{
    const supModes* modes = compiled;
    supModesState* all = state;
    supMat34d linear = supMatToDouble( motion );
    linear.t = ( supVec3d ){ 0.0, 0.0, 0.0 };
    supQuatd turn = supNearestRotationD( linear );
    supMat34 turned = supMatToFloat( supMatFromQuatD( turn ) );
    for ( int32_t i = 0; i < modes->count; ++i )
    {
        supModeState* own = supModeStates( state ) + i;
        supSwing_Turn( &own->swing, modes->modes[i].motion == sup_modeTurn ? turned : motion );
        own->arm = supTransformVector( motion, own->arm );
        own->turn = supMulQuatD( turn, own->turn );
    }
    all->worldOrigin = supTransformPoint( motion, all->worldOrigin );
}

/// Whether the body's motion drives both alike.
static bool supHaveOneAnchor( const supMode* a, const supMode* b )
{
    return a->driver == b->driver &&
           memcmp( &a->driverFromRest, &b->driverFromRest, sizeof( a->driverFromRest ) ) == 0 &&
           memcmp( &a->lever, &b->lever, sizeof( a->lever ) ) == 0 && a->share == b->share;
}

/// The mode of the same name and motion, or -1.
static int32_t supFindSameMode( const supModes* modes, const supMode* like )
{
    int32_t found = -1;
    for ( int32_t i = 0; i < modes->count; ++i )
    {
        bool same = modes->modes[i].motion == like->motion && strcmp( modes->modes[i].name, like->name ) == 0;
        found = same ? i : found;
    }
    return found;
}

void supAdoptModes( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown )
{
    (void)frame;
    const supModes *modes = compiled, *old = oldCompiled;
    supModesState* all = state;
    *all = *(const supModesState*)oldState;
    for ( int32_t i = 0; i < modes->count; ++i )
    {
        supModeState* own = supModeStates( state ) + i;
        int32_t from = supFindSameMode( old, modes->modes + i );
        own->swing.stale = true;
        if ( from < 0 )
        {
            continue; // settled, and stands from the next frame on
        }
        *own = supModeStates( oldState )[from];
        own->swing.stale = true;
        memcpy( shown + 3 * (size_t)i, oldShown + 3 * (size_t)from, 3 * sizeof( float ) );
        if ( !supHaveOneAnchor( modes->modes + i, old->modes + from ) )
        {
            supSwing_Rehang( &own->swing, &all->clock );
            own->stands = false;
        }
    }
}

bool supModesAreAtRest( const void* compiled, const void* state )
{
    bool rests = ( (const supModesState*)state )->started;
    for ( int32_t i = 0; i < ( (const supModes*)compiled )->count && rests; ++i )
    {
        rests = supSwing_IsAtRest( &supModeStates( state )[i].swing );
    }
    return rests;
}

void supTunedMode( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)compiled;
    (void)live;
    supModeStates( state )[item].swing.stale = true;
}

supSwingView supModeSwing( const void* compiled, int32_t index, const float* live )
{
    const supMode* mode = ( (const supModes*)compiled )->modes + index;
    return ( supSwingView ){ .joint = mode->driver,
        .turns = mode->motion == sup_modeTurn,
        .fromRest = mode->driverFromRest,
        .lever = mode->lever,
        .share = mode->share,
        .spring = supSpringOf( live + (size_t)index * sup_modeLiveCount ),
        .limit = supInfinity() }; // its own, when it is shown
}

supVec3 supModeShown( const void* compiled, int32_t index, const float* live, supMat34 joint, supVec3d u )
{
    const supMode* mode = ( (const supModes*)compiled )->modes + index;
    return supShownOf( mode, supTurnOf( mode, joint ), u, live + (size_t)index * sup_modeLiveCount, 1.0f );
}
