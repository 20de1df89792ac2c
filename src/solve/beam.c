// Clamped beams: factors, forces, and which path solves.
// SPDX-License-Identifier: MIT

#include "supple/lab/beams.h"
#include "supple/lab/machine.h"

#include "base/compiler.h"
#include "base/memory.h"
#include "base/scalar_math.h"
#include "solve/beam_kernel.h"

double supBeamBucklingBound( int32_t intervals, double a1 )
{
    double sine = supSin( SUP_PI / intervals );
    return 4.0 * (double)intervals * (double)intervals * sine * sine * a1;
}

/// Two more than there are nodes, so that the way back reads zeros beyond the last inner node.
static size_t supBeamRoom( int32_t intervals )
{
    return (size_t)intervals + 2;
}

size_t supBeam_MemorySize( int32_t intervals )
{
    return 3 * supBeamRoom( intervals ) * sizeof( double );
}

static supResult supBuckles( int32_t intervals, double a1, double a2, supError* error )
{
    return supFail( error, sup_errorArgument,
        "a2 %g is not below 4 N^2 sin^2(pi/N) a1 = %g for the %d intervals of this curve: it would buckle", a2,
        supBeamBucklingBound( intervals, a1 ), intervals );
}

static supResult supCheckBeam( int32_t intervals, double a1, double a2, supError* error )
{
    if ( intervals < supBeamFewest )
    {
        return supFail(
            error, sup_errorArgument, "a curve of %d nodes: at least %d are needed", intervals + 1, supBeamFewest + 1 );
    }
    if ( !supIsFinite( a1 ) || !supIsFinite( a2 ) || a1 <= 0.0 )
    {
        return supFail(
            error, sup_errorArgument, "a1 %g and a2 %g: a1 must be above 0, and both must be finite", a1, a2 );
    }
    // the bound itself is rounded
    return a2 < ( 1.0 - 1e-12 ) * supBeamBucklingBound( intervals, a1 ) ? sup_success
                                                                        : supBuckles( intervals, a1, a2, error );
}

supResult supInitBeam( supBeam* beam, void* block, int32_t intervals, double a1, double a2, supError* error )
{
    supResult result = supCheckBeam( intervals, a1, a2, error );
    if ( result != sup_success )
    {
        return result;
    }
    double n = intervals, s = a2 / a1 / ( n * n );
    size_t room = supBeamRoom( intervals );
    double* numbers = block;
    for ( size_t i = 0; i < 3 * room; ++i )
    {
        numbers[i] = 0.0;
    }
    *beam = ( supBeam ){
        .intervals = intervals,
        .off = s - 4.0,
        .diagonal = 6.0 - 2.0 * s,
        .scale = 1.0 / ( n * n * n * n * a1 ),
        .unscale = n * n * n * n * a1,
        .below1 = numbers,
        .below2 = numbers + room,
        .inverse = numbers + 2 * room,
    };
    double d1 = 0.0, d2 = 0.0; // D of the two nodes before
    for ( int32_t i = 1; i < intervals; ++i )
    {
        double mirrored = ( i == 1 ? 1.0 : 0.0 ) + ( i == intervals - 1 ? 1.0 : 0.0 );
        double l2 = i > 2 ? 1.0 / d2 : 0.0;
        double l1 = i > 1 ? ( beam->off - beam->below1[i - 1] * ( i > 2 ? 1.0 : 0.0 ) ) / d1 : 0.0;
        double d = beam->diagonal + mirrored - l1 * l1 * d1 - l2;
        if ( !( d > 0.0 ) )
        {
            return supBuckles( intervals, a1, a2, error ); // by rounding, just below the bound
        }
        beam->below1[i] = l1;
        beam->below2[i] = l2;
        beam->inverse[i] = beam->scale / d;
        d2 = d1;
        d1 = d;
    }
    return sup_success;
}

void supBeam_Forces( const supBeam* beam, int32_t panels, const double* q, double* forces )
{
    size_t lanes = supBeamLanes, last = (size_t)beam->intervals, panel = ( last + 1 ) * lanes;
    for ( int32_t p = 0; p < panels; ++p )
    {
        const double* from = q + (size_t)p * panel;
        double* to = forces + (size_t)p * panel;
        for ( size_t k = 0; k < lanes; ++k )
        {
            to[k] = to[last * lanes + k] = 0.0;
        }
        for ( size_t i = 1; i < last; ++i )
        {
            size_t before = i > 1 ? i - 2 : 1, after = i < last - 1 ? i + 2 : last - 1;
            for ( size_t k = 0; k < lanes; ++k )
            {
                double bend = from[before * lanes + k] + from[after * lanes + k] +
                              beam->off * ( from[( i - 1 ) * lanes + k] + from[( i + 1 ) * lanes + k] ) +
                              beam->diagonal * from[i * lanes + k];
                to[i * lanes + k] = beam->unscale * bend;
            }
        }
    }
}

static supBeamFunction* supFindBeamFunction( void )
{
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx2 ) )
    {
        return supSolveBeamsAvx2;
    }
#endif
    return supSolveBeamsPlain;
}

void supBeam_Solve( const supBeam* beam, int32_t panels, const double* given, double* places )
{
    supFindBeamFunction()( beam, panels, given, places );
}
