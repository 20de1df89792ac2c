// Clamped beams against the differential equation's own solution, dense elimination in long double, and themselves.

#include "base/compiler.h"
#include "base/scalar_math.h"
#include "solve/beam_kernel.h"
#include "supple/lab/beams.h"
#include "supple/lab/machine.h"
#include "support/test_rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct supBeamCase
{
    supBeam beam;
    int32_t intervals;
    double a1, a2;
    void* block;
    double *q, *forces, *solved; ///< one panel each
    size_t count;                ///< numbers in a panel
} supBeamCase;

static supBeamCase supMakeBeamCase( int32_t intervals, double a1, double a2 )
{
    supBeamCase made = { .intervals = intervals, .a1 = a1, .a2 = a2 };
    made.count = ( (size_t)intervals + 1 ) * supBeamLanes;
    made.block = malloc( supBeam_MemorySize( intervals ) );
    made.q = calloc( made.count, sizeof( double ) );
    made.forces = calloc( made.count, sizeof( double ) );
    made.solved = calloc( made.count, sizeof( double ) );
    supError error;
    assert_int_equal( supInitBeam( &made.beam, made.block, intervals, a1, a2, &error ), sup_success );
    return made;
}

static void supFreeBeamCase( supBeamCase* made )
{
    free( made->block );
    free( made->q );
    free( made->forces );
    free( made->solved );
}

static void supFillRandom( double* numbers, size_t count, uint64_t seed )
{
    supTestRandom random = { seed };
    for ( size_t i = 0; i < count; ++i )
    {
        numbers[i] = supTestRandom_Float( &random, -1.0f, 1.0f );
    }
}

/// The paper's system with all N + 3 unknowns, its virtual nodes included, written down row by row as (6) and (7) have
/// it, (7) corrected; solved by elimination with pivots. `q` has forces inside and places at the ends, in one lane.
/// With a stiffness at the nodes, the second difference of e times the second difference; with slopes at the ends.
static void supSolveDenselyAlong( const supBeamCase* made, const double* given, int lane, const double* stiffness,
    const double slopes[2], long double* solved )
{
    int n = made->intervals, size = n + 3;
    long double h = 1.0L / n, bend = made->a1 / ( h * h * h * h ), pull = made->a2 / ( h * h );
    long double* a = calloc( (size_t)size * (size_t)( size + 1 ), sizeof( long double ) );
#define SUP_AT( row, column ) a[( row ) * ( size + 1 ) + ( column )]
    for ( int i = 1; i < n; ++i ) // unknown i stands in column i + 1
    {
        static const int second[3] = { 1, -2, 1 };
        for ( int k = 0; k < 3; ++k )
        {
            for ( int m = 0; m < 3; ++m )
            {
                SUP_AT( i, i - 1 + k + m ) += second[k] * bend * stiffness[i - 1 + k] * second[m];
            }
            SUP_AT( i, i + k ) += second[k] * pull;
        }
        SUP_AT( i, size ) = given[i * supBeamLanes + lane];
    }
    SUP_AT( n + 1, size ) = 2 * h * slopes[0];
    SUP_AT( n + 2, size ) = 2 * h * slopes[1];
    SUP_AT( 0, 1 ) = 1;
    SUP_AT( 0, size ) = given[lane];
    SUP_AT( n, n + 1 ) = 1;
    SUP_AT( n, size ) = given[n * supBeamLanes + lane];
    SUP_AT( n + 1, 2 ) = 1;
    SUP_AT( n + 1, 0 ) = -1;
    SUP_AT( n + 2, n + 2 ) = 1;
    SUP_AT( n + 2, n ) = -1;
    for ( int c = 0; c < size; ++c )
    {
        int pivot = c;
        for ( int r = c; r < size; ++r )
        {
            pivot = fabsl( SUP_AT( r, c ) ) > fabsl( SUP_AT( pivot, c ) ) ? r : pivot;
        }
        for ( int k = 0; k <= size; ++k )
        {
            long double swap = SUP_AT( c, k );
            SUP_AT( c, k ) = SUP_AT( pivot, k );
            SUP_AT( pivot, k ) = swap;
        }
        for ( int r = 0; r < size; ++r )
        {
            long double factor = r != c ? SUP_AT( r, c ) / SUP_AT( c, c ) : 0.0L;
            for ( int k = c; k <= size && factor != 0.0L; ++k )
            {
                SUP_AT( r, k ) -= factor * SUP_AT( c, k );
            }
        }
    }
    for ( int i = 0; i <= n; ++i )
    {
        solved[i] = SUP_AT( i + 1, size ) / SUP_AT( i + 1, i + 1 );
    }
#undef SUP_AT
    free( a );
}

