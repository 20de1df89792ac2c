// One panel of beams, forward and back through the factors.
// SPDX-License-Identifier: MIT
//
// Four doubles at a time in the compilers' own vectors: plain arrays they leave in memory, and a way through it on
// every row costs more than the arithmetic. No sum runs across lanes, so every path has the same bits.

#include "solve/beam_kernel.h"

#include <string.h>

typedef double supFour __attribute__( ( vector_size( 32 ), aligned( 8 ), may_alias ) );

enum
{
    supFours = supBeamLanes / 4
};

void SUP_BEAM_PATH( const supBeam* beam, const double* given, double* places )
{
    const size_t last = (size_t)beam->intervals;
    const double *below1 = beam->below1, *below2 = beam->below2, *inverse = beam->inverse;
    double scale = beam->scale;
    supFour start[supFours], end[supFours]; // where the ends are given to be
    memcpy( start, given, sizeof( start ) );
    memcpy( end, given + last * supBeamLanes, sizeof( end ) );
    memcpy( places, start, sizeof( start ) );
    memcpy( places + last * supBeamLanes, end, sizeof( end ) );

    supFour y1[supFours] = { { 0 } }, y2[supFours] = { { 0 } };
    for ( size_t i = 1; i < last; ++i )
    {
        const supFour* force = (const supFour*)( given + i * supBeamLanes );
        supFour* row = (supFour*)( places + i * supBeamLanes );
        double l1 = below1[i], l2 = below2[i];
        // the two rows next to each end see it (with N = 4 the middle one sees both): that moves to the right-hand side
        double byStart = i == 1 ? beam->off : i == 2 ? 1.0 : 0.0;
        double byEnd = i == last - 1 ? beam->off : i == last - 2 ? 1.0 : 0.0;
        bool inside = i > 2 && i + 2 < last;
        for ( int k = 0; k < supFours; ++k )
        {
            supFour right = scale * force[k];
            if ( !inside )
            {
                right = ( right - byStart * start[k] ) - byEnd * end[k];
            }
            supFour y = ( right - l2 * y2[k] ) - l1 * y1[k];
            y2[k] = y1[k];
            y1[k] = y;
            row[k] = y;
        }
    }

    memset( y1, 0, sizeof( y1 ) );
    memset( y2, 0, sizeof( y2 ) );
    for ( size_t i = last - 1; i >= 1; --i )
    {
        supFour* row = (supFour*)( places + i * supBeamLanes );
        double d = inverse[i], l1 = below1[i + 1], l2 = below2[i + 2];
        for ( int k = 0; k < supFours; ++k )
        {
            supFour x = ( d * row[k] - l2 * y2[k] ) - l1 * y1[k];
            y2[k] = y1[k];
            y1[k] = x;
            row[k] = x;
        }
    }
}
