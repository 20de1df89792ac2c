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
#include "base/memory.h"
#include "layers/fat/fat_reference.h"
#include "solve/swing.h"

#include <string.h>

enum
{
    supStepNumbers = 4 + SUP_PATH_SPANS, ///< of a spring step, for q and for s
    supModeRows = 3 + 2 * supStepNumbers + ( SUP_PATH_SPANS + 1 ) + ( SUP_PATH_SPANS + 2 ),
};

/// What gravity is when sag is measured. m/s^2
static const float supStandardGravity = 9.81f;
/// What full tension adds to the stiffness, times it.
static const float supTensionStiffness = 3.0f;

typedef struct supFatState
{
    supSwingClock clock;
    supVec3 worldOrigin; ///< of the last frame
    bool started, stale, moved;
} supFatState;

/// Rows of one number a mode, and matrices of one a joint, in an item's state.
typedef struct supFatPlaces
{
    supFatState* own;
    float *q, *speeds, *pulls;
    float *steps, *stepSpeeds; ///< supStepNumbers rows each
    float* anchors;            ///< D_j, and the anchor's speed when the frame began
    float* pushLast;           ///< what the inner border's shares gave to each mode at the last frame
    float* pushDeltas;         ///< by what that changed in the last frames, newest first
    float* pushSpeed;          ///< at the end of the last frame
    supMat34 *last, *motions;  ///< of joints; deltas, newest first, and speeds
    float* shares;             ///< of the inner border's rays at the last frame
    supMat34* accelerations;   ///< of joints; of the reference alone
    float* live;               ///< shown floats of the live solver, kept apart by the reference
    void* reference;
} supFatPlaces;

static supFatPlaces supPlacesIn( const supFat* fat, void* state, size_t* size )
{
    supLayout layout = supMakeLayout();
    size_t modes = fat->modeSize, joints = (size_t)fat->jointCount;
    size_t atOwn = supLayoutAdd( &layout, sizeof( supFatState ), SUP_MAX_ALIGNMENT );
    size_t atRows = SUP_LAYOUT_WIDE( &layout, float, supModeRows* modes );
    size_t atLast = SUP_LAYOUT_WIDE( &layout, supMat34, joints );
    size_t atMotions = SUP_LAYOUT_WIDE( &layout, supMat34, ( SUP_PATH_SPANS + 1 ) * joints );
    size_t atShares = SUP_LAYOUT_WIDE( &layout, float, fat->rayCount );
    bool reference = fat->elastic != NULL;
    size_t atAccelerations = SUP_LAYOUT_WIDE( &layout, supMat34, reference ? joints : 0 );
    size_t atLive = SUP_LAYOUT_WIDE( &layout, float, reference ? modes + 3 * joints : 0 );
    size_t atReference = supLayoutAdd( &layout, supFatReferenceSize( fat ), SUP_MAX_ALIGNMENT );
    if ( size != NULL )
    {
        *size = ( layout.size + SUP_MAX_ALIGNMENT - 1 ) / SUP_MAX_ALIGNMENT * SUP_MAX_ALIGNMENT;
    }
    if ( state == NULL )
    {
        return ( supFatPlaces ){ 0 };
    }
    char* block = (char*)state + fat->stateAt;
    float* rows = (float*)( block + atRows );
    supFatPlaces places = { .own = (supFatState*)( block + atOwn ),
        .last = (supMat34*)( block + atLast ),
        .motions = (supMat34*)( block + atMotions ),
        .shares = (float*)( block + atShares ),
        .accelerations = (supMat34*)( block + atAccelerations ),
        .live = (float*)( block + atLive ),
        .reference = block + atReference };
    float** each[9] = { &places.q, &places.speeds, &places.pulls, &places.steps, &places.stepSpeeds, &places.anchors,
        &places.pushLast, &places.pushDeltas, &places.pushSpeed };
    static const int counts[9] = { 1, 1, 1, supStepNumbers, supStepNumbers, SUP_PATH_SPANS + 1, 1, SUP_PATH_SPANS, 1 };
    for ( int i = 0; i < 9; ++i )
    {
        *each[i] = rows;
        rows += (size_t)counts[i] * modes;
    }
    return places;
}

