// Supple: skin that vibrates on its curves, compiled.
// SPDX-License-Identifier: MIT
//
// A curve's displacement, in the frame that goes with its joint, is a trigonometric series whose coefficients obey
//     rho u'' + eta u' + (A_n + a0) u = F_n(t).
// The load on the curve is the flesh's: -rho w(v) a(t), with a the acceleration of the curve's center and w(v) how
// thick the flesh is at v, 1 where it is thickest. So F_n = -rho W_n a(t), W_n the series of w, and every coefficient
// is W_n times one oscillator of its harmonic: u(v, t) = sum_n W_n basis_n(v) x_n(t). An even load on an even ring (w
// constant) moves its mean alone, which without a0 nothing would hold.
#pragma once

#include "layers/layer.h"
#include "supple/curves.h"

enum
{
    supRingHarmonics = 4, ///< 0 to 3 swing
    supRingTerms = 6,     ///< harmonics of the thickness; those above 3 follow the third one's load at once
    supRingStations = 24, ///< places around a ring at which displacements are worked out
    supRingJoints = 4,
};

typedef struct supRing
{
    int32_t joints[supRingJoints];       ///< -1: none. The first carries its frame
    float shares[supRingJoints];         ///< sum 1
    supVec3 centers[supRingJoints];      ///< the curve's center in each joint's frame
    supMat34 frame;                      ///< of the first joint at rest, inverse
    float weights[2 * supRingTerms + 1]; ///< W: the series of the thickness
} supRing;

/// A vertex hangs on a station by a weight.
typedef struct supStationShare
{
    int32_t station;
    float share;
} supStationShare;

typedef struct supVibration
{
    int32_t ringCount;
    supRing* rings;
    float* basis;    ///< supRingStations rows of 2 * supRingTerms + 1
    float thickness; ///< the largest. Metres
    int32_t touchedCount;
    int32_t* touched;
    int32_t* shareStart; ///< touchedCount + 1
    supStationShare* shares;
    supCurveNetwork* network; ///< for pictures
    const supCharacter* character;
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
    sup_liveLimit,
};

supResult supCompileVibration(
    const supLayerContext* context, const void* const* items, int32_t count, void** out, supError* error );
void supDestroyVibration( void* compiled, const supAllocator* allocator );

int32_t supVibration_ShownCount( const void* compiled );
size_t supVibration_StateSize( const void* compiled );
size_t supVibration_ScratchSize( const void* compiled );
void supResetVibration( const void* compiled, void* state, float* shown );
void supStepVibration( const void* compiled, void* state, const supLayerFrame* frame, float* shown );
void supTeleportVibration( const void* compiled, void* state, supMat34 motion );
bool supVibration_IsAtRest( const void* compiled, const void* state );
void supTunedVibration( const void* compiled, void* state, const float* live, int32_t item );
void supApplyVibration( const void* compiled, const supLayerFrame* frame, const float* shown, supVec3* positions );

extern const supLayer sup_curvesLayer;
