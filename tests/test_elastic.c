// The elastic solid of hexahedra against closed forms, finer meshes and dense algebra.
#include "solve/elastic.h"

#include "base/compiler.h"
#include "solve/dense.h"
#include "solve/elastic_modes.h"
#include "solve/front_kernel.h"
#include "supple/lab/machine.h"
#include "support/elastic_block.h"
#include "support/test_assets.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double supG = 9.81, supPiTwice = 6.283185307179586;

/// A solid with its factor, ready to be asked.
typedef struct supTestSolid
{
    supElastic* elastic;
    supBlockFactor* factor;
    double* scratch;
    size_t size; ///< numbers of a displacement
} supTestSolid;

static supTestSolid supMakeTestSolid( const supElasticDef* def )
{
    supTestSolid solid = { 0 };
    supError error = { 0 };
    if ( supCreateElastic( def, NULL, &solid.elastic, &error ) != sup_success )
    {
        fail_msg( "%s", error.text );
    }
    solid.factor = supPlanFactor( &solid.elastic->stiffness, solid.elastic->places, NULL );
    assert_non_null( solid.factor );
    assert_int_equal( supBlockFactor_Fill( solid.factor, &solid.elastic->stiffness, NULL, NULL ), sup_success );
    solid.size = 3 * (size_t)solid.elastic->freeCount;
    solid.scratch = calloc( supBlockFactor_ScratchCount( solid.factor ) + solid.size, sizeof( double ) );
    return solid;
}

static void supDropTestSolid( supTestSolid* solid )
{
    supDestroyBlockFactor( solid->factor, NULL );
    supDestroyElastic( solid->elastic, NULL );
    free( solid->scratch );
}

/// The weight of every node along an axis.
static double* supWeightAlong( const supTestSolid* solid, int axis )
{
    double* force = calloc( solid->size, sizeof( double ) );
    for ( int32_t i = 0; i < solid->elastic->freeCount; ++i )
    {
        force[3 * i + axis] = -supG * solid->elastic->masses[i];
    }
    return force;
}

/// The mean displacement of the top face along an axis, by area.
static double supTopMean( const supTestSolid* solid, const double* moved, double height, int axis )
{
    double sum = 0.0, weight = 0.0;
    for ( int32_t i = 0; i < solid->elastic->freeCount; ++i )
    {
        if ( fabs( solid->elastic->places[i].y - height ) < 1e-9 )
        {
            sum += solid->elastic->masses[i] * moved[3 * i + axis];
            weight += solid->elastic->masses[i];
        }
    }
    return sum / weight;
}

static double supSagOf( const supTestSolid* solid, double height, int axis )
{
    double* moved = supWeightAlong( solid, axis );
    supBlockFactor_SolveOne( solid->factor, moved, solid->scratch );
    double sag = supTopMean( solid, moved, height, axis );
    free( moved );
    return sag;
}

static double supFirstFrequency( const supTestSolid* solid )
{
    supElasticModes* modes;
    assert_int_equal(
        supFindElasticModes( solid->elastic, solid->factor, NULL, ( supModeWish ){ 12, 12 }, NULL, NULL, &modes, NULL ),
        sup_success );
    double first = modes->omegas[0] / supPiTwice;
    supDestroyElasticModes( modes, NULL );
    return first;
}

// ---------------------------------------------------------------------------------------------------------------

