// Fat that moves.
// SPDX-License-Identifier: MIT
//
// A step, for every vibration k, with D_j what its anchor moved by in the j-th newest frame:
//
//     joints' matrices, frame by frame      last, deltas (four of them), speeds            world space
//     taken back by the joint's turn now    R^T delta                                      rest space, twelve numbers
//     times `gather`                        D_j[k], and the anchor's speed when the frame began
//     one spring step each                  q, q'                                          solve/spring_step.c
//
// Earlier frames are taken back by the turn of now, not of then: a point that circles is pulled towards the centre.

#include "layers/fat/fat_step.h"

#include "base/math.h"
#include "layers/fat/fat_reference.h"
#include "layers/fat/fat_state.h"
#include "layers/fat/fat_tension.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Material

/// The same with nothing tense.
static float supLooseSpeed( const supFat* fat, const float* live )
{
    return live[sup_fatMu] > 0.0f
               ? supSqrtF( live[sup_fatMu] / (float)fat->mu * ( fat->density / live[sup_fatDensity] ) )
               : live[sup_fatFrequency] / fat->firstFrequency;
}

float supFatSpeed( const supFat* fat, const float* live )
{
    return supLooseSpeed( fat, live ) * supSqrtF( 1.0f + SUP_TENSION_STIFFNESS * live[sup_fatTension] );
}

/// Times gravity: so that it pulls the fat as far as `sag` says, or as its material lets it.
static float supGravityGain( const supFat* fat, const float* live, float worldScale )
{
    float speed = supLooseSpeed( fat, live ); // tension lessens the sag
    bool given = live[sup_fatSag] >= 0.0f;
    float sag = given ? live[sup_fatSag] : SUP_FAT_SAG;
    bool physical = !given && live[sup_fatMu] > 0.0f;
    return physical ? 1.0f / worldScale : sag * fat->thickest / ( fat->sagUnit * SUP_FAT_GRAVITY ) * speed * speed;
}

/// Of the sag that one unit of gravity's gain gives: what the model holds already.
static float supModelledSag( const supFat* fat, const float* live, float worldScale )
{
    float speed = supLooseSpeed( fat, live );
    bool sags = live[sup_fatGravity] == (float)sup_gravityRelative;
    return sags ? supGravityGain( fat, live, worldScale ) / ( speed * speed ) : 0.0f;
}

static void supMakeFatSteps( const supFat* fat, const supFatPlaces* at, const float* live, float dt )
{
    float speed = supFatSpeed( fat, live ), first = fat->omegas[0] * speed;
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        float omega = supModeOmega( fat, at, k ) * speed, viscous = live[sup_fatViscosity];
        float ratio = ( 1.0f - viscous ) * first / omega + viscous * omega / first;
        supSpring spring = {
            .omega = omega, .dampingRatio = live[sup_fatDampingRatio] * ratio, .amount = live[sup_fatAmount]
        };
        supSpringStep step = supMakeSpringStep( &spring, &at->own->clock.basis, dt );
        for ( int i = 0; i < supStepNumbers; ++i )
        {
            at->steps[(size_t)i * fat->modeSize + (size_t)k] = step.u[i];
            at->stepSpeeds[(size_t)i * fat->modeSize + (size_t)k] = step.s[i];
        }
    }
    at->own->stale = false;
}

// ---------------------------------------------------------------------------------------------------------------
// A step

/// Pulls of gravity and of meshes below on the modes, and (into `shown`) what the corrections are multiplied with.
static void supPullFat( const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, const float* live,
    float* pulls, float* shown )
{
    float speed = supFatSpeed( fat, live );
    float gain = supGravityGain( fat, live, supLength( frame->world.x ) );
    // what the model holds of its sag was strained without tension
    float tense = 1.0f + SUP_TENSION_STIFFNESS * live[sup_fatTension];
    // corrections follow at once what the body does; to what a hand has changed they go over
    bool eases = at->own->started && at->own->easing > 0.0f && frame->dt > 0.0f;
    float follows = eases ? 1.0f - supExpF( -frame->dt / SUP_FAT_EASE ) : 1.0f;
    at->own->easing = eases ? supMaxF( at->own->easing - frame->dt, 0.0f ) : 0.0f;
    memset( pulls, 0, sizeof( float ) * fat->modeSize );
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        supVec3 felt = supTransposeVector( at->turns[j], frame->gravity );
        felt = live[sup_fatGravity] == (float)sup_gravityRelative ? supMulAdd( felt, -tense, fat->restGravity ) : felt;
        felt = supScale( felt, gain );
        supMat34 motion = { supVec3_zero, supVec3_zero, supVec3_zero, felt };
        supGatherMotion( fat, j, supMat34_identity, motion, 1.0f, pulls );
        supVec3 rest = supScale( felt, 1.0f / ( speed * speed ) );
        float* own = shown + fat->modeCount + 3 * (ptrdiff_t)j;
        supVec3 last = supMakeVec3( own[0], own[1], own[2] );
        rest = follows < 1.0f ? supMulAdd( last, follows, supSub( rest, last ) ) : rest;
        memcpy( own, &rest, sizeof( rest ) );
    }
    supPushByMeshes( fat, at, frame, speed, pulls, shown + fat->modeCount + 3 * (ptrdiff_t)fat->jointCount );
}