static void supSolveDensely( const supBeamCase* made, const double* given, int lane, long double* solved )
{
    double stiffness[128];
    for ( int i = 0; i < 128; ++i )
    {
        stiffness[i] = 1.0;
    }
    supSolveDenselyAlong( made, given, lane, stiffness, ( const double[2] ){ 0.0, 0.0 }, solved );
}

/// Stiffness that varies by a hundred along the curve, and ends at slopes: against dense elimination, and the forces
/// that hold a shape give it back.
static void supTestStiffnessAndSlopes( void** state )
{
    (void)state;
    const int32_t sizes[] = { 4, 5, 30, 102 };
    double worst = 0.0, back = 0.0;
    for ( size_t c = 0; c < sizeof( sizes ) / sizeof( sizes[0] ); ++c )
    {
        int32_t n = sizes[c];
        supBeamCase made = supMakeBeamCase( n, 0.7, 0.0 );
        made.a2 = c % 2 == 0 ? 3.0 : -20.0;
        double stiffness[128], slopes[2 * supBeamLanes];
        for ( int32_t i = 0; i <= n; ++i )
        {
            stiffness[i] = 1.0 + 99.0 * fabs( sin( 7.0 * i ) );
        }
        supFillRandom( slopes, 2 * supBeamLanes, 31 );
        supError error;
        assert_int_equal(
            supInitBeamAlong( &made.beam, made.block, n, made.a1, made.a2, stiffness, &error ), sup_success );
        supFillRandom( made.q, made.count, 17 + c );
        memcpy( made.solved, made.q, made.count * sizeof( double ) );
        supBeam_AddSlopes( &made.beam, 1, 1.0, slopes, made.solved );
        supBeam_Solve( &made.beam, 1, made.solved, made.solved );
        long double truth[128];
        for ( int lane = 0; lane < supBeamLanes; lane += 3 )
        {
            double ends[2] = { slopes[lane], slopes[supBeamLanes + lane] }, size = 0.0, off = 0.0;
            supSolveDenselyAlong( &made, made.q, lane, stiffness, ends, truth );
            for ( int32_t i = 0; i <= n; ++i )
            {
                size = fmax( size, fabs( (double)truth[i] ) );
                off = fmax( off, fabs( (double)( made.solved[i * supBeamLanes + lane] - truth[i] ) ) );
            }
            worst = fmax( worst, off / size );
        }
        supBeam_Forces( &made.beam, 1, made.solved, made.forces );
        supBeam_AddSlopes( &made.beam, 1, -1.0, slopes, made.forces );
        double largest = 0.0, place = 0.0;
        for ( size_t i = supBeamLanes; i < made.count - supBeamLanes; ++i )
        {
            largest = fmax( largest, fabs( made.forces[i] - made.q[i] ) );
            place = fmax( place, fabs( made.solved[i] ) );
        }
        back = fmax( back, largest / ( made.beam.unscale * 100.0 * place ) ); // of what is added up
        supFreeBeamCase( &made );
    }
    print_message(
        "varying stiffness and slopes: %.2g off dense elimination, forces come back to %.2g\n", worst, back );
    assert_true( worst < 1e-9 && back < 1e-14 );
}

static void supTestDense( void** state )
{
    (void)state;
    // the paper's four sizes, and the smallest
    const int32_t nodes[] = { 22, 31, 27, 103, 5 };
    double worst = 0.0;
    for ( size_t c = 0; c < sizeof( nodes ) / sizeof( nodes[0] ); ++c )
    {
        for ( int kind = 0; kind < 3; ++kind )
        {
            int32_t n = nodes[c] - 1;
            double a2 = kind == 0 ? 0.0 : kind == 1 ? -30.0 : 0.9 * supBeamBucklingBound( n, 0.7 );
            supBeamCase made = supMakeBeamCase( n, 0.7, a2 );
            supFillRandom( made.solved, made.count, 7 + c );
            memcpy( made.q, made.solved, made.count * sizeof( double ) );
            supBeam_Solve( &made.beam, 1, made.solved, made.solved );
            long double truth[128];
            for ( int lane = 0; lane < supBeamLanes; lane += 5 )
            {
                supSolveDensely( &made, made.q, lane, truth );
                double size = 0.0, off = 0.0;
                for ( int32_t i = 0; i <= n; ++i )
                {
                    size = fmax( size, fabs( (double)truth[i] ) );
                    off = fmax( off, fabs( (double)( made.solved[i * supBeamLanes + lane] - truth[i] ) ) );
                }
                worst = fmax( worst, off / size );
            }
            supFreeBeamCase( &made );
        }
    }
    print_message( "largest difference from dense elimination in long double: %.2g of the largest place\n", worst );
    assert_true( worst < 1e-9 );
}

