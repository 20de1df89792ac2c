#include "support/dense_beam.h"

#include <math.h>
#include <stdlib.h>

/// The rows of all nodes, unknown i in column i + 1: the second difference of e times the second difference.
static void supWriteRow( const supDenseBeam* beam, int32_t i, long double* row )
{
    static const int second[3] = { 1, -2, 1 };
    long double n = beam->intervals, bend = beam->a1 * n * n * n * n, pull = beam->a2 * n * n;
    for ( int k = 0; k < 3; ++k )
    {
        long double e = beam->stiffness != NULL ? beam->stiffness[i - 1 + k] : 1.0;
        for ( int m = 0; m < 3; ++m )
        {
            row[i - 1 + k + m] += second[k] * bend * e * second[m];
        }
        row[i + k] += second[k] * pull;
    }
}

static long double supSlopeOf( const double* slopes[2], int end, int32_t column )
{
    return slopes != NULL && slopes[end] != NULL ? slopes[end][column] : 0.0L;
}

void supDenseForces(
    const supDenseBeam* beam, int32_t columns, const double* places, const double* slopes[2], double* forces )
{
    int32_t n = beam->intervals;
    long double* row = malloc( sizeof( long double ) * (size_t)( n + 3 ) );
    for ( int32_t i = 1; i < n; ++i )
    {
        for ( int32_t k = 0; k < n + 3; ++k )
        {
            row[k] = 0.0L;
        }
        supWriteRow( beam, i, row );
        for ( int32_t c = 0; c < columns; ++c )
        {
            long double before = places[columns + c] - 2.0L / n * supSlopeOf( slopes, 0, c );
            long double beyond = places[( n - 1 ) * columns + c] + 2.0L / n * supSlopeOf( slopes, 1, c );
            long double sum = row[0] * before + row[n + 2] * beyond;
            for ( int32_t k = 0; k <= n; ++k )
            {
                sum += row[k + 1] * places[k * columns + c];
            }
            forces[i * columns + c] = (double)sum;
        }
    }
    free( row );
}

void supSolveDenseBeam(
    const supDenseBeam* beam, int32_t columns, const double* given, const double* slopes[2], double* places )
{
    int32_t n = beam->intervals, size = n + 3, width = size + columns;
    long double* a = calloc( (size_t)size * (size_t)width, sizeof( long double ) );
#define SUP_AT( row, column ) a[(row)*width + ( column )]
    for ( int32_t i = 1; i < n; ++i )
    {
        supWriteRow( beam, i, a + (size_t)i * (size_t)width );
        for ( int32_t c = 0; c < columns; ++c )
        {
            SUP_AT( i, size + c ) = given[i * columns + c];
        }
    }
    SUP_AT( 0, 1 ) = SUP_AT( n, n + 1 ) = 1.0L;
    SUP_AT( n + 1, 2 ) = SUP_AT( n + 2, n + 2 ) = 1.0L;
    SUP_AT( n + 1, 0 ) = SUP_AT( n + 2, n ) = -1.0L;
    for ( int32_t c = 0; c < columns; ++c )
    {
        SUP_AT( 0, size + c ) = given[c];
        SUP_AT( n, size + c ) = given[n * columns + c];
        SUP_AT( n + 1, size + c ) = 2.0L / n * supSlopeOf( slopes, 0, c );
        SUP_AT( n + 2, size + c ) = 2.0L / n * supSlopeOf( slopes, 1, c );
    }
    for ( int32_t c = 0; c < size; ++c )
    {
        int32_t pivot = c;
        for ( int32_t r = c; r < size; ++r )
        {
            pivot = fabsl( SUP_AT( r, c ) ) > fabsl( SUP_AT( pivot, c ) ) ? r : pivot;
        }
        for ( int32_t k = c; k < width; ++k )
        {
            long double swap = SUP_AT( c, k );
            SUP_AT( c, k ) = SUP_AT( pivot, k );
            SUP_AT( pivot, k ) = swap;
        }
        for ( int32_t r = 0; r < size; ++r )
        {
            long double factor = r != c ? SUP_AT( r, c ) / SUP_AT( c, c ) : 0.0L;
            for ( int32_t k = c; k < width && factor != 0.0L; ++k )
            {
                SUP_AT( r, k ) -= factor * SUP_AT( c, k );
            }
        }
    }
    for ( int32_t i = 0; i <= n; ++i )
    {
        for ( int32_t c = 0; c < columns; ++c )
        {
            places[i * columns + c] = (double)( SUP_AT( i + 1, size + c ) / SUP_AT( i + 1, i + 1 ) );
        }
    }
#undef SUP_AT
    free( a );
}
