// Systems solved by a factor, eight right-hand sides at once.
// SPDX-License-Identifier: MIT

#include "base/wide_double.h"
#include "block_matrix.h"

#include <string.h>

enum
{
    supWidth = SUP_FACTOR_COLUMNS,
    supPairs = supWidth / 2 ///< two of the eight: as much as every processor has in one instruction
};

/// Into the factor's order, and back.
static void supPermute( const supBlockFactor* factor, double* x, double* ordered, bool back )
{
    for ( int32_t i = 0; i < factor->count; ++i )
    {
        double *own = ordered + 3 * supWidth * (size_t)i, *other = x + 3 * supWidth * (size_t)factor->order[i];
        memcpy( back ? other : own, back ? own : other, sizeof( double ) * 3 * supWidth );
    }
}

/// row -= factor * other, all eight.
static inline void supSubtractRow( double* row, double factor, const double* other )
{
    for ( int c = 0; c < supPairs; ++c )
    {
        supTakeTwo( (supTwo*)row + c, factor, (const supTwo*)other + c );
    }
}

static void supScaleRow( double* row, double scale )
{
    for ( int c = 0; c < supWidth; ++c )
    {
        row[c] *= scale;
    }
}

/// row -= the products of three pivots, one after the other: as three times supSubtractRow, but read and written once.
static inline void supSubtractThree( double* row, const double factors[3], const double* pivots )
{
    for ( int c = 0; c < supPairs; ++c )
    {
        supTwo value = ( (const supTwo*)row )[c];
        for ( int i = 0; i < 3; ++i )
        {
            supTakeTwo( &value, factors[i], (const supTwo*)( pivots + supWidth * i ) + c );
        }
        ( (supTwo*)row )[c] = value;
    }
}

/// Rows of a front: its pivots stand together, those of its border all over the place.
static double* supFrontRow( const supBlockFactor* factor, const supFront* front, double* ordered, int32_t node )
{
    int32_t place = node < front->count ? front->first + node : factor->borders[front->border + node - front->count];
    return ordered + 3 * supWidth * (size_t)place;
}

/// A node's three pivots among themselves, then all three off every row below.
static void supForward( const supBlockFactor* factor, const supFront* front, double* ordered )
{
    int32_t nodes = front->count + front->borderCount;
    size_t rows = 3 * (size_t)nodes;
    for ( int32_t i = 0; i < front->count; ++i )
    {
        const double* columns = factor->values + front->at + 3 * (size_t)i * rows;
        double* own = ordered + 3 * supWidth * (size_t)( front->first + i );
        for ( size_t j = 0; j < 3; ++j )
        {
            const double* column = columns + j * rows + 3 * (size_t)i;
            supScaleRow( own + supWidth * j, 1.0 / column[j] );
            for ( size_t r = j + 1; r < 3; ++r )
            {
                supSubtractRow( own + supWidth * r, column[r], own + supWidth * j );
            }
        }
        for ( int32_t node = i + 1; node < nodes; ++node )
        {
            double* row = supFrontRow( factor, front, ordered, node );
            for ( size_t d = 0; d < 3; ++d )
            {
                size_t at = 3 * (size_t)node + d;
                const double factors[3] = { columns[at], columns[rows + at], columns[2 * rows + at] };
                supSubtractThree( row + supWidth * d, factors, own );
            }
        }
    }
}

static void supBackward( const supBlockFactor* factor, const supFront* front, double* ordered )
{
    int32_t nodes = front->count + front->borderCount;
    size_t rows = 3 * (size_t)nodes;
    for ( int32_t j = 3 * front->count - 1; j >= 0; --j )
    {
        const double* column = factor->values + front->at + (size_t)j * rows;
        double* own = ordered + supWidth * ( 3 * (size_t)front->first + (size_t)j );
        supTwo sum[supPairs]; // in registers until it is done
        memcpy( sum, own, sizeof( sum ) );
        for ( int32_t r = j + 1; r % 3 != 0; ++r )
        {
            supSubtractRow( (double*)sum, column[r], own + supWidth * (size_t)( r - j ) );
        }
        for ( int32_t node = j / 3 + 1; node < nodes; ++node )
        {
            const double* row = supFrontRow( factor, front, ordered, node );
            for ( int32_t d = 0; d < 3; ++d )
            {
                for ( int c = 0; c < supPairs; ++c )
                {
                    supTakeTwo( sum + c, column[3 * node + d], (const supTwo*)( row + supWidth * d ) + c );
                }
            }
        }
        memcpy( own, sum, sizeof( sum ) );
        supScaleRow( own, 1.0 / column[j] );
    }
}

size_t supBlockFactor_ScratchCount( const supBlockFactor* factor )
{
    // a solve's own, and eight columns for SolveOne
    size_t own =
        factor->swept != NULL ? supBlockSweeps_ScratchCount( factor->count ) : 3 * supWidth * (size_t)factor->count;
    return own + 3 * supWidth * (size_t)factor->count;
}

void supBlockFactor_Solve( const supBlockFactor* factor, double* x, double* scratch )
{
    if ( factor->swept != NULL )
    {
        supBlockSweeps_Solve( factor->swept, factor->inverses, x, scratch );
        return;
    }
    supPermute( factor, x, scratch, false );
    for ( int32_t f = 0; f < factor->frontCount; ++f )
    {
        supForward( factor, factor->fronts + f, scratch );
    }
    for ( int32_t f = factor->frontCount - 1; f >= 0; --f )
    {
        supBackward( factor, factor->fronts + f, scratch );
    }
    supPermute( factor, x, scratch, true );
}

void supBlockFactor_SolveOne( const supBlockFactor* factor, double* x, double* scratch )
{
    size_t count = 3 * (size_t)factor->count;
    double* wide = scratch + ( supBlockFactor_ScratchCount( factor ) - supWidth * count );
    memset( wide, 0, sizeof( double ) * supWidth * count );
    for ( size_t i = 0; i < count; ++i )
    {
        wide[supWidth * i] = x[i];
    }
    supBlockFactor_Solve( factor, wide, scratch );
    for ( size_t i = 0; i < count; ++i )
    {
        x[i] = wide[supWidth * i];
    }
}