/// A clamped beam under a uniform load has q = F v^2 (1 - v)^2 / (24 a1). Its fourth difference is exact, its slope at
/// the mirrored ends is not, by 4 h^3: v (1 - v) makes up for that and has no fourth difference, so the nodes stand at
/// F (v^2 (1 - v)^2 + 2 h^2 v (1 - v)) / (24 a1) to rounding.
static void supTestUniformLoad( void** state )
{
    (void)state;
    const int32_t sizes[] = { 4, 40, 80 };
    for ( size_t c = 0; c < sizeof( sizes ) / sizeof( sizes[0] ); ++c )
    {
        int32_t n = sizes[c];
        supBeamCase made = supMakeBeamCase( n, 2.0, 0.0 );
        for ( size_t i = supBeamLanes; i < made.count - supBeamLanes; ++i )
        {
            made.q[i] = 100.0;
        }
        supBeam_Solve( &made.beam, 1, made.q, made.q );
        for ( int32_t i = 0; i <= n; ++i )
        {
            double v = (double)i / n, hump = v * ( 1.0 - v );
            double truth = 100.0 * ( hump * hump + 2.0 / n / n * hump ) / ( 24.0 * 2.0 );
            assert_true( fabs( made.q[i * supBeamLanes + 3] - truth ) < 1e-10 );
        }
        supFreeBeamCase( &made );
    }
}

/// Forces read from a shape give the shape back.
static void supTestExamplesComeBack( void** state )
{
    (void)state;
    const int32_t nodes[] = { 5, 22, 27, 31, 103, 1001 };
    for ( size_t c = 0; c < sizeof( nodes ) / sizeof( nodes[0] ); ++c )
    {
        supBeamCase made = supMakeBeamCase( nodes[c] - 1, 3.0, 11.0 );
        supFillRandom( made.q, made.count, 100 + c );
        supBeam_Forces( &made.beam, 1, made.q, made.solved );
        size_t end = made.count - supBeamLanes;
        memcpy( made.solved, made.q, sizeof( double ) * supBeamLanes );
        memcpy( made.solved + end, made.q + end, sizeof( double ) * supBeamLanes );
        supBeam_Solve( &made.beam, 1, made.solved, made.solved );
        double worst = 0.0;
        for ( size_t i = 0; i < made.count; ++i )
        {
            worst = fmax( worst, fabs( made.solved[i] - made.q[i] ) );
        }
        print_message( "%4d nodes: a random shape comes back to %.2g\n", nodes[c], worst );
        assert_true( worst < ( nodes[c] < 200 ? 1e-9 : 1e-6 ) );
        supFreeBeamCase( &made );
    }
}

/// Forces of two shapes, blended and solved, give the blend of the shapes, whatever the material.
static void supTestBlendedForces( void** state )
{
    (void)state;
    const double materials[3][2] = { { 1.0, 0.0 }, { 0.3, -50.0 }, { 2.0, 70.0 } };
    for ( int m = 0; m < 3; ++m )
    {
        supBeamCase one = supMakeBeamCase( 30, materials[m][0], materials[m][1] ),
                    two = supMakeBeamCase( 30, materials[m][0], materials[m][1] );
        supFillRandom( one.q, one.count, 41 );
        supFillRandom( two.q, two.count, 42 );
        supBeam_Forces( &one.beam, 1, one.q, one.forces );
        supBeam_Forces( &two.beam, 1, two.q, two.forces );
        for ( int step = -1; step <= 5; ++step )
        {
            double a = 0.25 * step, b = 1.0 - 0.6 * a;
            for ( size_t i = 0; i < one.count; ++i )
            {
                bool isEnd = i < supBeamLanes || i >= one.count - supBeamLanes;
                one.solved[i] =
                    isEnd ? a * one.q[i] + b * two.q[i] : a * one.forces[i] + b * two.forces[i]; // ends go along
            }
            supBeam_Solve( &one.beam, 1, one.solved, one.solved );
            for ( size_t i = 0; i < one.count; ++i )
            {
                assert_true( fabs( one.solved[i] - ( a * one.q[i] + b * two.q[i] ) ) < 1e-9 );
            }
        }
        supFreeBeamCase( &one );
        supFreeBeamCase( &two );
    }
}