/// All modes by one frame, whose pulls go from `f0` to `f1`.
static void supAdvanceModes( const supFat* fat, const supFatPlaces* at, const float* f0, const float* f1, float amount )
{
    size_t modes = fat->modeSize;
    const float* d = at->anchors;
    float slope[SUP_PATH_SPANS];
    supSwingClock_Slopes( &at->own->clock, slope );
    for ( size_t k = 0; k < modes; ++k )
    {
        float s = at->speeds[k] + amount * d[SUP_PATH_SPANS * modes + k];
        float q = at->steps[k] * at->q[k] + at->steps[modes + k] * s + at->steps[6 * modes + k] * f0[k] +
                  at->steps[7 * modes + k] * f1[k];
        float t = at->stepSpeeds[k] * at->q[k] + at->stepSpeeds[modes + k] * s + at->stepSpeeds[6 * modes + k] * f0[k] +
                  at->stepSpeeds[7 * modes + k] * f1[k];
        float end = 0.0f;
        for ( size_t i = 0; i < SUP_PATH_SPANS; ++i )
        {
            q += at->steps[( 2 + i ) * modes + k] * d[i * modes + k];
            t += at->stepSpeeds[( 2 + i ) * modes + k] * d[i * modes + k];
            end += slope[i] * d[i * modes + k];
        }
        at->q[k] = q;
        at->speeds[k] = t - amount * end;
    }
}

/// Gravity's pulls go from `before` to `now`, forces from outside are what they are. Tense, the step is taken in the
/// tense solid's vibrations.
static void supAdvanceFat(
    const supFat* fat, const supFatPlaces* at, const float* before, const float* now, float amount )
{
    float f0[supMostFatModes], f1[supMostFatModes];
    float* rows[4 + SUP_PATH_SPANS + 1] = { at->q, at->speeds, f0, f1 };
    for ( size_t k = 0; k < fat->modeSize; ++k )
    {
        f0[k] = before[k] + at->forced[k];
        f1[k] = now[k] + at->forced[k];
    }
    for ( int i = 0; i <= SUP_PATH_SPANS; ++i )
    {
        rows[4 + i] = at->anchors + (size_t)i * fat->modeSize;
    }
    for ( int i = 0; i <= 4 + SUP_PATH_SPANS && at->own->tense; ++i )
    {
        ( i < 2 ? supTurnToTense : supTurnForce )( fat, at, rows[i] );
    }
    supAdvanceModes( fat, at, f0, f1, amount );
    for ( int i = 0; i < 2 && at->own->tense; ++i )
    {
        supTurnFromTense( fat, at, rows[i] );
    }
}

/// Where the modes come to rest under their pulls. Gives whether they are there, to what can be seen, and puts them
/// there exactly if nothing has moved lately.
static bool supSettleFat( const supFat* fat, const supFatPlaces* at, const float* live )
{
    float speed = supFatSpeed( fat, live );
    bool still = !at->own->tensing;
    for ( size_t i = 0; i < SUP_PATH_SPANS * fat->modeSize && still; ++i )
    {
        still = at->anchors[i] == 0.0f;
    }
    for ( int32_t k = 0; k < fat->modeCount && still; ++k )
    {
        float omega = fat->omegas[k] * speed, rest = at->pulls[k] / ( omega * omega );
        still = supAbsF( at->q[k] - rest ) < fat->still && supAbsF( at->speeds[k] ) < fat->still * omega;
    }
    for ( int32_t k = 0; k < fat->modeCount && still; ++k )
    {
        float omega = fat->omegas[k] * speed;
        at->q[k] = at->pulls[k] / ( omega * omega );
        at->speeds[k] = 0.0f;
    }
    return still;
}

static const float* supBorderShares( const supFats* fats, const supLayerFrame* frame )
{
    const supEarlierLayer* earlier =
        fats->border != NULL ? supFindEarlier( frame->earlier, frame->earlierCount, fats->border ) : NULL;
    return earlier != NULL ? earlier->shown : NULL;
}

