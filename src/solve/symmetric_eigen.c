// Eigenvectors by plane rotations.
// SPDX-License-Identifier: MIT
//
// Jacobi's method by rows, as in Rutishauser, "The Jacobi method for real symmetric matrices", 1966: each rotation
// clears one pair of entries, sweeps go over all pairs until nothing is left that a double could show. Slower than
// tridiagonal forms and as accurate as it gets, also for small eigenvalues; the matrices of bakes have at most a few
// hundred rows.

#include "solve/dense.h"

#include "base/scalar_math.h"

enum
{
    supMostSweeps = 60
};

static double* supRow( double* a, int32_t n, int32_t row )
{
    return a + (size_t)row * (size_t)n;
}

/// Turns rows p and q by the rotation (c, s) that clears a[p][q]; the same for the columns. Eigenvectors are rows.
static void supTurnPair( int32_t n, double* a, double* vectors, int32_t p, int32_t q )
{
    double* rowP = supRow( a, n, p );
    double* rowQ = supRow( a, n, q );
    double apq = rowP[q];
    double theta = ( rowQ[q] - rowP[p] ) / ( 2.0 * apq );
    double t = 1.0 / ( supAbs( theta ) + supSqrt( theta * theta + 1.0 ) );
    t = theta < 0.0 ? -t : t;
    double c = 1.0 / supSqrt( t * t + 1.0 ), s = t * c;
    double app = rowP[p] - t * apq, aqq = rowQ[q] + t * apq;
    for ( int32_t i = 0; i < n; ++i )
    {
        double x = rowP[i], y = rowQ[i];
        rowP[i] = c * x - s * y;
        rowQ[i] = s * x + c * y;
    }
    rowP[p] = app;
    rowQ[q] = aqq;
    rowP[q] = rowQ[p] = 0.0;
    for ( int32_t i = 0; i < n; ++i )
    {
        supRow( a, n, i )[p] = rowP[i];
        supRow( a, n, i )[q] = rowQ[i];
    }
    double* u = supRow( vectors, n, p );
    double* v = supRow( vectors, n, q );
    for ( int32_t i = 0; i < n; ++i )
    {
        double x = u[i], y = v[i];
        u[i] = c * x - s * y;
        v[i] = s * x + c * y;
    }
}

/// One sweep; false where there was nothing left to clear.
static bool supSweep( int32_t n, double* a, double* vectors, double largest )
{
    bool turned = false;
    for ( int32_t p = 0; p + 1 < n; ++p )
    {
        for ( int32_t q = p + 1; q < n; ++q )
        {
            double apq = supAbs( supRow( a, n, p )[q] );
            double product = supAbs( supRow( a, n, p )[p] ) * supAbs( supRow( a, n, q )[q] );
            // small against both diagonal entries, or against the whole matrix
            if ( apq > 1e-17 * supSqrt( product ) && apq > 1e-19 * largest )
            {
                supTurnPair( n, a, vectors, p, q );
                turned = true;
            }
        }
    }
    return turned;
}

static void supSwapRows( int32_t n, double* a, int32_t p, int32_t q )
{
    double* x = supRow( a, n, p );
    double* y = supRow( a, n, q );
    for ( int32_t i = 0; i < n; ++i )
    {
        double kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

/// Falling values, and the same sign everywhere.
static void supOrderPairs( int32_t n, double* values, double* vectors )
{
    for ( int32_t i = 0; i < n; ++i )
    {
        int32_t most = i;
        for ( int32_t k = i + 1; k < n; ++k )
        {
            most = values[k] > values[most] ? k : most;
        }
        if ( most != i )
        {
            double kept = values[i];
            values[i] = values[most];
            values[most] = kept;
            supSwapRows( n, vectors, i, most );
        }
        double* v = supRow( vectors, n, i );
        int32_t at = 0;
        for ( int32_t k = 1; k < n; ++k )
        {
            at = supAbs( v[k] ) > supAbs( v[at] ) ? k : at;
        }
        for ( int32_t k = 0; k < n && v[at] < 0.0; ++k )
        {
            v[k] = k == at ? v[k] : -v[k];
        }
        v[at] = supAbs( v[at] );
    }
}

void supSymmetricEigen( int32_t n, double* a, double* values, double* vectors )
{
    double largest = 0.0;
    for ( int32_t i = 0; i < n; ++i )
    {
        for ( int32_t k = 0; k < n; ++k )
        {
            largest = supMax( supAbs( supRow( a, n, i )[k] ), largest );
            supRow( vectors, n, i )[k] = i == k ? 1.0 : 0.0;
        }
    }
    for ( int sweep = 0; sweep < supMostSweeps && supSweep( n, a, vectors, largest ); ++sweep )
    {
    }
    for ( int32_t i = 0; i < n; ++i )
    {
        values[i] = supRow( a, n, i )[i];
    }
    supOrderPairs( n, values, vectors );
}
