// Eigenvectors by plane rotations.
// SPDX-License-Identifier: MIT
//
// Jacobi's method by rows, as in Rutishauser, "The Jacobi method for real symmetric matrices", 1966: each rotation
// clears one pair of entries, sweeps go over all pairs until nothing is left that a double could show. Slower than
// tridiagonal forms and as accurate as it gets, also for small eigenvalues; the matrices of bakes have at most a few
// hundred rows.
#include "base/scalar_math.h"

#include "base/math.h"
#include "solve/dense.h"

#include <string.h>

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

static void supSwapRows( double* a, double* b, size_t count )
{
    for ( size_t i = 0; i < count; ++i )
    {
        double swap = a[i];
        a[i] = b[i];
        b[i] = swap;
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
            supSwapRows( supRow( vectors, n, i ), supRow( vectors, n, most ), (size_t)n );
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

// ---------------------------------------------------------------------------------------------------------------
// Eigenvectors by a tridiagonal form.
//
// Reflections bring the matrix to three diagonals (Householder, "Unitary triangularization of a nonsymmetric matrix",
// 1958), rotations with a shift clear the outer ones (Bowdler, Martin, Reinsch, Wilkinson, "The QR and QL algorithms
// for symmetric matrices", 1968). Vectors are rows throughout, so that every loop runs along memory.

enum
{
    supMostTurns = 60 ///< for one value; a handful is usual
};

/// Numbers of scratch for n rows.
static size_t supSymmetricQl_ScratchCount( int32_t n )
{
    return 3 * (size_t)n;
}

static double supDotPart( const double* x, const double* y, int32_t from, int32_t n )
{
    double sum = 0.0;
    for ( int32_t i = from; i < n; ++i )
    {
        sum += x[i] * y[i];
    }
    return sum;
}

/// Makes the reflection 1 - 2 v v^T / v.v that clears row k right of its neighbour; v stands in that row from k + 1 on.
/// Gives 2 / v.v, or 0: nothing to clear.
static double supMakeReflection( int32_t n, double* row, int32_t k, double* beside )
{
    double square = supDotPart( row, row, k + 2, n ), first = row[k + 1];
    *beside = first;
    if ( square == 0.0 )
    {
        return 0.0;
    }
    double length = supSqrt( first * first + square );
    *beside = first > 0.0 ? -length : length;
    row[k + 1] = first - *beside;
    return 2.0 / ( row[k + 1] * row[k + 1] + square );
}

/// A <- H A H below row k: A - v w^T - w v^T with w = p - (beta / 2) (p.v) v, p = beta A v.
static void supReflect( int32_t n, double* a, int32_t k, double beta, double* w )
{
    const double* v = a + (size_t)k * (size_t)n;
    for ( int32_t i = k + 1; i < n; ++i )
    {
        w[i] = beta * supDotPart( a + (size_t)i * (size_t)n, v, k + 1, n );
    }
    double half = 0.5 * beta * supDotPart( w, v, k + 1, n );
    for ( int32_t i = k + 1; i < n; ++i )
    {
        w[i] -= half * v[i];
    }
    for ( int32_t i = k + 1; i < n; ++i )
    {
        double* row = a + (size_t)i * (size_t)n;
        for ( int32_t j = k + 1; j < n; ++j )
        {
            row[j] -= v[i] * w[j] + w[i] * v[j];
        }
    }
}

/// Diagonal into `values`, what stands beside it into `beside`, the turns that led there into `vectors`.
static void supMakeTridiagonal(
    int32_t n, double* a, double* values, double* vectors, double* beside, double* betas, double* w )
{
    for ( int32_t k = 0; k + 1 < n; ++k )
    {
        betas[k] = supMakeReflection( n, a + (size_t)k * (size_t)n, k, beside + k );
        if ( betas[k] > 0.0 )
        {
            supReflect( n, a, k, betas[k], w );
        }
    }
    for ( int32_t i = 0; i < n; ++i )
    {
        double* row = vectors + (size_t)i * (size_t)n;
        values[i] = a[(size_t)i * (size_t)n + (size_t)i];
        memset( row, 0, sizeof( double ) * (size_t)n );
        row[i] = 1.0;
        for ( int32_t k = n - 3; k >= 0; --k )
        {
            const double* v = a + (size_t)k * (size_t)n;
            double share = betas[k] * supDotPart( row, v, k + 1, n );
            for ( int32_t j = k + 1; j < n && share != 0.0; ++j )
            {
                row[j] -= share * v[j];
            }
        }
    }
}

static void supTurnRows( int32_t n, double* low, double* high, double c, double s )
{
    for ( int32_t i = 0; i < n; ++i )
    {
        double x = low[i], y = high[i];
        high[i] = s * x + c * y;
        low[i] = c * x - s * y;
    }
}

/// One pass of rotations from row m up to row l, with a shift near the value that row l will show.
static void supTurnPass( int32_t n, double* values, double* vectors, double* beside, int32_t l, int32_t m )
{
    double g = ( values[l + 1] - values[l] ) / ( 2.0 * beside[l] ), r = supSqrt( g * g + 1.0 );
    double s = 1.0, c = 1.0, p = 0.0;
    g = values[m] - values[l] + beside[l] / ( g + ( g < 0.0 ? -r : r ) );
    for ( int32_t i = m - 1; i >= l; --i )
    {
        double f = s * beside[i], b = c * beside[i];
        r = supSqrt( f * f + g * g );
        beside[i + 1] = r;
        if ( r == 0.0 )
        {
            // the matrix falls apart here: both halves go on by themselves
            values[i + 1] -= p;
            beside[m] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = values[i + 1] - p;
        r = ( values[i] - g ) * s + 2.0 * c * b;
        p = s * r;
        values[i + 1] = g + p;
        g = c * r - b;
        supTurnRows( n, vectors + (size_t)i * (size_t)n, vectors + (size_t)( i + 1 ) * (size_t)n, c, s );
    }
    values[l] -= p;
    beside[l] = g;
    beside[m] = 0.0;
}

void supSymmetricQl( int32_t n, double* a, double* values, double* vectors, double* scratch )
{
    double *beside = scratch, *betas = scratch + n, *w = scratch + 2 * (ptrdiff_t)n;
    memset( scratch, 0, sizeof( double ) * supSymmetricQl_ScratchCount( n ) );
    supMakeTridiagonal( n, a, values, vectors, beside, betas, w );
    for ( int32_t l = 0; l < n; ++l )
    {
        for ( int turn = 0; turn < supMostTurns; ++turn )
        {
            int32_t m = l;
            while ( m + 1 < n && supAbs( beside[m] ) > 1e-16 * ( supAbs( values[m] ) + supAbs( values[m + 1] ) ) )
            {
                ++m;
            }
            if ( m == l )
            {
                break;
            }
            supTurnPass( n, values, vectors, beside, l, m );
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Cholesky's factors.

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

// ---------------------------------------------------------------------------------------------------------------
// Small dense systems of linear equations.

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
