// Normals as players skin them, and how far they are turned from others.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/math.h"

#include <stdint.h>

/// A normal under a blended matrix, unit length: by its cofactors, pointing outwards under a mirroring one too. Zero
/// where there is none.
static inline supVec3d supSkinnedNormal( supMat34d m, supVec3d n )
{
    supVec3d turned = supScaleD( supCrossD( m.y, m.z ), n.x );
    turned = supMulAddD( supMulAddD( turned, n.y, supCrossD( m.z, m.x ) ), n.z, supCrossD( m.x, m.y ) );
    return supNormalizeD( supDeterminantD( m ) < 0.0 ? supNegD( turned ) : turned );
}

/// Turns between unit vectors, gathered by their chords c = 2 sin( angle / 2 ).
typedef struct supTurns
{
    double largest; ///< c^2
    double sum;     ///< of squares of angles. Radians
    int64_t count;
} supTurns;

/// Pairs of which one is zero do not count.
static inline void supTurns_Add( supTurns* turns, supVec3d a, supVec3d b )
{
    if ( supDotD( a, a ) > 0.0 && supDotD( b, b ) > 0.0 )
    {
        supVec3d chord = supSubD( a, b );
        double square = supDotD( chord, chord );
        turns->largest = supMax( square, turns->largest );
        turns->sum += square * ( 1.0 + square / 12.0 ); // of angle^2 = c^2 + c^4 / 12 + ..., to 1% at 60 degrees
        turns->count += 1;
    }
}

static inline void supTurns_Join( supTurns* turns, const supTurns* other )
{
    turns->largest = supMax( other->largest, turns->largest );
    turns->sum += other->sum;
    turns->count += other->count;
}

static inline float supTurns_LargestDegrees( const supTurns* turns )
{
    double half = supMin( 0.5 * supSqrt( turns->largest ), 1.0 );
    return (float)( 2.0 * supAtan2( half, supSqrt( 1.0 - half * half ) ) * 180.0 / SUP_PI );
}

static inline float supTurns_RmsDegrees( const supTurns* turns )
{
    return turns->count > 0 ? (float)( supSqrt( turns->sum / (double)turns->count ) * 180.0 / SUP_PI ) : 0.0f;
}