static void supTestBuckling( void** state )
{
    (void)state;
    const int32_t sizes[] = { 4, 5, 21, 30, 102, 1000 };
    for ( size_t c = 0; c < sizeof( sizes ) / sizeof( sizes[0] ); ++c )
    {
        int32_t n = sizes[c];
        void* block = malloc( supBeam_MemorySize( n ) );
        double bound = supBeamBucklingBound( n, 1.5 );
        assert_true( bound < 4.0 * SUP_PI * SUP_PI * 1.5 );
        supBeam beam;
        supError error;
        assert_int_equal( supInitBeam( &beam, block, n, 1.5, bound, &error ), sup_errorArgument );
        assert_non_null( strstr( error.text, "is not below 4 N^2 sin^2(pi/N) a1 = " ) );
        assert_non_null( strstr( error.text, "of this curve: it would buckle" ) );
        // just below it is solved, and there it yields a thousand times more than unloaded: it is the true bound
        double yields[2];
        for ( int k = 0; k < 2; ++k )
        {
            assert_int_equal( supInitBeam( &beam, block, n, 1.5, k == 0 ? 0.0 : 0.9999 * bound, &error ), sup_success );
            double* q = calloc( ( (size_t)n + 1 ) * supBeamLanes, sizeof( double ) );
            q[(size_t)( n / 2 ) * supBeamLanes] = 1.0;
            supBeam_Solve( &beam, 1, q, q );
            yields[k] = q[(size_t)( n / 2 ) * supBeamLanes];
            free( q );
        }
        assert_true( yields[0] > 0.0 && yields[1] > 1000.0 * yields[0] );
        free( block );
    }
}

static void supTestRefusals( void** state )
{
    (void)state;
    char block[1024];
    supBeam beam;
    supError error;
    assert_int_equal( supInitBeam( &beam, block, 3, 1.0, 0.0, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "4 nodes: at least 5" ) );
    double stiffness[11] = { 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    assert_int_equal( supInitBeamAlong( &beam, block, 10, 1.0, 0.0, stiffness, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "stiffness 0 at node 5" ) );
    stiffness[5] = 0.01; // a hinge buckles long before
    assert_int_equal( supInitBeamAlong( &beam, block, 10, 1.0, 30.0, stiffness, &error ), sup_errorArgument );
    assert_non_null( strstr( error.text, "it would buckle" ) );
    assert_int_equal( supInitBeamAlong( &beam, block, 10, 1.0, 0.0, stiffness, &error ), sup_success );
    const double bad[][2] = { { 0.0, 0.0 }, { -1.0, 0.0 }, { NAN, 0.0 }, { 1.0, NAN }, { INFINITY, 0.0 } };
    for ( size_t i = 0; i < sizeof( bad ) / sizeof( bad[0] ); ++i )
    {
        assert_int_equal( supInitBeam( &beam, block, 10, bad[i][0], bad[i][1], &error ), sup_errorArgument );
    }
}

static void supTestSameBits( void** state )
{
    (void)state;
#if SUP_TARGET_X86
    if ( !supHasSimd( sup_simdAvx2 ) )
    {
        skip();
    }
    supBeamCase made = supMakeBeamCase( 102, 1.0, 5.0 );
    supFillRandom( made.q, made.count, 3 );
    memcpy( made.solved, made.q, made.count * sizeof( double ) );
    supSolveBeamsPlain( &made.beam, 1, made.q, made.q );
    supSolveBeamsAvx2( &made.beam, 1, made.solved, made.solved );
    assert_memory_equal( made.q, made.solved, made.count * sizeof( double ) );
    supFreeBeamCase( &made );
#else
    skip();
#endif
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( supTestDense ),
        cmocka_unit_test( supTestStiffnessAndSlopes ),
        cmocka_unit_test( supTestUniformLoad ),
        cmocka_unit_test( supTestExamplesComeBack ),
        cmocka_unit_test( supTestBlendedForces ),
        cmocka_unit_test( supTestBuckling ),
        cmocka_unit_test( supTestRefusals ),
        cmocka_unit_test( supTestSameBits ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
