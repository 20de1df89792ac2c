// SPDX-License-Identifier: MIT
#include "solve/dense.h"

#include "base/scalar_math.h"

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
