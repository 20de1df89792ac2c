// The bench of clamped beams: the sizes of Chaudhry, You, Jin, Yang, Zhang, "Shape modeling for animated characters
// using ordinary differential equations", 2013, against its method, the dense inverse times the force.
// SPDX-License-Identifier: MIT
//
// As in the paper's table, set-up and frames are timed apart, and of a frame its equation (9) alone: forces in,
// displacements out. Both methods find their forces freshly made, each in its own order in memory; making them is not
// timed. The banded solver writes over the forces, as the layer has it; the dense product needs them to the end.
#include "bench_sweeps.h"
#include "command.h"
#include "supple/lab/beams.h"
#include "supple/lab/drawing.h"
#include "supple/lab/machine.h"
#include "supple/lab/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct supBeamScene
{
    int columns, nodes, panels; ///< a column: one coordinate of one curve
    int frame;
    supBeam beam;
    void* block;
    double* panelForces; ///< both examples' forces in panels, and the frame's, which become its displacements
    double* forces;      ///< the same, column by column
    double* dense;       ///< what the dense method makes of the frame
    double* matrix;      ///< inner nodes squared, and its inverse behind it; NULL: not wanted
} supBeamScene;

static size_t supPanelNumbers( const supBeamScene* scene )
{
    return (size_t)scene->panels * (size_t)scene->nodes * supBeamLanes;
}

static size_t supColumnNumbers( const supBeamScene* scene )
{
    return (size_t)scene->columns * (size_t)( scene->nodes - 2 );
}

// ---------------------------------------------------------------------------------------------------------------
// Fresh forces: two examples blended, with other shares in every frame

static void supBlendForces( double* numbers, size_t count, int frame )
{
    double a = 0.5 + 0.01 * ( frame % 30 ), b = 1.0 - a;
    for ( size_t i = 0; i < count; ++i )
    {
        numbers[2 * count + i] = a * numbers[i] + b * numbers[count + i];
    }
}

static void supMakePanels( void* context )
{
    supBeamScene* scene = context;
    supBlendForces( scene->panelForces, supPanelNumbers( scene ), scene->frame++ );
}

/// One even force: two examples of the longest beams would only push the frame's out of the caches.
static void supMakeEven( void* context )
{
    supBeamScene* scene = context;
    size_t count = supPanelNumbers( scene );
    for ( size_t i = 0; i < count; ++i )
    {
        scene->panelForces[2 * count + i] = 1.0 + 0.01 * ( scene->frame % 30 );
    }
    scene->frame += 1;
}

static void supMakeColumns( void* context )
{
    supBeamScene* scene = context;
    supBlendForces( scene->forces, supColumnNumbers( scene ), scene->frame++ );
}

// ---------------------------------------------------------------------------------------------------------------
// The two methods

static void supFactorBanded( void* context )
{
    supBeamScene* scene = context;
    supInitBeam( &scene->beam, scene->block, scene->nodes - 1, 1.0, 0.0, NULL );
}

static void supRunBanded( void* context )
{
    supBeamScene* scene = context;
    double* frame = scene->panelForces + 2 * supPanelNumbers( scene );
    supBeam_Solve( &scene->beam, scene->panels, frame, frame );
}

/// The matrix of the equation, written down and inverted by Gauss and Jordan's elimination as the paper has it: nothing
/// of the banded solver is in it.
static void supInvertDense( void* context )
{
    supBeamScene* scene = context;
    size_t n = (size_t)scene->nodes - 2;
    double *matrix = scene->matrix, *inverse = matrix + n * n, scale = pow( scene->nodes - 1.0, 4.0 );
    memset( matrix, 0, 2 * n * n * sizeof( double ) );
    for ( size_t i = 0; i < n; ++i )
    {
        static const double row[5] = { 1.0, -4.0, 6.0, -4.0, 1.0 };
        for ( size_t k = 0; k < 5; ++k )
        {
            if ( i + k >= 2 && i + k - 2 < n )
            {
                matrix[i * n + i + k - 2] = scale * row[k];
            }
        }
        matrix[i * n + i] += i == 0 || i + 1 == n ? scale : 0.0; // zero slope at the ends
        inverse[i * n + i] = 1.0;
    }
    for ( size_t p = 0; p < n; ++p )
    {
        double over = 1.0 / matrix[p * n + p]; // positive definite: no pivoting
        for ( size_t k = 0; k < n; ++k )
        {
            matrix[p * n + k] *= over;
            inverse[p * n + k] *= over;
        }
        for ( size_t i = 0; i < n; ++i )
        {
            double factor = matrix[i * n + p];
            for ( size_t k = 0; k < n && i != p && factor != 0.0; ++k )
            {
                matrix[i * n + k] -= factor * matrix[p * n + k];
                inverse[i * n + k] -= factor * inverse[p * n + k];
            }
        }
    }
}