/// Sag along the clamped face's normal, across it, and the first frequency, of a cube of n voxels each way.
static void supCubeFigures( int32_t n, double figures[3] )
{
    supTestBlock block = supMakeTestBlock( n, n, n, 0.06 / n );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    figures[0] = supSagOf( &solid, 0.06, 1 );
    figures[1] = supSagOf( &solid, 0.06, 0 );
    figures[2] = supFirstFrequency( &solid );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// lambda = 200 mu does not lock: three voxels are within 5% of the converged solution, which is carried on from two
/// fine ones (borders of first order: corners between held and free faces are singular).
static void TestClampedCube( void** state )
{
    (void)state;
    double three[3], six[3], twelve[3];
    supCubeFigures( 3, three );
    supCubeFigures( 6, six );
    supCubeFigures( 12, twelve );
    static const char* const names[3] = { "sag along, mm", "sag across, mm", "frequency, Hz" };
    for ( int i = 0; i < 3; ++i )
    {
        double converged = 2.0 * twelve[i] - six[i], scale = i < 2 ? 1000.0 : 1.0;
        print_message( "%-14s 3 voxels %.4f, 6 %.4f, 12 %.4f, converged %.4f: %.1f%%, %.1f%%\n", names[i],
            scale * three[i], scale * six[i], scale * twelve[i], scale * converged,
            100.0 * ( three[i] / converged - 1.0 ), 100.0 * ( six[i] / converged - 1.0 ) );
        assert_true( fabs( three[i] / converged - 1.0 ) < 0.05 );
        assert_true( fabs( six[i] / converged - 1.0 ) <= fabs( three[i] / converged - 1.0 ) + 1e-3 );
    }
}

/// A column that cannot widen: layers of nodes that move up and down alone.
static void supColumnMatrix( const supTestSolid* solid, const supTestBlock* block, double* dense, double* masses )
{
    int32_t layers = block->n[1];
    double *layer = calloc( solid->size, sizeof( double ) ), *pulled = calloc( solid->size, sizeof( double ) );
    for ( int32_t j = 0; j < layers; ++j )
    {
        masses[j] = 0.0;
        for ( int32_t i = 0; i < solid->elastic->freeCount; ++i )
        {
            bool own = fabs( solid->elastic->places[i].y - ( j + 1 ) * block->edge ) < 1e-9;
            layer[3 * i + 1] = own ? 1.0 : 0.0;
            masses[j] += own ? solid->elastic->masses[i] : 0.0;
        }
        supBlockMatrix_Multiply( &solid->elastic->stiffness, layer, pulled );
        for ( int32_t i = 0; i < solid->elastic->freeCount; ++i )
        {
            int32_t k = (int32_t)lround( solid->elastic->places[i].y / block->edge ) - 1;
            dense[k * layers + j] += pulled[3 * i + 1];
        }
    }
    free( layer );
    free( pulled );
}

/// Closed forms: sag rho g h^2 / 2 (lambda + 2 mu), first frequency c / 4 h with c the speed of compression.
static void TestColumn( void** state )
{
    (void)state;
    enum
    {
        layers = 8
    };
    supTestBlock block = supMakeTestBlock( 1, layers, 1, 0.01 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    double dense[layers * layers] = { 0 }, masses[layers], moved[layers], height = 0.08;
    supColumnMatrix( &solid, &block, dense, masses );
    assert_true( supCholesky( layers, dense, 1e-14 ) );
    for ( int i = 0; i < layers; ++i )
    {
        moved[i] = -supG * masses[i];
    }
    supCholeskySolve( layers, dense, moved );
    double modulus = def.material.lambda + 2.0 * def.material.mu;
    assert_true( fabs( moved[layers - 1] / ( -1000.0 * supG * height * height / 2.0 / modulus ) - 1.0 ) < 1e-9 );

    // the slowest vibration by inverse iteration
    double omega = 0.0;
    for ( int step = 0; step < 15; ++step )
    {
        double before = 0.0, after = 0.0;
        for ( int i = 0; i < layers; ++i )
        {
            before += masses[i] * moved[i] * moved[i];
            moved[i] *= masses[i];
        }
        supCholeskySolve( layers, dense, moved );
        for ( int i = 0; i < layers; ++i )
        {
            after += masses[i] * moved[i] * moved[i];
        }
        omega = sqrt( sqrt( before / after ) );
    }
    double exact = solid.elastic->longitudinal / ( 4.0 * height );
    assert_true( fabs( solid.elastic->longitudinal - sqrt( modulus / 1000.0 ) ) < 1e-12 );
    assert_true( fabs( omega / supPiTwice / exact - 1.0 ) < 0.005 );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// No force under any rigid motion, to rounding.
static void TestRigidMotion( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 4, 3, 2, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    def.material.fiberStiffness = 5000.0;
    supVec3d* fibers = calloc( (size_t)block.elementCount, sizeof( supVec3d ) );
    for ( int32_t e = 0; e < block.elementCount; ++e )
    {
        fibers[e] = supNormalizeD( ( supVec3d ){ 1.0, 0.3 * e, -0.5 } );
    }
    def.fibers = fibers;
    supTestSolid solid = supMakeTestSolid( &def );
    const supElastic* elastic = solid.elastic;
    double *moved = calloc( solid.size, sizeof( double ) ), *free3 = calloc( solid.size, sizeof( double ) ),
           *held3 = calloc( solid.size, sizeof( double ) ),
           *held = calloc( 3 * (size_t)elastic->anchorCount, sizeof( double ) );
    supVec3d turn = { 0.3, -0.7, 0.4 }, shift = { 0.5, 0.2, -0.1 };
    for ( int32_t i = 0; i < block.nodeCount; ++i )
    {
        supVec3d u = supAddD( shift, supCrossD( turn, block.places[i] ) );
        int32_t index = elastic->indices[i];
        memcpy( index >= 0 ? moved + 3 * index : held + 3 * ( -1 - index ), &u, sizeof( u ) );
    }
    supBlockMatrix_Multiply( &elastic->stiffness, moved, free3 );
    supBlockMatrix_Multiply( &elastic->pull, held, held3 );
    double stiffest = 0.0;
    for ( size_t i = 0; i < solid.size; ++i )
    {
        stiffest = fmax( stiffest, fabs( free3[i] ) );
        assert_true( fabs( free3[i] + held3[i] ) < 1e-10 * 200000.0 * 0.02 );
    }
    assert_true( stiffest > 1.0 ); // the held nodes do pull
    free( fibers );
    free( moved );
    free( free3 );
    free( held3 );
    free( held );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// What the modes leave out of the answer to a steady force: K^-1 f - sum of shape (shape . f) / omega^2, in place.
/// `scratch`: as for supBlockFactor_SolveOne, and modes->size more.
static void supTakeCorrection(
    const supElasticModes* modes, const supBlockFactor* factor, double* force, double* scratch )
{
    double* solved = scratch + supBlockFactor_ScratchCount( factor );
    memcpy( solved, force, sizeof( double ) * modes->size );
    supBlockFactor_SolveOne( factor, solved, scratch );
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        double share = 0.0;
        for ( size_t i = 0; i < modes->size; ++i )
        {
            share += shape[i] * force[i];
        }
        for ( size_t i = 0; i < modes->size; ++i )
        {
            solved[i] -= share / ( modes->omegas[m] * modes->omegas[m] ) * shape[i];
        }
    }
    memcpy( force, solved, sizeof( double ) * modes->size );
}

/// Modes and what they leave out make up the static answer, whatever their number; the explicit solver comes to rest
/// there too.
static void TestSolversAgree( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 4, 3, 4, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    double sag = supSagOf( &solid, 0.06, 0 );
    double* force = supWeightAlong( &solid, 0 );

    supElasticModes* modes;
    assert_int_equal(
        supFindElasticModes( solid.elastic, solid.factor, NULL, ( supModeWish ){ 12, 12 }, NULL, NULL, &modes, NULL ),
        sup_success );
    double* rest = calloc( solid.size, sizeof( double ) );
    memcpy( rest, force, sizeof( double ) * solid.size );
    supTakeCorrection( modes, solid.factor, rest, solid.scratch );
    double left = supTopMean( &solid, rest, 0.06, 0 );
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        double share = 0.0, square = 0.0;
        for ( size_t i = 0; i < solid.size; ++i )
        {
            share += shape[i] * force[i];
            square += solid.elastic->masses[i / 3] * shape[i] * shape[i];
        }
        assert_true( fabs( square - 1.0 ) < 1e-9 );
        for ( size_t i = 0; i < solid.size; ++i )
        {
            rest[i] += share / ( modes->omegas[m] * modes->omegas[m] ) * shape[i];
        }
    }
    assert_true( fabs( left ) < 0.05 * fabs( sag ) ); // twelve modes hold nearly all of it
    assert_true( fabs( supTopMean( &solid, rest, 0.06, 0 ) / sag - 1.0 ) < 1e-9 );

    double *moved = calloc( solid.size, sizeof( double ) ), *speed = calloc( solid.size, sizeof( double ) ),
           *scratch = calloc( supElastic_ScratchCount( solid.elastic ), sizeof( double ) );
    supElasticDamping damping = { 2.0 * modes->omegas[0], 0.0 };
    double h = supElastic_StableStep( solid.elastic, damping, 1.0 );
    supElasticFrame frame = { .damping = damping, .span = h, .forces = { force, force } };
    for ( double t = 0.0; t < 0.6; t += h )
    {
        supElastic_StepExplicit( solid.elastic, &frame, 0.0, h, moved, speed, scratch );
    }
    assert_true( fabs( supTopMean( &solid, moved, 0.06, 0 ) / sag - 1.0 ) < 0.01 );
    supDestroyElasticModes( modes, NULL );
    free( rest );
    free( force );
    free( moved );
    free( speed );
    free( scratch );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// The solid vibrates in these shapes as in its own: they do not pull at each other, and the slowest are its own.
static void TestVibrations( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 5, 4, 5, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    supElasticModes* modes;
    assert_int_equal(
        supFindElasticModes( solid.elastic, solid.factor, NULL, ( supModeWish ){ 36, 36 }, NULL, NULL, &modes, NULL ),
        sup_success );
    assert_int_equal( modes->count, 36 );
    double* pull = calloc( solid.size, sizeof( double ) );
    for ( int32_t m = 0; m < modes->count; ++m )
    {
        const double* shape = modes->shapes + (size_t)m * modes->size;
        double square = modes->omegas[m] * modes->omegas[m], off = 0.0, all = 0.0;
        supBlockMatrix_Multiply( &solid.elastic->stiffness, shape, pull );
        for ( int32_t n = 0; n <= m; ++n )
        {
            const double* other = modes->shapes + (size_t)n * modes->size;
            double stiff = 0.0, mass = 0.0;
            for ( size_t i = 0; i < solid.size; ++i )
            {
                stiff += other[i] * pull[i];
                mass += solid.elastic->masses[i / 3] * other[i] * shape[i];
            }
            assert_true( fabs( mass - ( m == n ? 1.0 : 0.0 ) ) < 1e-9 );
            assert_true( fabs( stiff - ( m == n ? square : 0.0 ) ) < 1e-9 * square );
        }
        for ( size_t i = 0; i < solid.size; ++i )
        {
            double left = pull[i] - square * solid.elastic->masses[i / 3] * shape[i];
            off += left * left;
            all += pull[i] * pull[i];
        }
        if ( m % 5 == 0 || m == 2 )
        {
            print_message( "vibration %d: %.4f Hz, |K s - omega^2 M s| is %.1e of |K s|\n", m,
                modes->omegas[m] / supPiTwice, sqrt( off / all ) );
        }
        assert_true( m > 2 || sqrt( off / all ) < 1e-3 );
    }
    free( pull );
    supDestroyElasticModes( modes, NULL );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// The largest displacement after 400 explicit steps of `share` times the stable one.
static double supAfterSteps( const supTestSolid* solid, supElasticDamping damping, double share )
{
    double *moved = calloc( solid->size, sizeof( double ) ), *speed = calloc( solid->size, sizeof( double ) ),
           *scratch = calloc( supElastic_ScratchCount( solid->elastic ), sizeof( double ) );
    double* force = supWeightAlong( solid, 1 );
    double h = share * supElastic_StableStep( solid->elastic, damping, 1.0 ), largest = 0.0;
    supElasticFrame frame = { .damping = damping, .span = h, .forces = { force, force } };
    for ( int step = 0; step < 400; ++step )
    {
        supElastic_StepExplicit( solid->elastic, &frame, 0.0, h, moved, speed, scratch );
    }
    for ( size_t i = 0; i < solid->size; ++i )
    {
        largest = isfinite( moved[i] ) ? fmax( largest, fabs( moved[i] ) ) : INFINITY;
    }
    free( moved );
    free( speed );
    free( scratch );
    free( force );
    return largest;
}

/// The step follows the speed of compression: it holds, and a quarter more does not.
static void TestStableStep( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 5, 4, 5, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    supElasticDamping none = { 0.0, 0.0 }, viscous = { 0.0, 0.01 };
    double wave = 0.02 / solid.elastic->longitudinal;
    assert_true( supElastic_StableStep( solid.elastic, none, 1.0 ) > 0.85 * wave );
    assert_true( supAfterSteps( &solid, none, 1.0 ) < 0.1 );
    assert_true( supAfterSteps( &solid, none, 1.35 ) > 1e6 );
    assert_true( supAfterSteps( &solid, viscous, 1.0 ) < 0.1 );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// Fibres make it stiffer along them, and hardly so across.
static void TestFibers( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 2, 6, 2, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    def.material = ( supElasticMaterial ){ 1000.0, 2000.0, 30000.0 };
    supVec3d* fibers = calloc( (size_t)block.elementCount, sizeof( supVec3d ) );
    double sags[2];
    for ( int with = 0; with < 2; ++with )
    {
        for ( int32_t e = 0; e < block.elementCount; ++e )
        {
            fibers[e].y = with;
        }
        def.fibers = fibers;
        supTestSolid solid = supMakeTestSolid( &def );
        sags[with] = supSagOf( &solid, 0.12, 1 );
        supDropTestSolid( &solid );
    }
    // Young's modulus mu (3 lambda + 2 mu) / (lambda + mu) = 2667 Pa, with fibres 32667: a bar hung up by its end
    assert_true( sags[0] / sags[1] > 8.0 && sags[0] / sags[1] < 12.25 );
    free( fibers );
    supDropTestBlock( &block );
}

/// A bar whose upper half is cut twice as finely as its lower one: nodes in between hang on the larger voxels.
static void TestMixedSizes( void** state )
{
    (void)state;
    supTestBlock fine = supMakeTestBlock( 4, 8, 4, 0.01 );
    supElasticDef def = supTestBlockDef( &fine );
    supTestSolid solid = supMakeTestSolid( &def );
    double wanted = supSagOf( &solid, 0.08, 0 );
    supDropTestSolid( &solid );

    // large voxels below: only even nodes up to layer 4; odd ones of layer 4 hang
    int32_t corners[8 * ( 64 + 8 )], count = 0;
    for ( int32_t e = 0; e < fine.elementCount; ++e )
    {
        int32_t at[3] = { e % 4, e / 4 % 8, e / 32 };
        bool large = at[1] < 4, first = at[0] % 2 == 0 && at[1] % 2 == 0 && at[2] % 2 == 0;
        for ( int32_t c = 0; c < 8 && ( !large || first ); ++c )
        {
            int32_t size = large ? 2 : 1;
            corners[8 * count + c] = supTestBlockNode(
                &fine, at[0] + size * ( c & 1 ), at[1] + size * ( c >> 1 & 1 ), at[2] + size * ( c >> 2 & 1 ) );
        }
        count += !large || first;
    }
    // nodes that no element uses are held: they have no part in it
    supHangingNode hanging[16];
    int32_t hangingCount = 0;
    for ( int32_t i = 0; i < fine.nodeCount; ++i )
    {
        int32_t x = i % 5, y = i / 5 % 9, z = i / 45;
        bool odd = x % 2 != 0 || z % 2 != 0;
        fine.anchored[i] = y == 0 || ( y < 4 && ( odd || y % 2 != 0 ) );
        if ( y == 4 && odd )
        {
            supHangingNode* node = hanging + hangingCount++;
            *node = ( supHangingNode ){ .node = i };
            for ( int32_t c = 0; c < 4; ++c )
            {
                int32_t px = x - x % 2 + ( c & 1 ) * 2 * ( x % 2 ), pz = z - z % 2 + ( c >> 1 ) * 2 * ( z % 2 );
                bool twice = ( x % 2 == 0 && ( c & 1 ) != 0 ) || ( z % 2 == 0 && c > 1 );
                if ( !twice )
                {
                    node->parents[node->parentCount++] = supTestBlockNode( &fine, px, y, pz );
                }
            }
        }
    }
    assert_int_equal( count, 64 + 8 );
    assert_int_equal( hangingCount, 16 );
    def.corners = corners;
    def.elementCount = count;
    def.hanging = hanging;
    def.hangingCount = hangingCount;
    supTestSolid mixed = supMakeTestSolid( &def );
    assert_true( fabs( supSagOf( &mixed, 0.08, 0 ) / wanted - 1.0 ) < 0.03 );

    double *moved = supWeightAlong( &mixed, 0 ), *all = calloc( 3 * (size_t)fine.nodeCount, sizeof( double ) );
    supBlockFactor_SolveOne( mixed.factor, moved, mixed.scratch );
    supElastic_Expand( mixed.elastic, moved, NULL, all );
    int32_t middle = supTestBlockNode( &fine, 1, 4, 0 ), left = supTestBlockNode( &fine, 0, 4, 0 ),
            right = supTestBlockNode( &fine, 2, 4, 0 );
    assert_true( all[3 * middle] != 0.0 );
    assert_true( fabs( all[3 * middle] - 0.5 * ( all[3 * left] + all[3 * right] ) ) < 1e-15 );
    free( moved );
    free( all );
    supDropTestSolid( &mixed );
    supDropTestBlock( &fine );
}

/// The sparse factor against the dense one.
static void TestFactor( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 5, 3, 4, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    size_t n = solid.size;
    double *dense = calloc( n * n, sizeof( double ) ), *wanted = calloc( n, sizeof( double ) ),
           *wide = calloc( n * SUP_FACTOR_COLUMNS, sizeof( double ) );
    const supBlockMatrix* a = &solid.elastic->stiffness;
    for ( int32_t i = 0; i < a->count; ++i )
    {
        for ( int64_t k = a->starts[i]; k < a->starts[i + 1]; ++k )
        {
            for ( int b = 0; b < 9; ++b )
            {
                dense[( 3 * (size_t)i + (size_t)( b / 3 ) ) * n + 3 * (size_t)a->columns[k] + (size_t)( b % 3 )] =
                    a->blocks[9 * k + b];
            }
        }
    }
    assert_true( supCholesky( (int32_t)n, dense, 1e-14 ) );
    for ( size_t i = 0; i < n; ++i )
    {
        wanted[i] = sin( 1.0 + 3.7 * (double)i );
        wide[SUP_FACTOR_COLUMNS * i + 5] = wanted[i];
    }
    supCholeskySolve( (int32_t)n, dense, wanted );
    supBlockFactor_Solve( solid.factor, wide, solid.scratch );
    double largest = 0.0;
    for ( size_t i = 0; i < n; ++i )
    {
        largest = fmax( largest, fabs( wanted[i] ) );
    }
    for ( size_t i = 0; i < n; ++i )
    {
        assert_true( fabs( wide[SUP_FACTOR_COLUMNS * i + 5] - wanted[i] ) < 1e-9 * largest );
        assert_true( wide[SUP_FACTOR_COLUMNS * i] == 0.0 );
    }
    // one block turned over: not positive definite any more, and said so
    a->blocks[0] = -a->blocks[0];
    assert_int_equal( supBlockFactor_Fill( solid.factor, a, NULL, NULL ), sup_errorData );
    free( dense );
    free( wanted );
    free( wide );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// Fronts of several blocks and strips: the largest one of this cube has 330 rows and more. What it solves is put back
/// into the matrix.
static void TestLargeFronts( void** state )
{
    (void)state;
    int32_t edge = SUP_SLOW_BUILD ? 7 : 11;
    supTestBlock block = supMakeTestBlock( edge, edge, edge, 0.01 );
    supElasticDef def = supTestBlockDef( &block );
    supTestSolid solid = supMakeTestSolid( &def );
    assert_true( solid.factor->widest > 110 || SUP_SLOW_BUILD );
    double *moved = calloc( solid.size, sizeof( double ) ), *back = calloc( solid.size, sizeof( double ) );
    for ( size_t i = 0; i < solid.size; ++i )
    {
        moved[i] = sin( 1.0 + 3.7 * (double)i );
    }
    supBlockFactor_SolveOne( solid.factor, moved, solid.scratch );
    supBlockMatrix_Multiply( &solid.elastic->stiffness, moved, back );
    for ( size_t i = 0; i < solid.size; ++i )
    {
        assert_true( fabs( back[i] - sin( 1.0 + 3.7 * (double)i ) ) < 1e-9 );
    }
    free( moved );
    free( back );
    supDropTestSolid( &solid );
    supDropTestBlock( &block );
}

/// Tiles of a front: every path takes the same products off in the same order.
static void TestTiles( void** state )
{
    (void)state;
    enum
    {
        depth = 13,
        tiles = 3,
        stride = tiles * supTileRows + 5,
    };
    double strips[tiles * depth * supTileRows], factors[depth * supTileColumns], out[2][4 * stride];
    for ( int i = 0; i < tiles * depth * supTileRows; ++i )
    {
        strips[i] = sin( 0.3 + 1.9 * i );
        factors[i % ( depth * supTileColumns )] = sin( 2.0 * i );
    }
    for ( int i = 0; i < 4 * stride; ++i )
    {
        out[0][i] = out[1][i] = sin( 5.0 + i );
    }
    supSubtractTilesPlain( strips, tiles, depth, factors, out[0], stride );
    for ( int i = 0; i < supTileColumns * tiles * supTileRows; ++i )
    {
        int column = i / ( tiles * supTileRows ), row = i % ( tiles * supTileRows );
        double* own = &out[1][column * stride + row];
        for ( int t = 0; t < depth; ++t )
        {
            *own -= strips[( row / supTileRows * depth + t ) * supTileRows + row % supTileRows] *
                    factors[supTileColumns * t + column];
        }
    }
    assert_memory_equal( out[0], out[1], sizeof( out[0] ) );
#if SUP_TARGET_X86
    if ( supHasSimd( sup_simdAvx2 ) )
    {
        for ( int i = 0; i < 4 * stride; ++i )
        {
            out[1][i] = sin( 5.0 + i );
        }
        supSubtractTilesAvx2( strips, tiles, depth, factors, out[1], stride );
        assert_memory_equal( out[0], out[1], sizeof( out[0] ) );
    }
#endif
}

static void TestRefusals( void** state )
{
    (void)state;
    supTestBlock block = supMakeTestBlock( 2, 2, 2, 0.02 );
    supElasticDef def = supTestBlockDef( &block );
    supElastic* elastic;
    supError error;
    supVec3d kept = block.places[0];
    block.places[0] = ( supVec3d ){ 0.1, 0.1, 0.1 };
    assert_int_equal( supCreateElastic( &def, NULL, &elastic, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "element 0" ) );
    assert_null( elastic );
    block.places[0] = kept;
    float empty[8] = { 0 };
    def.full = empty;
    assert_int_equal( supCreateElastic( &def, NULL, &elastic, &error ), sup_errorData );
    assert_non_null( strstr( error.text, "no mass" ) );
    supDropTestBlock( &block );
}

int main( void )
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test( TestClampedCube ),
        cmocka_unit_test( TestColumn ),
        cmocka_unit_test( TestRigidMotion ),
        cmocka_unit_test( TestSolversAgree ),
        cmocka_unit_test( TestVibrations ),
        cmocka_unit_test( TestStableStep ),
        cmocka_unit_test( TestFibers ),
        cmocka_unit_test( TestMixedSizes ),
        cmocka_unit_test( TestFactor ),
        cmocka_unit_test( TestLargeFronts ),
        cmocka_unit_test( TestTiles ),
        cmocka_unit_test( TestRefusals ),
    };
    return cmocka_run_group_tests( tests, NULL, NULL );
}