void supPlaceFatStates( supFats* fats )
{
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        supFat* fat = fats->fats + i;
        size_t size;
        supPlacesIn( fat, NULL, &size );
        fat->stateAt = fats->stateSize;
        fat->shownAt = fats->shownCount;
        fats->stateSize += size;
        fats->shownCount += fat->shownCount;
        // displacements before and after they are carried; for pictures places of all nodes, and how far they moved
        size_t scratch = sizeof( float ) * ( fat->rowSize + (size_t)fat->nodeCount ) +
                         sizeof( supVec3 ) * (size_t)( fat->freeCount + fat->nodeCount ) + SUP_MAX_ALIGNMENT;
        fats->scratchSize = scratch > fats->scratchSize ? scratch : fats->scratchSize;
    }
}

int32_t supFatsShownCount( const void* compiled )
{
    return ( (const supFats*)compiled )->shownCount;
}

size_t supFatsStateSize( const void* compiled )
{
    return ( (const supFats*)compiled )->stateSize;
}

size_t supFatsScratchSize( const void* compiled )
{
    return ( (const supFats*)compiled )->scratchSize;
}

void supResetFats( const void* compiled, void* state, float* shown )
{
    memset( state, 0, supFatsStateSize( compiled ) );
    memset( shown, 0, sizeof( float ) * (size_t)supFatsShownCount( compiled ) );
}

// ---------------------------------------------------------------------------------------------------------------
// Material

float supFatSpeed( const supFat* fat, const float* live )
{
    float speed = live[sup_fatMu] > 0.0f ? supSqrtF( live[sup_fatMu] / (float)fat->mu )
                                         : live[sup_fatFrequency] / fat->firstFrequency;
    return speed * supSqrtF( 1.0f + supTensionStiffness * live[sup_fatTension] );
}

/// Times gravity: so that it pulls the fat as far as `sag` says, or as its material lets it.
static float supGravityGain( const supFat* fat, const float* live, float speed, float worldScale )
{
    bool given = live[sup_fatSag] >= 0.0f;
    // a sag that nobody has asked for: a tenth of the thickness, unless the material was given
    float sag = given ? live[sup_fatSag] : 0.1f;
    bool physical = !given && live[sup_fatMu] > 0.0f;
    return physical ? 1.0f / worldScale : sag * fat->thickest / ( fat->sagUnit * supStandardGravity ) * speed * speed;
}

static void supMakeFatSteps( const supFat* fat, const supFatPlaces* at, const float* live, float dt )
{
    float speed = supFatSpeed( fat, live ), first = fat->omegas[0] * speed;
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        float omega = fat->omegas[k] * speed, viscous = live[sup_fatViscosity];
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
// Joints

supMat34 supFatTurn( const supFat* fat, int32_t joint, supMat34 carried )
{
    supMat34d rest = supMatToDouble( supMulMat( carried, fat->fromRest[joint] ) );
    return supMatToFloat( supMatFromQuatD( supNearestRotationD( rest ) ) );
}

/// Adds the modes' shares of a joint's matrix of motion, taken back by its turn. `scale`: from world to model.
static void supGatherMotion( const supFat* fat, int32_t joint, supMat34 turn, supMat34 motion, float scale, float* out )
{
    const supVec3 columns[4] = { motion.x, motion.y, motion.z, motion.t };
    const float* row = fat->gather + 12 * (size_t)joint * fat->modeSize;
    for ( int e = 0; e < 12; ++e )
    {
        supVec3 back = supTransposeVector( turn, columns[e % 4] );
        float number = scale * ( e < 4 ? back.x : e < 8 ? back.y : back.z );
        for ( size_t k = 0; k < fat->modeSize && number != 0.0f; ++k )
        {
            out[k] += number * row[(size_t)e * fat->modeSize + k];
        }
    }
}

static supMat34 supMatDifference( supMat34 a, supMat34 b )
{
    return ( supMat34 ){ supSub( a.x, b.x ), supSub( a.y, b.y ), supSub( a.z, b.z ), supSub( a.t, b.t ) };
}

static supMat34 supMatSum( supMat34 a, float s, supMat34 b )
{
    return ( supMat34 ){ supMulAdd( a.x, s, b.x ), supMulAdd( a.y, s, b.y ), supMulAdd( a.z, s, b.z ),
        supMulAdd( a.t, s, b.t ) };
}

/// The slope of the path at the end of the newest frame, as shares of the deltas. 1/s
static void supPathSlope( const supSwingClock* clock, float slope[SUP_PATH_SPANS] )
{
    for ( int j = 0; j < SUP_PATH_SPANS; ++j )
    {
        double sum = 0.0;
        for ( int k = 0; k < SUP_PATH_SPANS; ++k )
        {
            sum += ( k + 1 ) * clock->basis.m[k][j];
        }
        slope[j] = clock->times.count > 0 ? (float)( sum / clock->times.spans[0] ) : 0.0f;
    }
}

/// Moves a joint's history on by a frame, and gives the modes their shares of it.
static void supReadJoint( const supFat* fat, const supFatPlaces* at, int32_t j, supMat34 carried, supMat34 turn,
    supVec3 travel, float worldScale )
{
    // deltas of joint j stand together, then the speed
    supMat34* motions = at->motions + (size_t)j * ( SUP_PATH_SPANS + 1 );
    supMat34 now = supMulMat( carried, fat->fromRest[j] );
    memmove( motions + 1, motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS - 1 ) );
    motions[0] = supMatDifference( now, at->last[j] );
    motions[0].t = supAdd( motions[0].t, travel );
    at->last[j] = now;
    float slope[SUP_PATH_SPANS];
    supMat34 zero = { 0 }, speed = zero;
    bool first = at->own->clock.times.count == 1;
    if ( first )
    {
        // settled so far, whatever the anchor's speed is
        motions[SUP_PATH_SPANS] = supMatSum( zero, 1.0f / at->own->clock.times.spans[0], motions[0] );
    }
    for ( int i = 0; i <= SUP_PATH_SPANS; ++i )
    {
        supGatherMotion( fat, j, turn, motions[i], 1.0f / worldScale, at->anchors + (size_t)i * fat->modeSize );
    }
    supPathSlope( &at->own->clock, slope );
    for ( int i = 0; i < SUP_PATH_SPANS; ++i )
    {
        speed = supMatSum( speed, slope[i], motions[i] );
    }
    if ( fat->elastic != NULL )
    {
        at->accelerations[j] = supMatDifference( speed, motions[SUP_PATH_SPANS] );
        at->accelerations[j] = supMatSum( zero, 1.0f / at->own->clock.times.spans[0], at->accelerations[j] );
    }
    motions[SUP_PATH_SPANS] = speed;
}