static void supRunDense( void* context )
{
    supBeamScene* scene = context;
    size_t n = (size_t)scene->nodes - 2;
    const double *inverse = scene->matrix + n * n, *forces = scene->forces + 2 * supColumnNumbers( scene );
    for ( size_t c = 0; c < (size_t)scene->columns; ++c )
    {
        const double* force = forces + c * n;
        double* out = scene->dense + c * n;
        for ( size_t i = 0; i < n; ++i )
        {
            const double* row = inverse + i * n;
            double sum = 0.0;
            for ( size_t k = 0; k < n; ++k )
            {
                sum += row[k] * force[k];
            }
            out[i] = sum;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Life cycle

static void supDropBeams( supBeamScene* scene )
{
    free( scene->block );
    free( scene->panelForces );
    free( scene->forces );
    free( scene->dense );
    free( scene->matrix );
}

/// Where a column's inner node is in the panels.
static size_t supPanelPlace( const supBeamScene* scene, size_t column, size_t inner )
{
    size_t panel = column / supBeamLanes * (size_t)scene->nodes * supBeamLanes;
    return panel + ( inner + 1 ) * supBeamLanes + column % supBeamLanes;
}

static bool supOpenBeams( supBeamScene* scene, int columns, int nodes, bool dense )
{
    *scene = ( supBeamScene ){ .columns = columns, .nodes = nodes };
    scene->panels = ( columns + supBeamLanes - 1 ) / supBeamLanes;
    size_t n = (size_t)nodes - 2, all = supPanelNumbers( scene ), inner = supColumnNumbers( scene );
    scene->block = malloc( supBeam_MemorySize( nodes - 1 ) );
    scene->panelForces = aligned_alloc( 64, 3 * all * sizeof( double ) );
    scene->forces = malloc( 3 * inner * sizeof( double ) );
    scene->dense = malloc( inner * sizeof( double ) );
    scene->matrix = dense ? malloc( 2 * n * n * sizeof( double ) ) : NULL;
    if ( scene->block == NULL || scene->panelForces == NULL || scene->forces == NULL || scene->dense == NULL ||
         ( dense && scene->matrix == NULL ) )
    {
        return false;
    }
    memset( scene->panelForces, 0, 3 * all * sizeof( double ) );
    for ( size_t i = 0; i < 2 * inner; ++i )
    {
        double force = sin( 0.37 * (double)i );
        scene->forces[i] = force;
        scene->panelForces[i / inner * all + supPanelPlace( scene, i % inner / n, i % n )] = force;
    }
    supFactorBanded( scene );
    if ( dense )
    {
        supInvertDense( scene );
    }
    return true;
}

/// How far the two are apart in any of 30 frames, as a share of the largest answer.
static double supBeamDifference( supBeamScene* scene )
{
    size_t n = (size_t)scene->nodes - 2, all = supPanelNumbers( scene );
    double most = 0.0, largest = 0.0;
    for ( int frame = 0; frame < 30; ++frame )
    {
        scene->frame = frame;
        supMakePanels( scene );
        supRunBanded( scene );
        scene->frame = frame;
        supMakeColumns( scene );
        supRunDense( scene );
        for ( size_t i = 0; i < supColumnNumbers( scene ); ++i )
        {
            double banded = scene->panelForces[2 * all + supPanelPlace( scene, i / n, i % n )];
            most = fmax( most, fabs( banded - scene->dense[i] ) );
            largest = fmax( largest, fabs( scene->dense[i] ) );
        }
    }
    return most / largest;
}

// ---------------------------------------------------------------------------------------------------------------
// The paper's table 1 and figure 10

enum
{
    sup_sizeCount = 4,
    sup_frameCount = 150, ///< of the plot
    sup_plotRounds = 20
};

static const struct
{
    const char* name;
    int curves, nodes;
} sup_sizes[sup_sizeCount] = { { "finger 64 x 22", 64, 22 }, { "leg 36 x 31", 36, 31 }, { "arm 34 x 27", 34, 27 },
    { "arm 31 x 103", 31, 103 } };

typedef void supBeamAction( void* scene );

/// Milliseconds from the start of the set-up to the end of each frame, the least of some rounds; making the forces is
/// not counted.
static void supTimeFrames(
    supBeamScene* scene, supBeamAction* setUp, supBeamAction* prepare, supBeamAction* run, double* totals )
{
    for ( int round = 0; round < sup_plotRounds; ++round )
    {
        double start = supBenchClock();
        setUp( scene );
        double sum = supBenchClock() - start;
        for ( int i = 0; i < sup_frameCount; ++i )
        {
            prepare( scene );
            start = supBenchClock();
            run( scene );
            sum += supBenchClock() - start;
            totals[i] = round == 0 ? 1e-6 * sum : fmin( totals[i], 1e-6 * sum );
        }
    }
}

static supResult supPlotFrames( const char* folder, double totals[2][sup_sizeCount][sup_frameCount], supError* error )
{
    static const char* const names[2][3] = { { "finger, dense", "leg, dense", "arm, dense" },
        { "finger, banded", "leg, banded", "arm, banded" } };
    double x[sup_frameCount];
    supSeries series[6];
    for ( int i = 0; i < sup_frameCount; ++i )
    {
        x[i] = i + 1.0;
    }
    for ( int i = 0; i < 6; ++i ) // the paper's figure has the first three
    {
        series[i] = ( supSeries ){ .name = names[i / 3][i % 3],
            .color = supDraw_Distinct( i % 3 ),
            .x = x,
            .y = totals[i / 3][i % 3],
            .count = sup_frameCount,
            .dashed = i < 3 };
    }
    supPlotDef plot = supDefaultPlotDef();
    plot.title = "Set-up and frames of three coordinates";
    plot.xLabel = "frames";
    plot.yLabel = "time (ms)";
    plot.xLog = plot.yLog = true;
    plot.series = series;
    plot.seriesCount = 6;
    char path[1100];
    snprintf( path, sizeof( path ), "%s/beams.svg", folder );
    return supWritePlot( &plot, path, error );
}

/// One of the paper's sizes. `dense` and `banded`: totals after each frame; NULL: not wanted.
static int supBenchSize( supBench* bench, int size, double* dense, double* banded )
{
    supBeamScene scene;
    const char *name = sup_sizes[size].name, *path = supSimdName( supBestSimd() );
    bool fits = supOpenBeams( &scene, 3 * sup_sizes[size].curves, sup_sizes[size].nodes, true );
    double difference = fits ? supBeamDifference( &scene ) : 0.0;
    const supBenchCase cases[] = {
        { name, "set-up, dense inverse", "plain C -O3", "set-up", 1, NULL, supInvertDense, &scene },
        { name, "set-up, banded", "double", "set-up", 1, "set-up, dense inverse", supFactorBanded, &scene },
        { name, "dense inverse times force", "plain C -O3", "frame", 1, NULL, supRunDense, &scene },
        { name, "banded", path, "frame", 1, "dense inverse times force", supRunBanded, &scene },
    };
    supBenchPrepare* const prepares[] = { NULL, NULL, supMakeColumns, supMakePanels };
    if ( fits && difference <= 1e-6 )
    {
        supMeasurePrepared( bench, cases, prepares, 4 );
    }
    if ( fits && dense != NULL )
    {
        supTimeFrames( &scene, supInvertDense, supMakeColumns, supRunDense, dense );
        supTimeFrames( &scene, supFactorBanded, supMakePanels, supRunBanded, banded );
    }
    supDropBeams( &scene );
    if ( !fits || difference > 1e-6 )
    {
        fprintf( stderr, fits ? "supple bench: %s: the two methods differ by %g\n" : "supple bench: %s: no memory\n",
            name, difference );
        return sup_exitFailed;
    }
    return sup_exitOk;
}

static int supBenchLengths( supBench* bench )
{
    static const char* const names[4] = { "100 nodes", "1,000 nodes", "10,000 nodes", "100,000 nodes" };
    bool fits = true;
    for ( int i = 0, nodes = 100; i < 4 && fits; ++i, nodes *= 10 )
    {
        supBeamScene scene;
        fits = supOpenBeams( &scene, supBeamLanes, nodes, false );
        const supBenchCase one = { "beams", names[i], supSimdName( supBestSimd() ), "node",
            (double)supBeamLanes * nodes, NULL, supRunBanded, &scene };
        if ( fits )
        {
            supMeasurePrepared( bench, &one, &( supBenchPrepare* ){ supMakeEven }, 1 );
        }
        supDropBeams( &scene );
    }
    if ( !fits )
    {
        fprintf( stderr, "supple bench: no memory for beams\n" );
    }
    return fits ? sup_exitOk : sup_exitFailed;
}

int supBenchBeams( supBench* bench, const char* plots )
{
    static double totals[2][sup_sizeCount][sup_frameCount];
    int code = sup_exitOk;
    for ( int i = 0; i < sup_sizeCount && code == sup_exitOk; ++i )
    {
        code = supBenchSize( bench, i, plots != NULL ? totals[0][i] : NULL, totals[1][i] );
    }
    code = code == sup_exitOk ? supBenchLengths( bench ) : code;
    supError error = { 0 };
    if ( plots != NULL && code == sup_exitOk && supPlotFrames( plots, totals, &error ) != sup_success )
    {
        fprintf( stderr, "supple bench: %s\n", error.text );
        code = sup_exitFailed;
    }
    return code;
}
