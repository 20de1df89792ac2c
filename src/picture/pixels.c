// SPDX-License-Identifier: MIT

#include "supple/pixels.h"

#include "picture/drawn_pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

supResult supCreatePixels( int32_t width, int32_t height, supPixels* out, supError* error )
{
    *out = ( supPixels ){ 0 };
    if ( width < 1 || height < 1 || width > SUP_MAX_PIXELS || height > SUP_MAX_PIXELS )
    {
        return supFail(
            error, sup_errorLimit, "an image of %d x %d pixels: sides go from 1 to %d", width, height, SUP_MAX_PIXELS );
    }
    uint8_t* data = calloc( (size_t)width * (size_t)height, 4 );
    if ( data == NULL )
    {
        return supFail( error, sup_errorMemory, "no memory for an image of %d x %d pixels", width, height );
    }
    *out = ( supPixels ){ width, height, data };
    return sup_success;
}

void supDestroyPixels( supPixels* pixels )
{
    free( pixels->data );
    *pixels = ( supPixels ){ 0 };
}

void supPixels_Fill( supPixels* pixels, supColor color )
{
    const uint8_t bytes[4] = { supEncodeSrgb( color.r ), supEncodeSrgb( color.g ), supEncodeSrgb( color.b ),
        (uint8_t)( fmaxf( 0.0f, fminf( color.a, 1.0f ) ) * 255.0f + 0.5f ) };
    size_t count = (size_t)pixels->width * (size_t)pixels->height;
    for ( size_t i = 0; i < count; ++i )
    {
        memcpy( pixels->data + 4 * i, bytes, 4 );
    }
}

void supPixels_Paste( supPixels* pixels, const supPixels* from, int32_t x, int32_t y )
{
    int32_t left = x < 0 ? -x : 0;
    int32_t right = from->width < pixels->width - x ? from->width : pixels->width - x;
    for ( int32_t row = 0; row < from->height; ++row )
    {
        int32_t to = y + row;
        if ( to < 0 || to >= pixels->height || right <= left )
        {
            continue;
        }
        memcpy( pixels->data + 4 * ( (size_t)to * (size_t)pixels->width + (size_t)( x + left ) ),
            from->data + 4 * ( (size_t)row * (size_t)from->width + (size_t)left ), 4 * (size_t)( right - left ) );
    }
}

// ---------------------------------------------------------------------------------------------------------------

/// One byte to linear light.
static float supDecodeSrgb( uint8_t value )
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
