// Supple: vibrating curves through time, and on the skin.
// SPDX-License-Identifier: MIT

#include "layers/curves/vibration.h"

#include "base/math.h"

#include <string.h>

/// Below this share of the thickness nothing is seen: what has faded to it is put to rest.
static const float supLeastShift = 1e-6f;

/// Gravity that `sag` is measured in. m/s^2
static const float supStandardGravity = 9.81f;

int32_t supVibration_ShownCount( const void* compiled )
{
    return 3 * supRingHarmonics * ( (const supVibration*)compiled )->ringCount;
}

size_t supVibration_StateSize( const void* compiled )
{
    const supVibration* vibration = compiled;
    return supRingsOffset( vibration ) + (size_t)vibration->ringCount * sizeof( supRingState );
}

static size_t supStationsSize( const supVibration* vibration )
{
    return ( 2 * (size_t)vibration->ringCount * supRingStations * sizeof( supVec3 ) + 63 ) & ~(size_t)63;
}

size_t supVibration_ScratchSize( const void* compiled )
{
    const supVibration* vibration = compiled;
    size_t amounts = ( (size_t)vibration->itemCount * sizeof( supHoldAmounts ) + 63 ) & ~(size_t)63;
    return supStationsSize( vibration ) + amounts + supRingHold_ScratchSize( &vibration->hold );
}

void supResetVibration( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supVibration_StateSize( compiled ) );
    memset( shown, 0, (size_t)supVibration_ShownCount( compiled ) * sizeof( float ) );
}

/// sqrt( (A_n + a0) / a0 ): how much faster wave n swings than the whole.
static float supHarmonicRatio( float bending, bool open, int32_t n )
{
    float wave = open ? 0.5f * (float)n : (float)n, square = wave * wave;
    return supSqrtF( 1.0f + bending * square * square );
}

static float supOmegaOf( const float* live )
{
    return (float)( 2.0 * SUP_PI * live[sup_liveFrequency] );
}

// eta is one for all harmonics: 2 zeta omega is that of the mean.
static void supMakeSteps( supItemSteps* own, const float* live, const supSwingClock* clock, float dt )
{
    for ( int32_t i = 0; i < 2 * supRingHarmonics; ++i )
    {
        int32_t open = i / supRingHarmonics, n = i % supRingHarmonics;
        float ratio = supHarmonicRatio( live[sup_liveBending], open, n );
        supSpring spring = { .omega = supOmegaOf( live ) * ratio,
            .dampingRatio = live[sup_liveDampingRatio] / ratio,
            .amount = live[sup_liveAmount] };
        own->compliance[open][n] = 1.0f / ( spring.omega * spring.omega );
        if ( dt > 0.0f )
        {
            own->steps[open][n] = supMakeSpringStep( &spring, &clock->basis, dt );
        }
    }
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

// What gravity does beyond rest. The model was made with its sag: turned by `turn` since, its flesh feels the
// difference. A difference that is only rounding is none.
static supVec3 supRingPull(
    const supVibration* vibration, const supRing* ring, const supLayerFrame* frame, supMat34 turn, float worldScale )
{
    const float* live = frame->live + ring->item * sup_liveCount;
    if ( !( live[sup_liveSag] > 0.0f ) || !( worldScale > 0.0f ) )
    {
        return supVec3_zero;
    }
    supVec3 turned = supScale( supTransformVector( turn, frame->gravity ), 1.0f / worldScale );
    supVec3 felt = supSub( frame->gravity, turned );
    if ( supLengthSquared( felt ) < 1e-9f * supLengthSquared( frame->gravity ) )
    {
        return supVec3_zero;
    }
    float omega = supOmegaOf( live ), far = live[sup_liveSag] * vibration->thickness[ring->item] * worldScale;
    return supScale( felt, far * omega * omega / supStandardGravity );
}

static supVec3 supStepSum(
    const float row[4 + SUP_PATH_SPANS], supVec3 u, supVec3 s, const supRingState* own, supVec3 pull )
{
    supVec3 sum = supMulAdd( supScale( u, row[0] ), row[1], s );
    for ( int32_t i = 0; i < SUP_PATH_SPANS; ++i )
    {
        sum = supMulAdd( sum, row[2 + i], own->deltas[i] );
    }
    sum = supMulAdd( sum, row[2 + SUP_PATH_SPANS], own->pull );
    return supMulAdd( sum, row[3 + SUP_PATH_SPANS], pull );
}

/// What a frame brings to a ring.
typedef struct supRingFrame
{
    supVec3 delta; ///< what its center moved by
    supVec3 pull;  ///< at the frame's end
    float amount;
    float least; ///< what moves less is put to rest. Metres
    bool open;
} supRingFrame;

static bool supStepRing(
    supRingState* own, const supItemSteps* item, const supSwingClock* clock, const supRingFrame* frame )
{
    float still = supLengthSquared( supSub( frame->pull, own->pull ) ), moving = 0.0f;
    for ( int32_t i = SUP_PATH_SPANS - 1; i > 0; --i )
    {
        own->deltas[i] = own->deltas[i - 1];
        still += supLengthSquared( own->deltas[i] );
    }
    own->deltas[0] = frame->delta;
    still += supLengthSquared( frame->delta );
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        const supSpringStep* step = &item->steps[frame->open][n];
        if ( clock->times.count == 1 )
        {
            // settled so far: u' = 0, whatever the anchor's speed is
            own->s[n] = supMulAdd( own->s[n], frame->amount / clock->times.spans[0], frame->delta );
        }
        supVec3 u = supStepSum( step->u, own->u[n], own->s[n], own, frame->pull );
        supVec3 s = supStepSum( step->s, own->u[n], own->s[n], own, frame->pull );
        own->u[n] = u;
        own->s[n] = s;
        supVec3 settled = supScale( frame->pull, item->compliance[frame->open][n] );
        moving += supLength( supSub( u, settled ) ) + supLength( s ) * 0.01f;
    }
    own->pull = frame->pull;
    return !( still == 0.0f && moving < frame->least );
}

