// Supple: vibrating curves through time, and on the skin.
// SPDX-License-Identifier: MIT

#include "layers/curves/vibration.h"

#include "base/math.h"
#include "solve/swing.h"

#include <string.h>

/// Below this share of the thickness nothing is seen: what has faded to it is put to rest.
static const float supLeastShift = 1e-6f;

/// One ring's oscillators, world space, and what its center moved by in the last frames, newest first.
typedef struct supRingState
{
    supVec3 u[supRingHarmonics], s[supRingHarmonics];
    supVec3 deltas[SUP_PATH_SPANS];
    supVec3 arm; ///< the center from the world's origin
} supRingState;

typedef struct supVibrationState
{
    supSwingClock clock;
    supSpringStep steps[supRingHarmonics];
    supVec3 worldOrigin;
    bool started, stale, moved;
} supVibrationState;

static supRingState* supRingStates( void* state )
{
    return (supRingState*)( (char*)state + ( ( sizeof( supVibrationState ) + 63 ) & ~(size_t)63 ) );
}

int32_t supVibration_ShownCount( const void* compiled )
{
    return 3 * supRingHarmonics * ( (const supVibration*)compiled )->ringCount;
}

size_t supVibration_StateSize( const void* compiled )
{
    size_t rings = (size_t)( (const supVibration*)compiled )->ringCount;
    return ( ( sizeof( supVibrationState ) + 63 ) & ~(size_t)63 ) + rings * sizeof( supRingState );
}

size_t supVibration_ScratchSize( const void* compiled )
{
    return (size_t)( (const supVibration*)compiled )->ringCount * supRingStations * sizeof( supVec3 );
}

void supResetVibration( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supVibration_StateSize( compiled ) );
    memset( shown, 0, (size_t)supVibration_ShownCount( compiled ) * sizeof( float ) );
}

// sqrt( (A_n + a0) / a0 )
static float supHarmonicRatio( const float* live, int32_t n )
{
    float n2 = (float)( n * n );
    return supSqrtF( 1.0f + live[sup_liveBending] * n2 * n2 );
}

// eta is one for all harmonics: 2 zeta omega is that of the mean.
static void supMakeSteps( supVibrationState* all, const float* live, float dt )
{
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        float ratio = supHarmonicRatio( live, n );
        supSpring spring = { .omega = (float)( 2.0 * SUP_PI * live[sup_liveFrequency] ) * ratio,
            .dampingRatio = live[sup_liveDampingRatio] / ratio,
            .amount = live[sup_liveAmount] };
        all->steps[n] = supMakeSpringStep( &spring, &all->clock.basis, dt );
    }
    all->stale = false;
}

// The turn of a ring since rest: its first joint's, square and of unit length.
static supMat34 supRingTurn( const supRing* ring, const supMat34* joints )
{
    supMat34 m = supMulMat( joints[ring->joints[0]], ring->frame );
    supVec3 x = supNormalize( m.x );
    supVec3 y = supNormalize( supMulAdd( m.y, -supDot( m.y, x ), x ) );
    return ( supMat34 ){ x, y, supCross( x, y ), supVec3_zero };
}

static supVec3 supRingCenter( const supRing* ring, const supMat34* joints )
{
    supVec3 center = supVec3_zero;
    for ( int32_t k = 0; k < supRingJoints && ring->joints[k] >= 0; ++k )
    {
        center = supMulAdd( center, ring->shares[k], supTransformPoint( joints[ring->joints[k]], ring->centers[k] ) );
    }
    return center;
}

static supVec3 supStepSum( const float row[4 + SUP_PATH_SPANS], supVec3 u, supVec3 s, const supVec3* deltas )
{
    supVec3 sum = supMulAdd( supScale( u, row[0] ), row[1], s );
    for ( int32_t i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum = supMulAdd( sum, row[2 + i], deltas[i] );
    }
    return sum;
}

static bool supStepRing( supRingState* own, supVibrationState* all, supVec3 delta, float amount, float least )
{
    float still = 0.0f, moving = 0.0f;
    for ( int32_t i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        own->deltas[i] = own->deltas[i - 1];
        still += supLengthSquared( own->deltas[i] );
    }
    own->deltas[0] = delta;
    still += supLengthSquared( delta );
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        if ( all->clock.times.count == 1 )
        {
            // settled so far: u' = 0, whatever the anchor's speed is
            own->s[n] = supMulAdd( own->s[n], amount / all->clock.times.spans[0], delta );
        }
        supVec3 u = supStepSum( all->steps[n].u, own->u[n], own->s[n], own->deltas );
        supVec3 s = supStepSum( all->steps[n].s, own->u[n], own->s[n], own->deltas );
        own->u[n] = u;
        own->s[n] = s;
        moving += supLength( u ) + supLength( s ) * 0.01f;
    }
    if ( still == 0.0f && moving < least )
    {
        memset( own->u, 0, sizeof( own->u ) );
        memset( own->s, 0, sizeof( own->s ) );
        return false;
    }
    return true;
}

void supStepVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supVibration* vibration = compiled;
    supVibrationState* all = state;
    const float* live = frame->live;
    float worldScale = supLength( frame->world.x );
    bool moves = all->started && frame->dt > 0.0f;
    supVec3 travel = supSub( frame->world.t, all->worldOrigin );
    if ( moves )
    {
        supSwingClock_Tick( &all->clock, frame->dt );
        if ( all->clock.changed || all->stale )
        {
            supMakeSteps( all, live, frame->dt );
        }
        all->moved = false;
    }
    float limit = live[sup_liveLimit] * vibration->thickness;
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        const supRing* ring = vibration->rings + i;
        supRingState* own = supRingStates( state ) + i;
        supVec3 arm = supTransformVector( frame->world, supRingCenter( ring, frame->joints ) );
        if ( moves )
        {
            supVec3 delta = supAdd( supSub( arm, own->arm ), travel );
            float least = supLeastShift * vibration->thickness * worldScale;
            all->moved = supStepRing( own, all, delta, live[sup_liveAmount], least ) || all->moved;
        }
        own->arm = arm;
        // from world space to the ring's frame: the transpose of an orthogonal matrix, over the world's scale
        supMat34 turn = supMulMat( frame->world, supRingTurn( ring, frame->joints ) );
        float scale = worldScale > 0.0f ? 1.0f / ( worldScale * worldScale ) : 0.0f;
        for ( int32_t n = 0; n < supRingHarmonics; ++n )
        {
            supVec3 u = own->u[n];
            u = supSoftLimit(
                supScale( ( supVec3 ){ supDot( turn.x, u ), supDot( turn.y, u ), supDot( turn.z, u ) }, scale ),
                limit );
            memcpy( shown + 3 * ( (size_t)i * supRingHarmonics + (size_t)n ), &u, sizeof( u ) );
        }
    }
    all->worldOrigin = frame->world.t;
    all->started = true;
}

void supTeleportVibration( const void* compiled, void* state, supMat34 motion )
{
    const supVibration* vibration = compiled;
    supVibrationState* all = state;
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        supRingState* own = supRingStates( state ) + i;
        for ( int32_t n = 0; n < supRingHarmonics; ++n )
        {
            own->u[n] = supTransformVector( motion, own->u[n] );
            own->s[n] = supTransformVector( motion, own->s[n] );
        }
        for ( int32_t k = 0; k < SUP_PATH_SPANS; ++k )
        {
            own->deltas[k] = supTransformVector( motion, own->deltas[k] );
        }
        own->arm = supTransformVector( motion, own->arm );
    }
    all->worldOrigin = supTransformPoint( motion, all->worldOrigin );
}

bool supVibration_IsAtRest( const void* compiled, const void* state )
{
    (void)compiled;
    const supVibrationState* all = state;
    return all->started && !all->moved && !all->stale;
}

void supTunedVibration( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)compiled;
    (void)live;
    (void)item;
    ( (supVibrationState*)state )->stale = true;
}

// Displacements at the stations of a ring; harmonics past the third take the third's share of the load as their
// stiffness has it.
static bool supFillStations(
    const supVibration* vibration, int32_t ring, const supLayerFrame* frame, const float* shown, supVec3* out )
{
    const supRing* own = vibration->rings + ring;
    const float* live = frame->live;
    supMat34 turn = supRingTurn( own, frame->joints );
    supVec3 x[supRingTerms + 1];
    float most = 0.0f;
    float third = supHarmonicRatio( live, supRingHarmonics - 1 );
    for ( int32_t n = 0; n <= supRingTerms; ++n )
    {
        if ( n < supRingHarmonics )
        {
            supVec3 u;
            memcpy( &u, shown + 3 * ( ring * supRingHarmonics + n ), sizeof( u ) );
            most = supMaxF( most, supLengthSquared( u ) );
            x[n] = supTransformVector( turn, u );
            continue;
        }
        float ratio = third / supHarmonicRatio( live, n );
        x[n] = supScale( x[supRingHarmonics - 1], ratio * ratio );
    }
    if ( most == 0.0f )
    {
        memset( out, 0, supRingStations * sizeof( supVec3 ) );
        return false;
    }
    for ( int32_t i = 0; i < supRingStations; ++i )
    {
        const float* basis = vibration->basis + i * ( 2 * supRingTerms + 1 );
        supVec3 sum = supScale( x[0], own->weights[0] );
        for ( int32_t n = 1; n <= supRingTerms; ++n )
        {
            sum =
                supMulAdd( sum, basis[2 * n - 1] * own->weights[2 * n - 1] + basis[2 * n] * own->weights[2 * n], x[n] );
        }
        out[i] = sum;
    }
    return true;
}

void supApplyVibration( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supVibration* vibration = compiled;
    supVec3* stations = frame->scratch;
    bool any = false;
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        any = supFillStations( vibration, i, frame, shown, stations + (size_t)i * supRingStations ) || any;
    }
    for ( int32_t i = 0; any && i < vibration->touchedCount; ++i )
    {
        supVec3 p = positions[vibration->touched[i]];
        for ( int32_t k = vibration->shareStart[i]; k < vibration->shareStart[i + 1]; ++k )
        {
            p = supMulAdd( p, vibration->shares[k].share, stations[vibration->shares[k].station] );
        }
        positions[vibration->touched[i]] = p;
    }
}