/// The same frame by the reference, on the same load.
static void supShowReference( const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, const float* live,
    const float* shares, bool moves, float* shown )
{
    float speed = supFatSpeed( fat, live ), pulls[3 * supMostFatJoints];
    for ( int32_t i = 0; i < 3 * fat->jointCount; ++i )
    {
        pulls[i] = at->live[fat->modeCount + i] * speed * speed;
    }
    supFatLoad load = { .live = live,
        .pulls = pulls,
        .tensions = fat->tenseCount > 0 ? shown + fat->tensionsAt : NULL,
        .shares = shares,
        .worldScale = supLength( frame->world.x ),
        .speed = speed,
        .dt = frame->dt,
        .forced = at->own->forced };
    if ( !at->own->started )
    {
        supFatReference_Start( fat, at, &load );
    }
    else if ( moves )
    {
        at->own->cutCount += supFatReference_Step( fat, at, &load ) ? 0 : 1;
    }
    supFatReference_Show( fat, at, shown );
}

/// Reads where the joints are, and what their way there gives to the modes.
static void supReadJoints( const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, bool moves )
{
    supVec3 travel = supSub( frame->world.t, at->own->worldOrigin );
    supMat34 world = frame->world;
    float worldScale = supLength( world.x );
    world.t = supVec3_zero;
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        supMat34 carried = supMulMat( world, frame->joints[fat->joints[j]] );
        at->turns[j] = supFatTurn( fat, j, carried );
        if ( moves )
        {
            supReadJoint( fat, at, j, carried, at->turns[j], travel, worldScale, frame->jumps );
        }
        else
        {
            at->last[j] = supMulMat( carried, fat->fromRest[j] );
        }
    }
    at->own->worldOrigin = frame->world.t;
}

/// Where the pulls and the forces from outside take the modes in the end.
static void supStartAtRest( const supFat* fat, const supFatPlaces* at, const float* pulls, const float* live )
{
    float speed = supFatSpeed( fat, live );
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        float omega = fat->omegas[k] * speed;
        at->q[k] = ( pulls[k] + at->forced[k] ) / ( omega * omega );
    }
}

static void supDropForces( const supFat* fat, const supFatPlaces* at )
{
    memset( at->forces, 0, sizeof( double ) * fat->rowSize );
    memset( at->forced, 0, sizeof( float ) * fat->modeSize );
    at->own->forced = false;
}

static void supStepFat(
    const supFats* fats, const supFat* fat, void* state, const supLayerFrame* frame, const float* live, float* shown )
{
    supFatPlaces at = supFatPlaces_In( fat, state, NULL );
    supFatState* own = at.own;
    bool moves = own->started && frame->dt > 0.0f, forced = own->forced && ( moves || !own->started );
    supReadTension( fats, fat, &at, frame, live, shown + fat->tensionsAt );
    if ( fat->tenseCount > 0 )
    {
        shown[fat->tensionsAt + fat->tenseCount] = supModelledSag( fat, live, supLength( frame->world.x ) );
    }
    if ( moves )
    {
        supSwingClock_Tick( &own->clock, frame->dt );
        if ( own->clock.changed || own->stale )
        {
            supMakeFatSteps( fat, &at, live, frame->dt );
        }
        memset( at.anchors, 0, sizeof( float ) * ( SUP_PATH_SPANS + 1 ) * fat->modeSize );
    }
    supReadJoints( fat, &at, frame, moves );
    const float* shares = supBorderShares( fats, frame );
    if ( shares != NULL )
    {
        supReadBorder( fat, &at, shares, moves );
    }
    if ( forced )
    {
        supGatherForces( fat, &at, live );
    }
    float now[supMostFatModes], *numbers = fat->elastic != NULL ? at.live : shown;
    supPullFat( fat, &at, frame, live, now, numbers );
    if ( moves )
    {
        supAdvanceFat( fat, &at, own->fresh ? now : at.pulls, now, live[sup_fatAmount] );
    }
    else if ( !own->started )
    {
        supStartAtRest( fat, &at, now, live );
    }
    memcpy( at.pulls, now, sizeof( float ) * fat->modeSize );
    bool still = moves && !forced && supSettleFat( fat, &at, live ) && fat->elastic == NULL;
    memcpy( numbers, at.q, sizeof( float ) * (size_t)fat->modeCount );
    if ( fat->elastic != NULL )
    {
        supShowReference( fat, &at, frame, live, shares, moves, shown );
    }
    if ( fat->elastic == NULL && fat->factor != NULL && ( moves || !own->started ) )
    {
        supFatLag lag = { live, supFatSpeed( fat, live ), moves ? frame->dt : -1.0f };
        still = supFatRemainder( fat, &at, &lag, forced, shown + fat->rowCount ) && still;
    }
    own->moved = moves ? !still || own->easing > 0.0f : own->moved;
    own->clock.times.count = frame->jumps != NULL && frame->jumps->forgets ? 0 : own->clock.times.count;
    own->started = true;
    own->fresh = false;
    if ( forced )
    {
        supDropForces( fat, &at );
    }
}

void supStepFats( const void* compiled, void* state, const supLayerFrame* frame, float* shown )
{
    const supFats* fats = compiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat* fat = fats->fats + i;
        supStepFat( fats, fat, state, frame, frame->live + (size_t)i * sup_fatLiveCount, shown + fat->shownAt );
    }
}
