// Times of keys, gathered from tracks.
// SPDX-License-Identifier: MIT

#include "bake/key_times.h"

#include "base/scalar_math.h"
#include "character/character_data.h"

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

/// A joint that jumps (STEP) has a key this long before the jump: unseen, and some steps of a float. Seconds
static double supJumpSpan( double time )
{
    return 2e-5 + 1e-6 * supAbs( time );
}

/// Keys of all that moves a marked joint; times before STEP keys in `jumps` as well.
static bool supGatherClipKeys( const supClip* clip, const uint8_t* marks, supArray* keys, supArray* jumps )
{
    bool fits = supAddTime( keys, clip->start ) && supAddTime( keys, clip->end );
    for ( int32_t t = 0; t < clip->trackCount; ++t )
    {
        const supTrackDef* track = clip->tracks + t;
        bool counts =
            clip->isUsed[t] && track->path != sup_pathWeights && ( marks == NULL || marks[track->joint] != 0 );
        if ( !counts || !supTrackMoves( track ) )
        {
            continue;
        }
        for ( int32_t k = 0; k < track->keyCount && fits; ++k )
        {
            fits = supAddTime( keys, track->times[k] );
            if ( track->interpolation == sup_interpolationStep && track->times[k] > clip->start )
            {
                double before = track->times[k] - supJumpSpan( track->times[k] );
                fits = fits && supAddTime( jumps, before );
            }
        }
    }
    return fits;
}

/// Rounds to what a file holds, and drops what is then the same.
static void supRoundTimes( supArray* times )
{
    double* at = times->data;
    size_t kept = 0;
    for ( size_t i = 0; i < times->count; ++i )
    {
        double rounded = (float)at[i];
        if ( kept == 0 || rounded > at[kept - 1] )
        {
            at[kept++] = rounded;
        }
    }
    times->count = kept;
}

bool supLayClipTimes(
    const supCharacter* character, int32_t clip, const uint8_t* marks, double longest, double fine, supArray* times )
{
    const supClip* from = character->clips + clip;
    supArray keys = supMakeArray( sizeof( double ), &times->allocator );
    supArray jumps = supMakeArray( sizeof( double ), &times->allocator );
    bool fits = supGatherClipKeys( from, marks, &keys, &jumps );
    if ( fits )
    {
        supSortTimes( keys.data, keys.count );
        fits = supLayTimes( keys.data, keys.count, longest, fine, times );
    }
    for ( size_t i = 0; i < jumps.count && fits; ++i )
    {
        double before = ( (double*)jumps.data )[i];
        fits = before <= from->start || supAddTime( times, before );
    }
    if ( fits )
    {
        supSortTimes( times->data, times->count );
        supRoundTimes( times );
    }
    supArray_Destroy( &keys );
    supArray_Destroy( &jumps );
    return fits;
}
