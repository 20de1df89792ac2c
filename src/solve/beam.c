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
    return 4 * supBeamRoom( intervals ) * sizeof( double );
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

/// The diagonal of the matrix times h^4 / a1, from what bends at the nodes. An end counts twice, since the node beyond
/// it is a mirror image.
static double supBeamDiagonal( const supBeam* beam, int32_t i )
{
    const double* e = beam->stiffness;
    double mirrored = ( i == 1 ? e[0] : 0.0 ) + ( i == beam->intervals - 1 ? e[i + 1] : 0.0 );
    return e[i - 1] + 4.0 * e[i] + e[i + 1] - 2.0 * beam->pull + mirrored;
}

/// Between an inner node and the next.
static double supBeamOff( const supBeam* beam, int32_t i )
{
    return beam->pull - 2.0 * ( beam->stiffness[i] + beam->stiffness[i + 1] );
}

static bool supFactorBeam( supBeam* beam )
{
    double d1 = 0.0, d2 = 0.0; // D of the two nodes before
    for ( int32_t i = 1; i < beam->intervals; ++i )
    {
        double far = i > 2 ? beam->stiffness[i - 1] : 0.0, l2 = i > 2 ? far / d2 : 0.0;
        double l1 = i > 1 ? ( supBeamOff( beam, i - 1 ) - beam->below1[i - 1] * far ) / d1 : 0.0;
        double d = supBeamDiagonal( beam, i ) - l1 * l1 * d1 - l2 * far;
        if ( !( d > 0.0 ) )
        {
            return false;
        }
        beam->below1[i] = l1;
        beam->below2[i] = l2;
        beam->inverse[i] = beam->scale / d;
        d2 = d1;
        d1 = d;
    }
    return true;
}

static void supLayBeam( supBeam* beam, double* numbers, int32_t intervals, double a1, double a2, const double* e )
{
    double n = intervals, s = a2 / a1 / ( n * n ), unscale = n * n * n * n * a1;
    size_t room = supBeamRoom( intervals );
    for ( size_t i = 0; i < 4 * room; ++i )
    {
        numbers[i] = 0.0;
    }
    *beam = ( supBeam ){
        .intervals = intervals,
        .pull = s,
        .scale = 1.0 / unscale,
        .unscale = unscale,
        .below1 = numbers,
        .below2 = numbers + room,
        .inverse = numbers + 2 * room,
        .stiffness = numbers + 3 * room,
    };
    for ( int32_t i = 0; i <= intervals; ++i )
    {
        beam->stiffness[i] = e != NULL ? e[i] : 1.0;
    }
    for ( int end = 0; end < 2; ++end )
    {
        int32_t at = end == 0 ? 0 : intervals, beside = end == 0 ? 1 : intervals - 1;
        beam->near[end] = ( s - 2.0 * ( beam->stiffness[at] + beam->stiffness[beside] ) ) * unscale;
        beam->far[end] = beam->stiffness[beside] * unscale;
    }
}

supResult supInitBeam( supBeam* beam, void* block, int32_t intervals, double a1, double a2, supError* error )
{
    supResult result = supCheckBeam( intervals, a1, a2, error );
    if ( result != sup_success )
    {
        return result;
    }
    supLayBeam( beam, block, intervals, a1, a2, NULL );
    return supFactorBeam( beam ) ? sup_success : supBuckles( intervals, a1, a2, error ); // by rounding, near the bound
}

supResult supInitBeamAlong(
    supBeam* beam, void* block, int32_t intervals, double a1, double a2, const double* stiffness, supError* error )
{
    // the bound is another one: the factors tell
    supResult result = supCheckBeam( intervals, a1, supMin( a2, 0.0 ), error );
    if ( result != sup_success || !supIsFinite( a2 ) )
    {
        return result != sup_success ? result : supCheckBeam( intervals, a1, a2, error );
    }
    for ( int32_t i = 0; i <= intervals; ++i )
    {
        if ( !supIsFinite( stiffness[i] ) || stiffness[i] <= 0.0 )
        {
            return supFail(
                error, sup_errorArgument, "stiffness %g at node %d: it must be above 0 and finite", stiffness[i], i );
        }
    }
    supLayBeam( beam, block, intervals, a1, a2, stiffness );
    return supFactorBeam( beam )
               ? sup_success
               : supFail( error, sup_errorArgument,
                     "a2 %g is too much for a1 %g with this stiffness along the curve: it would buckle", a2, a1 );
}

void supBeam_Forces( const supBeam* beam, int32_t panels, const double* q, double* forces )
{
    size_t lanes = supBeamLanes, last = (size_t)beam->intervals, panel = ( last + 1 ) * lanes;
    const double* e = beam->stiffness;
    for ( int32_t p = 0; p < panels; ++p )
    {
        const double* from = q + (size_t)p * panel;
        double* to = forces + (size_t)p * panel;
        for ( size_t k = 0; k < lanes; ++k )
        {
            to[k] = to[last * lanes + k] = 0.0;
            // how much each node bends: the one before, this one, the next
            double before = 2.0 * ( from[lanes + k] - from[k] );
            double here = from[k] - 2.0 * from[lanes + k] + from[2 * lanes + k];
            for ( size_t i = 1; i < last; ++i )
            {
                double beyond = from[( i + 2 <= last ? i + 2 : last - 1 ) * lanes + k];
                double after = from[i * lanes + k] - 2.0 * from[( i + 1 ) * lanes + k] + beyond;
                to[i * lanes + k] =
                    beam->unscale * ( e[i - 1] * before - 2.0 * e[i] * here + e[i + 1] * after + beam->pull * here );
                before = here;
                here = after;
            }
        }
    }
}

void supBeam_AddSlopes( const supBeam* beam, int32_t panels, double factor, const double* slopes, double* forces )
{
    size_t lanes = supBeamLanes, last = (size_t)beam->intervals, panel = ( last + 1 ) * lanes;
    // q(-1) = q(1) - 2 h slope, and q(N+1) = q(N-1) + 2 h slope, in how much the ends bend
    double step = 2.0 / (double)beam->intervals * beam->unscale * factor;
    double first = step * beam->stiffness[0], end = -step * beam->stiffness[last];
    for ( int32_t p = 0; p < panels; ++p )
    {
        const double* own = slopes + (size_t)p * 2 * lanes;
        double* to = forces + (size_t)p * panel;
        for ( size_t k = 0; k < lanes; ++k )
        {
            to[lanes + k] += first * own[k];
            to[( last - 1 ) * lanes + k] += end * own[lanes + k];
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
