// The state of all springs of a body, in rows: the same number of every element side by side.
// SPDX-License-Identifier: MIT
//
// Blocks of eight elements, one after the other, each with all of its rows:
//     block 0:  u.x[8] u.y[8] u.z[8] s.x[8] …    block 1:  u.x[8] …
// so that a kernel finds every row at a constant distance. Lanes beyond the last element stay zero. A vector is three
// rows. What only life-cycle code looks at goes through the accessors below.
#pragma once

#include "solve/spring_step.h"
#include "supple/base.h"

#include <stddef.h>

/// Elements are padded to a multiple of this.
#define SUP_FLESH_LANES 8

typedef enum supFleshRow
{
    // what moves, world space
    sup_rowU,                             ///< elongation
    sup_rowS = sup_rowU + 3,              ///< u' + amount * anchor's speed: what stays continuous (spring_step.c)
    sup_rowArm = sup_rowS + 3,            ///< the world's linear part times the anchor in model space
    sup_rowPull = sup_rowArm + 3,         ///< accelerations other than inertia at the last frame
    sup_rowNextPull = sup_rowPull + 3,    ///< and at the one that is being stepped to
    sup_rowShown = sup_rowNextPull + 3,   ///< elongation within the limit
    sup_rowDeltas = sup_rowShown + 3,     ///< what the anchor moved by in the last frames: a ring of vectors
    sup_rowTurns = sup_rowDeltas + 3 * 4, ///< x and y axis of the driver's rotation from rest, of two frames in turns
    sup_rowLimited = sup_rowTurns + 12,   ///< 1: the limit is felt
    sup_rowSpare,                         ///< a vector for what is not kept
    sup_rowMovingEnd = sup_rowSpare + 3,

    // what follows from the element and its tune
    sup_rowGain = sup_rowMovingEnd, ///< acceleration of the sag per m/s^2 of gravity, at a world scale of 1
    sup_rowAirFriction,             ///< 1/s
    sup_rowCompliance,              ///< 1 / omega^2
    sup_rowPeriod,                  ///< 1 / omega
    sup_rowLimit,                   ///< metres, at a world scale of 1
    sup_rowInverseLimit2,           ///< 1 / limit^2
    sup_rowStill,                   ///< an elongation that cannot be seen. Metres, at a world scale of 1
    sup_rowRelative,                ///< 1: gravity is felt relative to rest
    sup_rowClamps,                  ///< 1: the limit is the paper's clamp

    // supSpringStep: u[0..7], s[0..7]
    sup_rowSteps,
    sup_fleshRowCount = sup_rowSteps + 2 * ( 4 + SUP_PATH_SPANS ),
} supFleshRow;

/// Rows of the model: the same for all bodies.
typedef enum supFleshRestRow
{
    sup_restAnchor,                  ///< the local frame's origin in the driver's space
    sup_restX = sup_restAnchor + 3,  ///< x and y axis of the inverse of the driver's rest matrix
    sup_restY = sup_restX + 3,       ///< likewise
    sup_restIsThere = sup_restY + 3, ///< 1, and 0 beyond the last element
    sup_restRowCount,
} supFleshRestRow;

static inline int32_t supFleshBlockCount( int32_t elementCount )
{
    return ( elementCount + SUP_FLESH_LANES - 1 ) / SUP_FLESH_LANES;
}

/// Where element `e` stands in a row of blocks that have `rowCount` rows.
static inline size_t supRowPlace( int32_t rowCount, int32_t row, int32_t e )
{
    return (size_t)( e / SUP_FLESH_LANES * rowCount + row ) * SUP_FLESH_LANES + (size_t)( e % SUP_FLESH_LANES );
}

/// A vector in the three rows from `row` on.
static inline supVec3 supRowVec3( const float* rows, int32_t rowCount, int32_t row, int32_t e )
{
    const float* at = rows + supRowPlace( rowCount, row, e );
    return ( supVec3 ){ at[0], at[SUP_FLESH_LANES], at[2 * SUP_FLESH_LANES] };
}

static inline void supSetRowVec3( float* rows, int32_t rowCount, int32_t row, int32_t e, supVec3 value )
{
    float* at = rows + supRowPlace( rowCount, row, e );
    at[0] = value.x;
    at[SUP_FLESH_LANES] = value.y;
    at[2 * SUP_FLESH_LANES] = value.z;
}
