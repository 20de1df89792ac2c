// Supple: skin that vibrates on its curves, compiled.
// SPDX-License-Identifier: MIT
//
// A curve's displacement, in the frame that goes with its joint, is a trigonometric series whose coefficients obey
//     rho u'' + eta u' + (A_n + a0) u = F_n(t).
// The load on the curve is the flesh's: -rho w(v) a(t), with a the acceleration of the curve's center and w(v) how
// thick the flesh is at v, 1 where it is thickest. So F_n = -rho W_n a(t), W_n the series of w, and every coefficient
// is W_n times one oscillator of its harmonic: u(v, t) = sum_n W_n basis_n(v) x_n(t). An even load on an even ring (w
// constant) moves its mean alone, which without a0 nothing would hold. Gravity loads a ring in the same measure, by
// what it has turned since rest.
//
// Open curves do the same on chord and sines: both ends swing as a mean does, and sine n is half as stiff a wave, pi n
// instead of 2 pi n.
#pragma once

#include "layers/curves/ring_hold.h"
#include "layers/layer.h"
#include "solve/swing.h"
#include "supple/lab/curves.h"

enum
{
    supRingHarmonics = 4, ///< 0 to 3 swing
    supRingTerms = 6,     ///< harmonics of the thickness; those above 3 follow the third one's load at once
    supRingWeights = 2 * supRingTerms + 1,
    supRingJoints = 4,
};

typedef struct supRing
{
    int32_t item; ///< of the rig, that it swings by
    bool open;
    int32_t joints[supRingJoints];  ///< -1: none. The first carries its frame
    float shares[supRingJoints];    ///< sum 1
    supVec3 centers[supRingJoints]; ///< the curve's center in each joint's frame
    supMat34 frame;                 ///< of the first joint at rest, inverse
    float weights[supRingWeights];  ///< W: the series of the thickness
} supRing;

typedef struct supVibration
{
    int32_t itemCount;
    float* thickness; ///< for each item: the largest. Metres
    int32_t ringCount;
    supRing* rings;
    float* basis[2]; ///< closed, open: supRingStations rows of supRingWeights
    supRingSkin skin;
    supRingHold hold;
    supCurveNetwork* network; ///< for pictures
    void* block;
    size_t blockSize;
} supVibration;

/// Live fields, in the table's order.
enum
{
    sup_liveFrequency,
    sup_liveDampingRatio,
    sup_liveBending,
    sup_liveAmount,
    sup_liveSag,
    sup_liveLimit,
    sup_liveApart,
    sup_liveVolume,
    sup_liveFolds,
    sup_liveCount,
};

/// All that is in hand while rings are made.
typedef struct supRingWork
{
    const supLayerContext* context;
    const supCurvesDef* const* items;
    int32_t itemCount;
    const supCurveNetwork* network;
    int32_t* meshOf;    ///< of each vertex
    float* carry;       ///< for each joint: how much of a curve it carries
    int32_t* itemOf;    ///< for each joint: the item whose curves it carries, -1: none
    supVec3d* middles;  ///< for each joint: mean of its children, or itself
    double* thickness;  ///< for each point of each curve
    int32_t* ringOf;    ///< for each curve, -1: none
    int32_t* curveOf;   ///< for each ring
    int32_t* ringItems; ///< for each ring
} supRingWork;

/// Curves around joints of an item become rings; the load on them is the thickness of the flesh about the bone.
/// `vibration` has room for as many rings as there are curves.
void supMakeRings( const supRingWork* work, supVibration* vibration );

supResult supCompileVibration(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyVibration( void* compiled, const supAllocator* allocator );

int32_t supVibration_ShownCount( const void* compiled );
size_t supVibration_StateSize( const void* compiled );
size_t supVibration_ScratchSize( const void* compiled );
void supResetVibration( const void* compiled, void* state, float* shown );
void supStepVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportVibration( const void* compiled, void* state, supMat34 motion );
void supAdoptVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown,
    const void* oldCompiled, const void* oldState, const float* oldShown );
bool supVibration_IsAtRest( const void* compiled, const void* state );
void supTunedVibration( const void* compiled, void* state, const float* live, int32_t item );
size_t supVibrationLoopSize( const void* compiled );
void supVibrationLoopBegin( const void* compiled, const void* state, void* loop );
void supVibrationLoopStep( const void* compiled, const void* state, void* loop );
supLoopReport supVibrationLoopEnd( const void* compiled, void* state, void* loop, const float* live, supMat34 turn );
void supApplyVibration( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );

extern const supLayer sup_curvesLayer;

// ---------------------------------------------------------------------------------------------------------------
// What a moving body keeps of its vibrating curves.

/// One ring's oscillators, world space, and what its center moved by in the last frames, newest first.
typedef struct supRingState
{
    supVec3 u[supRingHarmonics], s[supRingHarmonics];
    supVec3 deltas[SUP_PATH_SPANS];
    supVec3 arm;  ///< the center from the world's origin
    supVec3 pull; ///< gravity's acceleration of its flesh beyond rest
} supRingState;

/// The steps of an item's rings, closed and open ones, and how much a pull of 1 shifts them.
typedef struct supItemSteps
{
    supSpringStep steps[2][supRingHarmonics];
    float compliance[2][supRingHarmonics];
} supItemSteps;

typedef struct supVibrationState
{
    supSwingClock clock;
    supVec3 worldOrigin;
    bool started, stale, moved;
} supVibrationState;

// The state's bytes: the head, then steps for each item, then all rings.
static inline size_t supStepsOffset( void )
{
    return ( sizeof( supVibrationState ) + 63 ) & ~(size_t)63;
}

static inline size_t supRingsOffset( const supVibration* vibration )
{
    size_t end = supStepsOffset() + (size_t)vibration->itemCount * sizeof( supItemSteps );
    return ( end + 63 ) & ~(size_t)63;
}

static inline supItemSteps* supStepsOf( void* state, int32_t item )
{
    return (supItemSteps*)( (char*)state + supStepsOffset() ) + item;
}

static inline supRingState* supRingStates( const supVibration* vibration, void* state )
{
    return (supRingState*)( (char*)state + supRingsOffset( vibration ) );
}