/// The inner border's own motion, which the fat above it feels.
static void supReadBorder( const supFat* fat, const supFatPlaces* at, const float* shares, bool moves )
{
    size_t modes = fat->modeSize;
    if ( moves )
    {
        memmove( at->pushDeltas + modes, at->pushDeltas, sizeof( float ) * modes * ( SUP_PATH_SPANS - 1 ) );
    }
    memset( at->pushDeltas, 0, moves ? sizeof( float ) * modes : 0 );
    for ( int32_t r = 0; r < fat->rayCount; ++r )
    {
        float change = shares[r] - at->shares[r];
        at->shares[r] = shares[r];
        for ( size_t k = 0; k < modes && change != 0.0f && moves; ++k )
        {
            at->pushDeltas[k] += change * fat->pushes[(size_t)r * modes + k];
        }
    }
    if ( !moves )
    {
        return;
    }
    float slope[SUP_PATH_SPANS];
    supPathSlope( &at->own->clock, slope );
    bool first = at->own->clock.times.count == 1;
    for ( size_t k = 0; k < modes; ++k )
    {
        float speed = 0.0f, start = first ? at->pushDeltas[k] / at->own->clock.times.spans[0] : at->pushSpeed[k];
        for ( size_t i = 0; i < SUP_PATH_SPANS; ++i )
        {
            at->anchors[i * modes + k] += at->pushDeltas[i * modes + k];
            speed += slope[i] * at->pushDeltas[i * modes + k];
        }
        at->anchors[SUP_PATH_SPANS * modes + k] += start;
        at->pushSpeed[k] = speed;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A step

/// Pulls of gravity on the modes, and (into `shown`) what the corrections are multiplied with.
static void supPullFat( const supFat* fat, const supLayerFrame* frame, const float* live, const supMat34* turns,
    float* pulls, float* shown )
{
    float speed = supFatSpeed( fat, live );
    float gain = supGravityGain( fat, live, speed, supLength( frame->world.x ) );
    memset( pulls, 0, sizeof( float ) * fat->modeSize );
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        supVec3 felt = supTransposeVector( turns[j], frame->gravity );
        felt = fat->gravity == sup_gravityRelative ? supSub( felt, fat->restGravity ) : felt;
        felt = supScale( felt, gain );
        supMat34 motion = { supVec3_zero, supVec3_zero, supVec3_zero, felt };
        supGatherMotion( fat, j, supMat34_identity, motion, 1.0f, pulls );
        supVec3 rest = supScale( felt, 1.0f / ( speed * speed ) );
        memcpy( shown + fat->modeCount + 3 * (ptrdiff_t)j, &rest, sizeof( rest ) );
    }
}

/// All modes by one frame.
static void supAdvanceFat( const supFat* fat, const supFatPlaces* at, const float* pulls, float amount )
{
    size_t modes = fat->modeSize;
    const float* d = at->anchors;
    float slope[SUP_PATH_SPANS];
    supPathSlope( &at->own->clock, slope );
    for ( size_t k = 0; k < modes; ++k )
    {
        float s = at->speeds[k] + amount * d[SUP_PATH_SPANS * modes + k], f0 = at->pulls[k], f1 = pulls[k];
        float q = at->steps[k] * at->q[k] + at->steps[modes + k] * s + at->steps[6 * modes + k] * f0 +
                  at->steps[7 * modes + k] * f1;
        float t = at->stepSpeeds[k] * at->q[k] + at->stepSpeeds[modes + k] * s + at->stepSpeeds[6 * modes + k] * f0 +
                  at->stepSpeeds[7 * modes + k] * f1;
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

/// Where the modes come to rest under their pulls. Gives whether they are there, to what can be seen, and puts them
/// there exactly if nothing has moved lately.
static bool supSettleFat( const supFat* fat, const supFatPlaces* at, const float* live )
{
    float speed = supFatSpeed( fat, live );
    bool still = true;
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

/// The same frame by the reference. It starts where the live solver does.
static void supShowReference( const supFat* fat, const supFatPlaces* at, const supLayerFrame* frame, const float* live,
    const supMat34* turns, bool moves, float* shown )
{
    float speed = supFatSpeed( fat, live ), pulls[3 * supMostFatJoints];
    for ( int32_t i = 0; i < 3 * fat->jointCount; ++i )
    {
        pulls[i] = at->live[fat->modeCount + i] * speed * speed;
    }
    supFatLoad load = { live, turns, at->accelerations, pulls, supLength( frame->world.x ), speed, frame->dt };
    if ( !at->own->started )
    {
        supFatReference_Start( fat, at->reference, at->live );
    }
    else if ( moves )
    {
        supFatReference_Step( fat, at->reference, &load );
    }
    supFatReference_Show( fat, at->reference, shown );
}

static void supStepFat(
    const supFats* fats, const supFat* fat, void* state, const supLayerFrame* frame, const float* live, float* shown )
{
    supFatPlaces at = supPlacesIn( fat, state, NULL );
    supFatState* own = at.own;
    bool moves = own->started && frame->dt > 0.0f;
    supVec3 travel = supSub( frame->world.t, own->worldOrigin );
    supMat34 world = frame->world, turns[supMostFatJoints];
    float worldScale = supLength( world.x );
    world.t = supVec3_zero;
    if ( moves )
    {
        supSwingClock_Tick( &own->clock, frame->dt );
        if ( own->clock.changed || own->stale )
        {
            supMakeFatSteps( fat, &at, live, frame->dt );
        }
        memset( at.anchors, 0, sizeof( float ) * ( SUP_PATH_SPANS + 1 ) * fat->modeSize );
    }
    for ( int32_t j = 0; j < fat->jointCount; ++j )
    {
        supMat34 carried = supMulMat( world, frame->joints[fat->joints[j]] );
        turns[j] = supFatTurn( fat, j, carried );
        if ( moves )
        {
            supReadJoint( fat, &at, j, carried, turns[j], travel, worldScale );
        }
        else
        {
            at.last[j] = supMulMat( carried, fat->fromRest[j] );
        }
    }
    const float* shares = supBorderShares( fats, frame );
    if ( shares != NULL )
    {
        supReadBorder( fat, &at, shares, moves );
    }
    float now[supMostFatModes], *numbers = fat->elastic != NULL ? at.live : shown;
    supPullFat( fat, frame, live, turns, now, numbers );
    if ( moves )
    {
        supAdvanceFat( fat, &at, now, live[sup_fatAmount] );
    }
    memcpy( at.pulls, now, sizeof( float ) * fat->modeSize );
    float speed = supFatSpeed( fat, live );
    for ( int32_t k = 0; k < fat->modeCount && !own->started; ++k )
    {
        float omega = fat->omegas[k] * speed;
        at.q[k] = now[k] / ( omega * omega );
    }
    memcpy( numbers, at.q, sizeof( float ) * (size_t)fat->modeCount );
    if ( fat->elastic != NULL )
    {
        supShowReference( fat, &at, frame, live, turns, moves, shown );
    }
    own->moved = moves && ( fat->elastic != NULL || !supSettleFat( fat, &at, live ) );
    own->worldOrigin = frame->world.t;
    own->started = true;
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

// ---------------------------------------------------------------------------------------------------------------
// The rest of a life

void supTeleportFats( const void* compiled, void* state, supMat34 motion )
{
    const supFats* fats = compiled;
    supMat34 turn = motion;
    turn.t = supVec3_zero;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        const supFat* fat = fats->fats + i;
        supFatPlaces at = supPlacesIn( fat, state, NULL );
        for ( int32_t j = 0; j < fat->jointCount; ++j )
        {
            at.last[j] = supMulMat( turn, at.last[j] );
        }
        for ( int32_t j = 0; j < ( SUP_PATH_SPANS + 1 ) * fat->jointCount; ++j )
        {
            at.motions[j] = supMulMat( turn, at.motions[j] );
        }
        at.own->worldOrigin = supTransformPoint( motion, at.own->worldOrigin );
    }
}

/// Modes of one solid in terms of another's: what of the old shapes the new ones can show.
static void supProjectModes( const supFat* fat, const supFatPlaces* at, const supFat* old, const supFatPlaces* from )
{
    for ( int32_t k = 0; k < fat->modeCount; ++k )
    {
        const float* shape = fat->rows + (size_t)k * fat->rowSize;
        double q = 0.0, speed = 0.0, square = 0.0;
        for ( size_t i = 0; i < fat->rowSize; ++i )
        {
            square += (double)shape[i] * shape[i];
        }
        for ( int32_t m = 0; m < old->modeCount; ++m )
        {
            const float* other = old->rows + (size_t)m * old->rowSize;
            double share = 0.0;
            for ( size_t i = 0; i < fat->rowSize; ++i )
            {
                share += (double)shape[i] * other[i];
            }
            q += share * from->q[m];
            speed += share * from->speeds[m];
        }
        at->q[k] = (float)( q / square );
        at->speeds[k] = (float)( speed / square );
    }
}

void supAdoptFats( const void* compiled, void* state, float* shown, const void* oldCompiled, const void* oldState,
    const float* oldShown )
{
    (void)oldShown;
    const supFats *fats = compiled, *old = oldCompiled;
    for ( int32_t i = 0; i < fats->count; ++i )
    {
        for ( int32_t k = 0; k < old->count; ++k )
        {
            const supFat *fat = fats->fats + i, *before = old->fats + k;
            bool same = strcmp( fat->name, before->name ) == 0 && fat->freeCount == before->freeCount &&
                        fat->jointCount == before->jointCount && fat->elastic == NULL && before->elastic == NULL;
            if ( same )
            {
                supFatPlaces at = supPlacesIn( fat, state, NULL ), from = supPlacesIn( before, (void*)oldState, NULL );
                *at.own = *from.own;
                at.own->stale = true;
                memcpy( at.last, from.last, sizeof( supMat34 ) * (size_t)fat->jointCount );
                memcpy(
                    at.motions, from.motions, sizeof( supMat34 ) * ( SUP_PATH_SPANS + 1 ) * (size_t)fat->jointCount );
                supProjectModes( fat, &at, before, &from );
                memcpy( shown + fat->shownAt, at.q, sizeof( float ) * (size_t)fat->modeCount );
            }
        }
    }
}

bool supFatsAreAtRest( const void* compiled, const void* state )
{
    const supFats* fats = compiled;
    bool rests = true;
    for ( int32_t i = 0; i < fats->count && rests; ++i )
    {
        const supFatState* own = supPlacesIn( fats->fats + i, (void*)state, NULL ).own;
        rests = own->started && !own->moved && !own->stale;
    }
    return rests;
}

void supTunedFat( const void* compiled, void* state, const float* live, int32_t item )
{
    (void)live;
    supPlacesIn( ( (const supFats*)compiled )->fats + item, state, NULL ).own->stale = true;
}
