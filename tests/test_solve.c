// Small dense solvers against LAPACK, and against what can be said without it.

#include "base/scalar_math.h"
#include "solve/dense.h"
#include "solve/lanes.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef SUP_HAS_LAPACKE
#    include <lapacke.h>
#endif

enum
{
    supMost = 120
};

static double sup_a[supMost * supMost], sup_b[supMost * supMost], sup_c[supMost * supMost];

/// Symmetric, of a rank that may be less than n, with values over `decades` powers of ten.
static void supFillSymmetric( int n, int rank, double decades, uint64_t seed, double* a )
{
    supTestRandom random = { seed };
    memset( a, 0, sizeof( double ) * (size_t)n * (size_t)n );
    for ( int r = 0; r < rank; ++r )
    {
        double row[supMost], scale = pow( 10.0, -decades * r / ( rank > 1 ? rank - 1 : 1 ) );
        for ( int i = 0; i < n; ++i )
        {
            row[i] = supTestRandom_Float( &random, -1.0f, 1.0f );
        }
        for ( int i = 0; i < n; ++i )
        {
            for ( int k = 0; k < n; ++k )
            {
                a[i * n + k] += scale * row[i] * row[k];
            }
        }
    }
}

/// A v = lambda v, vectors orthonormal, values falling; gives the largest value.
static double supCheckEigen( int n, const double* a, const double* values, const double* vectors )
{
    double size = fmax( fabs( values[0] ), fabs( values[n - 1] ) );
    for ( int i = 0; i < n; ++i )
    {
        assert_true( i == 0 || values[i] <= values[i - 1] );
        for ( int k = 0; k < n; ++k )
        {
            double product = 0.0, image = 0.0;
            for ( int j = 0; j < n; ++j )
            {
                product += vectors[i * n + j] * vectors[k * n + j];
                image += a[k * n + j] * vectors[i * n + j];
            }
            assert_true( fabs( product - ( i == k ? 1.0 : 0.0 ) ) < 1e-12 );
            assert_true( fabs( image - values[i] * vectors[i * n + k] ) <= 1e-13 * n * size );
        }
    }
    return size;
}

static void test_eigenvectors( void** state )
{
    (void)state;
    static const struct
    {
        int n, rank;
        double decades;
    } cases[] = { { 1, 1, 0 }, { 2, 2, 1 }, { 3, 3, 6 }, { 3, 1, 0 }, { 17, 17, 2 }, { 40, 12, 9 }, { 120, 120, 4 } };
    for ( size_t c = 0; c < sizeof( cases ) / sizeof( cases[0] ); ++c )
    {
        int n = cases[c].n;
        double values[supMost];
        supFillSymmetric( n, cases[c].rank, cases[c].decades, 7 + c, sup_a );
        memcpy( sup_b, sup_a, sizeof( sup_a ) );
        supSymmetricEigen( n, sup_b, values, sup_c );
        double size = supCheckEigen( n, sup_a, values, sup_c );
        (void)size;
#ifdef SUP_HAS_LAPACKE
        double theirs[supMost];
        memcpy( sup_b, sup_a, sizeof( sup_a ) );
        assert_int_equal( LAPACKE_dsyev( LAPACK_ROW_MAJOR, 'N', 'U', n, sup_b, n, theirs ), 0 );
        for ( int i = 0; i < n; ++i )
        {
            assert_true( fabs( values[i] - theirs[n - 1 - i] ) <= 1e-13 * n * size );
        }
#endif
    }
}

