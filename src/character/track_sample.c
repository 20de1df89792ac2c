// Supple: one track at one time. Interpolation as in appendix C of the glTF 2.0 specification, in double precision.
// SPDX-License-Identifier: MIT
#include "character/character_data.h"

/// The last key that is not after `time`, which lies between the first and the last key.
static int32_t supSearchKeys( const float* times, int32_t count, double time, int32_t hint )
{
    // Playing forward, it is the hint or the one after it.
    for ( int32_t k = hint; k <= hint + 1; ++k )
    {
        if ( 0 <= k && k < count - 1 && times[k] <= time && time < times[k + 1] )
        {
            return k;
        }
    }
    int32_t low = 0, high = count - 1; // times[low] <= time < times[high]
    while ( high - low > 1 )
    {
        int32_t middle = low + ( high - low ) / 2;
        if ( times[middle] <= time )
        {
            low = middle;
        }
        else
        {
            high = middle;
        }
    }
    return low;
}

supKeySpan supFindKeys( const supTrackDef* track, double time, int32_t* cursor )
{
    int32_t last = track->keyCount - 1;
    if ( !( time > track->times[0] ) ) // NaN too
    {
        return ( supKeySpan ){ 0, 0, 0.0, 0.0 };
    }
    if ( time >= track->times[last] )
    {
        return ( supKeySpan ){ last, last, 0.0, 0.0 };
    }
    int32_t key = supSearchKeys( track->times, track->keyCount, time, *cursor );
    *cursor = key;
    double from = track->times[key], to = track->times[key + 1];
    return ( supKeySpan ){ key, key + 1, ( time - from ) / ( to - from ), to - from };
}

/// The value of a key, without its tangents.
static const float* supKeyValue( const supTrackDef* track, int32_t key )
{
    size_t width = (size_t)track->width;
    bool isCubic = track->interpolation == sup_interpolationCubic;
    return track->values + (size_t)key * width * ( isCubic ? 3 : 1 ) + ( isCubic ? width : 0 );
}

// With t the fraction and d the duration, v the values, b the out-tangent of the first and a the in-tangent of the
// second key:
//     (2t^3 - 3t^2 + 1) v0 + d (t^3 - 2t^2 + t) b0 + (-2t^3 + 3t^2) v1 + d (t^3 - t^2) a1
static double supSampleCubic( const supTrackDef* track, supKeySpan span, int32_t component )
{
    size_t width = (size_t)track->width;
    const float* first = supKeyValue( track, span.key ) + component;
    const float* second = supKeyValue( track, span.next ) + component;
    double t = span.fraction, tt = t * t, ttt = tt * t;
    double outTangent = first[width], inTangent = *( second - width );
    return ( 2.0 * ttt - 3.0 * tt + 1.0 ) * first[0] + span.duration * ( ttt - 2.0 * tt + t ) * outTangent +
           ( 3.0 * tt - 2.0 * ttt ) * second[0] + span.duration * ( ttt - tt ) * inTangent;
}

double supSampleNumber( const supTrackDef* track, supKeySpan span, int32_t component )
{
    double first = supKeyValue( track, span.key )[component];
    if ( span.key == span.next || track->interpolation == sup_interpolationStep )
    {
        return first;
    }
    if ( track->interpolation == sup_interpolationCubic )
    {
        return supSampleCubic( track, span, component );
    }
    double second = supKeyValue( track, span.next )[component];
    return first * ( 1.0 - span.fraction ) + second * span.fraction;
}

supVec3d supSampleVector( const supTrackDef* track, supKeySpan span )
{
    return ( supVec3d ){ supSampleNumber( track, span, 0 ), supSampleNumber( track, span, 1 ),
        supSampleNumber( track, span, 2 ) };
}

static supQuatd supKeyRotation( const supTrackDef* track, int32_t key )
{
    const float* q = supKeyValue( track, key );
    return supNormalizeQuatD( ( supQuatd ){ q[0], q[1], q[2], q[3] } );
}

supQuatd supSampleRotation( const supTrackDef* track, supKeySpan span )
{
    if ( track->interpolation == sup_interpolationLinear && span.key != span.next )
    {
        return supSlerpD( supKeyRotation( track, span.key ), supKeyRotation( track, span.next ), span.fraction );
    }
    return supNormalizeQuatD( ( supQuatd ){ supSampleNumber( track, span, 0 ), supSampleNumber( track, span, 1 ),
        supSampleNumber( track, span, 2 ), supSampleNumber( track, span, 3 ) } );
}
