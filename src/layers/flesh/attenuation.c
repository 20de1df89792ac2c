// How an element's weight falls along its bone: section 5.2 of the paper, Wyvill's polynomial, or the artist's curve.
// SPDX-License-Identifier: MIT

#include "attenuation.h"

#include "base/scalar_math.h"

/// A key of the artist's curve, with the two ends that the curve always has.
static void supHermiteKey( supKeyList keys, int32_t index, float* y, float* value )
{
    if ( index < 0 || index >= keys.count )
    {
        *y = index < 0 ? -1.0f : 1.0f;
        *value = 0.0f;
        return;
    }
    *y = keys.pairs[2 * index];
    *value = keys.pairs[2 * index + 1];
}

/// Slope at a key: from neighbour to neighbour, level at both ends of the bone so that the skin leaves it smoothly.
static float supHermiteSlope( supKeyList keys, int32_t index )
{
    if ( index < 0 || index >= keys.count )
    {
        return 0.0f;
    }
    float y0, v0, y1, v1;
    supHermiteKey( keys, index - 1, &y0, &v0 );
    supHermiteKey( keys, index + 1, &y1, &v1 );
    return y1 > y0 ? ( v1 - v0 ) / ( y1 - y0 ) : 0.0f;
}

static float supHermite( supKeyList keys, float y )
{
    int32_t index = 0;
    while ( index < keys.count && keys.pairs[2 * index] <= y )
    {
        ++index;
    }
    float y0, v0, y1, v1;
    supHermiteKey( keys, index - 1, &y0, &v0 );
    supHermiteKey( keys, index, &y1, &v1 );
    float width = y1 - y0;
    if ( !( width > 0.0f ) )
    {
        return v1;
    }
    float t = ( y - y0 ) / width;
    float m0 = supHermiteSlope( keys, index - 1 ) * width, m1 = supHermiteSlope( keys, index ) * width;
    float t2 = t * t, t3 = t2 * t;
    return ( 2 * t3 - 3 * t2 + 1 ) * v0 + ( t3 - 2 * t2 + t ) * m0 + ( 3 * t2 - 2 * t3 ) * v1 + ( t3 - t2 ) * m1;
}

float supAttenuate( supAttenuation kind, supKeyList keys, float y )
{
    if ( !( y > -1.0f && y < 1.0f ) )
    {
        return 0.0f;
    }
    float y2 = y * y;
    float value = 0.0f;
    switch ( kind )
    {
        case sup_attenuationParabola:
            value = 1.0f - y2;
            break;
        case sup_attenuationWyvill:
            value = 1.0f + y2 * ( -22.0f + y2 * ( 17.0f - 4.0f * y2 ) ) / 9.0f;
            break;
        case sup_attenuationHermite:
            value = supHermite( keys, y );
            break;
    }
    return supClampF( value, 0.0f, 1.0f );
}
