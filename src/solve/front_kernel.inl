// Tiles of a front, less products.
// SPDX-License-Identifier: MIT
//
// Four doubles at a time. A tile's sums stay in registers all along: SUP_FRONT_FOURS
// fours a column are as many as the instruction set has room for.

#include "base/wide_double.h"
#include "solve/front_kernel.h"

static inline void supSubtractTile(
    const double* strip, size_t depth, const double* factors, double* out, size_t stride )
{
    supFour a[SUP_FRONT_FOURS], b[SUP_FRONT_FOURS], c[SUP_FRONT_FOURS], d[SUP_FRONT_FOURS];
    for ( int i = 0; i < SUP_FRONT_FOURS; ++i )
    {
        a[i] = *(const supFour*)( out + 4 * i );
        b[i] = *(const supFour*)( out + stride + 4 * i );
        c[i] = *(const supFour*)( out + 2 * stride + 4 * i );
        d[i] = *(const supFour*)( out + 3 * stride + 4 * i );
    }
    for ( size_t t = 0; t < depth; ++t, strip += supTileRows, factors += supTileColumns )
    {
        for ( int i = 0; i < SUP_FRONT_FOURS; ++i )
        {
            supFour column = *(const supFour*)( strip + 4 * i );
            supTakeFour( &a[i], factors[0], &column );
            supTakeFour( &b[i], factors[1], &column );
            supTakeFour( &c[i], factors[2], &column );
            supTakeFour( &d[i], factors[3], &column );
        }
    }
    for ( int i = 0; i < SUP_FRONT_FOURS; ++i )
    {
        *(supFour*)( out + 4 * i ) = a[i];
        *(supFour*)( out + stride + 4 * i ) = b[i];
        *(supFour*)( out + 2 * stride + 4 * i ) = c[i];
        *(supFour*)( out + 3 * stride + 4 * i ) = d[i];
    }
}

void SUP_FRONT_PATH(
    const double* strips, size_t tiles, size_t depth, const double* factors, double* out, size_t stride )
{
    for ( size_t k = 0; k < tiles; ++k )
    {
        for ( size_t row = 0; row < supTileRows; row += 4 * SUP_FRONT_FOURS )
        {
            supSubtractTile(
                strips + k * depth * supTileRows + row, depth, factors, out + k * supTileRows + row, stride );
        }
    }
}
