// Supple: level lines in a row: tubes between tips and forks.
// SPDX-License-Identifier: MIT
#pragma once

#include "layers/curves/level_sets.h"
#include "supple/lab/curves.h"

/// Points that stand for a line while curves are chosen.
#define SUP_LINE_SAMPLES 64

/// Lines that follow one another with nothing but tube between them.
typedef struct supLineChain
{
    int32_t first, count; ///< lines, in supChains.order, by rising level
    int32_t startRegion, endRegion;
    int32_t startTip, endTip; ///< the point at which the tube closes, -1: a fork or a border is there
    int32_t before;           ///< a line on the other side of the start region, below; -1: none
} supLineChain;

typedef struct supChains
{
    supLevels* levels;
    supArray chains;   ///< supLineChain, by rising level of their first line
    supArray order;    ///< int32_t: lines
    double* phases;    ///< for each line where v = 0 is, as a share of its length
    supVec3d* samples; ///< SUP_LINE_SAMPLES for each line, at equal steps from v = 0
    size_t lineCount;
} supChains;

/// Takes out what is too short to be told (bumps, and tubes between forks that are nearly one), then makes the chains
/// and aligns v = 0 along them and across forks. `least`: metres.
supResult supCreateChains( supLevels* levels, double least, supChains* out, supError* error );
void supChains_Destroy( supChains* chains );

/// A point of a line as shares of up to four points of the mesh.
typedef struct supLinePlace
{
    int32_t points[4];
    double shares[4];
} supLinePlace;

/// `count` points at equal steps along a line, from `phase` on (open lines: from end to end). `places` may be NULL.
void supSampleLine( const supLevels* levels, const supLevelLine* line, double phase, int32_t count, supVec3d* points,
    supLinePlace* places );

// ---------------------------------------------------------------------------------------------------------------
// Which lines become curves.

/// A line that was chosen, or a tip.
typedef struct supChosenCurve
{
    int32_t chain;
    int32_t line;  ///< -1: a tip
    int32_t point; ///< of the mesh; of a tip
    int32_t terms;
    double level;
} supChosenCurve;

/// Chosen curves, chain by chain and along each. `curves`: an array of supChosenCurve to fill.
supResult supChooseCurves(
    const supChains* chains, const supCurveNetworkDef* def, double size, supArray* curves, supError* error );