/// A cut: what the ring does goes on (it was turned with the body), and the path is forgotten.
static void supForgetRing( supRingState* own, const supSwingClock* clock, bool ticked, float amount )
{
    float slopes[SUP_PATH_SPANS];
    supSwingClock_Slopes( clock, slopes );
    supVec3 speed = supVec3_zero;
    for ( int32_t i = 0; i < SUP_PATH_SPANS; ++i )
    {
        speed = supMulAdd( speed, ticked ? clock->lastSlopes[i] : slopes[i], own->deltas[i] );
        own->deltas[i] = supVec3_zero;
    }
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        own->s[n] = supMulAdd( own->s[n], -amount, speed );
    }
}

// Where gravity alone would hold it.
static void supSettleRing( supRingState* own, const supItemSteps* item, bool open )
{
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        own->u[n] = supScale( own->pull, item->compliance[open][n] );
        own->s[n] = supVec3_zero;
    }
}

// From world space to the ring's frame: the transpose of an orthogonal matrix, over the world's scale.
static void supShowRing( const supRingState* own, supMat34 turn, float worldScale, float limit, float* shown )
{
    float scale = worldScale > 0.0f ? 1.0f / ( worldScale * worldScale ) : 0.0f;
    for ( int32_t n = 0; n < supRingHarmonics; ++n )
    {
        supVec3 u = own->u[n];
        u = supSoftLimit(
            supScale( ( supVec3 ){ supDot( turn.x, u ), supDot( turn.y, u ), supDot( turn.z, u ) }, scale ), limit );
        memcpy( shown + 3 * n, &u, sizeof( u ) );
    }
}

void supStepVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supVibration* vibration = compiled;
    supVibrationState* all = state;
    float worldScale = supLength( frame->world.x );
    bool moves = all->started && frame->dt > 0.0f;
    supVec3 travel = supSub( frame->world.t, all->worldOrigin );
    if ( moves )
    {
        supSwingClock_Tick( &all->clock, frame->dt );
        all->moved = false;
    }
    if ( !all->started || ( moves && ( all->clock.changed || all->stale ) ) )
    {
        for ( int32_t i = 0; i < vibration->itemCount; ++i )
        {
            supMakeSteps(
                supStepsOf( state, i ), frame->live + i * sup_liveCount, &all->clock, moves ? frame->dt : 0.0f );
        }
        all->stale = !moves;
    }
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        const supRing* ring = vibration->rings + i;
        const float* live = frame->live + ring->item * sup_liveCount;
        supRingState* own = supRingStates( vibration, state ) + i;
        supMat34 turn = supMulMat( frame->world, supRingTurn( ring, frame->joints ) );
        supVec3 arm = supTransformVector( frame->world, supRingCenter( ring, frame->joints ) );
        supVec3 pull = supRingPull( vibration, ring, frame, turn, worldScale );
        bool rests = !all->started, forgets = frame->jumps != NULL && frame->jumps->forgets && all->started;
        if ( forgets )
        {
            supForgetRing( own, &all->clock, moves, live[sup_liveAmount] );
            own->pull = pull;
        }
        if ( moves )
        {
            supVec3 delta = supAdd( supSub( arm, own->arm ), travel );
            supRingFrame step = { .delta = forgets ? supVec3_zero : delta,
                .pull = pull,
                .amount = live[sup_liveAmount],
                .least = supLeastShift * vibration->thickness[ring->item] * worldScale,
                .open = ring->open };
            rests = !supStepRing( own, supStepsOf( state, ring->item ), &all->clock, &step );
            all->moved = all->moved || !rests;
        }
        if ( rests )
        {
            own->pull = pull;
            supSettleRing( own, supStepsOf( state, ring->item ), ring->open );
        }
        own->arm = arm;
        supShowRing( own, turn, worldScale, live[sup_liveLimit] * vibration->thickness[ring->item],
            shown + 3 * (size_t)i * supRingHarmonics );
    }
    if ( frame->jumps != NULL && frame->jumps->forgets )
    {
        all->clock.times.count = 0;
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
        supRingState* own = supRingStates( vibration, state ) + i;
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
        own->pull = supTransformVector( motion, own->pull );
    }
    all->worldOrigin = supTransformPoint( motion, all->worldOrigin );
}

