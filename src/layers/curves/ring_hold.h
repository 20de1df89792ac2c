// Supple: what neighbouring curves hold: their order, the volume and the length of skin between them.
// SPDX-License-Identifier: MIT
//
// The future work of You, Yang, Zhang, 2008: "collision avoidance constraints", "the distance constraint between two
// adjacent trigonometric curves" for wrinkles, "a volume constraint". All three are worked out from where the skin is
// now and where it was at rest, with no memory of the frame before.
#pragma once

#include "base/math.h"
#include "layers/curves/network_data.h"

// ---------------------------------------------------------------------------------------------------------------
// Places around curves, and the skin that hangs on them.
//
// Curves that move by themselves are called rings (open ones too). Each has a fixed number of stations at equal steps
// of v. Whatever moves a ring says it as displacements of its stations; vertices take shares of those around them.
// A second set of stations stands between a ring and the next one of its row: folds rise there.
//
//     stations:  [ ring 0 ][ ring 1 ] ... [ ring n - 1 ][ fold after ring 0 ] ... [ fold after ring n - 1 ]

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

// ---------------------------------------------------------------------------------------------------------------
// The hold.

/// How much of each, for the rings of an item.
typedef struct supHoldAmounts
{
    float apart;  ///< share of the rest distance that neighbours keep at least, 0 to 1; 0: they may cross
    float volume; ///< share of a gained or lost volume that is made up for, 0 to 1
    float folds;  ///< share of a lost length that folds take up, 0 to 1
} supHoldAmounts;

/// Rings that follow one another.
typedef struct supRingRow
{
    int32_t first, count; ///< in supRingHold.order
    int32_t item;
    bool open;
} supRingRow;

enum
{
    supFoldSteps = 64
};

typedef struct supRingHold
{
    int32_t ringCount, rowCount;
    supRingRow* rows;
    int32_t* order;          ///< rings, row by row
    int32_t* next;           ///< for each ring, -1: none
    int32_t* placeStart;     ///< for each station, and one more
    supStationShare* places; ///< vertices that a station stands between
    float* gaps;             ///< for each station: to the same one of the next ring at rest, along the row. Metres
    float* lengths;          ///< the same, straight
    float* facing;           ///< for each ring: 1 or -1: times this its vector area points along the row
    float* volumes;          ///< for each ring: to the next, at rest. Cubic metres
    float heights[supFoldSteps + 1]; ///< of a fold of length 1, by how far it is pushed together: supFoldHeight
    void* block;
    size_t blockSize;
} supRingHold;

supResult supMakeRingHold( const supCurveNetwork* network, const supRingMap* map, const supAllocator* allocator,
    supRingHold* out, supError* error );

/// Bytes of scratch for supRingHold_Apply.
size_t supRingHold_ScratchSize( const supRingHold* hold );
/// Adds to the displacements of all stations (rings, then folds: 2 * ringCount * supRingStations). `amounts`: for each
/// item. `positions`: the skin without them. Gives whether there are folds.
bool supRingHold_Apply( const supRingHold* hold, const supHoldAmounts* amounts, const supVec3* positions,
    supVec3* stations, void* scratch );

/// The height of a fold h sin^2(pi x), x from 0 to 1, that stands on `base` and is 1 long.
double supFoldHeight( double base );
/// Moves values by as little as possible, in the sum of squares, so that none is less than the one before it.
/// `work`: 2 * count floats.
void supKeepOrder( float* values, int32_t count, float* work );
