// SPDX-License-Identifier: MIT
#include "picture/color.h"

#include <math.h>

float supDecodeSrgb( uint8_t value )
{
    float v = (float)value / 255.0f;
    return v <= 0.04045f ? v / 12.92f : powf( ( v + 0.055f ) / 1.055f, 2.4f );
}

void supFillSrgbTable( float* linear )
{
    for ( int i = 0; i < 256; ++i )
    {
        linear[i] = supDecodeSrgb( (uint8_t)i );
    }
}

uint8_t supEncodeSrgb( float linear )
{
    if ( !( linear > 0.0f ) )
    {
        return 0;
    }
    if ( linear >= 1.0f )
    {
        return 255;
    }
    float v = linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf( linear, 1.0f / 2.4f ) - 0.055f;
    return (uint8_t)( 255.0f * v + 0.5f );
}
