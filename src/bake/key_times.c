// Times of keys, gathered from tracks.
// SPDX-License-Identifier: MIT

#include "bake/key_times.h"

#include "base/scalar_math.h"

#include <string.h>

/// Keys nearer than this are one: tracks that were written with times rounded differently. Seconds
static const double supSameTime = 1e-3;

bool supTrackMoves( const supTrackDef* track )
{
    if ( track->interpolation == sup_interpolationCubic )
    {
        return track->keyCount > 1; // tangents move it between keys of the same value
    }
    size_t width = (size_t)track->width;
    for ( int32_t k = 1; k < track->keyCount; ++k )
    {
        if ( memcmp( track->values, track->values + (size_t)k * width, width * sizeof( float ) ) != 0 )
        {
            return true;
        }
    }
    return false;
}

// Shell's sort.
void supSortTimes( double* times, size_t count )
{
    for ( size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11 )
    {
        for ( size_t i = gap; i < count; ++i )
        {
            double time = times[i];
            size_t k = i;
            for ( ; k >= gap && times[k - gap] > time; k -= gap )
            {
                times[k] = times[k - gap];
            }
            times[k] = time;
        }
    }
}

bool supAddTime( supArray* times, double time )
{
    double* at = supArray_Add( times, 1 );
    if ( at != NULL )
    {
        *at = time;
    }
    return at != NULL;
}

bool supLayTimes( const double* keys, size_t count, double longest, double fine, supArray* times )
{
    double start = keys[0], end = keys[count - 1];
    double same = supMin( supSameTime, ( end - start ) / 1000.0 );
    if ( !supAddTime( times, start ) )
    {
        return false;
    }
    double last = start;
    for ( size_t i = 1; i < count; ++i )
    {
        bool isEnd = i == count - 1;
        if ( keys[i] - last <= same || ( !isEnd && end - keys[i] <= same ) )
        {
            continue;
        }
        double span = keys[i] - last;
        double pieces = span > longest ? supFloor( span / fine - 1e-3 ) + 1.0 : 1.0;
        for ( double k = 1.0; k < pieces; k += 1.0 )
        {
            if ( !supAddTime( times, last + span * ( k / pieces ) ) )
            {
                return false;
            }
        }
        if ( !supAddTime( times, keys[i] ) )
        {
            return false;
        }
        last = keys[i];
    }
    return true;
}
