// Supple: a network of curves as it is kept.
// SPDX-License-Identifier: MIT
#pragma once

#include "curve_mesh.h"
#include "solve/trig_curve.h"

typedef struct supKeptCurve
{
    int32_t part;   ///< into the part names
    int32_t number; ///< along its part
    bool open, tip;
    int32_t terms, coefficientCount;
    int32_t firstPoint, pointCount;
    int32_t firstCoefficient;
    int32_t lower, upper; ///< regions below and above; a tip has one of them
    double level;         ///< distance from the source. Metres
    supVec3d center;      ///< mean of its points at rest
    supCurveFit fit;
} supKeptCurve;

/// A point of the surface between two curves: p = (1 - ratio) A(vA) + ratio B(vB), blended with others at forks.
typedef struct supHang
{
    int32_t a, b; ///< curves; b -1: on one curve alone
    double vA, vB, ratio;
    double weight; ///< of all of a point sum 1
} supHang;

struct supCurveNetwork
{
    int32_t vertexCount; ///< as given
    int32_t pointCount;  ///< places
    int32_t* welded;     ///< for each vertex its place
    int32_t* sources;    ///< for each place a vertex
    supVec3d* rest;      ///< places
    int32_t* regionOf;   ///< for each place: region between kept curves, numbered; -1: none
    int32_t curveCount, coefficientCount, curvePointCount;
    supKeptCurve* curves;
    int32_t* vertices; ///< 4 a curve's point
    double* shares;
    supVec3d* coefficients; ///< at rest, in the world
    supVec3d* locals;       ///< the same about the curve's center
    int32_t* hangStart;     ///< pointCount + 1
    supHang* hangs;
    supVec3d* detail; ///< for each place: what the curves do not hold at rest. Metres
    int32_t linkCount;
    int32_t ( *links )[2]; ///< curves that share a region
    int32_t partCount;
    const char** partNames;
    supNetworkReport report;
    supArray blocks; ///< supOwnedBlock
    supAllocator allocator;
};

/// A curve's place in a pose: its mean, its turn from rest, and its shape seen in the turned frame about the mean.
typedef struct supCurvePose
{
    supVec3d center;
    supQuatd turn;
} supCurvePose;

/// Zeroed memory that goes with the network; NULL: none.
void* supNetwork_Own( supCurveNetwork* network, size_t count, size_t itemSize );

/// Where the curves put a place. `poses` and `locals` for each curve: local coefficients start at firstCoefficient.
/// `blend`: the turn that detail follows, as a matrix (may be NULL).
supVec3d supNetwork_Place( const supCurveNetwork* network, int32_t place, const supCurvePose* poses,
    const supVec3d* locals, supMat34d* blend );

/// Hangs every place on its curves.
supResult supHangPlaces( supCurveNetwork* network, const supCurveMesh* mesh, supError* error );