/// The old ring that is nearest in the pose of `joints`; -1: there is none.
static int32_t supNearestRing( const supVibration* old, const supMat34* joints, supVec3 center )
{
    int32_t nearest = -1;
    float least = 0.0f;
    for ( int32_t i = 0; i < old->ringCount; ++i )
    {
        float distance = supLengthSquared( supSub( supRingCenter( old->rings + i, joints ), center ) );
        if ( nearest < 0 || distance < least )
        {
            nearest = i;
            least = distance;
        }
    }
    return nearest;
}

// Curves are laid anew by the edit, and have no names: each goes on as the nearest of the old ones did.
void supAdoptVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown )
{
    const supVibration *vibration = compiled, *old = oldCompiled;
    supVibrationState* all = state;
    if ( !( (const supVibrationState*)oldState )->started || old->ringCount == 0 )
    {
        return;
    }
    *all = *(const supVibrationState*)oldState;
    all->stale = true;
    all->moved = true;
    const size_t floats = 3 * supRingHarmonics;
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        supRingState* own = supRingStates( vibration, state ) + i;
        supVec3 center = supRingCenter( vibration->rings + i, frame->joints );
        int32_t from = supNearestRing( old, frame->joints, center );
        *own = supRingStates( old, (void*)oldState )[from];
        own->arm = supTransformVector( frame->world, center );
        memcpy( shown + (size_t)i * floats, oldShown + (size_t)from * floats, floats * sizeof( float ) );
    }
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
    float bending = frame->live[own->item * sup_liveCount + sup_liveBending];
    supMat34 turn = supRingTurn( own, frame->joints );
    supVec3 x[supRingTerms + 1];
    float most = 0.0f;
    float third = supHarmonicRatio( bending, own->open, supRingHarmonics - 1 );
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
        float ratio = third / supHarmonicRatio( bending, own->open, n );
        x[n] = supScale( x[supRingHarmonics - 1], ratio * ratio );
    }
    if ( most == 0.0f )
    {
        memset( out, 0, supRingStations * sizeof( supVec3 ) );
        return false;
    }
    const float* w = own->weights;
    for ( int32_t i = 0; i < supRingStations; ++i )
    {
        const float* b = vibration->basis[own->open] + i * supRingWeights;
        supVec3 sum = supScale( x[0], own->open ? b[0] * w[0] + b[1] * w[1] : w[0] );
        for ( int32_t n = 1; n <= supRingTerms; ++n )
        {
            float wave = own->open ? b[1 + n] * w[1 + n] : b[2 * n - 1] * w[2 * n - 1] + b[2 * n] * w[2 * n];
            sum = supMulAdd( sum, wave, x[n] );
        }
        out[i] = sum;
    }
    return true;
}

void supApplyVibration( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions )
{
    const supVibration* vibration = compiled;
    supVec3* stations = frame->scratch;
    supHoldAmounts* amounts = (supHoldAmounts*)( (char*)frame->scratch + supStationsSize( vibration ) );
    bool any = false, holds = false, folds = false;
    for ( int32_t i = 0; i < vibration->ringCount; ++i )
    {
        any = supFillStations( vibration, i, frame, shown, stations + (size_t)i * supRingStations ) || any;
    }
    for ( int32_t i = 0; i < vibration->itemCount; ++i )
    {
        const float* live = frame->live + i * sup_liveCount;
        amounts[i] = ( supHoldAmounts ){ live[sup_liveApart], live[sup_liveVolume], live[sup_liveFolds] };
        holds = holds || amounts[i].apart > 0.0f || amounts[i].volume > 0.0f || amounts[i].folds > 0.0f;
    }
    if ( holds )
    {
        size_t size = ( (size_t)vibration->itemCount * sizeof( supHoldAmounts ) + 63 ) & ~(size_t)63;
        folds = supRingHold_Apply( &vibration->hold, amounts, positions, stations, (char*)amounts + size );
    }
    if ( any || holds )
    {
        supRingSkin_Move( &vibration->skin, stations, folds, positions );
    }
}
