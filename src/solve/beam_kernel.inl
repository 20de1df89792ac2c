// Panels of beams, forward and back through the factors.
// SPDX-License-Identifier: MIT
//
// Four doubles at a time, a row of them as a struct: compilers leave arrays in memory, and a way through it on every
// row costs more than the arithmetic.

#include "base/wide_double.h"
#include "solve/beam_kernel.h"

/// One node of all beams of a panel.
typedef struct supRow
{
    supFour a, b, c, d;
} supRow;

static inline supRow supLoadRow( const double* from )
{
    const supFour* four = (const supFour*)from;
    return ( supRow ){ four[0], four[1], four[2], four[3] };
}

static inline void supStoreRow( double* to, supRow row )
{
    supFour* four = (supFour*)to;
    four[0] = row.a;
    four[1] = row.b;
    four[2] = row.c;
    four[3] = row.d;
}

/// x - factor y
static inline supRow supLess( supRow x, double factor, supRow y )
{
    supTakeFour( &x.a, factor, &y.a );
    supTakeFour( &x.b, factor, &y.b );
    supTakeFour( &x.c, factor, &y.c );
    supTakeFour( &x.d, factor, &y.d );
    return x;
}

static inline supRow supTimes( supRow x, double factor )
{
    supScaleFour( &x.a, factor );
    supScaleFour( &x.b, factor );
    supScaleFour( &x.c, factor );
    supScaleFour( &x.d, factor );
    return x;
}

/// The force on a row. The two rows next to each end see it (with N = 4 the middle one sees both): that moves to the
/// right-hand side.
static inline supRow supForceNearEnd( const supBeam* beam, size_t row, const double* given )
{
    size_t last = (size_t)beam->intervals;
    supRow right = supLoadRow( given + row * supBeamLanes );
    if ( row <= 2 )
    {
        right = supLess( right, row == 1 ? beam->near[0] : beam->far[0], supLoadRow( given ) );
    }
    if ( row + 2 >= last )
    {
        right =
            supLess( right, row + 1 == last ? beam->near[1] : beam->far[1], supLoadRow( given + last * supBeamLanes ) );
    }
    return right;
}

/// A row of the way forward, L y = F. `before`: the row before, `own`: the one before that, which becomes this one: so
/// two rows that take turns need not be moved along.
static inline void supGoForward(
    const supBeam* beam, size_t row, supRow force, const supRow* before, supRow* own, double* places )
{
    *own = supLess( supLess( force, beam->below2[row], *own ), beam->below1[row], *before );
    supStoreRow( places + row * supBeamLanes, *own );
}

/// The same of the way back, L^T x = y / D.
static inline void supGoBack( const supBeam* beam, size_t row, const supRow* before, supRow* own, double* places )
{
    supRow right = supTimes( supLoadRow( places + row * supBeamLanes ), beam->inverse[row] );
    *own = supLess( supLess( right, beam->below2[row + 2], *own ), beam->below1[row + 1], *before );
    supStoreRow( places + row * supBeamLanes, *own );
}

static inline void supSolvePanel( const supBeam* beam, const double* given, double* places )
{
    const size_t last = (size_t)beam->intervals;
    supRow even = { 0 }, odd = { 0 };
    supGoForward( beam, 1, supForceNearEnd( beam, 1, given ), &even, &odd, places );
    supGoForward( beam, 2, supForceNearEnd( beam, 2, given ), &odd, &even, places );
    size_t row = 3;
    for ( ; row + 3 < last; row += 2 )
    {
        supGoForward( beam, row, supLoadRow( given + row * supBeamLanes ), &even, &odd, places );
        supGoForward( beam, row + 1, supLoadRow( given + ( row + 1 ) * supBeamLanes ), &odd, &even, places );
    }
    for ( ; row < last; row += 2 )
    {
        supGoForward( beam, row, supForceNearEnd( beam, row, given ), &even, &odd, places );
        if ( row + 1 < last )
        {
            supGoForward( beam, row + 1, supForceNearEnd( beam, row + 1, given ), &odd, &even, places );
        }
    }
    supStoreRow( places, supLoadRow( given ) );
    supStoreRow( places + last * supBeamLanes, supLoadRow( given + last * supBeamLanes ) );

    even = odd = ( supRow ){ 0 };
    for ( row = last - 1; row >= 2; row -= 2 )
    {
        supGoBack( beam, row, &even, &odd, places );
        supGoBack( beam, row - 1, &odd, &even, places );
    }
    if ( row == 1 )
    {
        supGoBack( beam, 1, &even, &odd, places );
    }
}

void SUP_BEAM_PATH( const supBeam* beam, int32_t panels, const double* given, double* places )
{
    size_t panel = ( (size_t)beam->intervals + 1 ) * supBeamLanes;
    for ( int32_t p = 0; p < panels; ++p )
    {
        supSolvePanel( beam, given + (size_t)p * panel, places + (size_t)p * panel );
    }
}
