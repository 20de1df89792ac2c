// Supple: places around curves, and the skin that hangs on them.
// SPDX-License-Identifier: MIT
//
// Curves that move by themselves are called rings (open ones too). Each has a fixed number of stations at equal steps
// of v. Whatever moves a ring says it as displacements of its stations; vertices take shares of those around them.
// A second set of stations stands between a ring and the next one of its row: folds rise there.
//
//     stations:  [ ring 0 ][ ring 1 ] ... [ ring n - 1 ][ fold after ring 0 ] ... [ fold after ring n - 1 ]
#pragma once

#include "base/math.h"
#include "network_data.h"

enum
{
    supRingStations = 24
};

/// Which curves of a network are rings.
typedef struct supRingMap
{
    int32_t ringCount;
    const int32_t* ringOf;  ///< for each curve, -1: none
    const int32_t* curveOf; ///< for each ring
    const int32_t* itemOf;  ///< for each ring: rings of different items are not neighbours
} supRingMap;

/// The ring that follows a ring with nothing but tube between them, -1: a fork, a tip, a border, or another kind.
int32_t supNextRing( const supCurveNetwork* network, const supRingMap* map, int32_t ring );

/// A share of a station, or of a vertex.
typedef struct supStationShare
{
    int32_t at;
    float share;
} supStationShare;

/// Where v is on a ring, as two shares of its stations; `first`: the ring's first one.
void supShareStations( bool open, double v, int32_t first, double share, supStationShare out[2] );

/// Vertices and the stations that they hang on.
typedef struct supRingSkin
{
    int32_t touchedCount;
    int32_t* touched;
    int32_t* shareStart; ///< touchedCount + 1
    supStationShare* shares;
    int32_t* foldStart; ///< the same for folds
    supStationShare* foldShares;
    void* block;
    size_t blockSize;
} supRingSkin;

/// `next`: supNextRing of each ring. `left`: for each vertex how much of a displacement it takes; NULL: all.
supResult supMakeRingSkin( const supCurveNetwork* network, const supRingMap* map, const int32_t* next,
    const float* left, const supAllocator* allocator, supRingSkin* out, supError* error );
/// Moves the vertices by the displacements of all stations; `folds`: of those between rings too.
void supRingSkin_Move( const supRingSkin* skin, const supVec3* stations, bool folds, supVec3* positions );