/// Equal, zero and negative values; the identity; a zero matrix. The sign of a vector is fixed.
static void test_eigenvectors_of_special_matrices( void** state )
{
    (void)state;
    double a[9] = { 2, 0, 0, 0, -5, 0, 0, 0, 2 }, values[3], vectors[9];
    const double copy[9] = { 2, 0, 0, 0, -5, 0, 0, 0, 2 };
    supSymmetricEigen( 3, a, values, vectors );
    supCheckEigen( 3, copy, values, vectors );
    assert_true( values[0] == 2.0 && values[1] == 2.0 && values[2] == -5.0 );
    double zero[9] = { 0 };
    supSymmetricEigen( 3, zero, values, vectors );
    assert_true( values[0] == 0.0 && values[2] == 0.0 );
    double swap[4] = { 0, -1, -1, 0 };
    supSymmetricEigen( 2, swap, values, vectors );
    assert_true( fabs( values[0] - 1.0 ) < 1e-15 && fabs( values[1] + 1.0 ) < 1e-15 );
    assert_true( vectors[0] > 0.0 || vectors[1] > 0.0 );
    for ( int i = 0; i < 2; ++i )
    {
        const double* v = vectors + 2 * i;
        assert_true( fabs( v[0] ) >= fabs( v[1] ) ? v[0] > 0.0 : v[1] > 0.0 );
    }
}

static void test_positive_definite_systems( void** state )
{
    (void)state;
    static const int sizes[] = { 1, 2, 5, 30, 120 };
    for ( size_t c = 0; c < sizeof( sizes ) / sizeof( sizes[0] ); ++c )
    {
        int n = sizes[c];
        double b[supMost], x[supMost];
        supFillSymmetric( n, n, 1.0, 99 + c, sup_a );
        supTestRandom random = { 5 };
        for ( int i = 0; i < n; ++i )
        {
            sup_a[i * n + i] += 0.1;
            b[i] = x[i] = supTestRandom_Float( &random, -1.0f, 1.0f );
        }
        memcpy( sup_b, sup_a, sizeof( sup_a ) );
        assert_true( supCholesky( n, sup_b, 0.0 ) );
        supCholeskySolve( n, sup_b, x );
        double largest = 0.0;
        for ( int i = 0; i < n; ++i )
        {
            double sum = -b[i];
            for ( int k = 0; k < n; ++k )
            {
                sum += sup_a[i * n + k] * x[k];
            }
            largest = fmax( largest, fabs( sum ) );
        }
        assert_true( largest < 1e-11 );
#ifdef SUP_HAS_LAPACKE
        memcpy( sup_c, sup_a, sizeof( sup_a ) );
        assert_int_equal( LAPACKE_dposv( LAPACK_ROW_MAJOR, 'L', n, 1, sup_c, n, b, 1 ), 0 );
        for ( int i = 0; i < n; ++i )
        {
            assert_true( fabs( b[i] - x[i] ) <= 1e-10 * ( 1.0 + fabs( b[i] ) ) );
        }
#endif
    }
}

static void test_what_is_not_positive_definite( void** state )
{
    (void)state;
    double negative[4] = { 1, 2, 2, 1 }, nothing[1] = { 0 }, thin[4] = { 1, 1, 1, 1.0 + 1e-9 };
    assert_false( supCholesky( 2, negative, 0.0 ) );
    assert_false( supCholesky( 1, nothing, 0.0 ) );
    assert_false( supCholesky( 2, thin, 1e-6 ) );
}

/// Of every length around the number of lanes, exact where all sums are.
static void test_long_sums( void** state )
{
    (void)state;
    double a[50], c[50];
    float b[50];
    for ( int i = 0; i < 50; ++i )
    {
        a[i] = i + 1;
        b[i] = (float)( 2 * i - 7 );
        c[i] = b[i];
    }
    for ( int n = 0; n <= 50; ++n )
    {
        double sum = 0.0;
        for ( int i = 0; i < n; ++i )
        {
            sum += a[i] * c[i];
        }
        assert_true( supDotRows( a, b, (size_t)n ) == sum );
        assert_true( supDotRowsD( a, c, (size_t)n ) == sum );
    }
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( test_eigenvectors ),
        cmocka_unit_test( test_eigenvectors_of_special_matrices ),
        cmocka_unit_test( test_positive_definite_systems ),
        cmocka_unit_test( test_what_is_not_positive_definite ),
        cmocka_unit_test( test_long_sums ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
