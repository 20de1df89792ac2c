// Supple: sums over long rows, as a fixed tree of 16 lanes: the same bits with and without wide instructions.
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

enum
{
    supLaneCount = 16
};

static inline double supSumLanes( const double lanes[supLaneCount] )
{
    double sums[supLaneCount];
    for ( int i = 0; i < supLaneCount; ++i )
    {
        sums[i] = lanes[i];
    }
    for ( int half = supLaneCount / 2; half > 0; half /= 2 )
    {
        for ( int i = 0; i < half; ++i )
        {
            sums[i] += sums[i + half];
        }
    }
    return sums[0];
}

/// Sum of a[i] b[i].
static inline double supDotRows( const double* a, const float* b, size_t count )
{
    double lanes[supLaneCount] = { 0 };
    size_t i = 0;
    for ( ; i + supLaneCount <= count; i += supLaneCount )
    {
        for ( size_t k = 0; k < supLaneCount; ++k )
        {
            lanes[k] += a[i + k] * b[i + k];
        }
    }
    for ( size_t k = 0; i < count; ++i, ++k )
    {
        lanes[k] += a[i] * b[i];
    }
    return supSumLanes( lanes );
}

/// The same in double.
static inline double supDotRowsD( const double* a, const double* b, size_t count )
{
    double lanes[supLaneCount] = { 0 };
    size_t i = 0;
    for ( ; i + supLaneCount <= count; i += supLaneCount )
    {
        for ( size_t k = 0; k < supLaneCount; ++k )
        {
            lanes[k] += a[i + k] * b[i + k];
        }
    }
    for ( size_t k = 0; i < count; ++i, ++k )
    {
        lanes[k] += a[i] * b[i];
    }
    return supSumLanes( lanes );
}
