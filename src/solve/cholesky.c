// SPDX-License-Identifier: MIT
#include "solve/dense.h"

#include "base/scalar_math.h"

bool supCholesky( int32_t n, double* a, double least )
{
    size_t width = (size_t)n;
    double largest = 0.0;
    for ( size_t i = 0; i < width; ++i )
    {
        largest = supMax( a[i * width + i], largest );
    }
    for ( size_t i = 0; i < width; ++i )
    {
        for ( size_t k = 0; k <= i; ++k )
        {
            double sum = a[i * width + k];
            for ( size_t j = 0; j < k; ++j )
            {
                sum -= a[i * width + j] * a[k * width + j];
            }
            if ( i == k && !( sum > least * largest && sum > 0.0 ) )
            {
                return false;
            }
            a[i * width + k] = i == k ? supSqrt( sum ) : sum / a[k * width + k];
        }
    }
    return true;
}

void supCholeskySolve( int32_t n, const double* l, double* x )
{
    size_t width = (size_t)n;
    for ( size_t i = 0; i < width; ++i )
    {
        for ( size_t k = 0; k < i; ++k )
        {
            x[i] -= l[i * width + k] * x[k];
        }
        x[i] /= l[i * width + i];
    }
    for ( size_t i = width; i-- > 0; )
    {
        for ( size_t k = i + 1; k < width; ++k )
        {
            x[i] -= l[k * width + i] * x[k];
        }
        x[i] /= l[i * width + i];
    }
}
