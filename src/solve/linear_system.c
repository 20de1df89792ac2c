// Small dense systems of linear equations.
// SPDX-License-Identifier: MIT

#include "solve/dense.h"

#include "base/math.h"
#include "base/scalar_math.h"

#include <string.h>

bool supSolveLinear( int32_t n, double* rows, double least, double* x )
{
    int32_t width = n + 1;
    for ( int32_t k = 0; k < n; ++k )
    {
        double* row = rows + (ptrdiff_t)k * width;
        double* best = row;
        for ( int32_t i = k + 1; i < n; ++i )
        {
            double* other = rows + (ptrdiff_t)i * width;
            best = supAbs( other[k] ) > supAbs( best[k] ) ? other : best;
        }
        for ( int32_t j = 0; j < width; ++j )
        {
            double swapped = row[j];
            row[j] = best[j];
            best[j] = swapped;
        }
        if ( !( supAbs( row[k] ) > least ) )
        {
            return false;
        }
        for ( int32_t i = k + 1; i < n; ++i )
        {
            double* other = rows + (ptrdiff_t)i * width;
            double factor = other[k] / row[k];
            for ( int32_t j = k; j < width; ++j )
            {
                other[j] -= factor * row[j];
            }
        }
    }
    for ( int32_t i = n - 1; i >= 0; --i )
    {
        const double* row = rows + (ptrdiff_t)i * width;
        double sum = row[n];
        for ( int32_t j = i + 1; j < n; ++j )
        {
            sum -= row[j] * x[j];
        }
        x[i] = sum / row[i];
    }
    return true;
}

static double supSquareSum( int32_t n, const double* x )
{
    double sum = 0.0;
    for ( int32_t i = 0; i < n; ++i )
    {
        sum += x[i] * x[i];
    }
    return sum;
}

static void supFillNormalEquations( int32_t n, const double* a, const double* gap, double* rows )
{
    int32_t width = n + 1;
    memset( rows, 0, sizeof( double ) * (size_t)n * (size_t)width );
    for ( int32_t k = 0; k < n; ++k )
    {
        const double* own = a + (ptrdiff_t)k * n;
        for ( int32_t i = 0; i < n; ++i )
        {
            double* row = rows + (ptrdiff_t)i * width;
            for ( int32_t j = 0; j < n; ++j )
            {
                row[j] += own[i] * own[j];
            }
            row[n] += own[i] * gap[k];
        }
    }
    for ( int32_t i = 0; i < n; ++i )
    {
        rows[(ptrdiff_t)i * width + i] += 1.0 / ( SUP_MOST_LOOP_GAIN * SUP_MOST_LOOP_GAIN );
    }
}

double supCloseGap( int32_t n, const double* a, const double* gap, double* d, double* scratch )
{
    double asked = supSquareSum( n, gap ), gain = 2.0 * SUP_MOST_LOOP_GAIN;
    for ( int32_t i = 0; i < n; ++i )
    {
        memcpy( scratch + (ptrdiff_t)i * ( n + 1 ), a + (ptrdiff_t)i * n, sizeof( double ) * (size_t)n );
        scratch[(ptrdiff_t)i * ( n + 1 ) + n] = gap[i];
    }
    if ( !( asked > 0.0 ) )
    {
        memset( d, 0, sizeof( double ) * (size_t)n );
        return 0.0;
    }
    if ( supSolveLinear( n, scratch, 1e-12, d ) )
    {
        gain = supSqrt( supSquareSum( n, d ) / asked );
    }
    if ( gain > SUP_MOST_LOOP_GAIN )
    {
        supFillNormalEquations( n, a, gap, scratch );
        if ( !supSolveLinear( n, scratch, 0.0, d ) )
        {
            memset( d, 0, sizeof( double ) * (size_t)n );
        }
    }
    return gain;
}

// ---------------------------------------------------------------------------------------------------------------

static void supSwapRows( double* a, double* b, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        double swap = a[i];
        a[i] = b[i];
        b[i] = swap;
    }
}

/// row -= factor * pivot
static void supTakeRow( double* row, const double* pivot, double factor, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        row[i] -= factor * pivot[i];
    }
}

bool supEliminate( int32_t n, int32_t columns, double* a, double* b, double least )
{
    size_t width = (size_t)n, right = (size_t)columns;
    double largest = 0.0;
    for ( size_t i = 0; i < width * width; ++i )
    {
        largest = supMax( supAbs( a[i] ), largest );
    }
    for ( size_t c = 0; c < width; ++c )
    {
        size_t pivot = c;
        for ( size_t r = c + 1; r < width; ++r )
        {
            pivot = supAbs( a[r * width + c] ) > supAbs( a[pivot * width + c] ) ? r : pivot;
        }
        double value = a[pivot * width + c];
        if ( !( supAbs( value ) > least * largest ) )
        {
            return false;
        }
        supSwapRows( a + c * width, a + pivot * width, pivot != c ? width : 0 );
        supSwapRows( b + c * right, b + pivot * right, pivot != c ? right : 0 );
        for ( size_t r = c + 1; r < width; ++r )
        {
            double factor = a[r * width + c] / value;
            supTakeRow( a + r * width + c, a + c * width + c, factor, width - c );
            supTakeRow( b + r * right, b + c * right, factor, right );
        }
    }
    for ( size_t r = width; r-- > 0; )
    {
        for ( size_t c = r + 1; c < width; ++c )
        {
            supTakeRow( b + r * right, b + c * right, a[r * width + c], right );
        }
        for ( size_t k = 0; k < right; ++k )
        {
            b[r * right + k] /= a[r * width + r];
        }
    }
    return true;
}
